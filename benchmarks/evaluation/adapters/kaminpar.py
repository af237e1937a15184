# SPDX-License-Identifier: MIT
"""KaMinPar, a partitioner; block i goes to PE i. Its context `jet` is Jet on the CPU."""

from __future__ import annotations

from typing import Any

from evaluation.problem import Problem, Task

DISTRIBUTION = MODULE = "kaminpar"
SETTINGS = {"KaMinPar": "default", "KaMinPar-S": "strong", "KaMinPar-Jet": "jet"}
SLOW: frozenset[str] = frozenset()


def prepare(problem: Problem, setting: str) -> tuple[Any, str]:
    """Read the graph."""
    import kaminpar

    file = str(problem.path)
    return kaminpar.load_graph(file, kaminpar.GraphFileFormat.METIS), SETTINGS[setting]


def solve(prepared: tuple[Any, str], task: Task) -> Any:
    """Partition."""
    import kaminpar

    graph, context = prepared
    kaminpar.reseed(task.seed)
    solver = kaminpar.KaMinPar(task.threads, kaminpar.context_by_name(context))
    return solver.compute_partition(graph, task.machine.num_blocks, float(task.imbalance))
