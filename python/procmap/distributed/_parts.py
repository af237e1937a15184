# SPDX-License-Identifier: MIT
"""Parts of a graph and of a machine, and what they may carry."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from procmap.distributed._level import Level, starts_of
from procmap.mapping._report import UNLIMITED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.distributed._refine import Goal
    from procmap.topology._topology import Topology


@dataclass(frozen=True)
class Part:
    """A part of the graph and of the machine.

    Attributes
    ----------
    level : Level
        The part's vertices, numbered anew; `fixed` says PEs of the part.
    goal : Goal
        Of the part's PEs.
    rows : numpy.ndarray of int64
        Where this rank's rows of it are among those of the whole graph.
    base : int
        The first PE.
    depth : int
        How often the graph was split.
    """

    level: Level
    goal: Goal
    rows: NDArray[np.int64]
    base: int
    depth: int


def group_size(topology: Topology) -> int:
    """Return how many PEs a group of the outermost level has that has several groups."""
    size = topology.num_pes
    for parts in reversed(topology._native.sizes):
        size //= parts
        if parts > 1:
            break
    return size


def enough(capacities: NDArray[np.int64], total: int) -> NDArray[np.int64]:
    """Return capacities, larger in proportion if a part was given more than they hold."""
    room = sum(capacities.tolist())
    if room == 0:
        return np.full(len(capacities), max(1, total), np.int64)
    if room >= total:
        return capacities
    return np.array([-(-c * total // room) for c in capacities.tolist()], np.int64)


def child_capacities(
    capacities: NDArray[np.int64], size: int, total: int, depth: int
) -> NDArray[np.int64]:
    """Return what groups of so many PEs may carry if there are `depth` more levels to split.

    An even share of the load, and of the room beyond it one part in `depth`: the others are for
    the inner levels.
    """
    room = capacities.reshape(-1, size)
    rooms = [sum(row) for row in room.tolist()]
    in_all = sum(rooms)
    if total == 0:  # an inner level needs none of the room, and PEs without any are forbidden
        depth = 1
    shares = [-(-total * r // in_all) if in_all else 0 for r in rooms]
    held = [s + max(0, r - s) // depth for s, r in zip(shares, rooms, strict=True)]
    return np.array([min(*pair, UNLIMITED) for pair in zip(held, rooms, strict=True)], np.int64)


def part_of(part: Part, children: NDArray[np.int32], child: int, size: int) -> Part:
    """Return one of the parts into which a part was split; its vertices keep their order."""
    level = part.level
    ranks = level.ranks
    inside = children == child
    starts = starts_of(ranks, int(np.count_nonzero(inside)))
    number = np.cumsum(inside, dtype=level.id_type)
    number += level.id_type(int(starts[ranks.rank]) - 1)
    number[~inside] = -1
    rows = level.selected(inside, level.with_ghosts(number), level.storage)
    del number
    if rows.heads.dtype == np.int64 and starts[-1] < 2**31:
        rows = rows._replace(heads=rows.heads.astype(np.int32))
    loads = None if level.unit_loads else level.loads[inside]
    fixed = level.fixed
    if fixed is not None:
        fixed = np.where(fixed[inside] >= 0, fixed[inside] - child * size, -1).astype(np.int32)
    pes = np.arange(child * size, (child + 1) * size)
    goal = replace(
        part.goal,
        topology=part.goal.topology.sub(pes),
        capacities=part.goal.capacities[pes],
    )
    return Part(
        Level(ranks, starts, rows, loads, fixed, level.storage),
        goal,
        part.rows[inside],
        part.base + child * size,
        part.depth + 1,
    )
