# SPDX-License-Identifier: MIT
"""Distances, weights and traffic of any magnitude: the same machine, no 0 unsaid, no late error."""

import numpy as np
import pytest

import procmap
from procmap import Topology, TopologyError
from procmap._util.scaling import scale_to_integers
from support import grid_edges

MATRIX = np.array([[0, 1, 3, 10], [1, 0, 3, 10], [3, 3, 0, 10], [10, 10, 10, 0.0]])
FACTORS = [10.0**e for e in (-300, -30, -12, -10, -9, -6, -1, 0, 3, 9, 15, 60, 280)]
FACTORS += [2.0**e for e in (-1000, -40, -1, 13, 40, 900)] + [0.37e-9, 1 / 3, 7e-21]


def ratios(machine):
    return machine._native.distance_matrix() / machine._native.distance_matrix()[0, 1]


@pytest.mark.parametrize("factor", FACTORS)
def test_another_unit_of_distances_is_the_same_machine(factor):
    machine = Topology.from_distance_matrix(MATRIX * factor)

    np.testing.assert_allclose(ratios(machine), MATRIX, rtol=1e-4)
    np.testing.assert_allclose(machine.distance_matrix(), MATRIX * factor, rtol=1e-4)
    if np.log10(factor).is_integer():
        assert machine.distance_scale.exact
        assert (ratios(machine) == MATRIX).all()


@pytest.mark.parametrize("tiny", [5e-10, 1e-17, 5e-324])
def test_a_distance_that_is_not_0_does_not_become_0(tiny):
    machine = Topology.from_distance_matrix([[0, tiny, 1], [tiny, 0, 1], [1, 1, 0.0]])

    assert machine._native.distance(0, 1) > 0
    if tiny < 1e-9:
        assert not machine.distance_scale.exact
    alone = Topology.from_distance_matrix([[0, tiny], [tiny, 0]])
    assert alone.distance(0, 1) == pytest.approx(tiny)


def test_machines_of_seconds_per_byte_give_the_mapping_of_their_ratios():
    edges = grid_edges(10, 10)
    graph = procmap.Graph.from_edges(edges, 100)
    expected = procmap.map(graph, Topology.from_distance_matrix(MATRIX))

    for factor in (1e-12, 1e-10, 1e9):
        mapping = procmap.map(graph, Topology.from_distance_matrix(MATRIX * factor))
        assert (mapping.blocks == expected.blocks).all()
        assert mapping.cost == pytest.approx(expected.cost * factor)


@pytest.mark.parametrize("tiny", [1e-9, 1e-30, 5e-324])
def test_weights_that_are_not_0_do_not_become_0(tiny):
    integers, _ = scale_to_integers([1e9 / 3, tiny, 0.0], "weights", procmap.GraphError)

    assert integers[1] > 0
    assert integers[2] == 0


def test_masked_distances_are_refused():
    masked = np.ma.masked_array(MATRIX, mask=MATRIX == 3)

    with pytest.raises(TopologyError, match="distances has masked values"):
        Topology.from_distance_matrix(masked)
    with pytest.raises(TopologyError, match="masked"):
        Topology.from_measurements(masked, "latencies")
    whole = np.ma.masked_array(MATRIX, mask=False)
    assert Topology.from_distance_matrix(whole).distance(0, 3) == 10


@pytest.mark.parametrize("quantity", ["latencies", "bandwidths"])
@pytest.mark.parametrize("size", [1e308, 5e-324])
def test_measurements_of_extreme_size(quantity, size):
    machine = Topology.from_measurements([[0, size], [size, 0]], quantity)

    expected = size if quantity == "latencies" else 1
    assert machine.distance(0, 1) == pytest.approx(expected)


def test_bandwidths_too_far_apart_are_refused():
    with pytest.raises(TopologyError, match="not a finite number"):
        Topology.from_measurements(
            [[0, 1e308, 1], [1e308, 0, 5e-324], [1, 5e-324, 0]], "bandwidths"
        )


def test_costs_beyond_floats_are_refused_before_the_mapping(monkeypatch):
    far = Topology.from_distance_matrix([[0, 100], [100, 0]])
    heavy = procmap.Graph.from_edges([(0, 1), (1, 2)], 3, [1e307, 1e307])
    monkeypatch.setattr("procmap._core.map", None)

    with pytest.raises(OverflowError, match="range of floats"):
        procmap.map(heavy, far)
    with pytest.raises(OverflowError, match="range of floats"):
        procmap.evaluate(heavy, [0, 1, 0], far)
    light = procmap.Graph.from_edges([(0, 1), (1, 2)], 3, [1e-200, 1e-200])
    with pytest.raises(OverflowError, match="range of floats"):
        procmap.map(light, Topology.from_distance_matrix([[0, 1e-200], [1e-200, 0]]))
    full = procmap.Graph.from_edges([(0, 1)], 2, vertex_weights=[1e308, 1e308])
    with pytest.raises(OverflowError, match="total load"):
        procmap.map(full, far)


def test_costs_near_the_end_of_floats_are_right():
    heavy = procmap.Graph.from_edges([(0, 1), (1, 2)], 3, [1e306, 2e306])
    near = Topology.from_distance_matrix([[0, 4], [4, 0]])

    mapping = procmap.map(heavy, near, imbalance=1e300, allow_empty=True)
    assert procmap.evaluate(heavy, [0, 1, 0], near, imbalance=9).cost == pytest.approx(2.4e307)
    assert mapping.cost == 0
    loads = procmap.Graph.from_edges([(0, 1)], 2, vertex_weights=[4e307, 8e307])
    mapping = procmap.map(loads, near, imbalance=1e300)
    assert mapping.capacity == np.inf
    assert mapping.block_weights.sum() == pytest.approx(1.2e308)
    str(mapping.report())


@pytest.mark.parametrize("unit", [1e-300, 1e300])
def test_migration_costs_beside_extreme_traffic(unit):
    graph = procmap.Graph.from_edges([(0, 1)], 2, [unit])
    two = Topology.flat(2)

    mapping = procmap.map(graph, two, initial=[1, 0], migration_cost=unit, imbalance=0)
    assert mapping.blocks.tolist() == [1, 0]
    if unit < 1:
        with pytest.raises(procmap.ConfigError, match="migration_cost = 1e\\+300 is too large"):
            procmap.map(graph, two, initial=[1, 0], migration_cost=1e300)


@pytest.mark.parametrize(
    ("weight", "far", "message"),
    [
        (12, 10**18, "graph weigh 24 in .* to 10{18} from .*; scale weights or distances down"),
        (0.3, 10**8, "graph weigh 0.6.* in .* to 10{8} from .*; scale distances down"),
    ],
)
def test_costs_beyond_64_bits_name_both_factors(weight, far, message):
    # A graph of hardly any fractions has integers of 40 bits, which the factor cannot change.
    weights = [weight, weight / 7] if weight < 1 else [weight]
    graph = procmap.Graph.from_edges([(0, 1), (1, 2)][: len(weights)], 3, weights)
    machine = Topology.hierarchy([2, 2], [1, far])

    for call in (procmap.map, lambda g, m: procmap.evaluate(g, [0, 1, 2], m)):
        with pytest.raises(OverflowError, match=f"J could exceed 2.62: the edges of {message}"):
            call(graph, machine)
    traffic = np.zeros((3, 3), type(weight))
    traffic[[0, 1][: len(weights)], [1, 2][: len(weights)]] = weights
    with pytest.raises(OverflowError, match=r"J could exceed 2.62: traffic adds up to"):
        procmap.reorder_ranks(traffic, machine)


def test_costs_beyond_floats_need_no_matrix_of_distances():
    heavy = procmap.Graph.from_edges([(0, 1)], 2, [1e307])

    with pytest.raises(OverflowError, match="costs may be beyond the range of floats"):
        procmap.map(heavy, Topology.hierarchy("1024:1024:4", "1:10:100"))
