# SPDX-License-Identifier: MIT
"""Calls of every kind on small inputs; the result depends on the number of the call only."""

import hashlib
import random
import tempfile
import warnings
from pathlib import Path

import numpy as np

import procmap
from fuzz.descriptions import MACHINES as MACHINE_FILES
from fuzz.descriptions import TRAFFIC as TRAFFIC_FILES

_HIERARCHY = procmap.Topology.hierarchy("2:2:3", "1:10:100").with_hosts("node[01-03]")
_MACHINES = (
    _HIERARCHY,
    procmap.Topology.torus(3, 4),
    procmap.Topology.dragonfly(3, 2, 2),
    procmap.Topology.from_distance_matrix([[0, 3, 1], [3, 0, 2], [1, 2, 0]]),
    procmap.Topology.flat(5),
)
_PRESETS = ("fast", "fast", "fast", "default", "im", "hm")
_LAUNCHERS = ("rankfile", "slurm", "mpich", "lsf", "erf", "json", "cpus")


def _edges(rng):
    n = rng.randint(20, 120)
    return n, [(u, rng.randrange(max(0, u - 9), u)) for u in range(1, n) for _ in range(3)]


def _graph(rng):
    n, edges = _edges(rng)
    kinds = (None, [rng.randint(1, 9) for _ in edges], [rng.random() for _ in edges])
    loads = None if rng.random() < 0.5 else [rng.randint(0, 5) for _ in range(n)]
    return procmap.Graph.from_edges(edges, n, rng.choice(kinds), loads)


def _digest(*values):
    text = repr([v.tolist() if isinstance(v, np.ndarray) else v for v in values])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _map(rng):
    graph, machine = _graph(rng), rng.choice(_MACHINES)
    options = {"preset": rng.choice(_PRESETS), "seed": rng.randint(0, 9)}
    if rng.random() < 0.3:
        options["fixed"] = [rng.choice([-1, 0, 2]) for _ in range(graph.num_vertices)]
    mapping = procmap.map(graph, machine, threads=rng.choice([1, 2, 3]), imbalance=0.2, **options)
    return _digest(mapping.blocks, mapping.cost, mapping.block_weights)


def _partition(rng):
    mapping = procmap.partition(_graph(rng), rng.randint(1, 8), threads=2, preset="fast")
    return _digest(mapping.blocks, mapping.edge_cut)


def _evaluate(rng):
    graph, machine = _graph(rng), rng.choice(_MACHINES)
    blocks = [rng.randrange(machine.num_pes) for _ in range(graph.num_vertices)]
    report = procmap.evaluate(graph, blocks, machine, threads=2)
    return _digest(report.to_dict())


def _warm_start(rng):
    graph, machine = _graph(rng), rng.choice(_MACHINES)
    initial = [rng.randrange(machine.num_pes) for _ in range(graph.num_vertices)]
    mapping = procmap.map(graph, machine, initial=initial, migration_cost=2, preset="fast")
    return _digest(mapping.blocks, mapping.cost)


def _ranks(rng):
    n = rng.randint(1, 12)
    traffic = np.array([[rng.choice([0, 0, 1, 5]) for _ in range(n)] for _ in range(n)])
    mapping = procmap.reorder_ranks(traffic, _HIERARCHY, preset="fast", threads=2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        mapping.write(path, format=rng.choice(_LAUNCHERS))
        return _digest(mapping.blocks, path.read_text())


def _graph_files(rng):
    graph = _graph(rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "g.graph")
        graph.write(path)
        read = procmap.read_graph(path, threads=rng.choice([1, 2]))
        mapping = procmap.partition(read, 3, preset="fast")
        mapping.write(Path(folder, "blocks"))
        blocks = procmap.read_mapping(Path(folder, "blocks"))
        assert (blocks == mapping.blocks).all()
        return _digest(path.read_text(), read.heads, blocks)


def _machine_files(rng):
    name, text = rng.choice(MACHINE_FILES)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "machine")
        path.write_text(text)
        machine = procmap.Topology.read(path, name)
    return _digest(machine.distance_matrix(), str(machine))


def _traffic_files(rng):
    name, text = rng.choice(TRAFFIC_FILES)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "traffic")
        path.write_text(text)
        return _digest(procmap.read_traffic(path, format=name).to_matrix())


def _bad_files(rng):
    """Errors cost no memory either."""
    lines = ["3 2", "2", "1 3", "2"]
    lines[rng.randrange(4)] = rng.choice(["x", "9", "", "-1 2", "1 1 1 1"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "g.graph")
        path.write_text("\n".join(lines))
        try:
            return _digest(procmap.read_graph(path).num_edges)
        except procmap.FileError as exc:
            return _digest(str(exc).removeprefix(folder))


def _bad_arrays(rng):
    offsets, heads = [0, 1, 2, 2], [1, 0]
    (offsets if rng.random() < 0.5 else heads)[rng.randrange(2)] = rng.choice([-1, 2, 7, 2**40])
    try:
        return _digest(procmap.partition((offsets, heads), 2).cost)
    except procmap.GraphError as exc:
        return _digest(str(exc))


def _bad_options(rng):
    name, value = rng.choice([("imbalance", -1), ("seed", -1), ("preset", "x"), ("threads", 0)])
    try:
        procmap.partition(_graph(rng), 3, **{name: value})
    except procmap.ConfigError as exc:
        return _digest(str(exc))
    return "accepted"


_KINDS = (
    _map, _partition, _evaluate, _warm_start, _ranks, _graph_files, _machine_files, _traffic_files,
    _bad_files, _bad_arrays, _bad_options,
)  # fmt: skip
warnings.simplefilter("ignore", procmap.InfeasibleWarning)  # for good: filters are of all threads
NUMBERS = 20 * len(_KINDS)


def call(number):
    """Make call `number`, less than NUMBERS, and return its result."""
    return _KINDS[number % len(_KINDS)](random.Random(number))
