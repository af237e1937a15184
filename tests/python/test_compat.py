# SPDX-License-Identifier: MIT
"""Drop-in replacements: the same arguments, the same kind of result, as good or better."""

import inspect
import itertools
import re
from array import array
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import OptimizeResult
from scipy.optimize import quadratic_assignment as scipy_quadratic_assignment

import procmap
from procmap import ConfigError, GraphError, TopologyError, compat
from support import grid, random_geometric, random_weighted

GRID = grid(20, 20)
LISTS = [row.tolist() for row in np.split(GRID.heads, GRID.offsets[1:-1])]


def test_it_is_there_without_another_import():
    assert procmap.compat is compat


def names(function):
    return list(inspect.signature(function).parameters)


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
        ({"nparts": 0, "adjacency": LISTS, "tpwgts": []}, ConfigError, "a sum of 0"),
        ({"nparts": 2, "adjacency": LISTS, "contiguous": True}, ConfigError, "contiguous"),
    ],
)
def test_part_graph_refuses_what_it_cannot_do(arguments, error, message):
    with pytest.raises(error, match=re.escape(message)):
        compat.part_graph(**arguments)


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

    assert names(compat.part_graph) == names(pymetis.part_graph)
    theirs = pymetis.part_graph(8, LISTS)
    ours = compat.part_graph(8, pymetis.CSRAdjacency(GRID.offsets, GRID.heads))
    assert ours._fields == theirs._fields
    assert type(ours.vertex_part) is type(theirs.vertex_part)
    assert ours.edge_cuts <= 1.05 * theirs.edge_cuts


def test_every_mode_of_process_map_is_better_than_the_one_before():
    graph = random_geometric(1500, 8, seed=1)

    cost = {
        mode: sum(compat.process_map(graph, [4, 8], [1, 10], mode=mode, seed=s)[0] for s in (0, 1))
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

    assert names(compat.process_map) == names(source.Decomposition.process_map)


@pytest.mark.parametrize("side", ["neither", "traffic", "distances"])
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_quadratic_assignment_minimises_what_scipy_minimises(side, dtype):
    rng = np.random.default_rng(4)
    a, b = (rng.integers(0, 50, (12, 12)).astype(dtype) for _ in range(2))
    a = a if side == "traffic" else a + a.T
    b = b if side == "distances" else b + b.T
    np.fill_diagonal(b, 0)

    ours = compat.quadratic_assignment(a, b, options={"rng": 1})
    theirs = scipy_quadratic_assignment(a, b, options={"rng": np.random.default_rng(1)})

    assert isinstance(ours, OptimizeResult)
    assert ours.keys() == theirs.keys()
    assert sorted(ours.col_ind) == list(range(12))
    p = np.eye(12, dtype=int)[ours.col_ind]
    assert ours.fun == np.trace(a.T @ p @ b @ p.T)
    assert ours.fun <= 1.1 * theirs.fun


@pytest.mark.parametrize("negative", ["a", "b", "both", "neither"])
def test_quadratic_assignment_maximises_and_takes_negative_numbers(negative):
    rng = np.random.default_rng(4)
    low = {name: -20 if negative in (name, "both") else 0 for name in "ab"}
    a, b = (rng.integers(low[name], 50, (12, 12)) for name in "ab")
    b += b.T
    np.fill_diagonal(b, 0)

    best = {m: compat.quadratic_assignment(a, b, options={"maximize": m}) for m in (False, True)}
    random = [(a * b[np.ix_(p, p)]).sum() for p in (rng.permutation(12) for _ in range(500))]

    assert best[False].fun < min(random)
    assert best[True].fun > max(random)
    for found in best.values():
        assert found.fun == (a * b[np.ix_(found.col_ind, found.col_ind)]).sum()


def test_quadratic_assignment_finds_the_hidden_hierarchy():
    machine = procmap.Topology.hierarchy("4:4", "1:10")
    hidden = np.random.default_rng(2).permutation(16)
    traffic = (machine.distance_matrix() == 1).astype(int)[np.ix_(hidden, hidden)]

    found = compat.quadratic_assignment(traffic, machine.distance_matrix())

    assert found.fun == 48
    assert found.nit > 0


def test_quadratic_assignment_does_not_overflow_narrow_integers():
    a, b = (np.full((8, 8), 100, np.int8) for _ in range(2))
    np.fill_diagonal(b, 0)

    assert compat.quadratic_assignment(a, b).fun == 56 * 100 * 100


def exact(a, b, order):
    return int((np.asarray(a, object) * np.asarray(b, object)[np.ix_(order, order)]).sum())


@pytest.mark.parametrize("asymmetric", ["a", "b"])
def test_quadratic_assignment_gives_sums_beyond_64_bits_exactly(asymmetric):
    a = np.full((4, 4), -(2**45))
    b = np.abs(np.subtract.outer(np.arange(4), np.arange(4))) * 2**18
    np.fill_diagonal(a, 0)
    {"a": a, "b": b}[asymmetric][0, 1] += 1

    found = compat.quadratic_assignment(a, b)

    assert found.fun == exact(a, b, found.col_ind)
    assert found.fun == min(exact(a, b, p) for p in itertools.permutations(range(4)))


def test_quadratic_assignment_takes_any_diagonal_beside_one_of_zeros():
    a = [[2**63 - 1, 2, 0], [2, -(2**63), 1], [0, 1, 0]]

    assert compat.quadratic_assignment(a, [[0, 1, 9], [1, 0, 1], [9, 1, 0]]).fun == 6


RING = np.ones((3, 3), int)


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize(
    ("a", "b", "error"),
    [
        ([[0, 5], [5, 0]], [[0, 2**63 - 1], [2**63 - 1, 0]], TopologyError),
        ([[0, 5], [5, 0]], [[0, -(2**63)], [3, 0]], TopologyError),
        (RING, [[0, -(2**61), 0], [-(2**61), 0, 0], [0, 0, 0]], TopologyError),
        (RING, [[0, 2 - 2**62, 0], [2 - 2**62, 0, 2**62 - 1], [0, 2**62 - 1, 0]], TopologyError),
        (RING, [[0, 2 - 2**62, 0], [0, 0, 2**62 - 1], [0, 0, 0]], TopologyError),
        ([[0, -(2**62)], [-(2**62), 0]], [[0, 3], [3, 0]], GraphError),
        ([[0, 1 - 2**62], [2**62 - 1, 0]], [[0, 3], [3, 0]], GraphError),
        ([[0, -1e308], [1e308, 0]], [[0.0, 3], [3, 0]], GraphError),
        (RING, [[0, -1.5e308, 0], [-1.5e308, 0, 1.5e308], [0, 1.5e308, 0]], TopologyError),
        (RING, [[0, -1.5e308, 0], [-1.5e308, 0, 0], [0, 1.5e308, 0]], TopologyError),
    ],
)
def test_quadratic_assignment_refuses_what_64_bits_or_floats_do_not_hold(a, b, error, maximize):
    with pytest.raises(error):
        compat.quadratic_assignment(a, b, options={"maximize": maximize})


def test_quadratic_assignment_names_entries_that_are_too_large():
    with pytest.raises(GraphError, match=re.escape("A[0, 1] = -4611686018427387904 is not")):
        compat.quadratic_assignment([[0, -(2**62)], [0, 0]], SQUARE)
    with pytest.raises(GraphError, match="the entries of A are too far apart: -1e"):
        compat.quadratic_assignment([[0, -1e308], [1e308, 0]], SQUARE)


def test_quadratic_assignment_of_nothing():
    found = compat.quadratic_assignment(np.zeros((0, 0)), np.zeros((0, 0)))

    assert (found.col_ind.tolist(), found.fun, found.nit) == ([], 0, 0)
    assert compat.quadratic_assignment([[3]], [[0]]).col_ind.tolist() == [0]


SQUARE = np.array([[0, 1], [1, 0]])


@pytest.mark.parametrize(
    ("a", "b", "options", "error", "message"),
    [
        ([1, 2], SQUARE, {}, GraphError, "A must be a square matrix, got shape (2,)"),
        (SQUARE, SQUARE[:1], {}, TopologyError, "B must be a square matrix, got shape (1, 2)"),
        (SQUARE, np.zeros((3, 3)), {}, GraphError, "of one size, got (2, 2) and (3, 3)"),
        (np.triu(SQUARE), np.tril(SQUARE), {}, GraphError, "A or B must be symmetric"),
        (np.eye(2), np.eye(2), {}, GraphError, "zero diagonal"),
        (np.array([[0, 1], [np.nan, 0]]), SQUARE, {}, GraphError, "traffic[1, 0] = nan"),
        (SQUARE, np.where(SQUARE, -np.inf, 0), {}, TopologyError, "distance[0][1] = -inf"),
        (SQUARE, SQUARE, {"maximise": True}, ConfigError, "unknown option 'maximise'"),
        (SQUARE, SQUARE, {"partial_match": [[0, 1]]}, ConfigError, "partial_match"),
        (SQUARE, SQUARE, {"rng": -1}, ConfigError, "rng must be an integer"),
    ],
)
def test_quadratic_assignment_refuses_what_it_cannot_do(a, b, options, error, message):
    with pytest.raises(error, match=re.escape(message)):
        compat.quadratic_assignment(a, b, options=options)
    with pytest.raises(ConfigError, match="method"):
        compat.quadratic_assignment(SQUARE, SQUARE, method="exact")
