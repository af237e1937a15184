# SPDX-License-Identifier: MIT
"""Graphs over several ranks of which few arcs carry much of the traffic, or many next to none."""

import numpy as np
import pytest

import procmap
from procmap import _core
from procmap._util.ranks import Ranks
from procmap._util.storage import Storage
from procmap.distributed._coarsen import arcs_are_skewed
from procmap.distributed._level import GlobalRows, Level
from support import MACHINE, random_geometric
from thread_ranks import cuts_of, dealt_out, mapped, on_ranks


def with_weights(graph, draw):
    """The graph with weights that `draw(rng, m)` makes for its m edges."""
    tails = np.repeat(np.arange(graph.num_vertices), np.diff(graph.offsets))
    ends = np.sort(np.stack([tails, graph.heads]), axis=0)
    edges, edge = np.unique(ends, axis=1, return_inverse=True)
    weights = draw(np.random.default_rng(1), edges.shape[1])
    return procmap.Graph.from_csr(graph.offsets, graph.heads, np.asarray(weights)[edge.ravel()])


def lognormal(rng, m):
    return (100 * rng.lognormal(0, 2, m) + 1).astype(np.int64)


def powers_of_ten(rng, m):
    return 10 ** rng.integers(0, 6, m)


def even(rng, m):
    return rng.integers(1, 10, m)


def few(weight, one_in):
    """Every so many edges weigh that much, the others 1."""
    return lambda _, m: np.where(np.arange(m) % one_in == 0, weight, 1)


GEOMETRIC = random_geometric(400, 8, seed=1)
SKEWED = with_weights(GEOMETRIC, lognormal)


@pytest.mark.parametrize("options", [{}, {"seed": 3}, {"fixed": True}])
def test_any_number_of_ranks_makes_the_same_mapping(options):
    options = {"gather_arcs": 1000, "preset": "fast", **options}
    if options.pop("fixed", False):
        options["per_row"] = {"fixed": np.where(np.arange(400) % 40 == 0, 5, -1)}

    one, *others = [
        np.concatenate([rank.blocks for rank in mapped(SKEWED, size, **options)])
        for size in (1, 3, 4)
    ]

    for blocks in others:
        np.testing.assert_array_equal(blocks, one)


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        (lognormal, True),
        (powers_of_ten, True),
        (even, False),
        (few(1, 1), False),
        (few(0, 1), False),
        (few(4, 100), False),
        (few(100, 100), True),
        (few(20, 100), False),
        (few(20, 2), True),
        (few(5, 2), False),
    ],
)
def test_arcs_are_skewed_by_the_rules_of_one_machine(draw, expected):
    graph = with_weights(GEOMETRIC, draw)
    rows = dealt_out(graph, cuts_of(400, 4))

    def program(comm):
        ranks = Ranks(comm)
        offsets, heads, weights, _ = rows[ranks.rank]
        starts = np.array([*cuts_of(400, 4), 400])
        given = GlobalRows(offsets, heads, weights)
        return arcs_are_skewed(Level(ranks, starts, given, None, None, Storage()))

    assert on_ranks(4, program) == [expected] * 4


def test_clusters_take_heavy_arcs_only_at_first(monkeypatch):
    taken = []
    clusters = _core.RankClusters

    def noting(leader, weight, size, fixed, least):
        taken.append(int(least.max(initial=0)))
        return clusters(leader, weight, size, fixed, least)

    monkeypatch.setattr(_core, "RankClusters", noting)

    mapped(SKEWED, 1, machine=MACHINE, gather_arcs=1000, preset="fast")
    asked, taken = taken, []
    mapped(GEOMETRIC, 1, machine=MACHINE, gather_arcs=1000, preset="fast")

    heaviest = int(np.asarray(SKEWED.arc_weights).max())
    assert {(heaviest + 1) // 2, (heaviest + 3) // 4} <= set(asked)
    assert set(taken) == {0}
