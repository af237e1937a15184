# SPDX-License-Identifier: MIT
"""Figures of a mapping by groups of PEs, for what people look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.graph._graph import Graph
    from procmap.mapping._report import Report


def traffic_between(
    graph: Graph, group: NDArray[np.integer[Any]], groups: int
) -> NDArray[np.float64]:
    """Return what goes from group to group, shape (groups, groups), in the user's unit.

    Every edge is there in both directions, and inside a group twice; if the graph counts messages,
    half of each, as nobody knows any more who sent them.

    Parameters
    ----------
    graph : Graph
    group : numpy.ndarray of int, shape (n,)
        Of every task, in [0, groups).
    groups : int
    """
    tails = np.repeat(group, np.diff(graph.offsets))
    between = tails.astype(np.int64) * groups + group[graph.heads]
    weights = graph.traffic_scale.restore(graph.arc_weights).astype(np.float64)
    if graph.counts_messages:
        weights = weights / 2
    sums = np.bincount(between, weights, groups * groups).astype(np.float64)
    return sums.reshape(groups, groups)


def level_costs(report: Report) -> NDArray[np.float64]:
    """Return the share of J that every level has, innermost first; their sum is J."""
    traffic = report.level_traffic[1:].astype(np.float64)
    distances = report.level_distances[: len(traffic)].astype(np.float64)
    costs: NDArray[np.float64] = (1 if report.units.messages else 2) * traffic * distances
    return costs
