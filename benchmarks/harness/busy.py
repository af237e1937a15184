# SPDX-License-Identifier: MIT
"""`busy`: one call alone, and beside other processes that never rest."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from statistics import median

import procmap
from harness.arguments import add_runs, add_task
from harness.instance import find_graphs
from harness.report import CsvLog, geometric_mean, print_table

FIELDS = ["graph", "threads", "neighbours", "alone", "busy", "ratio", "cpu_ratio", "status"]


def run(args: argparse.Namespace) -> int:
    """Measure all graphs and print the table; 1 if mappings differ or a ratio is too large."""
    log = CsvLog(args.out, FIELDS)
    with neighbours(args.neighbours) as processes:
        for path, threads in product(find_graphs(args.graphs, args.names), args.threads):
            row = _measure(path, threads, processes, args)
            log.add({"graph": path.stem, "threads": threads, "neighbours": len(processes), **row})
            print(" ".join(log.rows[-1].values()), file=sys.stderr, flush=True)
    _print(log.rows, args)
    return 1 if any(row["status"] != "ok" for row in log.rows) else 0


@contextmanager
def neighbours(count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Processes that compute without end, stopped for now; killed at the end."""
    command = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(count or os.cpu_count() or 1)]
    try:
        _signal(processes, signal.SIGSTOP)
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _signal(processes: list[subprocess.Popen[bytes]], number: signal.Signals) -> None:
    for process in processes:
        process.send_signal(number)


def _measure(
    path: Path,
    threads: int,
    processes: list[subprocess.Popen[bytes]],
    args: argparse.Namespace,
) -> dict[str, object]:
    """Return medians of wall seconds, alone and busy in turn so that they meet one machine."""
    graph = procmap.read_graph(path)
    machine = procmap.Topology.hierarchy(args.hierarchy, args.distance)
    wall: dict[str, list[float]] = {"alone": [], "busy": []}
    cpu: dict[str, list[float]] = {"alone": [], "busy": []}
    costs = set()
    for side in ["alone", "busy"] * args.runs:
        _signal(processes, signal.SIGCONT if side == "busy" else signal.SIGSTOP)
        begin = (time.perf_counter(), time.process_time())
        mapping = procmap.map(
            graph, machine, preset=args.preset, seed=1, threads=threads, device="cpu"
        )
        wall[side].append(time.perf_counter() - begin[0])
        cpu[side].append(time.process_time() - begin[1])
        costs.add(mapping.cost)
    _signal(processes, signal.SIGSTOP)
    ratio = median(wall["busy"]) / median(wall["alone"])
    wrong = "different mappings" if len(costs) > 1 else "ok"
    return {
        "alone": median(wall["alone"]),
        "busy": median(wall["busy"]),
        "ratio": ratio,
        "cpu_ratio": median(cpu["busy"]) / median(cpu["alone"]),
        "status": f"{ratio:.1f} times as long" if ratio > args.at_most else wrong,
    }


def _print(rows: list[dict[str, str]], args: argparse.Namespace) -> None:
    table: list[list[object]] = [
        [row["graph"], int(row["threads"]), *(float(row[field]) for field in FIELDS[3:7])]
        for row in rows
    ]
    means = [geometric_mean(float(row[field]) for row in rows) for field in ("ratio", "cpu_ratio")]
    table.append(["geometric mean", None, None, None, *means])
    print_table(
        f"{args.preset}, seconds alone and beside {rows[0]['neighbours']} busy processes",
        ["graph", "threads", "alone", "busy", "busy / alone", "processor time"],
        table,
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `busy`."""
    add_runs(parser)
    add_task(parser)
    parser.add_argument("--preset", default="default")
    parser.add_argument("--threads", nargs="+", type=int, default=[2], help="(default: 2)")
    parser.add_argument(
        "--neighbours", type=int, default=0, help="busy processes (default: as many as cores)"
    )
    parser.add_argument("--runs", type=int, default=5, help="of each, in turn")
    parser.add_argument(
        "--at-most",
        type=float,
        default=3,
        metavar="X",
        help="fail above (default: 3)",
    )
    parser.set_defaults(action=run)
