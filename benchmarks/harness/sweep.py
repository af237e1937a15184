# SPDX-License-Identifier: MIT
"""`sweep`: what changed fields of a preset do to J and CPU time, on many graphs and machines."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache, lru_cache
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from harness import figures
from harness.arguments import add_graphs
from harness.child import changed_preset
from harness.instance import find_graphs
from harness.mappers import procmap_topology
from harness.report import CsvLog, geometric_mean, mean_results, print_table

if TYPE_CHECKING:
    import procmap

FIELDS = ["graph", "machine", "variant", "seed", "J", "feasible", "cpu_seconds", "status"]
PRESET = "as it is"
Row = dict[str, object]
Results = dict[tuple[str, str], dict[str, tuple[float, float]]]  # instance -> variant -> J, s


def run(args: argparse.Namespace) -> int:
    """Map with every variant, `--jobs` at once, and print the tables; 1 if a run failed."""
    variants = [PRESET, *args.variants]
    for variant in variants:
        _config(args.preset, variant)  # so a wrong field is told before anything runs
    paths = find_graphs(args.graphs, args.names)
    log = CsvLog(args.out, FIELDS)
    with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
        tasks = [
            pool.submit(_take_turns, path, machine, seed, variants, args.preset, args.imbalance)
            for path, machine, seed in product(reversed(paths), args.machines, args.seeds)
        ]
        for done in as_completed(tasks):
            for row in done.result():
                log.add(row)
                print(*log.rows[-1].values(), file=sys.stderr, flush=True)
    results = mean_results(
        log.rows, lambda row: (row["graph"], row["machine"]), "variant", "J", "cpu_seconds"
    )
    _print_means(results, variants)
    _print_instances(results, variants)
    if args.baselines:
        _print_peer(results, variants, args)
    return 1 if any(row["status"] != "ok" or row["feasible"] != "1" for row in log.rows) else 0


def topology_of(machine: str) -> procmap.Topology:
    """Return `64` blocks, `4:8:6`, each level ten times as far, `4:8@1:3`, or what has a name."""
    import procmap

    hierarchy, _, distance = machine.partition("@")
    if distance:
        return procmap.Topology.hierarchy(hierarchy, distance)
    if machine.isdigit():
        return procmap.Topology.flat(int(machine))
    return procmap_topology(
        machine if machine[0].isalpha() else f"hierarchy:{machine.replace(':', 'x')}"
    )


def machine(text: str) -> str:
    """Return a text that topology_of reads, as it is; an argument of a command line."""
    topology_of(text)
    return text


@cache
def _config(preset: str, variant: str) -> procmap.Config:
    return changed_preset(preset, None if variant == PRESET else variant)


@lru_cache(maxsize=1)
def _graph(path: Path) -> procmap.Graph:
    import procmap

    return procmap.Graph.read(path)


def _take_turns(
    path: Path, machine: str, seed: int, variants: list[str], preset: str, imbalance: str
) -> list[Row]:
    """Map once with each variant on one thread, one right after the other."""
    return [
        {"graph": path.stem, "machine": machine, "variant": variant, "seed": seed}
        | _measure(_graph(path), topology_of(machine), _config(preset, variant), seed, imbalance)
        for variant in variants
    ]


def _measure(
    graph: procmap.Graph,
    topology: procmap.Topology,
    config: procmap.Config,
    seed: int,
    imbalance: str,
) -> Row:
    import procmap

    begin = time.process_time()
    try:
        mapping = procmap.map(
            graph, topology, imbalance=float(imbalance), config=config, seed=seed, threads=1
        )
    except (procmap.Error, MemoryError) as error:
        return {"status": str(error)}
    return {
        "cpu_seconds": time.process_time() - begin,
        "J": int(mapping.cost),
        "feasible": bool(mapping.feasible),
        "status": "ok",
    }


def _over_preset(instances: Iterable[dict[str, tuple[float, float]]], variant: str) -> list[float]:
    """Return geometric means of J and time over the preset's."""
    ratios = [
        (found[variant][0] / found[PRESET][0], found[variant][1] / found[PRESET][1])
        for found in instances
        if variant in found and PRESET in found
    ]
    return [geometric_mean(column) for column in zip(*ratios, strict=True)]


def _numbers(variants: list[str]) -> list[str]:
    """Return what stands for the variants in the heads of wide tables."""
    return [f"({number})" for number in range(1, len(variants))]


def _print_means(results: Results, variants: list[str]) -> None:
    """One line per variant: J and time on every machine, and on all."""
    machines = list(dict.fromkeys(machine for _, machine in sorted(results)))
    table = []
    for number, variant in zip(_numbers(variants), variants[1:], strict=True):
        columns = [
            [found for (_, other), found in results.items() if other == machine]
            for machine in machines
        ]
        if len(machines) > 1:
            columns.append(list(results.values()))
        cells = [_over_preset(column, variant) for column in columns]
        texts = ("{:.4f} in {:.3f}".format(*cell) if cell else None for cell in cells)
        table.append([f"{number} {variant}", *texts])
    print_table(
        f"J and CPU time over the preset's, geometric means over {len(results)} instances",
        ["variant", *machines, *(["all"] if len(machines) > 1 else [])],
        table,
    )


def _print_instances(results: Results, variants: list[str]) -> None:
    """One line per instance: J of every variant over the preset's."""
    table = []
    for (graph, machine), found in sorted(results.items()):
        ratios = (_over_preset([found], variant) for variant in variants[1:])
        table.append([f"{graph} {machine}", *(ratio[0] if ratio else None for ratio in ratios)])
    print_table("J over the preset's", ["instance", *_numbers(variants)], table)


def _print_peer(results: Results, variants: list[str], args: argparse.Namespace) -> None:
    """One line per variant: J over the peer's, on the instances that it has."""
    peers = {
        machine: figures.load_peers(
            args.baselines, machine.partition("@")[0], args.distance, args.imbalance
        ).get(args.peer, {})
        for machine in args.machines
    }
    table: list[list[object]] = []
    for variant in variants:
        ratios = {
            f"{graph} {machine}": found[variant][0] / peers[machine][graph]
            for (graph, machine), found in results.items()
            if variant in found and graph in peers[machine]
        }
        worst = max(ratios, key=lambda instance: ratios[instance], default="")
        if ratios:
            mean = f"{geometric_mean(ratios.values()):.4f}"
            table.append([variant, len(ratios), mean, ratios[worst], worst])
    print_table(
        f"J over that of {args.peer}", ["variant", "instances", "mean", "highest", "of"], table
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sweep`."""
    add_graphs(parser)
    parser.add_argument("--out", type=Path, metavar="CSV", help="log of every run")
    parser.add_argument(
        "--variants", nargs="*", default=[], metavar="FIELD=VALUE,...", help="changes of the preset"
    )
    parser.add_argument(
        "--machines",
        nargs="+",
        type=machine,
        default=["4:8:6"],
        help="such as 4:8:6 (1:10:100), 4:8@1:3, torus:8x8 or, for blocks, 64 (default: 4:8:6)",
    )
    parser.add_argument("--imbalance", default="0.03", help="(default: %(default)s)")
    parser.add_argument("--preset", default="default", help="(default: %(default)s)")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2], help="(default: 1 2)")
    parser.add_argument(
        "--jobs",
        type=int,
        default=len(os.sched_getaffinity(0)),
        help="mappings at once, each on one thread (default: as many as cores)",
    )
    parser.add_argument(
        "--baselines", nargs="+", type=Path, default=[], metavar="CSV", help="figures of a peer"
    )
    parser.add_argument("--peer", default="SharedMap strong", help="(default: %(default)s)")
    parser.add_argument(
        "--distance", default="1:10:100", help="of the peer's figures (default: %(default)s)"
    )
    parser.set_defaults(action=run)
