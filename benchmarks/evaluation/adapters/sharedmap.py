# SPDX-License-Identifier: MIT
"""SharedMap, from the package `chszlablib`: hierarchical multisection with KaHIP inside."""

from __future__ import annotations

from typing import Any

from evaluation.problem import Problem, Task

DISTRIBUTION = MODULE = "chszlablib"
SETTINGS = {"SharedMap-F": "fast", "SharedMap-E": "eco", "SharedMap-S": "strong"}
SLOW = frozenset({"SharedMap-S"})


def prepare(problem: Problem, setting: str) -> tuple[Any, str]:
    """Build the graph."""
    import chszlablib

    instance = problem.instance
    graph = chszlablib.Graph.from_csr(
        instance.offsets,
        instance.heads,
        node_weights=instance.vertex_weights,
        edge_weights=instance.edge_weights,
    )
    return graph, SETTINGS[setting]


def solve(prepared: tuple[Any, str], task: Task) -> Any:
    """Map."""
    import chszlablib

    graph, mode = prepared
    result = chszlablib.Decomposition.process_map(
        graph,
        task.machine.fan_out,
        task.machine.distances,
        mode=mode,
        imbalance=float(task.imbalance),
        threads=task.threads,
        seed=task.seed,
    )
    return result.assignment
