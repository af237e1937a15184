# SPDX-License-Identifier: MIT
"""Edges of graphs of many shapes, as arrays (m, 2): those of ../support/graphs.hpp, and more."""

import numpy as np

from fingerprint.random_integers import below


def _pairs(tails, heads):
    return np.stack([np.ravel(tails), np.ravel(heads)], axis=1).astype(np.int64)


def simple(edges):
    """Return the edges in order, without loops and repetitions."""
    low, high = edges.min(axis=1), edges.max(axis=1)
    ordered = np.stack([low, high], axis=1)[low != high]
    return np.unique(ordered, axis=0)


def path(n):
    return _pairs(np.arange(n - 1), np.arange(1, n))


def cycle(n):
    return _pairs(np.arange(n), (np.arange(n) + 1) % n)


def star(n):
    return _pairs(np.zeros(n - 1), np.arange(1, n))


def complete(n):
    return _pairs(*np.triu_indices(n, 1))


def caterpillar(n):
    """A chain of crossings, each with a dead end of three vertices, as roads are."""
    v = np.arange(1, n)
    return _pairs(np.where(v % 4 == 0, v - 4, v - 1), v)


def tree(n, arity):
    v = np.arange(1, n)
    return _pairs((v - 1) // arity, v)


def random_tree(n, seed):
    """Every vertex hangs on an earlier one."""
    v = np.arange(1, n)
    return _pairs(below(2**40, seed, 0, n)[1:] % v, v)


def grid(*sizes, closed=False):
    """Return a grid of any dimension; a torus if closed."""
    index = np.arange(int(np.prod(sizes))).reshape(sizes)
    edges = []
    for axis, size in enumerate(sizes):
        ahead = np.roll(index, -1, axis)
        kept = slice(None) if closed and size > 2 else slice(size - 1)
        chosen = (slice(None),) * axis + (kept,)
        edges.append(_pairs(index[chosen], ahead[chosen]))
    return np.concatenate(edges)


def stencil(width, height):
    """A grid with diagonals."""
    index = np.arange(width * height).reshape(width, height)
    diagonals = [_pairs(index[:-1, :-1], index[1:, 1:]), _pairs(index[:-1, 1:], index[1:, :-1])]
    return np.concatenate([grid(width, height), *diagonals])


def hypercube(dimensions):
    v = np.arange(2**dimensions)
    return simple(np.concatenate([_pairs(v, v ^ (1 << d)) for d in range(dimensions)]))


def grids_apart(count):
    """Components without an edge between them: grids of 9 x (5 + i)."""
    edges, first = [], 0
    for i in range(count):
        edges.append(grid(9, 5 + i) + first)
        first += 9 * (5 + i)
    return np.concatenate(edges)


def random_graph(n, m, seed):
    return simple(_pairs(below(n, seed, 0, m), below(n, seed, 1, m)))


def rmat(scale, m, seed):
    """Power-law degrees, hubs and isolated vertices: quadrants of 57, 19, 19 and 5 %."""
    tails, heads = np.zeros(m, np.int64), np.zeros(m, np.int64)
    for bit in range(scale):
        percent = below(100, seed, bit, m)
        tails = 2 * tails + (percent >= 76)
        heads = 2 * heads + (((percent >= 57) & (percent < 76)) | (percent >= 95))
    return simple(_pairs(tails, heads))


def preferential(n, links, seed):
    """Every vertex joins an end of earlier edges, so that those with many get more."""
    draws = below(2**40, seed, 0, n * links).tolist()
    ends, edges = [0], []
    for v in range(1, n):
        for draw in draws[v * links : (v + 1) * links]:
            edges.append((v, ends[draw % len(ends)]))
        ends.extend(u for _, u in edges[-links:])
        ends.extend([v] * links)
    return simple(np.array(edges))


def random_geometric(n, seed, degree=8):
    """Points of a square, joined when closer than gives this degree on average."""
    side = 2**20
    points = np.stack([below(side, seed, axis, n) for axis in (0, 1)], axis=1)
    squared = side * side // n * degree * 113 // 355  # 355 / 113: pi
    order = np.lexsort((np.arange(n), points[:, 1], points[:, 0]))
    edges, shift = [], 1
    while True:
        a, b = order[:-shift], order[shift:]
        gaps = points[b] - points[a]
        near = gaps[:, 0] ** 2 <= squared
        if not near.any():
            return simple(np.concatenate(edges))
        close = (gaps**2).sum(axis=1) <= squared
        edges.append(_pairs(a[close], b[close]))
        shift += 1


def hubs(count, leaves, seed):
    """Stars, with random edges between all vertices."""
    n = count * (leaves + 1)
    v = np.arange(n)
    spokes = _pairs(v // (leaves + 1) * (leaves + 1), v)
    return simple(np.concatenate([spokes, random_graph(n, n // 3, seed)]))


def blocks_of_cliques(count, size):
    """A ring of cliques."""
    cliques = [complete(size) + i * size for i in range(count)]
    first = np.arange(count) * size
    return np.concatenate([*cliques, _pairs(first, np.roll(first, -1) + 1)])


def lattice_with_shortcuts(width, height, seed):
    """A small world: a grid and a random edge for every tenth vertex."""
    n = width * height
    return simple(np.concatenate([grid(width, height), random_graph(n, n // 10, seed)]))
