# SPDX-License-Identifier: MIT
"""Orders of many stages made better by exchanges of their PEs."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from procmap.placement._chain import Chain
    from procmap.placement._stage_places import PlacedChain

_WORK = 2**28  # entries of tables that all cuts look at: a second or so
_ROUNDING = 1e-9  # what is less by no more than this share is no less


class Exchanges:
    """Orders of stages, judged by their largest stage: each cut as well as can be."""

    def __init__(self, chain: PlacedChain) -> None:
        self._chain = chain
        size = chain.num_layers + 1
        self._left = _WORK // (size**2 * len(chain.room))
        if self._left < 2:
            return
        begins = np.arange(size)[:, None] < np.arange(size)
        self._work = np.where(begins, chain.work - chain.work[:, None], np.inf)
        self._held = chain.held - chain.held[:, None]

    def improve(self, places: NDArray[np.int32], largest: float) -> NDArray[np.int32]:
        """Return an order whose largest stage is smaller, or the same one."""
        if self._left < 2 or largest <= self._bound() * (1 + _ROUNDING):
            return places
        found = True
        while found:
            found = False
            for order in _steps(len(places)):
                if self._left <= 0:
                    return places
                other = places[order]
                cost = self._largest(self._chain.in_order(other))
                if cost < largest * (1 - _ROUNDING):
                    places, largest, found = other, cost, True
        return places

    def _bound(self) -> float:
        """Return what no order can be below: all stages are near, and have most room."""
        chain = self._chain
        order = chain.in_order(np.arange(len(chain.room), dtype=np.int32))
        apart = chain.distances[~np.eye(len(chain.room), dtype=bool)]
        near, wide = (
            np.full_like(order.hops, apart.min()),
            np.full_like(order.room, order.room.max()),
        )
        return self._largest(replace(order, hops=near, room=wide))

    def _largest(self, chain: Chain) -> float:
        """Return the smallest largest cost of a stage."""
        self._left -= 1
        best = np.full(chain.num_layers + 1, np.inf)
        best[0] = 0.0
        paid = np.zeros(chain.num_layers + 1)
        for stage, room in enumerate(chain.room.tolist()):
            paid[1:-1] = chain.sent * chain.hops[stage] if stage < len(chain.hops) else 0.0
            costs = np.where(self._held <= room + chain.rounding, self._work + paid, np.inf)
            best = np.maximum(best[:, None], costs).min(axis=0)
        return float(best[-1])


def _steps(size: int) -> Iterator[NDArray[np.intp]]:
    """Yield orders of stages with two exchanged, a run turned round, or one at another place."""
    same = np.arange(size)
    for i, j in itertools.combinations(range(size), 2):
        run = same[i : j + 1]
        yield np.r_[same[:i], j, run[1:-1], i, same[j + 1 :]]
        if j - i > 1:
            yield np.r_[same[:i], run[1:], i, same[j + 1 :]]
            yield np.r_[same[:i], j, run[:-1], same[j + 1 :]]
        if j - i > 2:
            yield np.r_[same[:i], run[::-1], same[j + 1 :]]
