# SPDX-License-Identifier: MIT
"""METIS, from the package `pymetis`, a partitioner; block i goes to PE i."""

from __future__ import annotations

from typing import Any

from evaluation.problem import Problem, Task

DISTRIBUTION = MODULE = "pymetis"
SETTINGS = {"METIS": False, "METIS-R": True}  # k-way; recursive bisection
SLOW: frozenset[str] = frozenset()


def prepare(problem: Problem, setting: str) -> tuple[Problem, Any, bool]:
    """Build the graph."""
    import pymetis

    graph = pymetis.CSRAdjacency(problem.instance.offsets, problem.instance.heads)
    return problem, graph, SETTINGS[setting]


def solve(prepared: tuple[Problem, Any, bool], task: Task) -> Any:
    """Partition; METIS does not take its balance as a bound, so some results are too heavy."""
    import pymetis

    problem, graph, recursive = prepared
    loads = problem.instance.vertex_weights
    options = pymetis.Options(ufactor=round(1000 * float(task.imbalance)), seed=task.seed)
    return pymetis.part_graph(
        task.machine.num_blocks,
        graph,
        vweights=None if (loads == 1).all() else loads,
        eweights=problem.instance.edge_weights,
        recursive=recursive,
        options=options,
        warn_on_copies=False,
    ).vertex_part
