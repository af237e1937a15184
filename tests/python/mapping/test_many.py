# SPDX-License-Identifier: MIT
"""`map_many`: many graphs in one call, each as if mapped alone."""

import inspect

import numpy as np
import pytest

import procmap
from support import MACHINE, grid

GRAPHS = [grid(3 + i % 5, 4 + i) for i in range(30)]


@pytest.mark.parametrize("preset", ["fast", "default"])
def test_every_graph_is_mapped_as_alone(preset):
    alone = [procmap.map(graph, MACHINE, preset=preset, seed=3) for graph in GRAPHS]
    for threads in (1, 3):
        many = procmap.map_many(GRAPHS, MACHINE, preset=preset, seed=3, threads=threads)

        assert [m.cost for m in many] == [m.cost for m in alone]
        for found, expected in zip(many, alone, strict=True):
            assert np.array_equal(found.blocks, expected.blocks)


def test_anything_that_is_a_graph_is_taken():
    path = ([0, 1, 2], [1, 0])

    many = procmap.map_many(iter([path, GRAPHS[0]]), procmap.Topology.flat(2), imbalance=0)

    assert [m.cost for m in many] == [2, procmap.partition(GRAPHS[0], 2, imbalance=0).cost]


def test_no_graphs_have_no_mappings():
    assert procmap.map_many([], MACHINE) == []


def test_options_are_those_of_map_that_suit_all_graphs():
    of_map = inspect.signature(procmap.map).parameters
    of_many = inspect.signature(procmap.map_many).parameters

    assert of_many["devices"] == of_map["devices"]
    for_one = {"vertex_weights", "fixed", "initial", "migration_cost", "vertex_sizes", "progress"}
    assert set(of_many) - {"graphs", "devices"} == set(of_map) - {"graph", "devices"} - for_one
    for name in set(of_many) - {"graphs", "devices"}:
        assert of_many[name] == of_map[name]


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        (([0, 1], [5]), procmap.GraphError),
        (([0, 1, 2], [1, 0], [1, 2]), procmap.GraphError),
        (7, TypeError),
    ],
)
def test_message_names_the_graph(bad, error):
    with pytest.raises(error, match=r"^graphs\[1\]: "):
        procmap.map_many([GRAPHS[0], bad], MACHINE)


def test_message_of_the_core_names_the_graph():
    with pytest.raises(procmap.ConfigError, match=r"^graphs\[1\]: "):
        procmap.map_many([grid(1, 2), grid(5, 5)], procmap.Topology.flat(2), capacities=[2, 2])


def test_one_graph_is_not_many():
    for one in (GRAPHS[0], "mesh.graph", 3, np.eye(2), {"a": GRAPHS[0]}):
        with pytest.raises(TypeError, match="graphs must be several graphs"):
            procmap.map_many(one, MACHINE)


def test_infeasible_mappings_warn_or_raise():
    heavy = procmap.Graph.from_csr([0, 1, 2], [1, 0], vertex_weights=[9, 1])
    flat = procmap.Topology.flat(2)

    with pytest.warns(procmap.InfeasibleWarning, match=r"^graphs\[1\]: the mapping is infeasible"):
        procmap.map_many([grid(1, 2), heavy], flat)
    with pytest.raises(procmap.InfeasibleError, match=r"^graphs\[1\]: the mapping is") as caught:
        procmap.map_many([grid(1, 2), heavy], flat, strict=True)
    assert caught.value.mapping.max_block_weight == 9
