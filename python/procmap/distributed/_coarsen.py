# SPDX-License-Identifier: MIT
"""Coarser and coarser graphs, until one is small enough for a single rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from procmap import _core
from procmap._util.limits import MAX_VERTICES, PIECE
from procmap.distributed._clusters import Clusters
from procmap.distributed._level import GrowingRows, Level, starts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.config._fields import CoarseningConfig


def arcs_are_skewed(level: Level) -> bool:
    """Return whether few arcs carry much of the traffic or many next to none, as on one machine."""
    ranks, rows = level.ranks, level.native
    return _core.arcs_are_skewed(
        level.num_arcs,
        ranks.total(_core.weight_of_arcs_above(rows, 0)),
        lambda limit: ranks.total(_core.weight_of_arcs_above(rows, limit)),
        lambda limit: ranks.total(_core.num_arcs_below(rows, limit)),
    )


def coarsen(
    finest: Level,
    max_weight: int,
    config: CoarseningConfig,
    seed: int,
    gather_arcs: int,
    *,
    heavy_arcs_first: bool,
) -> tuple[list[Level], list[NDArray[Any]]]:
    """Return all levels, the finest first, and where the rows of each went on the next."""
    levels = [finest]
    coarse_of: list[NDArray[Any]] = []
    while levels[-1].num_arcs > gather_arcs or levels[-1].num_vertices > MAX_VERTICES:
        level = levels[-1]
        level_seed = _core.hash(seed, len(coarse_of))
        clusters = Clusters(
            level, max_weight, config, level_seed, heavy_arcs_first=heavy_arcs_first
        )
        clusters.form()
        if clusters.count() > (1 - config.min_shrink) * level.num_vertices:
            break
        coarser, went = contract(clusters)
        levels.append(coarser)
        coarse_of.append(went)
    return levels, coarse_of


def contract(clusters: Clusters) -> tuple[Level, NDArray[Any]]:
    """Return the graph of the clusters, and where every row went.

    Coarse vertices are numbered in the order of their leaders, and lie where these do.
    """
    level = clusters.level
    ranks = level.ranks
    leads = clusters.leader == level.ids
    count = int(np.count_nonzero(leads))
    starts = starts_of(ranks, count)
    first = int(starts[ranks.rank])
    number = np.cumsum(leads, dtype=level.id_type)
    number += level.id_type(first - 1)
    coarse_of = level.of(clusters.leader, number)
    del number
    loads = clusters.weight[leads].astype(np.int64)
    fixed = None if level.fixed is None else level.fixed[leads]
    clusters.release()
    added_up = _core.Contraction(level.native, level.with_ghosts(coarse_of), first, count)
    tails, heads, weights = added_up.elsewhere()
    _, came = ranks.exchange(np.diff(np.searchsorted(tails, starts)), tails, heads, weights)
    order = np.argsort(came[0], kind="stable")
    tails, heads, weights = (array[order] for array in came)
    rows = GrowingRows(level.storage, np.int32 if starts[-1] < 2**31 else np.int64)
    while rows.num_rows < count:
        rows.append(*added_up.rows(rows.num_rows, tails, heads, weights, PIECE))
    del added_up, order, came, tails, heads, weights
    return Level(ranks, starts, rows.finish(), loads, fixed, level.storage), coarse_of
