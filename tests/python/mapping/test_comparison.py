# SPDX-License-Identifier: MIT
"""What a mapping is compared with: partitions, and the orders of launchers."""

import json

import numpy as np
import pytest

import procmap
from procmap import Graph, Topology
from support import MACHINE, grid

LINE = Topology.hierarchy("2:2", "1:10")


def test_meshes_are_compared_with_a_partition_and_ranks_with_the_orders_of_launchers():
    machine = Topology.hierarchy("4:4:4", "1:10:100")
    mesh, ranks = grid(40, 40), grid(8, 8)

    of_mesh = procmap.map(mesh, machine).report()
    of_ranks = procmap.map(ranks, machine).report()

    split = procmap.partition(mesh, 64, preset="fast", capacities=[26] * 64, allow_empty=True)
    assert list(of_mesh.comparison) == ["partition", "block", "round-robin", "random"]
    assert of_mesh.comparison["partition"].edge_cut == split.edge_cut
    assert of_mesh.saving() > 0.05
    assert "than in a k-way partition with block b on PE b" in str(of_mesh)
    assert "srun" not in str(of_mesh)
    assert list(of_ranks.comparison) == ["block", "round-robin", "random"]
    assert "than in block order, the default of srun and mpirun" in str(of_ranks)
    assert split.report().baseline == "block"  # that is a partition itself


@pytest.mark.parametrize("loads", [None, np.arange(400) / 4, np.ones((400, 2), int)])
@pytest.mark.parametrize("options", [{"imbalance": 0.2}, {"imbalance": 0.0}, {"room": 1e6}])
def test_what_a_mapping_is_compared_with_may_weigh_as_much(loads, options):
    weights = 1 if loads is None or loads.ndim == 1 else 2
    if "room" in options:
        options = {"capacities": np.full((12, weights), options["room"])}
    found = procmap.evaluate(
        grid(20, 20), np.arange(400) % 12, MACHINE, vertex_weights=loads, **options
    )

    for report in found.comparison.values():
        for weight, own in zip(report.weights, found.weights, strict=True):
            assert (weight.capacities == own.capacities).all()
        fits = all((weight.excess == 0).all() for weight in report.weights)
        assert report.feasible == fits


@pytest.mark.parametrize("capacities", [None, [0] * 12])
def test_tasks_without_load_are_compared(capacities):
    found = procmap.evaluate(
        grid(6, 6),
        np.arange(36) % 12,
        MACHINE,
        vertex_weights=np.zeros(36, int),
        capacities=capacities,
    )

    assert {report.capacity for report in found.comparison.values()} == {0}
    assert all(report.feasible == found.feasible for report in found.comparison.values())


def test_a_partition_to_compare_with_has_the_same_capacities():
    mesh = grid(20, 20).with_vertex_weights(np.arange(400) / 4)
    capacities = [20000 / 12] * 11 + [9000]
    mapping = procmap.map(mesh, MACHINE, capacities=capacities)

    found = mapping.report().comparison["partition"]

    assert (found.block_weights <= mapping.capacities).all()


@pytest.mark.parametrize(
    ("loads", "capacities"),
    [
        ([0] * 64, None),
        (np.zeros((64, 2), int), None),
        ([2**55 + 1] * 64, [16 * (2**55 + 1)] * 4),  # no floats hold them
        ([2**53 + 1] + [1] * 63, [2**53 + 1, 21, 21, 21]),
    ],
)
def test_mappings_of_any_loads_are_compared_with_a_partition(loads, capacities, tmp_path):
    ring = Graph.from_edges([(i, (i + 1) % 64) for i in range(64)], vertex_weights=loads)
    imbalance = 0 if capacities is None else None
    mapping = procmap.map(ring, LINE, capacities=capacities, imbalance=imbalance)

    found = mapping.report()
    mapping.write(tmp_path / "page.html")

    assert found.baseline == "partition"
    split = found.comparison["partition"]
    assert (split.block_weights <= mapping.capacities).all()
    assert "than in a k-way partition" in str(found)
    assert json.loads(found.to_json())["baseline"] == "partition"


@pytest.mark.parametrize("capacities", [[1] * 4, [0] * 4, [15.5] * 4])
def test_a_comparison_that_capacities_leave_no_room_for_is_left_out(capacities):
    mesh, line = grid(8, 8), [v // 16 for v in range(64)]

    found = procmap.evaluate(mesh, line, LINE, capacities=capacities)

    assert not found.feasible
    assert list(found.comparison) == list(found.to_dict()["comparison"])
    assert list(found.comparison) == ["block", "round-robin", "random"]
    assert found.baseline == found.to_dict()["baseline"] == "block"
    assert "There is no k-way partition to compare with" in str(found)
    assert "There is no k-way partition to compare with" in found.to_html()


def test_few_tasks_in_block_order_lie_side_by_side():
    machine = procmap.Topology.hierarchy("4:2:4", "1:10:100")
    graph = procmap.Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])

    comparison = procmap.evaluate(graph, [0, 8, 16, 24], machine).comparison

    assert comparison["block"].cost == 2 * 4 * 1  # all of them on the first four PEs
    assert comparison["round-robin"].cost == 2 * 4 * 100
