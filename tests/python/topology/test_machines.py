# SPDX-License-Identifier: MIT
"""Machines that are no hierarchies: distances by definition, checked, pickled, evaluated."""

import itertools
import pickle
import re

import numpy as np
import pytest

import procmap
from procmap import Topology, TopologyError
from support import assert_report_is_true, grid, random_weighted

MATRIX = [[0, 3, 5, 2], [3, 0, 4, 4], [5, 4, 0, 9], [2, 4, 9, 0]]

MACHINES = {
    "matrix": lambda: Topology.from_distance_matrix(MATRIX),
    "torus": lambda: Topology.torus(3, 4, 2, costs=[1, 10, 100]),
    "mesh": lambda: Topology.mesh(3, 5),
    "hypercube": lambda: Topology.hypercube(4),
    "fat tree": lambda: Topology.fat_tree(4, 2),
    "dragonfly": lambda: Topology.dragonfly(3, 2, 2, costs=(1, 2, 5)),
    "part of a torus": lambda: Topology.torus(4, 4).sub([15, 3, 1, 2, 8]),
    "part of a hierarchy": lambda: Topology.hierarchy("2:3:2", "1:5:9").sub([0, 3, 4, 11]),
    "part of a matrix": lambda: Topology.from_distance_matrix(MATRIX).sub([3, 1]),
}


def torus_distance(a, b, sizes, costs):
    pairs = zip(np.unravel_index(a, sizes), np.unravel_index(b, sizes), sizes, costs, strict=True)
    return sum(cost * min(abs(x - y), size - abs(x - y)) for x, y, size, cost in pairs)


@pytest.mark.parametrize("name", MACHINES)
def test_distance_matrix_equals_single_distances(name):
    machine = MACHINES[name]()

    matrix = machine.distance_matrix()

    pes = range(machine.num_pes)
    assert matrix.dtype == np.int64
    assert matrix.tolist() == [[machine.distance(a, b) for b in pes] for a in pes]
    assert (matrix == matrix.T).all()
    assert not matrix.diagonal().any()


@pytest.mark.parametrize("name", MACHINES)
def test_pickle_keeps_the_machine(name):
    machine = MACHINES[name]()

    again = pickle.loads(pickle.dumps(machine))

    assert again == machine
    assert hash(again) == hash(machine)
    assert repr(again) == repr(machine)
    np.testing.assert_array_equal(again.distance_matrix(), machine.distance_matrix())


def test_different_machines_are_not_equal():
    for a, b in itertools.combinations(MACHINES.values(), 2):
        assert a() != b()


@pytest.mark.parametrize("name", MACHINES)
def test_reports_are_true(name):
    machine = MACHINES[name]()
    graph = random_weighted(200, 900, seed=3)
    blocks = np.random.default_rng(1).integers(0, machine.num_pes, 200).astype(np.int32)

    report = procmap.evaluate(graph, blocks, machine, imbalance=0.1)

    assert_report_is_true(graph, blocks, machine, report, 0.1)


@pytest.mark.parametrize("name", MACHINES)
def test_mappings_are_true_and_balanced(name):
    machine = MACHINES[name]()
    graph = grid(20, 20)

    mapping = procmap.map(graph, machine, imbalance=0.1, strict=True)

    assert_report_is_true(graph, mapping.blocks, machine, mapping, 0.1)


def test_torus_numbers_pes_like_numpy():
    sizes, costs = (3, 4, 2), (1, 10, 100)

    matrix = Topology.torus(*sizes, costs=costs).distance_matrix()

    pes = range(24)
    assert matrix.tolist() == [[torus_distance(a, b, sizes, costs) for b in pes] for a in pes]


def test_many_distances_leave_the_traffic_inside():
    graph = grid(10, 10)
    blocks = np.arange(100, dtype=np.int32)

    report = procmap.evaluate(graph, blocks, Topology.mesh(100), imbalance=0)

    assert report.level_traffic.tolist() == [0]
    assert report.level_distances.tolist() == []
    assert report.edge_cut == 180
    assert report.cost == 2 * (90 * 1 + 90 * 10)


def test_integral_floats_are_integers():
    assert Topology.from_distance_matrix(np.array(MATRIX, float)) == MACHINES["matrix"]()


def test_decimal_fractions_are_exact():
    matrix = np.array(MATRIX) / 4

    machine = Topology.from_distance_matrix(matrix)

    assert machine.distance_scale == procmap.Scale(10, 2)
    assert machine.distance(0, 1) == 0.75
    np.testing.assert_array_equal(machine.distance_matrix(), matrix)
    assert "units of 0.01" in repr(machine)
    assert machine != Topology.from_distance_matrix(matrix * 100)


def test_other_fractions_keep_20_bits():
    matrix = np.array(MATRIX) / 7

    machine = Topology.from_distance_matrix(matrix)

    assert not machine.distance_scale.exact
    np.testing.assert_allclose(machine.distance_matrix(), matrix, rtol=0, atol=2**-19)
    assert pickle.loads(pickle.dumps(machine)) == machine


def test_reports_are_in_the_unit_of_the_distances():
    graph = procmap.Graph.from_edges([(0, 1), (1, 2)], weights=[2, 3])
    blocks = np.array([0, 1, 2], np.int32)

    report = procmap.evaluate(graph, blocks, Topology.from_distance_matrix(np.array(MATRIX) / 4))

    assert report.cost == 2 * (2 * 0.75 + 3 * 1.0)
    assert report.level_distances.tolist() == [0.5, 0.75, 1.0, 1.25, 2.25]
    assert report.level_traffic.tolist() == [0, 0, 2, 3, 0, 0]


def test_hosts_stay_with_the_pes():
    machine = Topology.mesh(2, 2).with_hosts("n[1-2]")

    part = pickle.loads(pickle.dumps(machine.sub([3, 1])))

    assert part.names == ("n2:core1", "n1:core1")
    assert part != Topology.mesh(2, 2).sub([3, 1])


def test_matrix_of_a_hierarchy_is_recognised():
    machine = Topology.hierarchy("4:8:3", "1:10:100")

    assert Topology.from_distance_matrix(machine.distance_matrix()) == machine


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[0, 5], [6, 0]], "distance[0][1] = 5 but distance[1][0] = 6"),
        ([[0, 0.55], [0.3, 0]], "distance[0][1] = 0.55 but distance[1][0] = 0.3"),
        ([[0, 1 / 3], [0.3, 0]], "but distance[1][0] = 0.3"),
        ([[0, -1], [-1, 0]], "distance[0][1] = -1 is negative"),
        ([[0, -0.5], [-0.5, 0]], "distance[0][1] = -0.5 is negative"),
        ([[0, float("nan")], [1, 0]], "distance[0][1] = nan is not a finite number"),
        ([[0, float("inf")], [1, 0]], "distance[0][1] = inf is not a finite number"),
        ([[1]], "distance[0][0] = 1, but a PE is at distance 0 from itself"),
        ([[0, 2**40], [2**40, 0]], "not below 2^31"),
        (np.array([[0, 2**63], [2**63, 0]], np.uint64), "not below 2^31"),
        ([[0.5, 1], [1, 0]], "distance[0][0] = 0.5, but a PE is at distance 0 from itself"),
        ([[0, 0.1], [0.1, 1e-9]], "distance[1][1] = 1e-09, but"),
        ([[0, 1]], "square"),
        ([], "square"),
        ([0, 1], "square"),
        ([[0, 1], [1]], "not an array"),
        ([["a"]], "numbers"),
        ([[True]], "numbers"),
        (None, "square"),
    ],
)
def test_wrong_matrices_are_named(matrix, message):
    with pytest.raises(TopologyError, match=re.escape(message)):
        Topology.from_distance_matrix(matrix)


@pytest.mark.parametrize(
    "make",
    [
        Topology.torus,
        lambda: Topology.torus(4, 0),
        lambda: Topology.torus(4.5),
        lambda: Topology.torus(4, 4, costs=[1]),
        lambda: Topology.torus(4, costs=[-1]),
        lambda: Topology.mesh("4"),
        lambda: Topology.mesh(5000, 5000),
        lambda: Topology.hypercube(-1),
        lambda: Topology.hypercube(23),
        lambda: Topology.fat_tree(3),
        lambda: Topology.fat_tree(0),
        lambda: Topology.fat_tree(4, 0),
        lambda: Topology.dragonfly(0, 1, 1),
        lambda: Topology.dragonfly(200, 200, 1),
        lambda: Topology.dragonfly(2, 2, 2, costs=(1, 1)),
        lambda: Topology.dragonfly(2, 2, 2, costs=(1, 1, -1)),
        lambda: Topology.torus(4).sub([]),
        lambda: Topology.torus(4).sub([4]),
        lambda: Topology.torus(4).sub([1, 1]),
        lambda: Topology.torus(4).with_hosts("n[1-2]").sub([4]),
        lambda: Topology.torus(4).with_hosts("n[1-2]").sub([-5]),
        lambda: Topology.torus(4).with_hosts("n[1-2]").sub([]),
        lambda: Topology.torus(4).sub([0.5]),
        lambda: Topology.torus(4).meeting_level(0, 1),
    ],
)
def test_nonsense_is_a_topology_error(make):
    with pytest.raises(TopologyError):
        make()


def test_machines_without_levels_have_no_sizes():
    machine = Topology.torus(4, 4)

    assert (machine.sizes, machine.distances) == ((), ())
    assert machine.distance_scale == procmap.Scale()
    assert repr(machine) == "Topology(16 PEs in a torus of 4 x 4)"
