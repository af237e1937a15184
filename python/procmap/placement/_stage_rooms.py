# SPDX-License-Identifier: MIT
"""An order of stages in which memory suffices: dynamic programming over how many PEs are taken."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from procmap.placement._stage_places import note_better

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.placement._stage_places import PlacedChain

_MOST = 2**27  # entries of tables: a second or so


def order_that_fits(chain: PlacedChain) -> NDArray[np.int32] | None:
    """Return PEs of the stages such that layers fit, and the largest stage is small.

    What stages send does not count: PEs with the same memory are alike, and what matters is how
    many of each kind have had their stages. None if there is no order, or too many kinds of PEs.
    """
    rooms, kind, counts = np.unique(chain.room, return_inverse=True, return_counts=True)
    size = chain.num_layers + 1
    if math.prod((counts + 1).tolist()) * len(rooms) * size**2 > _MOST:
        return None
    members = [np.flatnonzero(kind == k).tolist() for k in range(len(rooms))]
    nobody, everybody = (0,) * len(rooms), tuple(counts.tolist())
    best = {nobody: np.where(np.arange(size) > 0, np.inf, 0.0)}
    came: dict[tuple[int, ...], NDArray[np.int64]] = {}  # rows: kind of the last stage, its begin
    for taken in itertools.product(*(range(count + 1) for count in everybody)):
        begins = np.flatnonzero(np.isfinite(best[taken]))
        for k in range(len(rooms)):
            if taken[k] == everybody[k]:
                continue
            after = (*taken[:k], taken[k] + 1, *taken[k + 1 :])
            known = best.setdefault(after, np.full(size, np.inf))
            before = came.setdefault(after, np.zeros((2, size), np.int64))
            if not begins.size:
                continue
            costs = chain.costs(members[k][0], begins)
            values = np.maximum(best[taken][begins, None], costs)
            note_better(known, before, values, k, begins)
    if not np.isfinite(best[everybody][-1]):
        return None
    return _places(came, members, everybody, size - 1)


def _places(
    came: dict[tuple[int, ...], NDArray[np.int64]],
    members: list[list[int]],
    taken: tuple[int, ...],
    end: int,
) -> NDArray[np.int32]:
    """Return the PEs of the stages, those of a kind in ascending order."""
    places = []
    for _ in range(sum(taken)):
        k, end = came[taken][:, end].tolist()
        taken = (*taken[:k], taken[k] - 1, *taken[k + 1 :])
        places.append(members[k][taken[k]])
    return np.array(places[::-1], np.int32)
