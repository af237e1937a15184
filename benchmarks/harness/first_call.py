# SPDX-License-Identifier: MIT
"""Prints the seconds of the first two calls of this process: `first_call.py DEVICE`."""

import sys
import time

import numpy as np

import procmap


def grid(side: int) -> procmap.Graph:
    """Return a square grid."""
    number = np.arange(side * side).reshape(side, side)
    right = np.stack([number[:, :-1].ravel(), number[:, 1:].ravel()], axis=1)
    down = np.stack([number[:-1].ravel(), number[1:].ravel()], axis=1)
    return procmap.Graph.from_edges(np.concatenate([right, down]), side * side)


graph, machine = grid(50), procmap.Topology.hierarchy("4:8", "1:10")
for _ in range(2):
    begin = time.perf_counter()
    procmap.map(graph, machine, preset="fast", device=sys.argv[1])
    print(time.perf_counter() - begin)
