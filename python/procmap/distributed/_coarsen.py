# SPDX-License-Identifier: MIT
"""Coarser and coarser graphs, until one is small enough for a single rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap import _core
from procmap.distributed._clusters import Clusters
from procmap.distributed._level import GlobalRows, Level, starts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.config._fields import CoarseningConfig

_MAX_VERTICES = 2**31 - 1


def coarsen(
    finest: Level, max_weight: int, config: CoarseningConfig, seed: int, gather_arcs: int
) -> tuple[list[Level], list[NDArray[np.int64]]]:
    """Return all levels, the finest first, and where the rows of each went on the next."""
    levels = [finest]
    coarse_of: list[NDArray[np.int64]] = []
    while levels[-1].num_arcs > gather_arcs or levels[-1].num_vertices > _MAX_VERTICES:
        level = levels[-1]
        clusters = Clusters(level, max_weight, config, _core.hash(seed, len(coarse_of)))
        clusters.form()
        if clusters.count() > (1 - config.min_shrink) * level.num_vertices:
            break
        coarser, went = contract(clusters)
        levels.append(coarser)
        coarse_of.append(went)
    return levels, coarse_of


def contract(clusters: Clusters) -> tuple[Level, NDArray[np.int64]]:
    """Return the graph of the clusters, and where every row went.

    Coarse vertices are numbered in the order of their leaders, and lie where these do.
    """
    level = clusters.level
    ranks = level.ranks
    leads = clusters.leader == level.ids
    starts = starts_of(ranks, int(leads.sum()))
    first = int(starts[ranks.rank])
    number = first + np.cumsum(leads) - leads
    coarse_of = level.of(clusters.leader, number)
    tails, heads, weights = _core.contract_rows(level.native, level.with_ghosts(coarse_of))
    counts = np.diff(np.searchsorted(tails, starts))
    # One after the other: these are the largest arrays of all.
    tails = ranks.exchange(counts, tails)[1][0]
    heads = ranks.exchange(counts, heads)[1][0]
    weights = ranks.exchange(counts, weights)[1][0]
    rows = GlobalRows(*_core.rows_of_arcs(tails, heads, weights, first, int(leads.sum())))
    fixed = None if level.fixed is None else level.fixed[leads]
    return Level(ranks, starts, rows, clusters.weight[leads], fixed), coarse_of
