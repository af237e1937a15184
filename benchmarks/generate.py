#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generate benchmark graphs as METIS files.

rgg_S     2^S uniform points of the unit square in Morton order; an edge where the distance
          is at most 0.55 sqrt(ln n / n)
del_S     the Delaunay triangulation of 2^S such points
grid2d_N  N x N points, grid3d_N  N x N x N points
rmat_S    R-MAT as in Graph500: hubs, a third of the vertices isolated
pref_S    preferential attachment, 5 edges of every new vertex
netl_S    a netlist: short nets, and a few that reach a large share of the cells
del3d_S   Delaunay triangulation of 2^S points of the cube
fem3d_S   the same with three coupled unknowns per point
dual3d_S  tetrahedra of such a triangulation, about 0.8 * 2^S of them
road_S    a sparse planar graph of chains
streets_N chains between the points of an N x N grid, about 24 N^2 vertices
box_N     N x N x N cells with up to 26 neighbours each
stencil_N periodic stencil of N x N ranks with 8 neighbours each
traffic_S clusters of tasks, much traffic within, little between; the edges have weights
jobs_S    about 2^S tasks of many programs of 1 to 64 tasks that do not talk to each other

Shapes that few benchmarks have, each with a size (harness/shapes.py says what they are):
torus2d torus3d torus4d hypercube regular smallworld bintree caterpillar ring caveman planted
powerlaw rules apollonian strip heavytasks heavyedges anisotropic butterfly layers halo hexagons
quadtree

The same name gives the same file everywhere. Needs NumPy and SciPy; rgg_22 takes 5 GB of memory.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
from harness import families, patterns
from harness.boxes import box
from harness.shapes import SHAPES, Shape
from harness.streets import streets
from harness.whole_file import whole_file
from numpy.typing import NDArray
from scipy.spatial import Delaunay, cKDTree

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Csr = tuple[Ints, NDArray[np.int32]]
Weighted = tuple[Ints, NDArray[np.int32], Ints]

MORTON_BITS = 16
ROWS_PER_WRITE = 1 << 16


def spread_bits(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Move bit i of every value to bit 2i."""
    for shift, mask in (
        (16, 0x0000FFFF0000FFFF),
        (8, 0x00FF00FF00FF00FF),
        (4, 0x0F0F0F0F0F0F0F0F),
        (2, 0x3333333333333333),
        (1, 0x5555555555555555),
    ):
        values = (values | (values << np.uint64(shift))) & np.uint64(mask)
    return values


def random_points(scale: int, seed: int) -> Floats:
    """Return 2^scale uniform points of the unit square, sorted along a Z-curve."""
    points = np.random.default_rng(seed).random((1 << scale, 2))
    cell = (points * (1 << MORTON_BITS)).astype(np.uint64)
    code = spread_bits(cell[:, 0]) | (spread_bits(cell[:, 1]) << np.uint64(1))
    return points[np.argsort(code, kind="stable")]


def symmetric_csr(n: int, tails: Ints, heads: Ints) -> Csr:
    """Return the graph with these edges in both directions, rows sorted, without duplicates."""
    arcs = np.concatenate([tails * n + heads, heads * n + tails])
    arcs.sort()  # np.unique hashes first, which takes ten times as long
    arcs = arcs[np.append(True, arcs[1:] != arcs[:-1])] if len(arcs) else arcs
    offsets = np.searchsorted(arcs, np.arange(n + 1, dtype=np.int64) * n)
    return offsets.astype(np.int64), (arcs % n).astype(np.int32)


def random_geometric(scale: int) -> Csr:
    """Return rgg_scale."""
    n = 1 << scale
    radius = 0.55 * np.sqrt(np.log(n) / n)
    pairs = cKDTree(random_points(scale, 1000 + scale)).query_pairs(radius, output_type="ndarray")
    return symmetric_csr(n, pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.int64))


def delaunay(scale: int) -> Csr:
    """Return del_scale."""
    corners = Delaunay(random_points(scale, 2000 + scale)).simplices.astype(np.int64)
    return symmetric_csr(1 << scale, corners.ravel(), np.roll(corners, -1, axis=1).ravel())


def grid(side: int, dimensions: int) -> Csr:
    """Return the grid with `side` points in every dimension."""
    ids = np.arange(side**dimensions, dtype=np.int64).reshape((side,) * dimensions)
    lower = [np.moveaxis(ids, axis, 0)[:-1].ravel() for axis in range(dimensions)]
    upper = [np.moveaxis(ids, axis, 0)[1:].ravel() for axis in range(dimensions)]
    return symmetric_csr(ids.size, np.concatenate(lower), np.concatenate(upper))


def graph_of(edges: families.Edges) -> Csr:
    """Return the graph with these edges, without loops."""
    n, tails, heads = edges
    proper = tails != heads
    return symmetric_csr(n, tails[proper], heads[proper])


def weighted_graph_of(edges: families.Edges, weights: Ints) -> Weighted:
    """Return the graph with these edges, without loops; repeated ones are added up."""
    n, tails, heads = edges
    proper = tails != heads
    tails, heads, weights = tails[proper], heads[proper], weights[proper]
    arcs, place = np.unique(
        np.concatenate([tails * n + heads, heads * n + tails]), return_inverse=True
    )
    total = np.bincount(place, np.concatenate([weights, weights])).astype(np.int64)
    offsets = np.searchsorted(arcs, np.arange(n + 1, dtype=np.int64) * n)
    return offsets.astype(np.int64), (arcs % n).astype(np.int32), total


FAMILIES: dict[str, Callable[[int], Csr | Weighted]] = {
    "rgg": random_geometric,
    "del": delaunay,
    "grid2d": lambda side: grid(side, 2),
    "grid3d": lambda side: grid(side, 3),
    "rmat": lambda scale: graph_of(families.rmat(scale)),
    "pref": lambda scale: graph_of(families.preferential_attachment(scale)),
    "netl": lambda scale: graph_of(families.netlist(scale)),
    "del3d": lambda scale: graph_of(families.delaunay_3d(scale)),
    "fem3d": lambda scale: graph_of(families.fem_3d(scale)),
    "dual3d": lambda scale: graph_of(families.dual_3d(scale)),
    "road": lambda scale: graph_of(families.roads(scale)),
    "streets": streets,
    "box": box,
    "stencil": lambda side: graph_of(patterns.stencil(side)),
    "traffic": lambda scale: weighted_graph_of(*patterns.clustered_traffic(scale)),
    "talk": lambda count: weighted_graph_of(*patterns.all_talk(count)),
    "jobs": lambda scale: graph_of(patterns.independent_jobs(scale)),
}


def graph_of_shape(shape: Shape) -> Csr | Weighted:
    """Return the graph of a shape, with the weights of its edges if there are some."""
    edges = shape.n, shape.tails, shape.heads
    if shape.edge_weights is None:
        return graph_of(edges)
    return weighted_graph_of(edges, shape.edge_weights)


def write_metis(path: Path, graph: Csr | Weighted, vertex_weights: Ints | None = None) -> None:
    """Write a graph, with weights if it has some, a block of rows at a time."""
    offsets, heads, *weights = graph
    n = len(offsets) - 1
    per_arc = 1 + len(weights)
    kind = f" 0{int(vertex_weights is not None)}{len(weights)}"
    with whole_file(path) as file:
        file.write(f"{n} {len(heads) // 2}{kind if kind != ' 000' else ''}\n")
        for first in range(0, n, ROWS_PER_WRITE):
            bounds = offsets[first : first + ROWS_PER_WRITE + 1]
            arcs = slice(int(bounds[0]), int(bounds[-1]))
            columns = [heads[arcs] + 1, *(values[arcs] for values in weights)]
            numbers = list(map(str, np.stack(columns, axis=1).ravel().tolist()))
            rows = pairwise(((bounds - bounds[0]) * per_arc).tolist())
            lines = (" ".join(numbers[begin:end]) + "\n" for begin, end in rows)
            if vertex_weights is not None:
                own = vertex_weights[first : first + ROWS_PER_WRITE].tolist()
                lines = (f"{weight} {line}" for weight, line in zip(own, lines, strict=True))
            file.writelines(lines)


def generate(name: str, folder: Path) -> Path:
    """Write the graph of this name into a folder; raises ValueError for an unknown name."""
    family, _, size = name.rpartition("_")
    known = (*FAMILIES, *SHAPES)
    if family not in known or not size.isdecimal() or int(size) < 1:
        raise ValueError(
            f"unknown graph {name!r}: expected one of {', '.join(known)}, '_' and a size"
        )
    path = folder / f"{name}.graph"
    if family in SHAPES:
        shape = SHAPES[family](int(size))
        write_metis(path, graph_of_shape(shape), shape.vertex_weights)
    else:
        write_metis(path, FAMILIES[family](int(size)))
    return path


def main() -> None:
    """Generate the graphs named on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument(
        "--out", type=Path, default=Path(), metavar="DIR", help="folder to write to (default: .)"
    )
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    try:
        for name in args.names:
            print(generate(name, args.out))
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
