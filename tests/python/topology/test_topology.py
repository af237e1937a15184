# SPDX-License-Identifier: MIT
"""Machines: innermost level first, checked, described in words."""

import pickle
import re

import numpy as np
import pytest

import procmap
from procmap import Topology, TopologyError


def test_hierarchy_is_innermost_first():
    machine = Topology.hierarchy("4:8:6", "1:10:100")

    assert machine.num_pes == 192
    assert machine.sizes == (4, 8, 6)
    assert machine.distances == (1, 10, 100)
    assert [machine.distance(0, pe) for pe in (0, 3, 4, 31, 32, 191)] == [0, 1, 10, 10, 100, 100]
    assert [machine.meeting_level(0, pe) for pe in (0, 3, 4, 31, 32)] == [0, 1, 2, 2, 3]


@pytest.mark.parametrize("sizes", ["4:8:6", [4, 8, 6], (4, 8, 6), np.array([4, 8, 6], "u1")])
@pytest.mark.parametrize("distances", ["1:10:100", [1, 10, 100], np.array([1.0, 10.0, 100.0])])
def test_strings_and_sequences_make_the_same_machine(sizes, distances):
    machine = Topology.hierarchy(sizes, distances)

    assert machine == Topology.hierarchy("4:8:6", "1:10:100")
    assert hash(machine) == hash(Topology.hierarchy("4:8:6", "1:10:100"))
    assert machine != Topology.flat(192)


def test_distance_matrix_equals_single_distances():
    machine = Topology.hierarchy("2:1:3:2", "1:1:5:7")

    matrix = machine.distance_matrix()

    pes = range(machine.num_pes)
    assert matrix.tolist() == [[machine.distance(a, b) for b in pes] for a in pes]


def test_flat_machine_has_one_level():
    machine = Topology.flat(5)

    assert (machine.sizes, machine.distances) == ((5,), (1,))


def test_repr_is_in_words():
    assert "192 PEs" in repr(Topology.hierarchy("4:8:6", "1:10:100"))


def test_pickle_keeps_the_machine():
    machine = Topology.hierarchy("4:8:6", "1:10:100")

    assert pickle.loads(pickle.dumps(machine)) == machine


def test_pe_out_of_range_is_an_index_error():
    for a, b in [(0, 5), (-1, 0), (5, 5)]:
        with pytest.raises(IndexError, match=re.escape("not in [0, 5)")):
            Topology.flat(5).distance(a, b)
        with pytest.raises(IndexError):
            Topology.flat(5).meeting_level(a, b)


@pytest.mark.parametrize(
    ("sizes", "distances"),
    [
        ("", ""),
        ("4:8", "1"),
        ("4", "1:2"),
        ("4:0", "1:2"),
        ("4:-1", "1:2"),
        ("4:x", "1:2"),
        ("4:8:", "1:2"),
        ("4.5", "1"),
        ("4:8", "10:1"),
        ("4:8", "-1:1"),
        ("4096:4096", "1:2"),
        ("99999999999999999999", "1"),
        ("4", "99999999999999999999"),
        ("1:1:1:1:1:1:1:1:1", "1:1:1:1:1:1:1:1:1"),
        ([], []),
        ([4, 8], "1"),
        ([4.5], [1]),
        ([True], [1]),
        ([2**40], [1]),
        ([4], [2**70]),
        ([[4]], [1]),
        ([None], [1]),
        ([4, float("nan")], [1, 2]),
        ("4:x", [1, 2]),
    ],
)
def test_nonsense_is_a_topology_error(sizes, distances):
    with pytest.raises(TopologyError):
        Topology.hierarchy(sizes, distances)


@pytest.mark.parametrize("k", [0, -3, 2.5, True, "4", None, 2**22 + 1, 2**40])
def test_flat_machine_of_nonsense_is_a_topology_error(k):
    with pytest.raises(TopologyError):
        Topology.flat(k)


def test_topology_error_is_a_value_error_of_the_package():
    assert issubclass(TopologyError, ValueError)
    assert TopologyError.__module__ == "procmap"
    with pytest.raises(TypeError, match="hierarchy"):
        procmap.Topology()


def test_levels_may_have_names_or_begin_outside():
    machine = Topology.hierarchy("4:8:6", "1:10:100")
    sizes = {"core": 4, "processor": 8, "node": 6}

    assert Topology.hierarchy(sizes, {"node": 100, "core": 1, "processor": 10}) == machine
    assert Topology.hierarchy("6:8:4", "100:10:1", order="outer-first") == machine
    assert Topology.hierarchy([6, 8, 4], [100, 10, 1], order="outer-first") == machine
    assert (
        pickle.loads(
            pickle.dumps(Topology.hierarchy(sizes, {"core": 4, "processor": 8, "node": 9}))
        ).num_pes
        == 192
    )


@pytest.mark.parametrize(
    ("sizes", "distances", "order", "message"),
    [
        ({"a": 2}, {"b": 1}, "inner-first", "must name the same levels"),
        ({"a": 2}, [1], "inner-first", "must name the same levels"),
        ([2], {"a": 1}, "inner-first", "must name the same levels"),
        ({"a": 2.5}, {"a": 1}, "inner-first", r"sizes\[0\] = 2.5"),
        ({}, {}, "inner-first", "level"),
        ("2:2", "1:10", "outer-first", "distances grow outwards"),
        ("2:2", "1:10", "outside", "order must be 'inner-first' or 'outer-first', got 'outside'"),
    ],
)
def test_levels_that_do_not_fit_are_refused(sizes, distances, order, message):
    with pytest.raises(TopologyError, match=message):
        Topology.hierarchy(sizes, distances, order=order)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Topology.flat(4).distance(0, 1.0), TypeError, "a PE must be an integer, got 1.0"),
        (lambda: Topology.flat(4).distance("a", 1), TypeError, "a PE must be an integer, got 'a'"),
        (lambda: Topology.flat(4).meeting_level(0, None), TypeError, "an integer, got None"),
        (lambda: Topology.flat(4).distance(0, 2**70), IndexError, "PE 1180591620717411303424 is"),
        (lambda: Topology.flat(4).distance(-1, 0), IndexError, "PE -1 is not in [0, 4)"),
        (lambda: Topology.torus(4, [3, 2]), TopologyError, "sizes[1] must be an integer"),
        (lambda: Topology.mesh(4, 4, 0), TopologyError, "sizes[2] must be an integer"),
        (lambda: Topology.flat(4).with_hosts(None), TypeError, "hosts must be a str such as"),
        (lambda: Topology.from_slurm_addresses(None), TypeError, "addresses must be a str, or one"),
        (lambda: Topology.from_slurm_addresses(["a.b", 5]), TopologyError, "addresses[1] must be"),
        (lambda: Topology.from_measurements(None, "latencies"), TopologyError, "square, got None"),
        (
            lambda: Topology.from_measurements(np.ones((2, 3)), "latencies"),
            TopologyError,
            "latencies must be a square matrix, got shape (2, 3)",
        ),
        (
            lambda: Topology.from_measurements([["a", "b"], ["c", "d"]], "bandwidths"),
            TopologyError,
            "bandwidths must hold numbers, got dtype <U1: bandwidths[0, 0] is 'a'",
        ),
        (lambda: Topology.from_distance_matrix(5), TopologyError, "a square matrix, got 5"),
        (
            lambda: Topology.from_distance_matrix([[0, None], [1, 0]]),
            TopologyError,
            "distances must hold numbers, got dtype object: distances[0, 1] is None",
        ),
    ],
)
def test_what_makes_no_machine_is_named(make, error, message):
    with pytest.raises(error, match=re.escape(message)):
        make()
