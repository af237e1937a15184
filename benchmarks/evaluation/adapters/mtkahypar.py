# SPDX-License-Identifier: MIT
"""Mt-KaHyPar: block i goes to PE i, or mapped with its Steiner tree objective."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.problem import Problem, Task

DISTRIBUTION = MODULE = "mtkahypar"
SETTINGS = {
    "Mt-KaHyPar": "DEFAULT",
    "Mt-KaHyPar-Q": "QUALITY",
    "Mt-KaHyPar-HQ": "HIGHEST_QUALITY",
    "Mt-KaHyPar-Det": "DETERMINISTIC",
    "Mt-KaHyPar-Steiner": "DEFAULT",
}
STEINER_PES = 64  # with more it did not end within minutes
SLOW = frozenset({"Mt-KaHyPar-Q", "Mt-KaHyPar-HQ", "Mt-KaHyPar-Det", "Mt-KaHyPar-Steiner"})


@dataclass
class Prepared:
    """The file, and what was made of it by the first call: its threads are only known then."""

    problem: Problem
    setting: str
    solver: Any = None
    graph: Any = None


def prepare(problem: Problem, setting: str) -> Prepared:
    """Keep the file until the number of threads is known."""
    return Prepared(problem, setting)


def warm_up(prepared: Prepared, task: Task) -> None:
    """Start its threads and read the graph, once; raises ValueError for too many PEs."""
    import mtkahypar

    if _is_mapping(prepared, task) and task.machine.num_blocks > STEINER_PES:
        raise ValueError(f"left out: more than {STEINER_PES} PEs")

    if prepared.solver is None:
        prepared.solver = mtkahypar.initialize(task.threads, False)
        context = _context(prepared, task)
        file = str(prepared.problem.path)
        prepared.graph = prepared.solver.graph_from_file(file, context, mtkahypar.FileFormat.METIS)


def solve(prepared: Prepared, task: Task) -> Any:
    """Partition, or map."""
    import mtkahypar

    mtkahypar.set_seed(task.seed)
    context = _context(prepared, task)
    if _is_mapping(prepared, task):
        target = _target(prepared, context, task)
        return prepared.graph.map_onto_graph(target, context).get_partition()
    return prepared.graph.partition(context).get_partition()


def _is_mapping(prepared: Prepared, task: Task) -> bool:
    return prepared.setting == "Mt-KaHyPar-Steiner" and not task.is_partition


def _context(prepared: Prepared, task: Task) -> Any:
    import mtkahypar

    preset = getattr(mtkahypar.PresetType, SETTINGS[prepared.setting])
    context = prepared.solver.context_from_preset(preset)
    k, imbalance = task.machine.num_blocks, float(task.imbalance)
    if _is_mapping(prepared, task):
        context.set_mapping_parameters(k, imbalance)
    else:
        context.set_partitioning_parameters(k, imbalance, mtkahypar.Objective.CUT)
    return context


def _target(prepared: Prepared, context: Any, task: Task) -> Any:
    """The machine as a complete graph of its PEs."""
    k = task.machine.num_blocks
    here, there = (ends.astype(np.int32) for ends in np.triu_indices(k, 1))
    links = list(zip(here.tolist(), there.tolist(), strict=True))
    lengths = task.machine.distance(here, there).tolist()
    return prepared.solver.create_target_graph(context, k, len(links), links, lengths)
