# SPDX-License-Identifier: MIT
"""What a distributed mapping costs, and what making it took."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap import _core
from procmap.mapping._report import Report, figures

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.distributed._input import Given
    from procmap.distributed._level import Level
    from procmap.distributed._refine import Goal
    from procmap.mapping._report import Units
    from procmap.topology._topology import Topology


@dataclass(frozen=True)
class LevelReport:
    """One stage of a distributed mapping, as this rank saw it.

    Attributes
    ----------
    stage : str
        "coarsen" (all levels), "map" (the coarsest graph, by single ranks) or "refine".
    level : int
        0 is the graph that was given.
    vertices, arcs : int
        Size of the graph of this level; every edge is two arcs.
    rounds : int
        Refinement rounds.
    cost : int or None
        J in units of the core after refinement.
    messages, bytes : int
        What this rank sent to others.
    seconds : float
        Wall-clock time.
    """

    stage: str
    level: int
    vertices: int
    arcs: int
    rounds: int
    cost: int | None
    messages: int
    bytes: int
    seconds: float


@dataclass(frozen=True, eq=False, repr=False)
class LocalMapping(Report):
    """Where the rows of this rank go, and what the whole mapping costs.

    NumPy takes it for its `blocks`. Its figures are those of all ranks.

    Attributes
    ----------
    blocks : numpy.ndarray of int32, shape (rows,)
        PE of every row of this rank, in [0, k).
    first : int
        The vertex that is row 0.
    num_vertices, num_edges : int
        Of all ranks.
    topology : Topology
        The machine.
    levels : tuple of LevelReport
        What happened on the way.
    seconds : float
        Wall-clock time of the call.
    migrated_weight : int
        Size of all rows that are not where `initial` had them.
    """

    blocks: NDArray[np.int32]
    first: int
    num_vertices: int
    num_edges: int
    topology: Topology
    levels: tuple[LevelReport, ...]
    seconds: float
    migrated_weight: int

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return `blocks` as NumPy asks for them."""
        blocks: NDArray[Any] = np.asarray(self.blocks, dtype)
        return blocks.copy() if copy else blocks

    def __len__(self) -> int:
        """Return the number of rows of this rank."""
        return len(self.blocks)

    def __repr__(self) -> str:
        return (
            f"LocalMapping({len(self.blocks)} of {self.num_vertices} tasks on {self._describe()})"
        )


def report_figures(
    given: Given, goal: Goal, room: NDArray[np.int64], blocks: NDArray[np.int32], units: Units
) -> dict[str, Any]:
    """Return the fields of `Report`, the same at all ranks; `room` is that of PEs as asked for."""
    level = given.level
    ranks = level.ranks
    k = len(goal.capacities)
    now = _core.RankRound(goal.topology._native, level.with_ghosts(blocks), 0.0, 0, goal.threads)
    cost, cut, traffic, distances = _core.rank_traffic(level.native, now)
    sums = ranks.sum(np.concatenate([[cost, cut], traffic]).astype(np.int64))
    weights = ranks.sum(level.block_sums(blocks, k)[:k])
    average = given.total_load / k
    heaviest = int(weights.max())
    core = SimpleNamespace(
        cost=int(sums[0]),
        edge_cut=int(sums[1]) // 2,
        level_traffic=sums[2:] // 2,
        level_distances=np.asarray(distances, np.int64),
        block_weights=weights,
        max_block_weight=heaviest,
        capacities=room,
        capacity=int(room.max()),
        imbalance=heaviest / average - 1 if average > 0 else 0.0,
        further=[],
        feasible=goal.overload(weights) == 0 and not lacks_vertices(level, goal, blocks),
    )
    return figures(core, units)  # type: ignore[arg-type]


def lacks_vertices(level: Level, goal: Goal, blocks: NDArray[np.int32]) -> bool:
    """Whether PEs are empty though that was not allowed and there is a vertex for each."""
    usable = goal.capacities > 0
    if goal.allow_empty:
        return False
    counts = level.ranks.sum(level.block_sums(blocks, len(usable))[len(usable) :])
    return not (counts[usable] > 0).all() and _can_fill_all(level, goal.capacities, usable)


def _can_fill_all(level: Level, capacities: NDArray[np.int64], usable: NDArray[np.bool_]) -> bool:
    """Whether free vertices fit into the PEs that nobody is fixed to, as the core asks."""
    ranks = level.ranks
    taken = np.zeros(len(capacities), np.int64)
    loads = level.loads
    if level.fixed is not None:
        taken = np.bincount(level.fixed[level.fixed >= 0], minlength=len(capacities))
        loads = loads[level.fixed < 0]
    rooms = np.sort(capacities[usable & (ranks.sum(taken) == 0)])
    count = len(rooms)
    own = loads if len(loads) <= count else np.partition(loads, count)[:count]
    lightest = np.sort(ranks.gather_to(0, own))[:count]
    fits = ranks.rank > 0 or (len(lightest) == count and bool((lightest <= rooms).all()))
    return not ranks.largest(int(not fits))
