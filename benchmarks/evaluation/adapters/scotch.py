# SPDX-License-Identifier: MIT
"""Scotch, from the package `scotchpy64`, onto its tree `tleaf`."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from harness.mappers import SCOTCH_STRATEGIES, scotch_graph, scotch_numbers

from evaluation.problem import Problem, Task

DISTRIBUTION = "scotchpy64"
MODULE = "scotchpy"
SETTINGS = {"Scotch": "default", "Scotch-Q": "quality"}
SLOW: frozenset[str] = frozenset()


def prepare(problem: Problem, setting: str) -> tuple[Any, int, str]:
    """Build the graph."""
    os.environ["SCOTCH_PTHREAD_NUMBER"] = "1"
    instance = problem.instance
    unit = bool((instance.vertex_weights == 1).all())
    loads = None if unit else instance.vertex_weights
    graph = scotch_graph(instance.offsets, instance.heads, instance.edge_weights, loads)
    return graph, len(instance.vertex_weights), SETTINGS[setting]


def solve(prepared: tuple[Any, int, str], task: Task) -> np.ndarray:
    """Map; its trees are described from the outermost level inwards, as ours are not."""
    import scotchpy

    graph, n, strategy_name = prepared
    blocks = scotch_numbers(np.zeros(n))
    scotchpy.common.random_seed(task.seed)
    scotchpy.common.random_reset()
    machine = task.machine
    target, strategy = scotchpy.Arch(), scotchpy.Strat()
    target.tleaf(scotch_numbers(machine.fan_out[::-1]), scotch_numbers(machine.distances[::-1]))
    flags = SCOTCH_STRATEGIES[strategy_name]
    strategy.graph_map_build(flags, machine.num_blocks, float(task.imbalance))
    graph.map(target, strategy, blocks)
    return blocks
