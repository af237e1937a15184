# SPDX-License-Identifier: MIT
"""Vertices for PEs that stayed empty, chosen by all ranks alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap.distributed._level import pieces

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.distributed._level import Level

    Ints = NDArray[np.int64]

_OFFERS = 2**20  # vertices that all blocks together offer at a time


def filled(level: Level, capacities: Ints, blocks: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return blocks of own rows in which empty PEs have got a vertex, where that is possible.

    PEs are empty where there are few vertices for each: groups of PEs are split by load, and get
    fewer vertices than PEs, or refinement takes the last one away. Vertices go that have least
    traffic inside their block; if none of these fits, the lightest.
    """
    blocks = blocks.copy()
    k = len(capacities)
    for by_load in (False, True):
        while True:
            counts = level.ranks.sum(level.block_sums(blocks, k)[k:])
            empty = np.flatnonzero((counts == 0) & (capacities > 0))[: max(1, _OFFERS // k)]
            if not len(empty):
                return blocks
            price = level.loads if by_load else _traffic_inside(level, blocks)
            rows = _offered(level, blocks, counts, price, len(empty))
            vertex, cost, load, block = level.ranks.everywhere(
                rows + level.first, price[rows], level.loads[rows], blocks[rows]
            )
            order = np.lexsort((vertex, cost))
            goes, to = _chosen(load[order], block[order], counts, empty, capacities)
            went = vertex[order][goes] - level.first
            own = (went >= 0) & (went < level.num_rows)
            blocks[went[own]] = to[own]
            if not len(goes):
                break
    return blocks


def _traffic_inside(level: Level, blocks: NDArray[np.int32]) -> Ints:
    """Return what every row sends to others of its block."""
    seen = level.with_ghosts(blocks)
    inside = np.zeros(level.num_rows, np.int64)
    for begin, end in pieces(level.offsets):
        offsets = level.offsets[begin : end + 1]
        arcs = slice(int(offsets[0]), int(offsets[-1]))
        same = seen[level.heads[arcs]] == np.repeat(blocks[begin:end], np.diff(offsets))
        sent = same * level.arc_weights[arcs] if len(level.arc_weights) else same
        sums = np.concatenate([[0], np.cumsum(sent, dtype=np.int64)])
        inside[begin:end] = sums[offsets[1:] - offsets[0]] - sums[offsets[:-1] - offsets[0]]
    return inside


def _offered(
    level: Level, blocks: NDArray[np.int32], counts: Ints, price: Ints, most: int
) -> NDArray[np.intp]:
    """Return the cheapest free rows of every block: as many as may leave it, at most `most`.

    All that may be chosen of a block are among these, wherever its rows lie.
    """
    free = counts[blocks] > 1
    if level.fixed is not None:
        free &= level.fixed < 0
    rows = np.flatnonzero(free)
    rows = rows[np.lexsort((rows, price[rows], blocks[rows]))]
    own = blocks[rows]
    place = np.arange(len(rows)) - np.searchsorted(own, own)
    return rows[place < np.minimum(counts[own] - 1, most)]


def _chosen(
    load: Ints, block: NDArray[np.int32], counts: Ints, empty: NDArray[np.intp], capacities: Ints
) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Return which vertices go, the first ones first, and to which PEs."""
    left = counts.copy()
    goes, to = [], []
    for i, (weight, home) in enumerate(zip(load.tolist(), block.tolist(), strict=True)):
        if not len(empty):
            break
        if left[home] < 2:
            continue
        # PEs of close numbers are close on most machines.
        away = np.where(capacities[empty] >= weight, np.abs(empty - home), len(counts))
        nearest = int(np.argmin(away))
        if away[nearest] == len(counts):
            continue
        goes.append(i)
        to.append(int(empty[nearest]))
        left[home] -= 1
        empty = np.delete(empty, nearest)
    return np.array(goes, np.intp), np.array(to, np.int32)
