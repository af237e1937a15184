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

    from procmap.distributed._level import Level
    from procmap.mapping._result import Mapping
    from procmap.topology._topology import Topology

    # A graph and the PEs of its fixed vertices.
    Gathered = tuple[Graph, NDArray[np.int32] | None]


def map_gathered(
    level: Level, topology: Topology, attempts: int, options: dict[str, Any]
) -> NDArray[np.int32]:
    """Return the PEs of own rows in the best of some attempts, which the ranks share out.

    Attempt i is made by rank i modulo their number, with seed + i; the best balanced wins, then
    the cheapest, then the first.
    """
    ranks = level.ranks
    gathered = [graph_at(level, root) for root in range(min(ranks.size, attempts))]
    mapped: dict[int, Mapping] = {}
    for graph, fixed in filter(None, gathered):
        for i in range(ranks.rank, attempts, ranks.size):
            seed = (options["seed"] + i) % 2**64
            mapped[i] = attempt(graph, topology, {**options, "seed": seed, "fixed": fixed})
    own = min((_standing(mapping, i) for i, mapping in mapped.items()), default=None)
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


def _standing(mapping: Mapping, number: int) -> tuple[bool, int, int, int]:
    overload = int((mapping.block_weights - mapping.capacities).max())
    cost = next(a.cost for a in mapping.stats.attempts if a.kept)
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
