# SPDX-License-Identifier: MIT
"""Graphs that are small enough for one rank, mapped there by `procmap.map`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from procmap.graph._graph import Graph
from procmap.mapping._api import map
from procmap.mapping._infeasible import InfeasibleError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.distributed._deadline import Deadline
    from procmap.distributed._level import Level
    from procmap.mapping._result import Mapping
    from procmap.topology._topology import Topology

    # A graph and the PEs of its fixed vertices.
    Gathered = tuple[Graph, NDArray[np.int32] | None]


def map_gathered(
    level: Level,
    topology: Topology,
    attempts: int,
    options: dict[str, Any],
    by_row: dict[str, NDArray[Any]] | None = None,
    deadline: Deadline | None = None,
) -> NDArray[np.int32]:
    """Return the PEs of own rows in the best of some attempts, which the ranks share out.

    Options `by_row` are arrays of own rows, which whoever maps gets whole.

    Attempt i is made by rank i modulo their number, with seed + i; the best balanced wins, then
    the cheapest, then the first.
    """
    ranks = level.ranks
    roots = range(min(ranks.size, attempts))
    gathered = [graph_at(level, root) for root in roots]
    columns = [
        {name: ranks.gather_to(root, values) for name, values in (by_row or {}).items()}
        for root in roots
    ]
    mapped: dict[int, Mapping] = {}
    for graph, fixed in filter(None, gathered):
        given = {**options, **columns[ranks.rank], "fixed": fixed}
        own_attempts = range(ranks.rank, attempts, ranks.size)
        for done, i in enumerate(own_attempts):
            if deadline is not None:
                given |= deadline.options(len(own_attempts) - done)
            seed = (options["seed"] + i) % 2**64
            mapped[i] = attempt(graph, topology, {**given, "seed": seed})
    migration = options.get("migration_cost", 0.0)
    own = min((_standing(mapping, i, migration) for i, mapping in mapped.items()), default=None)
    best = min(standing for standing in ranks.objects(own) if standing is not None)[-1]
    return sent_back(level, mapped.get(best), best % ranks.size)


def graph_at(level: Level, root: int) -> Gathered | None:
    """Return the whole graph and its fixed vertices at `root`, None elsewhere."""
    ranks = level.ranks
    units = ranks.largest(len(level.arc_weights)) == 0
    degrees = ranks.gather_to(root, np.diff(level.offsets))
    heads = ranks.gather_to(root, level.global_heads().astype(np.int32, copy=False))
    weights = None if units else ranks.gather_to(root, _as_wide(level))
    loads = ranks.gather_to(root, level.loads)
    fixed = None if level.fixed is None else ranks.gather_to(root, level.fixed)
    if ranks.rank != root:
        return None
    offsets = np.concatenate([[0], np.cumsum(degrees)])
    return weighted_graph(offsets, heads, weights, loads), fixed


def _as_wide(level: Level) -> NDArray[np.int64]:
    weights = level.arc_weights
    return weights.astype(np.int64) if len(weights) else np.ones(len(level.heads), np.int64)


def weighted_graph(
    offsets: NDArray[np.int64],
    heads: NDArray[np.int32],
    weights: NDArray[np.int64] | None,
    loads: NDArray[np.int64],
) -> Graph:
    """Return a graph, without weights that are all 1."""
    unit_weights = weights is None or bool((weights == 1).all())
    unit_loads = bool((loads == 1).all())
    return Graph.from_csr(
        offsets, heads, None if unit_weights else weights, None if unit_loads else loads, copy=False
    )


def attempt(graph: Graph, topology: Topology, options: dict[str, Any]) -> Mapping:
    """Map, balanced or not."""
    try:
        return map(graph, topology, strict=True, **options)
    except InfeasibleError as exc:
        return exc.mapping


def _standing(mapping: Mapping, number: int, migration_cost: float) -> tuple[bool, int, float, int]:
    overload = int((mapping.block_weights - mapping.capacities).max())
    cost: float = next(a.cost for a in mapping.stats.attempts if a.kept)
    if migration_cost:
        cost = mapping.cost + migration_cost * mapping.migrated_weight
    return not mapping.feasible, max(0, overload), cost, number


def sent_back(level: Level, mapping: Mapping | None, root: int) -> NDArray[np.int32]:
    """Return the PEs of own rows in the mapping that `root` has."""
    ranks = level.ranks
    counts = np.zeros(ranks.size, np.int64)
    blocks = np.zeros(0, np.int32)
    if ranks.rank == root and mapping is not None:
        counts, blocks = np.diff(level.starts), np.asarray(mapping, np.int32)
    came: NDArray[np.int32] = ranks.exchange(counts, blocks)[1][0]
    return came
