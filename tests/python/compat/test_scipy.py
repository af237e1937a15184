# SPDX-License-Identifier: MIT
"""`quadratic_assignment` in the place of SciPy's."""

import itertools
import re

import numpy as np
import pytest
from scipy.optimize import OptimizeResult
from scipy.optimize import quadratic_assignment as scipy_quadratic_assignment

import procmap
from procmap import ConfigError, GraphError, TopologyError, compat

RING = np.ones((3, 3), int)
SQUARE = np.array([[0, 1], [1, 0]])


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


@pytest.mark.parametrize(
    ("a", "b", "options", "error", "message"),
    [
        ([1, 2], SQUARE, {}, GraphError, "A must be a square matrix, got shape (2,)"),
        (SQUARE, SQUARE[:1], {}, TopologyError, "B must be a square matrix, got shape (1, 2)"),
        (SQUARE, np.zeros((3, 3)), {}, GraphError, "of one size, got (2, 2) and (3, 3)"),
        (np.triu(SQUARE), np.tril(SQUARE), {}, GraphError, "A or B must be symmetric"),
        (np.eye(2), np.eye(2), {}, GraphError, "zero diagonal"),
        (np.array([[0, 1], [np.nan, 0]]), SQUARE, {}, GraphError, "A[1, 0] = nan"),
        (SQUARE, np.where(SQUARE, -np.inf, 0), {}, TopologyError, "B[0, 1] = -inf"),
        (SQUARE, SQUARE, {"maximise": True}, ConfigError, "unknown option 'maximise'"),
        (SQUARE, SQUARE, {"partial_match": [[0, 1]]}, ConfigError, "partial_match"),
        (SQUARE, SQUARE, {"partial_match": 5}, ConfigError, "partial_match"),
        (SQUARE, SQUARE, [1], ConfigError, "options must be a dict, got [1]"),
        (SQUARE, SQUARE, {"rng": -1}, ConfigError, "rng must be an integer"),
    ],
)
def test_quadratic_assignment_refuses_what_it_cannot_do(a, b, options, error, message):
    with pytest.raises(error, match=re.escape(message)):
        compat.quadratic_assignment(a, b, options=options)
    with pytest.raises(ConfigError, match="method"):
        compat.quadratic_assignment(SQUARE, SQUARE, method="exact")
