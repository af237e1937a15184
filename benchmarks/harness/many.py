# SPDX-License-Identifier: MIT
"""`many`: many small graphs, one call for all of them against one call for each."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import median

import numpy as np

import procmap
from harness.arguments import add_task
from harness.report import CsvLog, print_table

FIELDS = ["side", "threads", "seconds", "cpu_seconds", "status"]


def run(args: argparse.Namespace) -> int:
    """Measure and print the table; 1 if the two sides have different mappings."""
    graphs = [_graph(args.vertices, seed) for seed in range(args.count)]
    machine = procmap.Topology.hierarchy(args.hierarchy, args.distance)
    options = {"preset": args.preset, "seed": 1, "device": args.device}
    options["imbalance"] = float(args.imbalance)
    sides = {
        "one by one": lambda: [procmap.map(g, machine, **options) for g in graphs],
        "map_many": lambda: procmap.map_many(graphs, machine, threads=args.threads, **options),
    }
    log = CsvLog(args.out, FIELDS)
    costs = []
    for side in list(sides) * args.runs:
        begin = (time.perf_counter(), time.process_time())
        mappings = sides[side]()
        seconds, cpu = time.perf_counter() - begin[0], time.process_time() - begin[1]
        costs.append([mapping.cost for mapping in mappings])
        status = "ok" if costs[-1] == costs[0] else "different mappings"
        log.add({
            "side": side, "threads": args.threads, "seconds": seconds, "cpu_seconds": cpu,
            "status": status,
        })  # fmt: skip
        print(" ".join(log.rows[-1].values()), file=sys.stderr, flush=True)
    _print(log.rows, args)
    return 1 if any(row["status"] != "ok" for row in log.rows) else 0


def _graph(vertices: int, seed: int) -> procmap.Graph:
    """Return a strip of a grid with random weights, of about so many vertices."""
    rows = max(1, round(vertices**0.5))
    columns = max(1, vertices // rows)
    number = np.arange(rows * columns).reshape(rows, columns)
    right = np.stack([number[:, :-1].ravel(), number[:, 1:].ravel()], axis=1)
    down = np.stack([number[:-1].ravel(), number[1:].ravel()], axis=1)
    edges = np.concatenate([right, down])
    weights = np.random.default_rng(seed).integers(1, 10, len(edges))
    return procmap.Graph.from_edges(edges, rows * columns, weights)


def _print(rows: list[dict[str, str]], args: argparse.Namespace) -> None:
    table: list[list[object]] = []
    base = 0.0
    for side in dict.fromkeys(row["side"] for row in rows):
        own = [row for row in rows if row["side"] == side]
        seconds, cpu = (median(float(row[f]) for row in own) for f in ("seconds", "cpu_seconds"))
        base = base or seconds
        one_call = base / args.count
        table.append([side, seconds, base / seconds, seconds / one_call, cpu / seconds])
    print_table(
        f"{args.count:,} graphs of {args.vertices:,} vertices, {args.preset}",
        ["side", "seconds", "speedup", "times as long as one graph", "cores in use"],
        table,
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `many`."""
    add_task(parser)
    parser.add_argument("--count", type=int, default=1000, help="graphs (default: 1000)")
    parser.add_argument("--vertices", type=int, default=500, help="of each (default: 500)")
    parser.add_argument("--preset", default="default")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, help="of map_many (default: all)")
    parser.add_argument("--runs", type=int, default=3, help="of each, in turn")
    parser.add_argument("--out", type=Path, metavar="CSV", help="log of every run")
    parser.set_defaults(action=run)
