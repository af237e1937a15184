# SPDX-License-Identifier: MIT
"""Jet rounds and exact rebalancing of rows that several ranks hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from procmap import _core
from procmap.distributed._fitting import fitting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.config._fields import RefinementConfig
    from procmap.distributed._deadline import Deadline
    from procmap.distributed._level import Level
    from procmap.distributed._previous import Previous
    from procmap.topology._topology import Topology

# Rounds without a lower cost: several moves at once may undo each other.
_IDLE_WHILE_SETTLING = 3


@dataclass(frozen=True)
class Goal:
    """What is wanted of a mapping.

    Attributes
    ----------
    topology : Topology
        The machine.
    capacities : numpy.ndarray of int64, shape (k,)
        What every PE may carry.
    allow_empty : bool
        Whether PEs may be empty that need not be.
    threads : int
        Of every rank.
    """

    topology: Topology
    capacities: NDArray[np.int64]
    allow_empty: bool
    threads: int

    def overload(self, weights: NDArray[np.int64]) -> int:
        """Return by how much the worst block is too heavy."""
        return int(np.maximum(weights - self.capacities, 0).max(initial=0))

    def excess(self, weights: NDArray[np.int64]) -> int:
        """Return how much all blocks together have too much."""
        return sum(np.maximum(weights - self.capacities, 0).tolist())


class Refinement:
    """The blocks of a level while they are refined."""

    def __init__(
        self,
        level: Level,
        goal: Goal,
        blocks: NDArray[np.int32],
        config: RefinementConfig,
        seed: int,
        previous: Previous | None = None,
    ) -> None:
        self._level, self._goal, self._config = level, goal, config
        self._seed = seed
        self._previous = previous
        self._anchors: tuple[NDArray[np.int32], NDArray[np.int64]] | tuple[()] = ()
        if previous is not None and previous.pull is not None:
            self._anchors = previous.blocks, previous.pull
        self.rounds = 0
        self._blocks = level.with_ghosts(blocks)
        n = level.num_rows
        self._held = np.zeros(n, np.uint8)
        if level.fixed is not None:
            self._held[:] = level.fixed >= 0
        self._target = np.full(n, -1, np.int32)
        self._gain = np.zeros(n, np.int64)
        self._outdated = np.ones(n, np.uint8)
        self._locked = np.zeros(n, bool)
        self._weights, self._filled = self._loads()
        self.best = blocks.copy()
        self.cost = self._cost()
        self._best_overload = goal.overload(self._weights)
        self._best_filled = self._filled

    @property
    def _own(self) -> NDArray[np.int32]:
        blocks: NDArray[np.int32] = self._blocks[: self._level.num_rows]
        return blocks

    def _loads(self) -> tuple[NDArray[np.int64], int]:
        """Return the weight of every block, and how many hold a vertex."""
        k = len(self._goal.capacities)
        sums = self._level.ranks.sum(self._level.block_sums(self._own, k))
        return sums[:k], int(np.count_nonzero(sums[k:]))

    def _round(self, filter: float) -> _core.RankRound:
        seed = _core.hash(self._seed, self.rounds)
        goal = self._goal
        return _core.RankRound(
            goal.topology._native, self._blocks, filter, seed, goal.threads, *self._anchors
        )

    def _cost(self) -> int:
        """Return J and what migration costs."""
        own = _core.rank_cost(self._level.native, self._round(0.0))
        if self._previous is not None:
            own += self._previous.migration(self._own)
        return self._level.ranks.total(own)

    def run(self, filter: float, deadline: Deadline | None = None) -> None:
        """Refine until nothing has come of it for some rounds; `best` is the result.

        After the deadline only what is too heavy moves.
        """
        idle = rebalances = still = 0
        while idle < self._config.rounds and self.rounds < self._config.max_rounds:
            excess = self._goal.excess(self._weights)
            if excess == 0 and deadline is not None and deadline.is_over():
                break
            if excess > 0:
                moved = self._rebalance(rebalances)
                rebalances += 1
            else:
                moved = self._propagate(filter)
                rebalances = 0
            self.rounds += 1
            if self._note_best():
                idle = 0
            elif self._goal.excess(self._weights) >= excess:
                # What hubs pulled into few blocks takes many rounds to be led out again.
                idle += 1
            still = 0 if moved else still + 1
            if still > (self._config.heavy_rounds if rebalances else 1):
                break

    def settle(self, deadline: Deadline | None = None) -> None:
        """Go on from the best mapping with moves that gain and fit, until none of them helps.

        What Jet's rounds pull into full blocks has to leave them again, often others and at a
        loss: where room is scarce or hubs pull, that leaves much undone which a single move does.
        """
        self._blocks = self._level.with_ghosts(self.best)
        self._weights, self._filled = self._loads()
        self._locked[:] = False
        if self._goal.overload(self._weights) > 0:
            return
        idle = 0
        while idle < _IDLE_WHILE_SETTLING and self.rounds < self._config.max_rounds:
            if deadline is not None and deadline.is_over():
                break
            self._outdated[:] = 1  # what has room changes everywhere
            if self._move_what_fits() == 0:
                break
            self.rounds += 1
            least = self.cost
            self._note_best()
            idle = 0 if self.cost < least else idle + 1

    def _move_what_fits(self) -> int:
        """Let vertices move to where they gain and there is room; return how many do."""
        level = self._level
        room = self._goal.capacities - self._weights
        proposed = self._accepted(0.0, room)
        rows = np.flatnonzero(proposed >= 0)
        vertices, targets = fitting(
            level.ranks, rows + level.first, level.loads[rows], self._gain[rows], proposed[rows],
            room,
        )  # fmt: skip
        rows, blocks = self._here(vertices, targets)
        self._locked[:] = False
        self._locked[rows] = True  # they sit out the next round
        return self._move(rows, blocks)

    def _propagate(self, filter: float) -> int:
        """Let vertices move to where they gain; return how many do."""
        proposed = self._accepted(filter)
        self._locked = proposed >= 0
        return self._move(np.flatnonzero(self._locked), proposed[self._locked])

    def _accepted(self, filter: float, room: NDArray[np.int64] | None = None) -> NDArray[np.int32]:
        """Return where rows want to go that are no loss after better ones, -1 for the others.

        If every block has so much `room`, only where they fit and gain on their own.
        """
        level = self._level
        now = self._round(filter)
        stays = self._locked | (self._held > 0)
        asked = level.native, now, self._outdated, self._target, self._gain
        if room is None:
            _core.propose_rank_moves(*asked)
        else:
            _core.propose_rank_moves(*asked, room)
            stays |= self._gain <= 0
        proposed = np.where(stays, -1, self._target).astype(np.int32)
        targets = level.with_ghosts(proposed)
        gains = level.with_ghosts(self._gain)
        accepted = _core.accepted_rank_moves(level.native, now, targets, gains).astype(bool)
        proposed[~accepted] = -1
        return proposed

    def _here(
        self, vertices: NDArray[np.int64], blocks: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return own rows among the vertices of all ranks that move, and where they go."""
        rows = vertices - self._level.first
        here = (rows >= 0) & (rows < self._level.num_rows)
        return rows[here], blocks[here]

    def _move(self, rows: NDArray[np.int64], blocks: NDArray[np.int32]) -> int:
        """Carry out moves; return how many there are at all ranks."""
        level = self._level
        changed = np.zeros(level.num_rows, np.uint8)
        changed[rows] = 1
        own = self._own.copy()
        own[rows] = blocks
        self._blocks = level.with_ghosts(own)
        self._outdated = _core.outdated_rows(level.native, level.with_ghosts(changed))
        self._weights, self._filled = self._loads()
        return level.ranks.total(len(rows))

    def _rebalance(self, before: int) -> int:
        """Move what overloaded blocks have too much, at the least loss; return how many move.

        Every rank offers the cheapest vertices of its own, as many as weigh the excess of their
        block. Together these contain the ones that are to move, which all ranks find alike.
        """
        level, goal = self._level, self._goal
        heavy_too = before >= self._config.heavy_rounds
        offered = _core.cheapest_exits(
            level.native, self._round(0.0), self._weights, goal.capacities,
            self._config.heavy_vertex, heavy_too, self._held,
        )  # fmt: skip
        exits = level.ranks.everywhere(*offered)
        loss, noise, vertex, load, source, target = exits
        happens = _core.admitted_exits(
            loss, noise, vertex, load, source, target, self._weights, goal.capacities
        ).astype(bool)
        self._locked[:] = False
        return self._move(*self._here(vertex[happens], target[happens]))

    def _note_best(self) -> bool:
        """Keep the mapping if it is the best; return whether that is progress."""
        overload = self._goal.overload(self._weights)
        if not self._goal.allow_empty and self._filled < self._best_filled:
            return False
        if overload > self._best_overload:
            return False
        cost = self._cost()
        if overload == self._best_overload and cost >= self.cost:
            return False
        progress = overload < self._best_overload or cost < self._config.progress * self.cost
        self._best_overload, self.cost, self._best_filled = overload, cost, self._filled
        self.best = self._own.copy()
        return progress
