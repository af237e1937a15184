# SPDX-License-Identifier: MIT
"""Exchanges of replicas that save traffic or moves and leave loads within a bound."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.placement._packing import Packing

_SWEEPS = 30
_FARTHEST = 2.0**10
_LARGEST = 2.0**51  # sums of integers below are exact as floats, in any order


@dataclass(frozen=True)
class Price:
    """What a placement costs besides its loads.

    Attributes
    ----------
    together : numpy.ndarray of float64, shape (E, E), or None
        Traffic of every two experts, symmetric, 0 on the diagonal; None: it does not count.
    distances : numpy.ndarray of float64, shape (G, G)
        Of GPUs.
    old : numpy.ndarray of bool, shape (E, G), or None
        Which GPU has the weights of which expert; None: moves do not count.
    move_cost : float
        Of a replica that comes to a GPU without its weights, in units of traffic times distance.
    """

    together: NDArray[np.float64] | None
    distances: NDArray[np.float64]
    old: NDArray[np.bool_] | None
    move_cost: float

    def moves(self, packing: Packing) -> int:
        """Replicas on GPUs that have no weights of their expert."""
        if self.old is None:
            return 0
        return int((~self.old[packing.expert, packing.gpu]).sum())

    def traffic(self, packing: Packing) -> float:
        """J: sum over all pairs of experts and of their replicas of traffic times distance."""
        if self.together is None:
            return 0.0
        held = packing.held / packing.counts[:, None]
        return float(np.sum(self.together * (held @ self.distances @ held.T)))

    def of(self, packing: Packing) -> float:
        """Traffic and moves as a whole number, to compare with that of other packings."""
        place = packing.gpu
        cost = float(np.sum(self.between(packing) * self.whole_distances()[np.ix_(place, place)]))
        return cost + self.whole_move() * self.moves(packing)

    def step(self) -> float:
        """Return the unit in which costs become whole numbers, a power of two."""
        total = 0.0 if self.together is None else float(self.together.sum())
        largest = max(total * self._farthest(), self.move_cost)
        return 2.0 ** (math.frexp(largest)[1] - 40) if largest > 0 else 1.0

    def whole_move(self) -> float:
        """Return what a move costs, as a whole number."""
        return float(round(self.move_cost / self.step() * _FARTHEST))

    def whole_distances(self) -> NDArray[np.float64]:
        """Distances as whole numbers."""
        scaled: NDArray[np.float64] = np.rint(self.distances * (_FARTHEST / self._farthest()))
        return scaled

    def _farthest(self) -> float:
        return float(self.distances.max(initial=0)) or 1.0

    def between(self, packing: Packing) -> NDArray[np.float64]:
        """Return the traffic of every two replicas, whole numbers, shape (R, R)."""
        size = len(packing.expert)
        if self.together is None:
            return np.zeros((size, size))
        share = 1.0 / packing.counts
        pairs = self.together * share[:, None] * share * (self._farthest() / self.step())
        chosen: NDArray[np.float64] = np.rint(pairs)[np.ix_(packing.expert, packing.expert)]
        return chosen


def exchange(packing: Packing, price: Price, bound: int) -> None:
    """Let replicas change places where that lowers the price, loads first.

    Every replica in turn takes the best exchange that there is for it: one that brings loads
    nearer to `bound`, or else one that costs less and takes no load above it.
    """
    if price.together is None and price.old is None:
        return
    search = _Search(packing, price, bound)
    for _ in range(_SWEEPS):
        if not sum([search.improve(i) for i in search.hopeful()]):
            return


class _Search:
    """A packing, and what is kept up to date as replicas change places."""

    def __init__(self, packing: Packing, price: Price, bound: int) -> None:
        self.packing, self.bound = packing, bound
        self.share, self.loads = packing.shares, packing.gpu_loads()
        self.held = packing.held
        self.distances = price.whole_distances()
        self.traffic = price.between(packing)
        self.moved = price.whole_move()
        self.cost = self.traffic @ self.distances[packing.gpu]  # of every replica on every GPU
        self.old, self.everyone = price.old, np.arange(len(packing.gpu))
        self.same = packing.expert[:, None] == packing.expert
        assert float(np.abs(self.cost).max(initial=0)) < _LARGEST

    def hopeful(self) -> list[int]:
        """Return the replicas that may gain by an exchange; if only moves count, those moved."""
        moved = np.ones(len(self.packing.gpu), bool)
        if not self.traffic.any() and self.old is not None and self.loads.max() <= self.bound:
            moved = ~self.old[self.packing.expert, self.packing.gpu]
        return np.flatnonzero(moved).tolist()

    def improve(self, i: int) -> bool:
        """Let a replica take the best exchange that there is for it; whether there is one."""
        price = self._price(i)
        if self.loads.max() > self.bound:
            others = np.flatnonzero(self._allowed(i))
        else:  # what costs more helps nobody
            others = np.flatnonzero(price < 0)
            others = others[self._allowed(i)[others]]
        if not others.size:
            return False
        over, price = self._over(i, others), price[others]
        useful = np.flatnonzero((over < 0) | ((over == 0) & (price < 0)))
        if not useful.size:
            return False
        best = useful[np.lexsort((price[useful], over[useful]))[0]]
        self._exchange(i, int(others[best]))
        return True

    def _over(self, i: int, others: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what exchanges of a replica add to loads above the bound."""
        here, there = self.packing.gpu[i], self.packing.gpu[others]
        less = self.share[i] - self.share[others]
        before = np.maximum(self.loads[here] - self.bound, 0)
        before = before + np.maximum(self.loads[there] - self.bound, 0)
        after = np.maximum(self.loads[here] - less - self.bound, 0)
        after += np.maximum(self.loads[there] + less - self.bound, 0)
        over: NDArray[np.int64] = after - before
        return over

    def _allowed(self, i: int) -> NDArray[np.bool_]:
        gpu, expert = self.packing.gpu, self.packing.expert
        twice = (self.held[expert[i], gpu] > 0) | (self.held[expert, gpu[i]] > 0)
        allowed: NDArray[np.bool_] = ~twice & (gpu != gpu[i]) & ~self.same[i]
        return allowed

    def _price(self, i: int) -> NDArray[np.float64]:
        """Return what an exchange of a replica with every other one costs."""
        gpu, expert = self.packing.gpu, self.packing.expert
        here, everyone = gpu[i], self.everyone
        price: NDArray[np.float64] = self.cost[i, gpu] - self.cost[i, here]
        price += self.cost[:, here] - self.cost[everyone, gpu]
        price += 2 * self.traffic[i] * self.distances[here, gpu]
        price *= 2  # both directions
        if self.old is not None:
            stays = self.old[expert[i], here].astype(np.int64) + self.old[expert, gpu]
            comes = self.old[expert[i], gpu].astype(np.int64) + self.old[expert, here]
            price += self.moved * (stays - comes)
        return price

    def _exchange(self, i: int, j: int) -> None:
        gpu, expert = self.packing.gpu, self.packing.expert
        here, there = int(gpu[i]), int(gpu[j])
        self.loads[here] += self.share[j] - self.share[i]
        self.loads[there] += self.share[i] - self.share[j]
        step = self.distances[there] - self.distances[here]
        self.cost += np.outer(self.traffic[i] - self.traffic[j], step)
        gpu[i], gpu[j] = there, here
        self.held[expert[i], [here, there]] += [-1, 1]
        self.held[expert[j], [here, there]] += [1, -1]
