# SPDX-License-Identifier: MIT
"""`warm`: weights change a little; improving the old mapping against mapping from scratch."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

import procmap
from harness.instance import Instance, find_graphs, read_instance
from harness.report import CsvLog, geometric_mean, print_table

FIELDS = ["graph", "migration_cost", "kept", "cost_ratio", "time_ratio", "seconds", "status"]


@dataclass(frozen=True)
class Warm:
    """Improving the old mapping, beside mapping the changed graph from scratch."""

    migration_cost: float
    kept: float  # share of the tasks that stay
    cost_ratio: float
    time_ratio: float
    seconds: float
    feasible: bool


def run(args: argparse.Namespace) -> int:
    """Measure all graphs and print the table; 1 if a result is infeasible."""
    log = CsvLog(args.out, FIELDS)
    topology = procmap.Topology.hierarchy(args.hierarchy, args.distance)
    results = {}
    for path in find_graphs(args.graphs, args.names):
        results[path.stem] = _measure(path, topology, args)
        values = vars(results[path.stem])
        status = "ok" if values["feasible"] else "infeasible"
        log.add({"graph": path.stem, "status": status, **values})
    _print(results, args.keep)
    return 0 if all(warm.feasible for warm in results.values()) else 1


def changed(instance: Instance, share: float, seed: int) -> procmap.Graph:
    """Return the graph with a share of its vertex and edge weights multiplied by 2 to 5."""
    rng = np.random.default_rng(seed)
    n = len(instance.offsets) - 1
    loads = instance.vertex_weights * _factors(rng.random(n), share)
    tails = np.repeat(np.arange(n, dtype=np.int64), np.diff(instance.offsets))
    low, high = np.minimum(tails, instance.heads), np.maximum(tails, instance.heads)
    edges, edge_of_arc = np.unique(low * n + high, return_inverse=True)  # both directions alike
    factors = _factors(rng.random(len(edges)), share)[edge_of_arc]
    traffic = factors if instance.edge_weights is None else instance.edge_weights * factors
    return procmap.Graph.from_csr(instance.offsets, instance.heads, traffic, loads)


def _factors(random: np.ndarray, share: float) -> np.ndarray:
    factors = np.ones(len(random), np.int64)
    changed = random < share
    factors[changed] = 2 + (random[changed] * 4 / share).astype(np.int64) % 4
    return factors


def _measure(path: Path, topology: procmap.Topology, args: argparse.Namespace) -> Warm:
    instance = read_instance(path)
    options = {
        "preset": args.preset,
        "imbalance": float(args.imbalance),
        "threads": args.threads,
        "seed": args.seed,
        "device": "cpu",
    }
    old = procmap.map(changed(instance, 0, args.seed), topology, **options)
    graph = changed(instance, args.changed, args.seed)
    cost = _tuned_cost(graph, topology, old, options, args.keep)
    seconds: dict[str, list[float]] = {"scratch": [], "warm": []}
    for _ in range(args.runs):  # in turn, so that both meet the same machine
        scratch = procmap.map(graph, topology, **options)
        warm = procmap.map(graph, topology, initial=old, migration_cost=cost, **options)
        seconds["scratch"].append(scratch.stats.seconds)
        seconds["warm"].append(warm.stats.seconds)
    return Warm(
        cost,
        1 - warm.migrated_tasks / graph.num_vertices,
        warm.cost / scratch.cost,
        median(seconds["warm"]) / median(seconds["scratch"]),
        median(seconds["warm"]),
        warm.feasible,
    )


def _tuned_cost(
    graph: procmap.Graph,
    topology: procmap.Topology,
    old: procmap.Mapping,
    options: dict[str, object],
    keep: float,
) -> float:
    """Return the least migration cost, by powers of two, that keeps this share of the tasks."""
    cost = 0.0
    while True:
        warm = procmap.map(graph, topology, initial=old, migration_cost=cost, **options)
        if warm.migrated_tasks <= (1 - keep) * graph.num_vertices or cost > old.cost:
            return cost
        cost = 2 * cost or 2.0


def _print(results: dict[str, Warm], keep: float) -> None:
    rows: list[list[object]] = [
        [name, w.migration_cost, w.kept, w.cost_ratio, w.time_ratio, w.seconds]
        for name, w in results.items()
    ]
    means = [
        geometric_mean(getattr(warm, field) for warm in results.values())
        for field in ("kept", "cost_ratio", "time_ratio")
    ]
    rows.append(["geometric mean", None, *means, None])
    print_table(
        f"Improving the old mapping, {keep:.0%} of the tasks kept, against mapping from scratch",
        ["graph", "migration cost", "kept", "J / scratch", "time / scratch", "seconds"],
        rows,
    )
