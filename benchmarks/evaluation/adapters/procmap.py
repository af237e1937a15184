# SPDX-License-Identifier: MIT
"""This library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluation.problem import Problem, Task

if TYPE_CHECKING:
    import procmap

DISTRIBUTION = MODULE = "procmap"
SETTINGS = {preset: preset for preset in ("fast", "default", "strong", "im", "hm", "hm-ultra")}
SLOW: frozenset[str] = frozenset()


def prepare(problem: Problem, setting: str) -> tuple[procmap.Graph, str]:
    """Read the graph."""
    import procmap

    return procmap.Graph.read(problem.path), setting


def warm_up(task: Task) -> None:
    """Start the device: the first call on a GPU makes a context, which no program's time has."""
    import procmap

    if task.device != "cpu":
        ring = procmap.Graph.from_edges([(i, (i + 1) % 64) for i in range(64)])
        procmap.map(ring, procmap.Topology.hierarchy("2:2", "1:10"), device=task.device)


def solve(prepared: tuple[procmap.Graph, str], task: Task) -> tuple[Any, dict[str, object]]:
    """Map, or partition where all PEs are equally far apart."""
    import procmap

    graph, preset = prepared
    options: dict[str, Any] = {
        "imbalance": float(task.imbalance),
        "preset": preset,
        "seed": task.seed,
        "threads": task.threads,
        "device": task.device,
    }
    if task.is_partition:
        mapping = procmap.partition(graph, task.machine.num_blocks, **options)
    else:
        topology = procmap.Topology.hierarchy(task.hierarchy, task.distance)
        mapping = procmap.map(graph, topology, **options)
    phases = {phase.name: phase.seconds for phase in mapping.stats.phases}
    return mapping.blocks, {"phases": phases, "call_seconds": mapping.stats.seconds}
