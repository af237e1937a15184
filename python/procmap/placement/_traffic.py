# SPDX-License-Identifier: MIT
"""Exchanges of replicas that save traffic or moves and leave loads within a bound."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from procmap import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.placement._packing import Packing

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
        share = 1.0 / packing.counts
        pairs = self.together * share[:, None] * share
        sent = pairs[np.ix_(packing.expert, packing.expert)]
        return float(np.sum(sent * self.distances[np.ix_(packing.gpu, packing.gpu)]))

    def of(self, packing: Packing) -> float:
        """Traffic and moves as a whole number, to compare with that of other packings."""
        place = packing.gpu
        cost = float(np.sum(self.between(packing) * self.whole_distances()[np.ix_(place, place)]))
        return cost + self.whole_move() * self.moves(packing)

    def step(self) -> int:
        """Return s such that costs become whole numbers in units of 2^s, which may be no float."""
        total = 0.0 if self.together is None else float(self.together.sum())
        parts = [math.frexp(self.move_cost), _product(total, self._farthest())]
        return max((exponent - 40 for mantissa, exponent in parts if mantissa > 0), default=0)

    def whole_move(self) -> float:
        """Return what a move costs, as a whole number."""
        return float(round(math.ldexp(self.move_cost, -self.step()) * _FARTHEST))

    def whole_distances(self) -> NDArray[np.float64]:
        """Distances as whole numbers."""
        mantissa, exponent = math.frexp(self._farthest())
        near_one = np.ldexp(self.distances, -exponent)
        scaled: NDArray[np.float64] = np.rint(near_one * (_FARTHEST / mantissa))
        return scaled

    def _farthest(self) -> float:
        return float(self.distances.max(initial=0)) or 1.0

    def between(self, packing: Packing) -> NDArray[np.float64]:
        """Return the traffic of every two replicas, whole numbers, shape (R, R)."""
        size = len(packing.expert)
        if self.together is None:
            return np.zeros((size, size))
        share = 1.0 / packing.counts
        mantissa, exponent = math.frexp(self._farthest())
        in_steps = np.ldexp(self.together, exponent - self.step())
        pairs = in_steps * share[:, None] * share * mantissa
        chosen: NDArray[np.float64] = np.rint(pairs)[np.ix_(packing.expert, packing.expert)]
        return chosen


def _product(a: float, b: float) -> tuple[float, int]:
    """Return mantissa and exponent of a product that may be no float."""
    (x, i), (y, j) = math.frexp(a), math.frexp(b)
    mantissa, exponent = math.frexp(x * y)
    return mantissa, exponent + i + j


def exchange(packing: Packing, price: Price, bound: int, heat: float) -> None:
    """Let replicas change places where that lowers the price, loads first.

    Every replica in turn takes the best exchange that there is for it: one that brings loads
    nearer to `bound`, or else one that costs less and takes no load above it. Where there is
    traffic, annealing from `heat` goes before if that ends better: the first temperature, of what
    an exchange changes on average.
    """
    if price.together is None and price.old is None:
        return
    distances = price.whole_distances()
    traffic = price.between(packing)
    assert float(traffic.sum()) * float(distances.max(initial=0)) < _LARGEST
    if not traffic.any():
        traffic = np.zeros(0)
    packing.gpu = _core.exchange_replicas(
        len(packing.loads),
        packing.num_gpus,
        packing.expert,
        packing.gpu,
        packing.shares,
        _whole(traffic),
        _whole(distances),
        np.zeros(0, np.uint8) if price.old is None else price.old.astype(np.uint8).ravel(),
        int(price.whole_move()),
        bound,
        heat,
    )


def _whole(values: NDArray[np.float64]) -> NDArray[np.int64]:
    return values.astype(np.int64).ravel()
