# SPDX-License-Identifier: MIT
"""Random problems of at most 8 tasks and 4 PEs, as a user and as the oracle see them."""

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

import procmap

CLASSES = ("plain", "capacities", "fixed", "warm", "mixed")
PRESETS = ("fast", "default", "strong", "im", "hm", "hm-ultra")


@dataclass
class Problem:
    """All numbers are integers; a user's loads and traffic are these divided by one of theirs."""

    kind: str
    traffic: np.ndarray  # symmetric, 0 on the diagonal
    loads: np.ndarray
    distances: np.ndarray
    machine: procmap.Topology
    per_traffic: int  # how many steps make a unit of traffic
    per_load: int
    options: dict = field(default_factory=dict)  # what procmap is given beside these
    room: np.ndarray | None = None  # what every PE may hold
    forbidden: np.ndarray | None = None  # PEs that get no task, whatever it weighs

    @property
    def num_tasks(self):
        return len(self.loads)

    @property
    def num_pes(self):
        return len(self.distances)

    def solve(self):
        """Return the mapping of procmap."""
        edges = np.argwhere(np.triu(self.traffic) > 0)
        weights = self.traffic[edges[:, 0], edges[:, 1]]
        weights = divided(weights, self.per_traffic)
        loads = divided(self.loads, self.per_load)
        graph = procmap.Graph.from_edges(edges.reshape(-1, 2), self.num_tasks, weights, loads)
        return procmap.map(graph, self.machine, **self.options)


def divided(integers, divisor):
    """Return integers, or the floats that are nearest to what they are divided by another one."""
    return integers if divisor == 1 else integers / divisor


def machine(rng):
    """Return distances and a machine of at most 4 PEs, of any model."""
    kind = rng.choice(["flat", "hierarchy", "torus", "mesh", "matrix"])
    return globals()[f"_{kind}"](rng)


def _flat(rng):
    k = rng.randint(1, 4)
    return 1 - np.eye(k, dtype=np.int64), procmap.Topology.flat(k)


def _hierarchy(rng):
    sizes = rng.choice([(2, 2), (2, 1, 2), (3,), (4,), (1, 4), (2,), (1, 3)])
    far = sorted(rng.choice([0, 1, 1, 2, 5, 10, 100]) for _ in sizes)
    k = math.prod(sizes)
    distances = np.zeros((k, k), np.int64)
    for a in range(k):
        for b in range(k):
            x, y, level = a, b, 0
            while x != y:
                x, y, level = x // sizes[level], y // sizes[level], level + 1
            distances[a, b] = far[level - 1] if level else 0
    return distances, procmap.Topology.hierarchy(list(sizes), far)


def _grid(rng, wraps, make):
    sizes = rng.choice([(4,), (2, 2), (3,), (1, 4), (2,), (1,)])
    costs = [rng.choice([1, 1, 2, 7]) for _ in sizes]
    places = list(np.ndindex(*sizes))
    distances = np.zeros((len(places),) * 2, np.int64)
    for a, x in enumerate(places):
        for b, y in enumerate(places):
            steps = [abs(i - j) for i, j in zip(x, y, strict=True)]
            if wraps:
                steps = [min(s, size - s) for s, size in zip(steps, sizes, strict=True)]
            distances[a, b] = np.dot(steps, costs)
    return distances, make(*sizes, costs=costs)


def _torus(rng):
    return _grid(rng, True, procmap.Topology.torus)


def _mesh(rng):
    return _grid(rng, False, procmap.Topology.mesh)


def _matrix(rng):
    k = rng.randint(2, 4)
    distances = np.zeros((k, k), np.int64)
    for a in range(k):
        for b in range(a):
            distances[a, b] = distances[b, a] = rng.choice([0, 1, 2, 3, 10, 50])
    return distances, procmap.Topology.from_distance_matrix(distances)


def _integers(rng, count, values, divisor):
    """Return integers; the first shows by how much they are divided, so that the unit is known."""
    drawn = np.array([rng.choice(values) for _ in range(count)], np.int64)
    if divisor != 1 and count:
        drawn[0] += 1 - drawn[0] % divisor
    return drawn


def _tasks(rng):
    """Return loads, traffic and what they are divided by."""
    n = rng.randint(1, 8)
    per_load, per_traffic = rng.choice([1, 1, 10, 4]), rng.choice([1, 1, 10, 4])
    values = rng.choice([[1], [1, 1, 2], [1, 2, 3, 5, 9], [0, 1, 4], list(range(20))])
    loads = _integers(rng, n, values, per_load)
    pairs = [(u, v) for u in range(n) for v in range(u) if rng.random() < rng.choice([0.3, 0.6])]
    weights = _integers(rng, len(pairs), rng.choice([[1], [1, 2, 5, 10], [1, 100]]), per_traffic)
    traffic = np.zeros((n, n), np.int64)
    for (u, v), weight in zip(pairs, weights, strict=True):
        traffic[u, v] = traffic[v, u] = weight
    return loads, traffic, per_load, per_traffic


def _lmax(problem, imbalance):
    if imbalance is None:
        each = (problem.loads == 1).all()  # in its unit
        imbalance = 0 if problem.num_tasks <= problem.num_pes and each else 0.03
    total = int(problem.loads.sum())
    return math.ceil((1 + Fraction(str(imbalance))) * total / problem.num_pes)


def _add_capacities(rng, problem):
    """Give every PE a capacity of its own, some 0, with about as much room as needed or more."""
    k, total = problem.num_pes, int(problem.loads.sum())
    spare = rng.choice([0, 1, 1, total // 4])
    cuts = sorted(rng.randint(0, total + spare) for _ in range(k - 1))
    room = np.diff([0, *cuts, total + spare])
    if rng.random() < 0.4:
        room[rng.randrange(k)] = 0
    if room.sum() == 0 or room.sum() < total:
        room[rng.randrange(k)] += max(total - room.sum(), 1)
    problem.room, problem.forbidden = room.astype(np.int64), room == 0
    problem.options["capacities"] = divided(room, problem.per_load)
    problem.options["imbalance"] = None  # one answer to what a PE may carry


def _add_fixed(rng, problem):
    allowed = np.flatnonzero(~problem.forbidden)
    share = rng.choice([0.2, 0.5])
    problem.options["fixed"] = [
        int(rng.choice(allowed)) if rng.random() < share else -1 for _ in range(problem.num_tasks)
    ]


def _add_start(rng, problem):
    n, k = problem.num_tasks, problem.num_pes
    problem.options["initial"] = [rng.randrange(k) for _ in range(n)]
    if rng.random() < 0.6:
        problem.options["migration_cost"] = rng.choice([0.5, 1, 3, 10, 100])
        if rng.random() < 0.5:
            problem.options["vertex_sizes"] = [rng.choice([0, 1, 2, 7]) for _ in range(n)]


def problem(rng, kind):
    """Return a random problem of a class, which may have no feasible mapping."""
    loads, traffic, per_load, per_traffic = _tasks(rng)
    distances, pes = machine(rng)
    made = Problem(kind, traffic, loads, distances, pes, per_traffic, per_load)
    imbalance = rng.choice([None, None, 0, 0.03, 0.1, 0.5, 2])
    made.options |= {"preset": rng.choice(PRESETS), "seed": rng.randrange(100)}
    made.options |= {"imbalance": imbalance, "allow_empty": rng.random() < 0.7}
    made.room = np.full(made.num_pes, _lmax(made, imbalance))
    made.forbidden = np.zeros(made.num_pes, bool)
    if kind == "capacities" or (kind == "mixed" and rng.random() < 0.7):
        _add_capacities(rng, made)
    if kind == "fixed" or (kind == "mixed" and rng.random() < 0.7):
        _add_fixed(rng, made)
    if kind == "warm" or (kind == "mixed" and rng.random() < 0.7):
        _add_start(rng, made)
    return made
