# SPDX-License-Identifier: MIT
"""Generated graphs of the classes that differ most: power laws, netlists, meshes of space, roads.

Every function takes a scale, about 2^scale vertices, and returns the number of vertices and the
edges as two arrays; loops and repetitions are dropped by whoever makes a graph of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial import Delaunay

Ints = NDArray[np.int64]
Edges = tuple[int, Ints, Ints]

EDGES_PER_VERTEX = 16  # of R-MAT, as in Graph500
RMAT_A, RMAT_AB, RMAT_ABC = 0.57, 0.76, 0.95
ATTACHED = 5  # edges of a new vertex in preferential attachment
HUB_NETS = 12  # nets of a netlist that reach a large share of it
UNKNOWNS = 3  # per point of a finite element mesh


def rmat(scale: int) -> Edges:
    """R-MAT with the parameters of Graph500 and random ids: hubs, a third of it isolated."""
    rng = np.random.default_rng(3000 + scale)
    n = 1 << scale
    tails = np.zeros(EDGES_PER_VERTEX * n, np.int64)
    heads = np.zeros_like(tails)
    for _ in range(scale):
        draw = rng.random(len(tails))
        tails = 2 * tails + (draw >= RMAT_AB)
        heads = 2 * heads + (((draw >= RMAT_A) & (draw < RMAT_AB)) | (draw >= RMAT_ABC))
    name = rng.permutation(n)
    return n, name[tails], name[heads]


def preferential_attachment(scale: int) -> Edges:
    """Every new vertex chooses neighbours by their degree (Batagelj and Brandes 2005)."""
    rng = np.random.default_rng(3100 + scale)
    n = 1 << scale
    tails = np.repeat(np.arange(n, dtype=np.int64), ATTACHED)
    # Entry 2i is the tail of edge i, entry 2i + 1 its head: a copy of an earlier entry.
    copied = (rng.random(len(tails)) * (2 * np.arange(len(tails)) + 1)).astype(np.int64)
    while (odd := copied % 2 == 1).any():
        copied[odd] = copied[copied[odd] // 2]
    return n, tails, tails[copied // 2]


def netlist(scale: int) -> Edges:
    """Cells in a row with nets of 2 to 8 pins, most of them short, and a few nets that are hubs."""
    rng = np.random.default_rng(3200 + scale)
    n = 1 << scale
    driver = np.arange(n, dtype=np.int64)
    pins = 1 + rng.geometric(0.45, n).clip(max=7)
    tails, heads = [], []
    member = [driver]
    for pin in range(1, 8):
        reach = np.exp(rng.random(n) ** 1.6 * np.log(n))  # many near, some anywhere
        new = (driver + (rng.choice([-1, 1], n) * reach).astype(np.int64)) % n
        has = pins >= pin
        for old in member:  # a clique of all pins of a net
            tails.append(old[has])
            heads.append(new[has])
        member.append(new)
    for net in range(HUB_NETS):
        reached = np.flatnonzero(rng.random(n) < 0.5 / (net + 1))
        tails.append(np.full(len(reached), rng.integers(n)))
        heads.append(reached)
    name = rng.permutation(n)
    return n, name[np.concatenate(tails)], name[np.concatenate(heads)]


def _space_mesh(scale: int, seed: int) -> NDArray[np.int64]:
    """Tetrahedra of the Delaunay triangulation of 2^scale points of the cube."""
    points = np.random.default_rng(seed + scale).random((1 << scale, 3))
    cell = (points * 32).astype(np.int64)
    order = np.lexsort((points[:, 2], cell[:, 1], cell[:, 0]))
    return Delaunay(points[order]).simplices.astype(np.int64)


def _pairs(cells: NDArray[np.int64]) -> tuple[Ints, Ints]:
    corners = cells.shape[1]
    first, second = np.triu_indices(corners, 1)
    return cells[:, first].ravel(), cells[:, second].ravel()


def delaunay_3d(scale: int) -> Edges:
    """Delaunay triangulation of 2^scale points of the unit cube."""
    return 1 << scale, *_pairs(_space_mesh(scale, 3300))


def fem_3d(scale: int) -> Edges:
    """The same with three coupled unknowns per point."""
    tails, heads = _pairs(_space_mesh(scale, 3400))
    n = 1 << scale
    own = np.arange(n, dtype=np.int64)
    tails, heads = np.concatenate([tails, own]), np.concatenate([heads, own])
    i, j = (a.ravel() for a in np.indices((UNKNOWNS, UNKNOWNS)))
    spread = UNKNOWNS * tails[:, None] + i, UNKNOWNS * heads[:, None] + j
    return UNKNOWNS * n, spread[0].ravel(), spread[1].ravel()


def dual_3d(scale: int) -> Edges:
    """Dual mesh of the Delaunay triangulation of 2^(scale-3) points: tetrahedra, degree <= 4."""
    points = np.random.default_rng(3500 + scale).random((max(1 << scale, 64) // 8, 3))
    neighbours = Delaunay(points).neighbors.astype(np.int64)
    tails = np.repeat(np.arange(len(neighbours), dtype=np.int64), 4)
    heads = neighbours.ravel()
    inside = heads >= 0
    return len(neighbours), tails[inside], heads[inside]


def roads(scale: int) -> Edges:
    """Like a road network: a sparse planar graph whose edges are chains of several vertices."""
    rng = np.random.default_rng(3600 + scale)
    crossings = max(1 << scale, 64) // 8
    points = rng.random((crossings, 2))
    tails, heads = _pairs(Delaunay(points).simplices.astype(np.int64))
    length = np.hypot(*(points[tails] - points[heads]).T)
    tree = minimum_spanning_tree(
        coo_array((length, (tails, heads)), (crossings, crossings))
    ).tocoo()
    chosen = length < np.quantile(length, 0.15)
    tails = np.concatenate([tree.coords[0], tails[chosen]]).astype(np.int64)
    heads = np.concatenate([tree.coords[1], heads[chosen]]).astype(np.int64)
    low, high = np.minimum(tails, heads), np.maximum(tails, heads)
    edges = np.unique(low * crossings + high)
    tails, heads = edges // crossings, edges % crossings
    inner = rng.integers(1, 10, len(edges))  # vertices within an edge
    first = crossings + np.cumsum(inner) - inner
    n = crossings + int(inner.sum())
    chain = np.arange(crossings, n - 1, dtype=np.int64)
    within = np.delete(chain, (first[1:] - 1) - crossings)
    return (
        n,
        np.concatenate([tails, first + inner - 1, within]),
        np.concatenate([first, heads, within + 1]),
    )
