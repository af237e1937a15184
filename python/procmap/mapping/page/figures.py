# SPDX-License-Identifier: MIT
"""The figures that page.js draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from procmap.mapping._aggregate import traffic_between
from procmap.mapping.page.groups import Groups, all_groups
from procmap.mapping.page.machine import machine_picture, rounded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.graph._graph import Graph
    from procmap.mapping._explained import ExplainedReport
    from procmap.mapping._report import WeightReport

_MATRIX_SIDE, _ROWS, _STEPS = 96, 1000, 200


def figures_of(evaluation: ExplainedReport) -> dict[str, Any]:
    """Return what the page shows: of before (the baseline) and after (this mapping)."""
    before = evaluation.arrangements[evaluation.baseline]
    blocks = {"before": before, "after": evaluation.blocks}
    k = evaluation.num_blocks
    sent = {name: _sent(evaluation.graph, of_task, k) for name, of_task in blocks.items()}
    load, limit = _fullness(evaluation)
    groups = list(all_groups(evaluation.topology))
    return {
        "machine": machine_picture(evaluation.topology, load, sent["after"]),
        "limit": limit,
        "matrices": [_matrices(evaluation, each.at_most(_MATRIX_SIDE), blocks) for each in groups],
        "loads": [_loads(weight) for weight in evaluation.weights],
        "table": _table(evaluation, groups, sent),
    }


def _fullness(evaluation: ExplainedReport) -> tuple[NDArray[np.float64], float]:
    """Return the load of every PE over the average and what it may be.

    Of several weights it is the largest share of what a PE may carry.
    """
    if len(evaluation.weights) == 1:
        average = float(np.mean(evaluation.block_weights)) or 1.0
        return evaluation.block_weights / average, min(float(evaluation.capacity) / average, 1e300)
    shares = [
        weight.block_weights / np.maximum(weight.capacities.astype(np.float64), 1e-300)
        for weight in evaluation.weights
    ]
    return np.minimum(np.max(shares, axis=0), 1e300), 1.0


def _sent(graph: Graph, of_task: NDArray[np.int32], k: int) -> NDArray[np.float64]:
    """Return what every PE sends to other PEs."""
    tails = np.repeat(of_task, np.diff(graph.offsets))
    away = tails != of_task[graph.heads]
    weights = graph.traffic_scale.restore(graph.arc_weights).astype(np.float64)
    if graph.counts_messages:
        weights = weights / 2  # nobody knows any more which end sent it
    return np.bincount(tails[away], weights[away], k).astype(np.float64)


def _matrices(
    evaluation: ExplainedReport, groups: Groups, blocks: dict[str, NDArray[np.int32]]
) -> dict[str, Any]:
    """Return what goes between groups, entries that are not 0 as [row, column, value]."""
    count = len(groups.names)
    made: dict[str, Any] = {"title": groups.title, "names": groups.names}
    for name, of_task in blocks.items():
        matrix = traffic_between(evaluation.graph, groups.group_of_pe[of_task], count)
        rows, columns = np.nonzero(matrix)
        values = rounded(matrix[rows, columns])
        made[name] = [
            list(entry) for entry in zip(rows.tolist(), columns.tolist(), values, strict=True)
        ]
    return made


def _loads(weight: WeightReport) -> dict[str, Any]:
    """Return loads of PEs, heaviest first, of evenly chosen ones where there are many."""
    loads = np.sort(weight.block_weights.astype(np.float64))[::-1]
    chosen = np.unique(np.linspace(0, len(loads) - 1, min(len(loads), _STEPS)).astype(np.int64))
    return {
        "name": weight.name,
        "pes": chosen.tolist(),
        "values": rounded(loads[chosen]),
        "capacity": min(float(weight.capacity), 1e300),
        "count": len(loads),
    }


def _table(
    evaluation: ExplainedReport, groups: list[Groups], sent: dict[str, NDArray[np.float64]]
) -> dict[str, Any]:
    """Return a line per group of the finest kind of which there are not too many."""
    few = [each for each in groups if len(each.names) <= _ROWS]
    shown = few[-1] if few else groups[0].at_most(_ROWS)
    tasks = np.bincount(evaluation.blocks, minlength=evaluation.num_blocks)
    over = np.any([weight.excess > 0 for weight in evaluation.weights], axis=0)
    loads = {
        f"load{i or ''}": rounded(shown.sums(weight.block_weights))
        for i, weight in enumerate(evaluation.weights)
    }
    return {
        "title": shown.title,
        "names": shown.names,
        "tasks": rounded(shown.sums(tasks)),
        **loads,
        "over": rounded(shown.sums(over)),
        "before": rounded(shown.sums(sent["before"])),
        "after": rounded(shown.sums(sent["after"])),
    }
