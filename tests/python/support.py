# SPDX-License-Identifier: MIT
"""Seeded graphs, and the definitions of every figure in plain NumPy."""

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest

import procmap
from procmap._util.scaling import in_user_unit

MACHINE = procmap.Topology.hierarchy("2:2:3", "1:10:100")


# For a child's first line: a shell starts background jobs, and all they start, with SIGINT ignored.
OBEY_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"


def grid_edges(rows, columns):
    index = np.arange(rows * columns).reshape(rows, columns)
    across = np.stack([index[:, :-1].ravel(), index[:, 1:].ravel()], axis=1)
    down = np.stack([index[:-1].ravel(), index[1:].ravel()], axis=1)
    return np.concatenate([across, down])


def csr(num_vertices, edges, weights=None):
    """Rows in order of tail and head, as users' own code makes them."""
    weights = np.ones(len(edges), np.int64) if weights is None else np.asarray(weights)
    tails = np.concatenate([edges[:, 0], edges[:, 1]])
    heads = np.concatenate([edges[:, 1], edges[:, 0]])
    order = np.lexsort((heads, tails))
    offsets = np.zeros(num_vertices + 1, np.int64)
    np.cumsum(np.bincount(tails, minlength=num_vertices), out=offsets[1:])
    return offsets, heads[order].astype(np.int32), np.concatenate([weights, weights])[order]


def grid(rows, columns):
    return procmap.Graph.from_edges(grid_edges(rows, columns), rows * columns)


def star(leaves):
    return procmap.Graph.from_edges([(0, i + 1) for i in range(leaves)], leaves + 1)


def random_geometric(num_vertices, degree, seed):
    """Points in the unit square, joined if closer than a radius that gives about `degree`."""
    rng = np.random.default_rng(seed)
    points = rng.random((num_vertices, 2))
    radius = math.sqrt(degree / (math.pi * num_vertices))
    distance = np.linalg.norm(points[:, None] - points[None, :], axis=2)
    return procmap.Graph.from_edges(np.argwhere(np.triu(distance < radius, 1)), num_vertices)


def power_law(scale, edges_per_vertex, seed):
    """R-MAT: a few hubs, and many vertices with one edge or none."""
    rng = np.random.default_rng(seed)
    tails = heads = np.zeros(edges_per_vertex << scale, np.int64)
    for _ in range(scale):
        quarter = rng.choice(4, len(tails), p=[0.57, 0.19, 0.19, 0.05])
        tails, heads = 2 * tails + quarter // 2, 2 * heads + quarter % 2
    edges = np.sort(np.column_stack([tails, heads])[tails != heads], axis=1)
    return procmap.Graph.from_edges(np.unique(edges, axis=0), 1 << scale)


def random_weighted(num_vertices, num_edges, seed):
    rng = np.random.default_rng(seed)
    edges = rng.integers(0, num_vertices, (num_edges, 2))
    return procmap.Graph.from_edges(
        edges,
        num_vertices,
        rng.integers(0, 50, num_edges),
        rng.integers(0, 20, num_vertices),
    )


SHAPES = {
    "empty": lambda: procmap.Graph.from_csr([0], []),
    "one vertex": lambda: procmap.Graph.from_csr([0, 0], []),
    "no edges": lambda: procmap.Graph.from_csr(np.zeros(51, int), []),
    "path": lambda: procmap.Graph.from_edges([(i, i + 1) for i in range(99)]),
    "star": lambda: star(200),
    "grid": lambda: grid(20, 20),
    "two grids": lambda: procmap.Graph.from_edges(
        np.concatenate([grid_edges(10, 10), 100 + grid_edges(10, 10)]), 200
    ),
    "geometric": lambda: random_geometric(600, 8, seed=1),
    "weighted": lambda: random_weighted(300, 1200, seed=2),
    "fewer vertices than PEs": lambda: grid(2, 3),
}


def tails(graph):
    return np.repeat(np.arange(graph.num_vertices), np.diff(graph.offsets))


def mapped(blocks, topology):
    """A mapping with these blocks, whatever `map` would have chosen."""
    blocks = np.asarray(blocks, np.int32)
    mapping = procmap.map(procmap.Graph.from_csr([0] * (len(blocks) + 1), []), topology)
    loads = np.bincount(blocks, minlength=topology.num_pes)
    weights = (dataclasses.replace(mapping.weights[0], block_weights=loads),)
    return dataclasses.replace(mapping, blocks=blocks, block_weights=loads, weights=weights)


def true_cost(graph, blocks, distances):
    """J by its definition, exactly, in the user's unit."""
    a, b = blocks[tails(graph)], blocks[graph.heads]
    weights = graph.arc_weights.tolist()
    cost = sum(w * d for w, d in zip(weights, distances[a, b].tolist(), strict=True))
    return in_user_unit(cost, graph.traffic_scale)


def true_capacity(total, num_blocks, imbalance):
    """Lmax by its definition, the imbalance being what its decimal notation says.

    No more than 2^62, which no total reaches.
    """
    return min(math.ceil((1 + Fraction(str(imbalance))) * total / num_blocks), 2**62)


def assert_report_is_true(graph, blocks, topology, report, imbalance):
    """Every figure of `report` equals its definition."""
    k = topology.num_pes
    assert blocks.dtype == np.int32
    assert blocks.shape == (graph.num_vertices,)
    assert ((blocks >= 0) & (blocks < k)).all()
    loads = np.zeros(k, np.int64)
    np.add.at(loads, blocks, graph.vertex_weights)
    total = graph.total_vertex_weight
    capacity = true_capacity(total, k, imbalance)
    assert report.block_weights.tolist() == graph.load_scale.restore(loads).tolist()
    assert report.max_block_weight == in_user_unit(int(loads.max()), graph.load_scale)
    assert report.capacity == in_user_unit(capacity, graph.load_scale)
    assert report.feasible == (loads.max() <= capacity)
    if total > 0:
        assert report.imbalance == float(loads.max()) / (total / k) - 1
    assert report.cost == true_cost(graph, blocks, topology.distance_matrix())
    cut = true_cost(graph, blocks, 1 - np.eye(k, dtype=np.int64))
    assert report.edge_cut * 2 == cut
    levels = [Fraction(float(t)) if t % 1 else int(t) for t in report.level_traffic.tolist()]
    total_traffic = in_user_unit(sum(graph.arc_weights.tolist()), graph.traffic_scale)
    assert float(2 * sum(levels)) == pytest.approx(float(total_traffic), rel=1e-15, abs=0)
    weighted = 2 * sum(
        t * d for t, d in zip(levels[1:], report.level_distances.tolist(), strict=True)
    )
    assert float(weighted) == pytest.approx(float(report.cost), rel=1e-15, abs=0)
    if graph.traffic_scale == procmap.Scale():
        assert (2 * sum(levels), weighted) == (total_traffic, report.cost)


def parhip(path, graph, *, weights=True, narrow=False):
    """Write ParHIP's binary format; `narrow` means 32-bit heads and weights."""
    flags = (0 if weights else 3) | (56 if narrow else 0)
    width = 4 if narrow else 8
    n, arcs = graph.num_vertices, len(graph.heads)
    begin = 24 + 8 * (n + 1)
    parts = [np.array([flags, n, arcs], "<u8"), (begin + width * graph.offsets).astype("<u8")]
    parts.append(graph.heads.astype(f"<u{width}"))
    if weights:
        parts += [graph.vertex_weights.astype(f"<i{width}"), graph.arc_weights.astype(f"<i{width}")]
    path.write_bytes(b"".join(part.tobytes() for part in parts))
    return path
