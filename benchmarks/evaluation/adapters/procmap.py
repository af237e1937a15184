# SPDX-License-Identifier: MIT
"""This library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evaluation.problem import Problem, Task

if TYPE_CHECKING:
    import procmap

DISTRIBUTION = MODULE = "procmap"
SETTINGS = {preset: preset for preset in ("fast", "default", "strong", "im", "hm", "hm-ultra")}
SLOW: frozenset[str] = frozenset()


@dataclass
class Prepared:
    """The graph, and whether a GPU has been used: the first use of a process loads its programs."""

    graph: procmap.Graph
    preset: str
    is_warm: bool = False


def prepare(problem: Problem, setting: str) -> Prepared:
    """Read the graph."""
    import procmap

    return Prepared(procmap.Graph.read(problem.path), setting)


def warm_up(prepared: Prepared, task: Task) -> None:
    """Do the task once before the first that is timed, on a GPU."""
    if task.device != "cpu" and not prepared.is_warm:
        solve(prepared, task)
        prepared.is_warm = True


def solve(prepared: Prepared, task: Task) -> tuple[Any, dict[str, object]]:
    """Map, or partition where all PEs are equally far apart."""
    import procmap

    options: dict[str, Any] = {
        "imbalance": float(task.imbalance),
        "preset": prepared.preset,
        "seed": task.seed,
        "threads": task.threads,
        "device": task.device,
    }
    if task.is_partition:
        mapping = procmap.partition(prepared.graph, task.machine.num_blocks, **options)
    else:
        topology = procmap.Topology.hierarchy(task.hierarchy, task.distance)
        mapping = procmap.map(prepared.graph, topology, **options)
    stats = mapping.stats
    phases = {phase.name: phase.seconds for phase in stats.phases}
    said: dict[str, object] = {"phases": phases, "call_seconds": stats.seconds}
    if not task.is_partition:
        said |= {"said_cost": int(mapping.cost), "said_feasible": bool(mapping.feasible)}
    return mapping.blocks, said
