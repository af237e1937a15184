# SPDX-License-Identifier: MIT
"""The graphs by name: generated ones and files of a folder."""

import hashlib
import lzma
import tempfile
from functools import lru_cache
from pathlib import Path

import numpy as np

import procmap
from fingerprint import shapes
from fingerprint.random_integers import below, below_of

FILES = (
    "3elt", "PGPgiantcompo", "add32", "ca-CondMat", "cs4", "data", "fe_4elt2", "ibm01", "memplus",
    "osm_helsinki", "uk", "wave-comm-512", "whitaker3", "wiki-Vote",
)  # fmt: skip


def _graph(n, edges):
    return procmap.Graph.from_edges(np.reshape(edges, (-1, 2)), n)


def _weighted(n, edges, seed, max_load, max_traffic, least=1):
    """Vertices and edges weigh at least `least` and less than `least` + max."""
    loads = least + below(max_load, seed, 7, n)
    traffic = least + below_of(max_traffic, seed, edges.min(axis=1) * n + edges.max(axis=1))
    return procmap.Graph.from_edges(edges, n, traffic, loads)


def _heavy_vertex():
    loads = np.ones(144, np.int64)
    loads[7] = 10000
    return procmap.Graph.from_edges(shapes.grid(12, 12), 144, vertex_weights=loads)


def _fractions():
    """Weights that are multiples of 1/8, exact in every arithmetic."""
    edges = shapes.random_geometric(900, 5)
    traffic = (1 + below(40, 5, 8, len(edges))) / 8
    loads = (1 + below(16, 5, 9, 900)) / 8
    return procmap.Graph.from_edges(edges, 900, traffic, loads)


def _repeated_edges():
    edges = shapes.random_geometric(800, 6)
    return _graph(800, np.concatenate([edges, edges[::3], edges[::7, ::-1]]))


GENERATED = {
    "empty": lambda: _graph(0, np.zeros((0, 2), np.int64)),
    "single_vertex": lambda: _graph(1, np.zeros((0, 2), np.int64)),
    "two_vertices": lambda: _graph(2, shapes.path(2)),
    "no_edges": lambda: _graph(50, np.zeros((0, 2), np.int64)),
    "path": lambda: _graph(1000, shapes.path(1000)),
    "cycle": lambda: _graph(1001, shapes.cycle(1001)),
    "star": lambda: _graph(2000, shapes.star(2000)),
    "complete": lambda: _graph(60, shapes.complete(60)),
    "caterpillar": lambda: _graph(4003, shapes.caterpillar(4003)),
    "binary_tree": lambda: _graph(4095, shapes.tree(4095, 2)),
    "random_tree": lambda: _graph(3000, shapes.random_tree(3000, 1)),
    "grid2d": lambda: _graph(3000, shapes.grid(60, 50)),
    "grid2d_large": lambda: _graph(19600, shapes.grid(140, 140)),
    "grid3d": lambda: _graph(4896, shapes.grid(18, 17, 16)),
    "grid3d_large": lambda: _graph(15625, shapes.grid(25, 25, 25)),
    "torus2d": lambda: _graph(1920, shapes.grid(48, 40, closed=True)),
    "stencil": lambda: _graph(2500, shapes.stencil(50, 50)),
    "hypercube": lambda: _graph(1024, shapes.hypercube(10)),
    "grids_apart": lambda: _graph(990, shapes.grids_apart(11)),
    "hubs": lambda: _graph(1836, shapes.hubs(18, 101, 2)),
    "cliques": lambda: _graph(900, shapes.blocks_of_cliques(75, 12)),
    "small_world": lambda: _graph(2400, shapes.lattice_with_shortcuts(60, 40, 3)),
    "random_geometric": lambda: _graph(2000, shapes.random_geometric(2000, 1)),
    "random_geometric_large": lambda: _graph(20000, shapes.random_geometric(20000, 2)),
    "random_graph": lambda: _graph(1500, shapes.random_graph(1500, 4500, 1)),
    "preferential": lambda: _graph(1200, shapes.preferential(1200, 3, 1)),
    "rmat": lambda: _graph(2**10, shapes.rmat(10, 5000, 1)),
    "rmat_large": lambda: _graph(2**13, shapes.rmat(13, 24000, 2)),
    "weighted_geometric": lambda: _weighted(1500, shapes.random_geometric(1500, 3), 3, 10, 100),
    "weighted_rmat": lambda: _weighted(2**8, shapes.rmat(8, 1100, 4), 4, 5, 1000),
    "heavy_weights": lambda: _weighted(120, shapes.grid(10, 12), 1, 2**40, 2**40),
    "heavy_vertex": _heavy_vertex,
    "zero_weights": lambda: _weighted(600, shapes.random_geometric(600, 4), 5, 2, 2, least=0),
    "all_zero_weights": lambda: _weighted(64, shapes.grid(8, 8), 1, 1, 1, least=0),
    "fractions": _fractions,
    "repeated_edges": _repeated_edges,
}


def tasks(n):
    """Return a few tasks that all talk, some much more than others, for one PE each."""
    edges = shapes.simple(np.concatenate([shapes.path(n), shapes.random_graph(n, 3 * n, n)]))
    return _weighted(n, edges, n, 1, 50)


class Folder:
    """Where the files are."""

    def __init__(self, path):
        self.path = Path(path)

    def file(self, name):
        return self.path / f"{name}.graph.xz"

    def has(self, name):
        return name in GENERATED or name.startswith("tasks") or self.file(name).is_file()

    @lru_cache(maxsize=4)  # noqa: B019 - there is one folder
    def graph(self, name):
        if name in GENERATED:
            return GENERATED[name]()
        if name.startswith("tasks"):
            return tasks(int(name[5:]))
        with tempfile.TemporaryDirectory() as made:
            text = Path(made) / f"{name}.graph"
            text.write_bytes(lzma.decompress(self.file(name).read_bytes()))
            return procmap.Graph.read(text)

    def digest(self, name):
        """Of the arrays, or of a file as it lies there."""
        if name in FILES:
            return digest(self.file(name).read_bytes())
        made = self.graph(name)
        arrays = (made.offsets, made.heads, made.arc_weights, made.vertex_weights)
        return digest(b"".join(np.asarray(a, "<i8").tobytes() for a in arrays))


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]
