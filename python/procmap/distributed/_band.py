# SPDX-License-Identifier: MIT
"""The neighbourhood of all borders as a graph of its own, improved by one rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from procmap import _core
from procmap._util.limits import MAX_VERTICES
from procmap.distributed._gathered import attempt, weighted_graph
from procmap.distributed._previous import Previous

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.distributed._level import Level
    from procmap.distributed._refine import Goal
    from procmap.mapping._result import Mapping

_MOST_HOPS = 16


def improve_band(
    level: Level,
    goal: Goal,
    blocks: NDArray[np.int32],
    options: dict[str, Any],
    gather_arcs: int,
    previous: Previous | None = None,
) -> NDArray[np.int32]:
    """Return blocks that cost no more, with vertices near borders moved.

    What is near is as many hops as one rank can hold arcs. All other vertices of a block are one
    fixed vertex there, so costs change by as much as on the whole graph. Where there is a
    `previous` mapping to leave, the rank starts from that one.
    """
    ranks = level.ranks
    band = _band(level, blocks, gather_arcs)
    if band is None:
        return blocks
    rows = np.flatnonzero(band)
    parts = _part_of(level, band, blocks, len(goal.capacities))
    gathered = [ranks.gather_to(0, part) for part in parts]
    left = None
    if previous is not None and previous.pull is not None:
        left = Previous(
            ranks.gather_to(0, previous.blocks[rows]),
            ranks.gather_to(0, previous.sizes[rows]),
            ranks.gather_to(0, previous.pull[rows]),
            previous.cost,
        )
    k = len(goal.capacities)
    inside = np.zeros(k, np.int64)
    np.add.at(inside, blocks[band], level.loads[band])
    rest = ranks.sum(level.block_sums(blocks, k)[:k] - inside)
    counts = ranks.ints(len(rows))
    found = np.zeros(0, np.int32)
    if ranks.rank == 0:
        found = _improved(gathered, rest, goal, options, left)
    to = counts if ranks.rank == 0 else np.zeros(ranks.size, np.int64)
    _, (came,) = ranks.exchange(to, found)
    changed = blocks.copy()
    changed[rows] = came
    return changed


def _band(level: Level, blocks: NDArray[np.int32], gather_arcs: int) -> NDArray[np.bool_] | None:
    """Return which rows are near a border and free; None if these are too many, or none."""
    ranks, degrees = level.ranks, level.degrees()
    free = np.ones(level.num_rows, bool) if level.fixed is None else level.fixed < 0
    near = _core.border_rows(level.native, level.with_ghosts(blocks)).view(bool) & free
    band = None
    for _ in range(_MOST_HOPS):
        arcs = ranks.total(int(degrees[near].sum(dtype=np.int64)))
        if arcs == 0 or arcs > gather_arcs:
            break
        band = near
        seen = level.with_ghosts(near).astype(np.uint8)
        near = _core.outdated_rows(level.native, seen).view(bool) & free
    return band


def _part_of(
    level: Level, band: NDArray[np.bool_], blocks: NDArray[np.int32], k: int
) -> list[NDArray[Any]]:
    """Return degrees, heads, arc weights, loads and blocks of this rank's rows of the band.

    Vertices of the band come first, in order; behind them one for every block.
    """
    ranks, own = level.ranks, int(np.count_nonzero(band))
    before, count = ranks.before(own), ranks.total(own)
    if count + k > MAX_VERTICES:
        raise OverflowError(f"the band has {count} vertices; make gather_arcs smaller")
    number = np.cumsum(band, dtype=np.int32)
    number += np.int32(before - 1)
    outside = ~band
    number[outside] = blocks[outside] + np.int32(count)
    rows = level.selected(band, level.with_ghosts(number))
    weights = rows.arc_weights if len(rows.arc_weights) else np.ones(len(rows.heads), np.int64)
    return [
        np.diff(rows.offsets), rows.heads, weights.astype(np.int64),
        level.loads[band], blocks[band],
    ]  # fmt: skip


def _improved(
    gathered: list[NDArray[Any]],
    rest: NDArray[np.int64],
    goal: Goal,
    options: dict[str, Any],
    left: Previous | None,
) -> NDArray[np.int32]:
    """Return the blocks of the band after it was improved, if that helped."""
    degrees, heads, weights, loads, blocks = gathered
    count, k = len(degrees), len(rest)
    tails = np.repeat(np.arange(count, dtype=np.int32), degrees)
    outside = heads >= count
    back = np.argsort(heads[outside], kind="stable")
    held = heads[outside][back] - count
    offsets = np.concatenate(
        [[0], np.cumsum(np.concatenate([degrees, np.bincount(held, minlength=k)]))]
    )
    graph = weighted_graph(
        offsets,
        np.concatenate([heads, tails[outside][back]]),
        np.concatenate([weights, weights[outside][back]]),
        np.concatenate([loads, rest]),
    )
    usable = goal.capacities > 0
    home = np.where(usable, np.arange(k), np.argmax(usable)).astype(
        np.int32
    )  # nothing is forbidden
    initial = np.concatenate([blocks, home])
    fixed = np.concatenate([np.full(count, -1, np.int32), home])
    asked = {**options, "capacities": goal.capacities, "initial": initial, "fixed": fixed}
    if left is not None:
        sizes = np.concatenate([left.sizes, np.zeros(k, np.int64)])
        asked |= {"initial": np.concatenate([left.blocks, home]), "vertex_sizes": sizes}
        asked["migration_cost"] = left.cost
    mapping = attempt(graph, goal.topology, asked)
    before = _core_cost(graph, initial, goal)
    found = np.asarray(mapping, np.int32)[:count]
    after = _cost_of(mapping)
    if left is not None:
        before, after = before + left.migration(blocks), after + left.migration(found)
    if not mapping.feasible or after > before:
        return blocks
    emptied = np.setdiff1d(blocks, found)
    return found if goal.allow_empty or rest[emptied].all() else blocks


def _cost_of(mapping: Mapping) -> int:
    return next(a.cost for a in mapping.stats.attempts if a.kept)


def _core_cost(graph: Any, blocks: NDArray[np.int32], goal: Goal) -> int:
    return _core.evaluate(
        graph._native, goal.topology._native, blocks,
        imbalance=0.0, threads=goal.threads, device="cpu",
    ).cost  # fmt: skip
