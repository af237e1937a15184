# SPDX-License-Identifier: MIT
"""`warm`: weights change a little; improving the old mapping against mapping from scratch."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, replace
from itertools import product
from statistics import median

import numpy as np
from numpy.typing import NDArray

import procmap
from harness.arguments import add_runs, add_task
from harness.instance import Instance, find_graphs, read_instance
from harness.report import CsvLog, geometric_mean, print_table
from harness.verify import Machine, verify

FIELDS = ["graph", "seed", "migration_cost", "kept", "cost_ratio", "time_ratio", "cpu_seconds"]
FIELDS += ["status"]
RATIOS = ("kept", "cost_ratio", "time_ratio")


@dataclass(frozen=True)
class Case:
    """A graph whose weights changed since `old` was made."""

    instance: Instance
    graph: procmap.Graph
    old: procmap.Mapping
    topology: procmap.Topology
    options: dict[str, object]

    def scratch(self) -> procmap.Mapping:
        """Return a mapping that knows nothing of the old one."""
        return procmap.map(self.graph, self.topology, **self.options)

    def improved(self, cost: float) -> procmap.Mapping:
        """Return what becomes of the old mapping when it costs so much to move a task."""
        return procmap.map(
            self.graph, self.topology, initial=self.old, migration_cost=cost, **self.options
        )

    def kept(self, mapping: procmap.Mapping) -> float:
        """Return the share of the tasks that stay."""
        return 1 - mapping.migrated_tasks / self.graph.num_vertices


def run(args: argparse.Namespace) -> int:
    """Measure all graphs and print the table; 1 if a mapping is wrong or infeasible."""
    log = CsvLog(args.out, FIELDS)
    for path, seed in product(find_graphs(args.graphs, args.names), args.seeds):
        case = _make_case(read_instance(path), seed, args)
        log.add({"graph": path.stem, "seed": seed, **_measure(case, args)})
        print(" ".join(log.rows[-1].values()), file=sys.stderr, flush=True)
    _print(log.rows, args)
    return 1 if any(row["status"] != "ok" for row in log.rows) else 0


def _make_case(instance: Instance, seed: int, args: argparse.Namespace) -> Case:
    options: dict[str, object] = {
        "preset": args.preset,
        "imbalance": float(args.imbalance),
        "threads": args.threads,
        "seed": seed,
        "device": "cpu",
    }
    topology = procmap.Topology.hierarchy(args.hierarchy, args.distance)
    old = procmap.map(_graph(instance), topology, **options)
    now = changed(instance, args.changed, args.changed_loads, seed)
    return Case(now, _graph(now), old, topology, options)


def _graph(instance: Instance) -> procmap.Graph:
    return procmap.Graph.from_csr(
        instance.offsets, instance.heads, instance.edge_weights, instance.vertex_weights
    )


def changed(instance: Instance, traffic: float, loads: float, seed: int) -> Instance:
    """Multiply a share of the edge weights, and one of the vertex weights, by 2 to 5."""
    rng = np.random.default_rng(seed)
    n = len(instance.vertex_weights)
    tails = np.repeat(np.arange(n, dtype=np.int64), np.diff(instance.offsets))
    low, high = np.minimum(tails, instance.heads), np.maximum(tails, instance.heads)
    edges, edge_of_arc = np.unique(low * n + high, return_inverse=True)  # both directions alike
    factors = _factors(rng, len(edges), traffic)[edge_of_arc]
    weights = 1 if instance.edge_weights is None else instance.edge_weights
    return replace(
        instance,
        edge_weights=weights * factors,
        vertex_weights=instance.vertex_weights * _factors(rng, n, loads),
    )


def _factors(rng: np.random.Generator, count: int, share: float) -> NDArray[np.int64]:
    return np.where(rng.random(count) < share, rng.integers(2, 6, count), 1)


def _measure(case: Case, args: argparse.Namespace) -> dict[str, object]:
    """Return ratios of J and of CPU seconds, both sides in turn so that they meet one machine."""
    cost = _tuned_cost(case, args.keep)
    seconds: dict[str, list[float]] = {"scratch": [], "warm": []}
    for _ in range(args.runs):
        begin = time.process_time()
        scratch = case.scratch()
        middle = time.process_time()
        warm = case.improved(cost)
        seconds["scratch"].append(middle - begin)
        seconds["warm"].append(time.process_time() - middle)
    return {
        "migration_cost": cost,
        "kept": case.kept(warm),
        "cost_ratio": warm.cost / scratch.cost,
        "time_ratio": median(seconds["warm"]) / median(seconds["scratch"]),
        "cpu_seconds": median(seconds["warm"]),
        "status": _verdict(case, warm, scratch, args),
    }


def _tuned_cost(case: Case, keep: float) -> float:
    """Return the least power of two, from 1 on, at which so many tasks stay."""
    cost = 1.0
    while cost < case.old.cost and case.kept(case.improved(cost)) < keep:
        cost *= 2
    return cost


def _verdict(
    case: Case, warm: procmap.Mapping, scratch: procmap.Mapping, args: argparse.Namespace
) -> str:
    """Return `ok` if both mappings are feasible and cost what procmap says."""
    machine = Machine.parse(args.hierarchy, args.distance)
    for name, mapping in (("warm", warm), ("scratch", scratch)):
        verdict = verify(case.instance, np.asarray(mapping.blocks), machine, args.imbalance)
        if verdict.cost != mapping.cost:
            return f"{name}: reported cost {mapping.cost}, recomputed {verdict.cost}"
        if not verdict.feasible:
            return f"{name} is infeasible"
    return "ok"


def _print(rows: list[dict[str, str]], args: argparse.Namespace) -> None:
    """One line per graph, the mean of its seeds."""
    table: list[list[object]] = []
    for graph in dict.fromkeys(row["graph"] for row in rows):
        own = [row for row in rows if row["graph"] == graph]
        table.append([graph, *_means(own), geometric_mean(float(r["cpu_seconds"]) for r in own)])
    table.append(["geometric mean", *_means(rows), None])
    weights = (
        f"{args.changed:.0%} of the edge weights, {args.changed_loads:.0%} of the vertex weights"
    )
    print_table(
        f"Improving the old mapping with {args.preset} after a change of {weights}, at least "
        f"{args.keep:.0%} of the tasks kept, against mapping from scratch",
        ["graph", "kept", "J / scratch", "time / scratch", "CPU s"],
        table,
    )


def _means(rows: list[dict[str, str]]) -> list[float]:
    return [geometric_mean(float(row[field]) for row in rows) for field in RATIOS]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `warm`."""
    add_runs(parser)
    add_task(parser)
    parser.add_argument("--preset", default="default")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1], help="(default: 1)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--changed", type=float, default=0.05, help="share of the edge weights (default: 0.05)"
    )
    parser.add_argument(
        "--changed-loads", type=float, default=0, help="share of the vertex weights (default: 0)"
    )
    parser.add_argument(
        "--keep", type=float, default=0.95, help="share of the tasks to keep (default: 0.95)"
    )
    parser.set_defaults(action=run)
