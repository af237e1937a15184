# SPDX-License-Identifier: MIT
"""KaHIP, from the package `kahip`: global multisection, and kaffpa where distances are equal.

Its Python module has no mapping; its shared library exports the C function, which is called here.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.problem import Problem, Task

DISTRIBUTION = MODULE = "kahip"
SETTINGS = {"KaHIP-F": 0, "KaHIP-E": 1, "KaHIP-S": 2}  # FAST, ECO, STRONG of kaHIP_interface.h
SLOW = frozenset({"KaHIP-S"})
MULTISECTION = 0  # MAPMODE_MULTISECTION


@dataclass(frozen=True)
class Prepared:
    """The graph as C arrays."""

    library: Any
    arrays: dict[str, np.ndarray]
    mode: int


def prepare(problem: Problem, setting: str) -> Prepared:
    """Build the arrays."""
    import kahip

    instance = problem.instance
    weights = instance.edge_weights
    arrays = {
        "loads": instance.vertex_weights,
        "offsets": instance.offsets,
        "traffic": np.ones(len(instance.heads)) if weights is None else weights,
        "heads": instance.heads,
    }
    numbers = {name: np.ascontiguousarray(array, np.int32) for name, array in arrays.items()}
    return Prepared(ctypes.CDLL(kahip.kahip.__file__), numbers, SETTINGS[setting])


def solve(prepared: Prepared, task: Task) -> np.ndarray:
    """Map by multisection, or partition."""
    graph = prepared.arrays
    machine = task.machine
    blocks = np.zeros(len(graph["loads"]), np.int32)
    n, imbalance = ctypes.c_int(len(blocks)), ctypes.c_double(float(task.imbalance))
    cut, cost = ctypes.c_int64(0), ctypes.c_int64(0)
    csr = [ctypes.byref(n), *(graph[name].ctypes for name in graph)]
    silent = [ctypes.byref(imbalance), ctypes.c_bool(True)]
    seed, mode = ctypes.c_int(task.seed), ctypes.c_int(prepared.mode)
    if task.is_partition:
        k = ctypes.c_int(machine.num_blocks)
        end = [seed, mode, ctypes.byref(cut), blocks.ctypes]
        prepared.library.kaffpa(*csr, ctypes.byref(k), *silent, *end)
    else:
        levels = [np.array(values, np.int32) for values in (machine.fan_out, machine.distances)]
        depth = ctypes.c_int(len(machine.fan_out))
        how = [*(values.ctypes for values in levels), depth, mode, ctypes.c_int(MULTISECTION)]
        end = [seed, ctypes.byref(cut), ctypes.byref(cost), blocks.ctypes]
        prepared.library.process_mapping(*csr, *how, *silent, *end)
    return blocks
