# SPDX-License-Identifier: MIT
"""Directed traffic and fractional weights, against dense matrices and exact fractions."""

from fractions import Fraction

import numpy as np

import procmap
from fuzz.arrays import machine, quietly
from support import tails

MACHINES = (
    lambda rng: procmap.Topology.torus(rng.randint(1, 4), rng.randint(1, 4)),
    lambda rng: procmap.Topology.mesh(rng.randint(1, 3), rng.randint(1, 3), 2),
    lambda rng: procmap.Topology.hypercube(rng.randint(0, 4)),
    lambda rng: procmap.Topology.dragonfly(rng.randint(1, 4), 2, rng.randint(1, 2)),
    lambda rng: procmap.Topology.torus(3, 4).sub(rng.sample(range(12), rng.randint(1, 12))),
    lambda rng: procmap.Topology.from_measurements(_measured(rng, rng.randint(1, 9)), "latencies"),
    machine,
)


def _measured(rng, k):
    return np.array([[rng.uniform(1e-6, 1e-3) for _ in range(k)] for _ in range(k)])


def ranks_get_pes_of_their_own(rng):
    """Dense traffic, whole or fractional, on any machine: J is what its definition says."""
    pes, slots, n = rng.choice(MACHINES)(rng), rng.randint(1, 2), rng.randint(0, 14)
    traffic = np.array([rng.choice([0, 0, 1, 7, 2**30, rng.random()]) for _ in range(n * n)], float)
    traffic = traffic.reshape(n, n)
    try:
        mapping = procmap.reorder_ranks(traffic, pes, slots_per_pe=slots, preset="fast")
    except procmap.ConfigError:
        assert n > slots * pes.num_pes, f"refused: {traffic} {pes}"
        return "refused"
    assert n <= slots * pes.num_pes, f"accepted: {traffic} {pes}"
    assert np.bincount(mapping.blocks, minlength=1).max() <= slots
    np.fill_diagonal(traffic, 0)
    distances = pes.distance_matrix()[np.ix_(mapping.blocks, mapping.blocks)]
    cost = (traffic * distances).sum()
    room = float(mapping.units.traffic.unit) * n * n * distances.max(initial=0)
    assert abs(mapping.cost - cost) <= room + 1e-5 * cost, f"{traffic} {pes}: {mapping}"
    return "accepted"


def _dense(graph):
    n = graph.num_vertices
    dense = np.zeros((n, n), np.int64)
    np.add.at(dense, (tails(graph), graph.heads), graph.arc_weights)
    return dense


def directed_traffic_is_symmetrized(rng):
    """Arcs in any order, parallel ones and loops included."""
    n = rng.randint(1, 8)
    arcs = [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(0, 20))]
    weights = [rng.choice([0, 1, 5, 2**40]) for _ in arcs]
    traffic = np.zeros((n, n), np.int64)
    for (u, v), weight in zip(arcs, weights, strict=True):
        traffic[u, v] += weight if u != v else 0
    how = rng.choice(["error", "sum", "max"])
    index = np.array(arcs, rng.choice(["i4", "u8"])).reshape(-1, 2).T
    both = {(u, v) for u, v in arcs if u != v}
    legal = how != "error" or (
        np.array_equal(traffic, traffic.T) and both == {(v, u) for u, v in both}
    )
    try:
        graph = procmap.Graph.from_edge_index(index, n, weights, symmetrize=how)
    except procmap.GraphError:
        assert not legal, f"refused: {arcs} {weights}"
        return "refused"
    assert legal, f"accepted: {arcs} {weights}"
    expected = {"error": traffic, "sum": traffic + traffic.T, "max": np.maximum(traffic, traffic.T)}
    assert np.array_equal(_dense(graph), expected[how]), f"{how}: {arcs} {weights}"
    return "accepted"


def fractions_are_scaled(rng):
    """Float weights from tiny to huge: the cost is right to within the unit."""
    n = rng.randint(2, 9)
    edges = [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(1, 20))]
    spread = rng.choice([0, 1, 6, 300])
    dtype = rng.choice(["f2", "f4", "f8"]) if spread < 2 else "f8"
    weights = np.array([rng.random() * 10 ** rng.uniform(-spread, spread) for _ in edges], dtype)
    if rng.random() < 0.3:
        weights = np.round(weights.astype(float), rng.randint(1, 4)).astype(dtype)
    if rng.random() < 0.2:
        weights[rng.randrange(len(edges))] = rng.choice([-1e-9, np.nan, np.inf])
    counted = [w for (u, v), w in zip(edges, weights, strict=True) if u != v]
    legal = all(np.isfinite(w) and w >= 0 for w in counted)
    pes = machine(rng)
    try:
        mapping = quietly(
            procmap.map, procmap.Graph.from_edges(edges, n, weights), pes, preset="fast"
        )
    except procmap.GraphError:
        assert not legal, f"refused: {weights}"
        return "refused"
    except OverflowError:  # of integers: fractions are scaled so that they fit
        assert not (weights % 1).any(), f"refused: {weights}"
        return "refused"
    assert legal, f"accepted: {weights}"
    unit = mapping.units.traffic.unit
    cost = sum(
        2 * Fraction(float(w)) * pes.distance(int(mapping.blocks[u]), int(mapping.blocks[v]))
        for (u, v), w in zip(edges, weights, strict=True)
        if u != v
    )
    room = 2 * len(edges) * unit * pes.distances[-1] + cost / 2**50
    if dtype != "f8":  # a decimal stands for the nearest narrow float
        room += cost / 2**10
    assert abs(Fraction(mapping.cost) - cost) <= room, f"{edges} {weights}"
    return "accepted"
