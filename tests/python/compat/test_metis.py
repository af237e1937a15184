# SPDX-License-Identifier: MIT
"""`part_graph` in the place of pymetis's; `part_mesh` is in graph/test_meshes.py."""

import inspect
import re
from array import array
from types import SimpleNamespace

import numpy as np
import pytest

import procmap
from procmap import ConfigError, GraphError, compat
from support import grid, random_weighted

GRID = grid(20, 20)
LISTS = [row.tolist() for row in np.split(GRID.heads, GRID.offsets[1:-1])]


def test_part_graph_takes_what_pymetis_takes():
    expected = procmap.partition(GRID, 7)
    csr = SimpleNamespace(adj_starts=GRID.offsets, adjacent=GRID.heads)

    results = [
        compat.part_graph(7, LISTS),
        compat.part_graph(7, dict(enumerate(map(tuple, LISTS)))),
        compat.part_graph(7, csr),
        compat.part_graph(7, xadj=GRID.offsets, adjncy=GRID.heads, tpwgts=[1 / 7] * 7),
        compat.part_graph(nparts=7, adjacency=LISTS, recursive=True, warn_on_copies=True),
    ]

    for result in results:
        assert result.vertex_part == array("q", expected.blocks.tolist())
        assert result == (expected.edge_cut, result.vertex_part)


def test_part_graph_obeys_weights_and_options():
    graph = random_weighted(100, 300, seed=1)
    options = SimpleNamespace(ufactor=100, seed=5, contig=-1)

    cut, part = compat.part_graph(
        4,
        xadj=graph.offsets,
        adjncy=graph.heads,
        eweights=graph.arc_weights,
        vweights=graph.vertex_weights,
        options=options,
    )

    expected = procmap.partition(graph, 4, imbalance=0.1, seed=5)
    assert (cut, part.tolist()) == (expected.edge_cut, expected.blocks.tolist())


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"nparts": 2}, GraphError, "give either adjacency, or xadj and adjncy"),
        ({"nparts": 2, "xadj": [0]}, GraphError, "give either adjacency"),
        ({"nparts": 2, "adjacency": [[]], "xadj": [0]}, GraphError, "not both"),
        ({"nparts": 2, "adjacency": {1: [2], 2: [1]}}, GraphError, "for every v: KeyError(0)"),
        ({"nparts": 2, "adjacency": [1, 2]}, GraphError, "adjacency[v] must be the neighbours"),
        ({"nparts": 2, "adjacency": [[1], []]}, GraphError, "has no reverse arc"),
        ({"nparts": 0, "adjacency": LISTS}, ConfigError, "k must be an integer"),
        ({"nparts": 2, "adjacency": LISTS, "tpwgts": [0.3, 0.8]}, ConfigError, "a sum of 1.1"),
        ({"nparts": 2, "adjacency": LISTS, "tpwgts": [2, -1]}, ConfigError, "tpwgts[1] = -1 is"),
        ({"nparts": 2, "adjacency": LISTS, "tpwgts": [np.nan, 1]}, ConfigError, "tpwgts[0] = nan"),
        ({"nparts": 2, "adjacency": LISTS, "tpwgts": [[0.5], [-1.5]]}, ConfigError, "[1, 0] = -1"),
        ({"nparts": 2, "adjacency": LISTS, "tpwgts": [1]}, ConfigError, "tpwgts must be nparts"),
        ({"nparts": 2, "adjacency": LISTS, "tpwgts": ["a", "b"]}, ConfigError, "hold numbers"),
        ({"nparts": 0, "adjacency": LISTS, "tpwgts": []}, ConfigError, "k must be an integer"),
        (
            {"nparts": 2, "adjacency": LISTS, "options": SimpleNamespace(numbering=1)},
            ConfigError,
            "options.numbering must be 0 or the default",
        ),
        ({"nparts": 2, "adjacency": LISTS, "contiguous": True}, ConfigError, "contiguous"),
    ],
)
def test_part_graph_refuses_what_it_cannot_do(arguments, error, message):
    with pytest.raises(error, match=re.escape(message)):
        compat.part_graph(**arguments)


def test_no_shares_are_equal_ones_and_seeds_may_be_negative():
    expected = compat.part_graph(3, LISTS)
    elements = [[0, 1, 2], [1, 2, 3], [2, 3, 4]]

    assert compat.part_graph(3, LISTS, tpwgts=[]) == expected
    assert compat.part_mesh(2, elements, tpwgts=[]) == compat.part_mesh(2, elements)
    assert compat.part_graph(3, LISTS, options=SimpleNamespace(seed=-1)) == expected
    other = compat.part_graph(3, LISTS, options=SimpleNamespace(seed=-7))
    assert other == compat.part_graph(3, LISTS, options=SimpleNamespace(seed=2**64 - 7))


def test_part_graph_gives_every_part_its_share():
    loads = np.arange(400) % 3 + 1

    cut, part = compat.part_graph(3, LISTS, vweights=loads, tpwgts=[0.5, 0.3, 0.2])

    weights = np.bincount(part, loads)
    assert (weights <= np.ceil(1.03 * loads.sum() * np.array([0.5, 0.3, 0.2]))).all()
    assert cut < 100


@pytest.mark.parametrize(
    ("parts", "tasks"),
    [([0.5, 0.25, 0.25], 400), ([0.1, 0.2, 0.7], 400), ([1 / 3, 2 / 3], 399)],
)
@pytest.mark.parametrize("ufactor", [0, 1, 30])
@pytest.mark.parametrize("load", [1, 2**53 // 100 + 1, (2**62 - 1) // 400])
def test_shares_hold_everything_however_large_loads_are(parts, tasks, ufactor, load):
    loads = load * (np.arange(400) < tasks)

    _, part = compat.part_graph(
        len(parts), LISTS, vweights=loads, tpwgts=parts, options=SimpleNamespace(ufactor=ufactor)
    )

    counts = np.bincount(part, loads > 0)
    assert (counts <= np.rint(tasks * np.array(parts)) * (1 + ufactor / 1000) + 1).all()
    assert ufactor or counts.tolist() == np.rint(tasks * np.array(parts)).tolist()


def test_shares_of_one_weight_may_be_a_column():
    column = [[0.5], [0.3], [0.2]]

    assert compat.part_graph(3, LISTS, tpwgts=column) == compat.part_graph(
        3, LISTS, tpwgts=[0.5, 0.3, 0.2]
    )


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ([[0.5, -0.5], [0.5, 1.5]], "tpwgts[0, 1] = -0.5 is not a finite number >= 0"),
        ([[0.5, 0.5], [0.5, np.inf]], "tpwgts[1, 1] = inf is not a finite number >= 0"),
        ([[0.5, 0.5], [0.5, 0.6]], "tpwgts[:, 1] must be numbers >= 0 of sum 1, got a sum of 1.1"),
        ([[0.5], [0.5]], "tpwgts must be nparts = 2 numbers or rows of 2, got (2, 1)"),
    ],
)
def test_part_graph_names_the_share_of_several_weights(shares, message):
    weights = np.ones((400, 2), int)

    with pytest.raises(ConfigError, match=re.escape(message)):
        compat.part_graph(2, LISTS, vweights=weights, tpwgts=shares)


def test_part_graph_balances_several_weights():
    weights = np.stack([np.ones(GRID.num_vertices, int), np.arange(GRID.num_vertices) % 5], axis=1)
    shares = [[0.4, 0.3], [0.3, 0.3], [0.3, 0.4]]

    even = compat.part_graph(3, LISTS, vweights=weights)
    uneven = compat.part_graph(3, LISTS, vweights=weights, tpwgts=shares)

    for result, share in ((even, np.full((3, 2), 1 / 3)), (uneven, np.array(shares))):
        loads = np.zeros((3, 2))
        np.add.at(loads, result.vertex_part, weights)
        assert (loads <= np.ceil(1.03 * weights.sum(axis=0) * share)).all()


def test_part_graph_has_the_arguments_of_pymetis():
    pymetis = pytest.importorskip("pymetis")

    taken, expected = (
        inspect.signature(f).parameters for f in (compat.part_graph, pymetis.part_graph)
    )
    assert list(taken) == list(expected)
    theirs = pymetis.part_graph(8, LISTS)
    ours = compat.part_graph(8, pymetis.CSRAdjacency(GRID.offsets, GRID.heads))
    assert ours._fields == theirs._fields
    assert type(ours.vertex_part) is type(theirs.vertex_part)
    assert ours.edge_cuts <= 1.05 * theirs.edge_cuts


def test_the_nodes_that_elements_must_share_are_named():
    with pytest.raises(ConfigError, match="ncommon must be an integer >= 1, got 0"):
        compat.part_mesh(2, [[0, 1, 2], [1, 2, 3]], gtype="dual", ncommon=0)
