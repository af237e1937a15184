# SPDX-License-Identifier: MIT
"""The best places of few stages: dynamic programming over the sets of PEs that are taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from procmap.placement._chain import Chain, Layers

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class PlacedChain(Layers):
    """Layers in a row, and the PEs that stages of them may be on.

    Attributes
    ----------
    distances : numpy.ndarray of float64, shape (S, S)
        Of PEs.
    room : numpy.ndarray of float64, shape (S,)
        Memory of every PE.
    """

    distances: NDArray[np.float64]
    room: NDArray[np.float64]

    def in_order(self, places: NDArray[np.int32]) -> Chain:
        """Return the chain whose stages are on these PEs."""
        hops = self.distances[places[:-1], places[1:]]
        return Chain(self.work, self.held, self.sent, hops, self.room[places])

    @property
    def orders_are_alike(self) -> bool:
        """Whether it does not matter which stage is on which PE."""
        size = len(self.room)
        apart = self.distances[~np.eye(size, dtype=bool)]
        return bool((apart == apart[:1]).all() and (self.room == self.room[0]).all())

    def costs(self, pe: int, begins: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the costs of stages on a PE by where they begin and before which layer they end.

        Infinite where there is no layer, or more than the PE has room for.
        """
        fits = self.held - self.held[begins, None] <= self.room[pe] + self.rounding
        fits &= np.arange(self.num_layers + 1) > begins[:, None]
        return np.where(fits, self.work - self.work[begins, None], np.inf)

    def paid(self, pe: int, following: int) -> NDArray[np.float64]:
        """Return what a stage pays to send on to another PE, by before which layer it ends."""
        paid = np.zeros(self.num_layers + 1)
        paid[1:-1] = self.sent * self.distances[pe, following]
        return paid


def best_places(chain: PlacedChain, bound: float) -> NDArray[np.int32] | None:
    """Return the PEs of the stages with which the largest stage is smallest.

    Of several orders it is one in which all stages together send least. None if every order costs
    more than `bound`, or memory does not suffice.
    """
    largest, _ = _Search(chain, bound, counts_sent=False).run()
    if not np.isfinite(largest):
        return None
    _, places = _Search(chain, largest * (1 + 1e-12), counts_sent=True).run()
    return np.array(places, np.int32)


def note_better(
    known: NDArray[np.float64],
    came: NDArray[np.int64],
    values: NDArray[np.float64],
    last: int,
    begins: NDArray[np.int64],
) -> None:
    """Note by where a stage ends what is less than known, and in `came` what it comes from.

    `values` are those of a stage of `last` by where it begins, one of `begins`, and ends.
    """
    at = np.argmin(values, axis=0)
    least = values[at, np.arange(values.shape[1])]
    better = least < known
    known[better] = least[better]
    came[0, better] = last
    came[1, better] = begins[at[better]]


class _Search:
    """Stages in turn: for every set of PEs, the last of them, and where its stage begins.

    What counts is the largest stage so far, or what all have sent if no stage costs more than the
    bound.
    """

    def __init__(self, chain: PlacedChain, bound: float, *, counts_sent: bool) -> None:
        self.chain, self.bound, self.counts_sent = chain, bound, counts_sent
        self.size = len(chain.room)
        self.best: dict[tuple[int, int], NDArray[np.float64]] = {}
        self.came: dict[tuple[int, int], NDArray[np.int64]] = {}  # rows: PE before, and its begin

    def run(self) -> tuple[float, list[int]]:
        """Return what counts of the best order, infinite if there is none, and its PEs."""
        for pe in range(self.size):
            self._reach(1 << pe, pe)[0] = 0.0
        everything = (1 << self.size) - 1
        for taken in range(1, everything):
            for last in range(self.size):
                if (taken, last) in self.best:
                    self._go_on(taken, last)
        nothing = np.zeros(self.chain.num_layers + 1)
        ends = []
        for last in range(self.size):
            begins, so_far, costs = self._stages(everything, last)
            if begins.size:
                values = self._values(so_far, costs, nothing)[:, -1]
                at = int(np.argmin(values))
                ends.append((float(values[at]), last, int(begins[at])))
        largest, last, begin = min(ends, default=(np.inf, 0, 0))
        return largest, self._path(everything, last, begin) if np.isfinite(largest) else []

    def _reach(self, taken: int, last: int) -> NDArray[np.float64]:
        n = self.chain.num_layers
        self.came.setdefault((taken, last), np.zeros((2, n + 1), np.int64))
        return self.best.setdefault((taken, last), np.full(n + 1, np.inf))

    def _stages(
        self, taken: int, last: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Return where the last stage may begin, what counts until there, and its costs."""
        before = self._reach(taken, last)
        begins = np.flatnonzero(np.isfinite(before))
        return begins, before[begins, None], self.chain.costs(last, begins)

    def _values(
        self, so_far: NDArray[np.float64], costs: NDArray[np.float64], paid: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return what counts with the next stage, by where it begins and ends."""
        costs = costs + paid
        counted = so_far + paid if self.counts_sent else np.maximum(so_far, costs)
        return np.where(costs <= self.bound, counted, np.inf)

    def _go_on(self, taken: int, last: int) -> None:
        begins, so_far, costs = self._stages(taken, last)
        if not begins.size:
            return
        for following in range(self.size):
            if taken >> following & 1:
                continue
            values = self._values(so_far, costs, self.chain.paid(last, following))
            after = taken | 1 << following, following
            note_better(self._reach(*after), self.came[after], values, last, begins)

    def _path(self, taken: int, last: int, begin: int) -> list[int]:
        places = [last]
        while taken != 1 << last:
            pe, start = self.came[taken, last][:, begin].tolist()
            taken, last, begin = taken ^ 1 << last, pe, start
            places.append(last)
        return places[::-1]
