# SPDX-License-Identifier: MIT
"""`process_map` in the place of SharedMap's."""

import inspect
from types import SimpleNamespace

import numpy as np
import pytest

import procmap
from procmap import ConfigError, TopologyError, compat
from support import grid, random_geometric

GRID = grid(20, 20)


def test_every_mode_of_process_map_is_better_than_the_one_before():
    graph = random_geometric(1500, 8, seed=1)

    cost = {
        mode: sum(
            compat.process_map(graph, [4, 8], [1, 10], mode=mode, seed=s)[0] for s in range(4)
        )
        for mode in ("fast", "eco", "strong")
    }

    assert cost["strong"] < cost["eco"] < cost["fast"]


def test_process_map_is_map_with_other_names():
    loads = np.arange(400) % 3 + 1
    library_graph = SimpleNamespace(
        xadj=GRID.offsets, adjncy=GRID.heads, edge_weights=GRID.arc_weights, node_weights=loads
    )
    machine = procmap.Topology.hierarchy("4:3", "1:10")

    plain = compat.process_map(GRID, [4, 3], [1, 10], seed=3, imbalance=0.1)
    loaded = compat.process_map(library_graph, [4, 3], [1, 10])

    options = {"seed": 3, "imbalance": 0.1}
    expected = procmap.map(GRID, machine, **options)
    assert plain.comm_cost == expected.cost
    assert plain.assignment.tolist() == expected.blocks.tolist()
    expected = procmap.map(GRID, machine, vertex_weights=loads)
    assert loaded.assignment.tolist() == expected.blocks.tolist()


def test_process_map_refuses_unknown_modes_and_machines():
    with pytest.raises(ConfigError, match="mode must be one of fast, eco, strong, got 'ultra'"):
        compat.process_map(GRID, [2], [1], mode="ultra")
    with pytest.raises(TopologyError):
        compat.process_map(GRID, [2, 2], [1])


def test_process_map_has_the_arguments_of_chszlablib():
    source = pytest.importorskip("chszlablib")

    ours, theirs = (
        inspect.signature(f).parameters
        for f in (compat.process_map, source.Decomposition.process_map)
    )
    assert list(ours) == list(theirs)
