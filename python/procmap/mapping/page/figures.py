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

_MATRIX_SIDE, _ROWS, _STEPS = 96, 1000, 200


def figures_of(evaluation: ExplainedReport) -> dict[str, Any]:
    """Return what the page shows: of before (the baseline) and after (this mapping)."""
    before = evaluation.arrangements[evaluation.baseline]
    blocks = {"before": before, "after": evaluation.blocks}
    k = evaluation.num_blocks
    sent = {name: _sent(evaluation.graph, of_task, k) for name, of_task in blocks.items()}
    average = float(np.mean(evaluation.block_weights)) or 1.0
    load = evaluation.block_weights / average
    groups = list(all_groups(evaluation.topology))
    return {
        "machine": machine_picture(evaluation.topology, load, sent["after"]),
        "limit": min(float(evaluation.capacity) / average, 1e300),
        "matrices": [_matrices(evaluation, each.at_most(_MATRIX_SIDE), blocks) for each in groups],
        "loads": _loads(evaluation),
        "table": _table(evaluation, groups, sent),
    }


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


def _loads(evaluation: ExplainedReport) -> dict[str, Any]:
    """Return loads of PEs, heaviest first, of evenly chosen ones where there are many."""
    loads = np.sort(evaluation.block_weights.astype(np.float64))[::-1]
    chosen = np.unique(np.linspace(0, len(loads) - 1, min(len(loads), _STEPS)).astype(np.int64))
    return {
        "pes": chosen.tolist(),
        "values": rounded(loads[chosen]),
        "capacity": min(float(evaluation.capacity), 1e300),
        "count": len(loads),
    }


def _table(
    evaluation: ExplainedReport, groups: list[Groups], sent: dict[str, NDArray[np.float64]]
) -> dict[str, Any]:
    """Return a line per group of the finest kind of which there are not too many."""
    few = [each for each in groups if len(each.names) <= _ROWS]
    shown = few[-1] if few else groups[0].at_most(_ROWS)
    tasks = np.bincount(evaluation.blocks, minlength=evaluation.num_blocks)
    return {
        "title": shown.title,
        "names": shown.names,
        "tasks": rounded(shown.sums(tasks)),
        "load": rounded(shown.sums(evaluation.block_weights)),
        "over": rounded(shown.sums(evaluation.block_weights > evaluation.capacities)),
        "before": rounded(shown.sums(sent["before"])),
        "after": rounded(shown.sums(sent["after"])),
    }
