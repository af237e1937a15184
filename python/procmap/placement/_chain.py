# SPDX-License-Identifier: MIT
"""Layers in a row cut into stages: the best there is, by dynamic programming."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Layers:
    """Layers in a row.

    Attributes
    ----------
    work, held : numpy.ndarray of float64, shape (n + 1,)
        Cost and memory of the first 0, 1, ..., n layers. All sums are differences of these, so that
        equal ones are equal.
    sent : numpy.ndarray of float64, shape (n - 1,)
        What layer i sends to layer i + 1.
    """

    work: NDArray[np.float64]
    held: NDArray[np.float64]
    sent: NDArray[np.float64]

    @property
    def num_layers(self) -> int:
        """Number of layers, n."""
        return len(self.work) - 1

    @property
    def rounding(self) -> float:
        """What sums of memory may differ by where they are equal."""
        return 1e-9 * float(self.held[-1])


@dataclass(frozen=True)
class Chain(Layers):
    """Layers in a row, and the stages they go to.

    Attributes
    ----------
    hops : numpy.ndarray of float64, shape (S - 1,)
        Distance of stages s and s + 1. A stage that sends pays `sent` times this.
    room : numpy.ndarray of float64, shape (S,)
        Memory of every stage.
    """

    hops: NDArray[np.float64]
    room: NDArray[np.float64]

    @property
    def num_stages(self) -> int:
        """Number of stages, S."""
        return len(self.room)

    def paid(self, stage: int, end: int) -> float:
        """Return what a stage that ends before layer `end` pays to send on."""
        if stage >= len(self.hops) or not 0 < end < self.num_layers:
            return 0.0
        return float(self.sent[end - 1] * self.hops[stage])


def cut(chain: Chain) -> NDArray[np.int64] | None:
    """Return where every stage ends, shape (S,): layers ``ends[s - 1]`` to ``ends[s] - 1``.

    The largest stage, what it sends included, is as small as it can be, and of all such cuts this
    is one in which all stages together send least. No stage is empty. None if memory does not
    suffice.
    """
    largest = _largest(chain)
    if not np.isfinite(largest):
        return None
    return _least_sent(chain, largest * (1 + 1e-12))


def _stage_costs(chain: Chain, stage: int, end: int) -> NDArray[np.float64]:
    """Return the cost of a stage that ends before layer `end`, by where it begins.

    Infinite where it would not have room.
    """
    costs = chain.work[end] - chain.work[:end] + chain.paid(stage, end)
    fits = chain.held[end] - chain.held[:end] <= chain.room[stage] + chain.rounding
    return np.where(fits, costs, np.inf)


def _largest(chain: Chain) -> float:
    """Return the smallest largest cost of a stage."""
    n = chain.num_layers
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    for stage in range(chain.num_stages):
        after = np.full(n + 1, np.inf)
        for end in range(stage + 1, n + 1):
            after[end] = np.maximum(best[:end], _stage_costs(chain, stage, end)).min()
        best = after
    return float(best[n])


def _least_sent(chain: Chain, largest: float) -> NDArray[np.int64]:
    """Return the ends of the stages that send least and cost no more than `largest` each."""
    n, stages = chain.num_layers, chain.num_stages
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    begins = np.zeros((stages, n + 1), np.int64)
    for stage in range(stages):
        after = np.full(n + 1, np.inf)
        for end in range(stage + 1, n + 1):
            fits = _stage_costs(chain, stage, end) <= largest
            total = np.where(fits, best[:end], np.inf) + chain.paid(stage, end)
            begins[stage, end] = int(np.argmin(total))
            after[end] = total[begins[stage, end]]
        best = after
    ends = np.full(stages, n, np.int64)
    for stage in range(stages - 1, 0, -1):
        ends[stage - 1] = begins[stage, ends[stage]]
    return ends
