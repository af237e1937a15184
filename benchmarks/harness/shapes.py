# SPDX-License-Identifier: MIT
"""Graphs that few benchmarks have: lattices without a border, trees, expanders, heavy vertices.

No parameter of procmap was chosen on them, but those of starts from clusters, on thirteen. Every
function takes a size and returns a `Shape`; loops and repetitions are dropped by whoever makes a
graph of it, but for those with weights, which are added up. Vertices are shuffled where their order
would give the structure away.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from harness.families import Ints

REGULAR_CYCLES = 3  # of random Hamiltonian cycles, so a degree of at most 6
NEAR = 4  # neighbours on either side in a small world
REWIRED = 0.05  # share of its edges that go anywhere
LEGS = 5  # leaves per vertex of the spine of a caterpillar
CLIQUE = 20
COMMUNITY, WITHIN, BETWEEN = 50, 20, 6  # tasks of a community, mean degrees
POWER, LEAST, MOST = 2.1, 2, 1000  # exponent of the degrees, and their range
RULES, RULE_SIZE = 0.1, 3  # constraints per variable, and their share of variables
HEAVIEST_TASK, HEAVIEST_EDGE = 500, 100_000
LAYER, SKIPPED = 24, 4  # operators per layer, layers that a shortcut skips
TENSOR = 64  # largest traffic between two operators
HALO = (400, 20, 1)  # values sent through a face, an edge and a corner
CELLS_AT_MOST = 10  # levels of a quadtree


@dataclass(frozen=True)
class Shape:
    """Edges, and weights where they are not all 1."""

    n: int
    tails: Ints
    heads: Ints
    edge_weights: Ints | None = None
    vertex_weights: Ints | None = None

    def shuffled(self, seed: int) -> Shape:
        """Return the same graph with other numbers."""
        name = np.random.default_rng(seed).permutation(self.n)
        weights = self.vertex_weights
        if weights is not None:
            weights = weights[np.argsort(name)]
        return replace(self, tails=name[self.tails], heads=name[self.heads], vertex_weights=weights)


def _ids(*sides: int) -> Ints:
    return np.arange(np.prod(sides), dtype=np.int64).reshape(sides)


def _joined(n: int, *edges: tuple[Ints, Ints]) -> Shape:
    tails, heads = zip(*edges, strict=True)
    return Shape(
        n, np.concatenate([t.ravel() for t in tails]), np.concatenate([h.ravel() for h in heads])
    )


def torus(side: int, dimensions: int) -> Shape:
    """side^dimensions points, each with two neighbours per dimension; no point is at a border."""
    ids = _ids(*(side,) * dimensions)
    edges = [(ids, np.roll(ids, -1, axis)) for axis in range(dimensions)]
    return _joined(ids.size, *edges).shuffled(4000 + dimensions)


def hypercube(dimensions: int) -> Shape:
    """2^dimensions vertices whose names differ in one bit."""
    ids = _ids(1 << dimensions)
    return _joined(ids.size, *((ids, ids ^ (1 << bit)) for bit in range(dimensions)))


def regular(scale: int) -> Shape:
    """2^scale vertices on three random cycles: an expander, which has no good cut."""
    rng = np.random.default_rng(4100 + scale)
    cycles = [rng.permutation(1 << scale) for _ in range(REGULAR_CYCLES)]
    return _joined(1 << scale, *((cycle, np.roll(cycle, 1)) for cycle in cycles))


def small_world(scale: int) -> Shape:
    """2^scale vertices in a ring with a few far neighbours (Watts and Strogatz 1998)."""
    rng = np.random.default_rng(4200 + scale)
    ids = _ids(1 << scale)
    tails = np.tile(ids, NEAR)
    heads = np.concatenate([np.roll(ids, -step) for step in range(1, NEAR + 1)])
    far = rng.random(len(heads)) < REWIRED
    heads[far] = rng.integers(0, len(ids), far.sum())
    return Shape(len(ids), tails, heads).shuffled(4201)


def binary_tree(levels: int) -> Shape:
    """The complete binary tree with so many levels."""
    child = np.arange(1, (1 << levels) - 1, dtype=np.int64)
    return Shape(len(child) + 1, child, (child - 1) // 2).shuffled(4300)


def caterpillar(scale: int) -> Shape:
    """A path of 2^scale vertices with five leaves for each, on the mean."""
    spine = _ids(1 << scale)
    rng = np.random.default_rng(4400 + scale)
    leaves = len(spine) + np.arange(LEGS * len(spine), dtype=np.int64)
    at = rng.integers(0, len(spine), len(leaves))
    return _joined(len(spine) + len(leaves), (spine[1:], spine[:-1]), (leaves, at)).shuffled(4401)


def ring(scale: int) -> Shape:
    """2^scale vertices in a circle."""
    ids = _ids(1 << scale)
    return _joined(len(ids), (ids, np.roll(ids, 1))).shuffled(4500)


def caveman(scale: int) -> Shape:
    """2^scale cliques of 20 vertices in a ring."""
    ids = _ids(1 << scale, CLIQUE)
    first, second = np.triu_indices(CLIQUE, 1)
    edges = (ids[:, first], ids[:, second]), (ids[:, 0], np.roll(ids[:, 1], 1))
    return _joined(ids.size, *edges).shuffled(4600)


def planted(scale: int) -> Shape:
    """2^scale communities of 50 vertices, most of whose edges stay within (planted partition)."""
    rng = np.random.default_rng(4700 + scale)
    n = COMMUNITY << scale
    near, far = (rng.integers(0, n, n * degree // 2) for degree in (WITHIN, BETWEEN))
    own = near // COMMUNITY * COMMUNITY + rng.integers(0, COMMUNITY, len(near))
    return _joined(n, (near, own), (far, rng.integers(0, n, len(far)))).shuffled(4701)


def power_law(scale: int) -> Shape:
    """2^scale vertices whose degrees have a power law of exponent 2.1 (configuration model)."""
    rng = np.random.default_rng(4800 + scale)
    degrees = LEAST * (rng.pareto(POWER - 1, 1 << scale) + 1)
    ends = np.repeat(_ids(1 << scale), np.minimum(degrees, MOST).astype(np.int64))
    rng.shuffle(ends)
    half = len(ends) // 2
    return Shape(1 << scale, ends[:half], ends[half : 2 * half])


def constraints(scale: int) -> Shape:
    """2^scale variables, each in three of a tenth as many rules, of which some have far more."""
    rng = np.random.default_rng(4900 + scale)
    variables, rules = 1 << scale, int(RULES * (1 << scale))
    tails = np.repeat(_ids(variables), RULE_SIZE)
    heads = variables + (rng.random(len(tails)) ** 2 * rules).astype(np.int64)
    return Shape(variables + rules, tails, heads).shuffled(4901)


def apollonian(scale: int) -> Shape:
    """2^scale vertices, each put into a triangle: planar, and with hubs."""
    rng = np.random.default_rng(5000 + scale)
    triangles = [(0, 1, 2)]
    edges = [(0, 1), (1, 2), (0, 2)]
    for new in range(3, 1 << scale):
        place = rng.integers(len(triangles))
        a, b, c = triangles[place]
        edges += [(a, new), (b, new), (c, new)]
        triangles[place] = (a, b, new)
        triangles += [(b, c, new), (a, c, new)]
    tails, heads = np.array(edges, np.int64).T
    return Shape(1 << scale, tails, heads)


def _grid(rows: int, columns: int) -> Shape:
    ids = _ids(rows, columns)
    return _joined(ids.size, (ids[:-1], ids[1:]), (ids[:, :-1], ids[:, 1:]))


def strip(length: int) -> Shape:
    """A grid of length x 10 points."""
    return _grid(length, 10)


def heavy_tasks(side: int) -> Shape:
    """A grid of side x side tasks, most of which are light, some of which are very heavy."""
    rng = np.random.default_rng(5100 + side)
    grid = _grid(side, side)
    weights = (3 * (rng.pareto(1.2, grid.n) + 1)).clip(max=HEAVIEST_TASK).astype(np.int64)
    return replace(grid, vertex_weights=weights).shuffled(5101)


def heavy_edges(side: int) -> Shape:
    """A grid of side x side tasks with traffic of 1 to 100,000, as many of each magnitude."""
    rng = np.random.default_rng(5200 + side)
    grid = _grid(side, side)
    weights = np.exp(rng.random(len(grid.tails)) * np.log(HEAVIEST_EDGE)).astype(np.int64) + 1
    return replace(grid, edge_weights=weights).shuffled(5201)


def anisotropic(side: int) -> Shape:
    """A grid of side x side tasks whose traffic along the rows is eight times that across."""
    grid = _grid(side, side)
    weights = np.where(np.abs(grid.tails - grid.heads) == 1, 8, 1)
    return replace(grid, edge_weights=weights)


def butterfly(levels: int) -> Shape:
    """The graph of a fast Fourier transform of 2^levels values."""
    ids = _ids(levels + 1, 1 << levels)
    edges = []
    for level in range(levels):
        partner = np.arange(1 << levels) ^ (1 << level)
        edges += [(ids[level], ids[level + 1]), (ids[level], ids[level + 1][partner])]
    return _joined(ids.size, *edges).shuffled(5300)


def layers(count: int) -> Shape:
    """Operators of a model: layers of 24, each fed by the one before, with shortcuts."""
    rng = np.random.default_rng(5400 + count)
    ids = _ids(count, LAYER)
    tails, heads, weights = [], [], []
    for layer in range(count - 1):
        sender = np.repeat(ids[layer], 3)
        tails.append(sender)
        heads.append(rng.choice(ids[layer + 1], len(sender)))
        weights.append(rng.integers(1, TENSOR, len(sender)))
    tails.append(ids[:-SKIPPED].ravel())
    heads.append(ids[SKIPPED:].ravel())
    weights.append(np.full(len(tails[-1]), TENSOR // 4))
    edges = (np.concatenate(column).astype(np.int64) for column in (tails, heads, weights))
    return Shape(ids.size, *edges, rng.integers(1, 20, ids.size)).shuffled(5401)


def halo(side: int) -> Shape:
    """side^3 subdomains that send much through faces, little through edges and corners."""
    ids = _ids(side, side, side)
    tails, heads, weights = [], [], []
    for shift in itertools.product((-1, 0, 1), repeat=3):
        if shift <= (0, 0, 0):
            continue
        tails.append(ids[tuple(slice(max(0, -s), side - max(0, s)) for s in shift)].ravel())
        heads.append(ids[tuple(slice(max(0, s), side - max(0, -s)) for s in shift)].ravel())
        weights.append(np.full(len(tails[-1]), HALO[sum(map(abs, shift)) - 1]))
    edges = (np.concatenate(column).astype(np.int64) for column in (tails, heads, weights))
    return Shape(ids.size, *edges).shuffled(5500)


def hexagons(side: int) -> Shape:
    """side x side points of a honeycomb, with at most three neighbours each."""
    ids = _ids(side, side)
    row, column = np.indices((side - 1, side))
    across = (row + column) % 2 == 0
    edges = (ids[:, :-1], ids[:, 1:]), (ids[:-1][across], ids[1:][across])
    return _joined(ids.size, *edges).shuffled(5600)


def quadtree(levels: int) -> Shape:
    """Cells of the square, refined up to so many times along a circle; neighbours share a side."""
    cells: dict[tuple[int, int, int], int] = {}

    def refine(level: int, x: int, y: int) -> None:
        size = 0.5**level
        away = abs(np.hypot((x + 0.5) * size - 0.5, (y + 0.5) * size - 0.5) - 0.3)
        if level < min(levels, CELLS_AT_MOST) and (level < 4 or away < size):
            for right, up in itertools.product((0, 1), repeat=2):
                refine(level + 1, 2 * x + right, 2 * y + up)
        else:
            cells[level, x, y] = len(cells)

    refine(0, 0, 0)
    edges = []
    for (level, x, y), own in cells.items():
        for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there = x + right, y + up
            around = ((level - i, there[0] >> i, there[1] >> i) for i in range(level + 1))
            edges += [(own, cells[cell]) for cell in around if cell in cells][:1]
    tails, heads = np.array(edges, np.int64).T
    return Shape(len(cells), tails, heads)


SHAPES: dict[str, Callable[[int], Shape]] = {
    "torus2d": lambda side: torus(side, 2),
    "torus3d": lambda side: torus(side, 3),
    "torus4d": lambda side: torus(side, 4),
    "hypercube": hypercube,
    "regular": regular,
    "smallworld": small_world,
    "bintree": binary_tree,
    "caterpillar": caterpillar,
    "ring": ring,
    "caveman": caveman,
    "planted": planted,
    "powerlaw": power_law,
    "rules": constraints,
    "apollonian": apollonian,
    "strip": strip,
    "heavytasks": heavy_tasks,
    "heavyedges": heavy_edges,
    "anisotropic": anisotropic,
    "butterfly": butterfly,
    "layers": layers,
    "halo": halo,
    "hexagons": hexagons,
    "quadtree": quadtree,
}
