# SPDX-License-Identifier: MIT
"""Graphs and mappings as Scotch and PT-Scotch have them in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness.instance import Instance


def write_graph(path: Path, graph: Instance) -> None:
    """Write a source graph (.grf); weights are left out where all of them are 1."""
    n, degrees = len(graph.offsets) - 1, np.diff(graph.offsets)
    heavy = not bool((graph.vertex_weights == 1).all())
    width = 1 + (graph.edge_weights is not None)
    arcs = np.empty((len(graph.heads), width), np.int64)
    arcs[:, -1] = graph.heads
    if graph.edge_weights is not None:
        arcs[:, 0] = graph.edge_weights
    head = np.column_stack([graph.vertex_weights, degrees] if heavy else [degrees])
    with path.open("w", newline="\n") as file:
        file.write(f"0\n{n} {len(graph.heads)}\n0 0{width - 1}{int(heavy)}\n")
        for v in range(n):
            row = arcs[graph.offsets[v] : graph.offsets[v + 1]].ravel()
            file.write(" ".join(map(str, [*head[v].tolist(), *row.tolist()])) + "\n")


def read_mapping(path: Path) -> NDArray[np.int32]:
    """Return the block of every vertex of a mapping (.map)."""
    pairs = np.loadtxt(path, np.int64, skiprows=1, ndmin=2)
    blocks = np.full(len(pairs), -1, np.int32)
    blocks[pairs[:, 0]] = pairs[:, 1]
    return blocks
