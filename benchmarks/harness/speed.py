# SPDX-License-Identifier: MIT
"""`speed`: procmap and a peer run in turn (A B A B ...); medians, ratios, thread scaling."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from harness.arguments import add_runs, add_task
from harness.instance import find_graphs
from harness.process import RunError, run_child, run_peer
from harness.report import CsvLog, geometric_mean, print_table

FIELDS = ["graph", "side", "round", "seconds", "status"]
Seconds = dict[str, list[float]]  # side -> seconds of every round


@dataclass(frozen=True)
class Side:
    """One of the programs that take turns."""

    label: str
    measure: Callable[[Path], float]


def run(args: argparse.Namespace) -> int:
    """Measure all graphs, log every run, print the tables; 1 if a run failed."""
    log = CsvLog(args.out, FIELDS)
    sides = _sides(args)
    results: dict[str, Seconds] = {}
    for path in find_graphs(args.graphs, args.names):
        results[path.stem] = _take_turns(path, sides, args.runs, log)
    labels = [side.label for side in sides]
    _print_seconds(results, labels)
    _print_ratios(results, labels)
    failed = [row for row in log.rows if row["status"] != "ok"]
    for row in failed:
        print(f"failed: {row}")
    return 1 if failed else 0


def _sides(args: argparse.Namespace) -> list[Side]:
    """Return procmap once per number of threads, then the peer if there is one."""
    sides = [
        Side(f"{args.preset}, {threads} thr.", _own(args, threads)) for threads in args.threads
    ]
    if args.peer:
        name = args.peer_name or Path(shlex.split(args.peer)[0]).name
        sides.append(
            Side(name, lambda path: run_peer(args.peer, path, args.peer_seconds, args.timeout))
        )
    return sides


def _own(args: argparse.Namespace, threads: int) -> Callable[[Path], float]:
    """Return what times procmap: the call in a fresh process, or with --cli the command."""
    if args.cli:
        command = (
            f"procmap map {{graph}} -H {args.hierarchy} -D {args.distance} -e {args.imbalance} "
            f"--preset {args.preset} --seed {args.seed} --threads {threads}"
        )
        return lambda path: run_peer(command, path, None, args.timeout)
    options: dict[str, object] = {
        "hierarchy": args.hierarchy,
        "distance": args.distance,
        "imbalance": args.imbalance,
        "preset": args.preset,
        "seed": args.seed,
        "threads": threads,
    }
    return lambda path: float(run_child("map", path, options, args.timeout)["seconds"])


def _take_turns(path: Path, sides: list[Side], rounds: int, log: CsvLog) -> Seconds:
    """Run every side once per round, the sides in turn; a failed run leaves no time."""
    seconds: Seconds = {side.label: [] for side in sides}
    for number in range(rounds):
        for side in sides:
            row: dict[str, object] = {
                "graph": path.stem,
                "side": side.label,
                "round": number,
                "status": "ok",
            }
            try:
                took = side.measure(path)
                row["seconds"] = took
                seconds[side.label].append(took)
            except RunError as error:
                row["status"] = str(error)
            log.add(row)
            print(*log.rows[-1].values(), file=sys.stderr, flush=True)
    return seconds


def _print_seconds(results: dict[str, Seconds], labels: list[str]) -> None:
    """One line per graph: median and, in brackets, fastest and slowest."""
    table = []
    for graph, seconds in results.items():
        cells = [
            f"{median(s):.3f} ({min(s):.3f}-{max(s):.3f})" if (s := seconds[label]) else "-"
            for label in labels
        ]
        table.append([graph, *cells])
    print_table("Seconds: median (fastest-slowest)", ["graph", *labels], table)


def _print_ratios(results: dict[str, Seconds], labels: list[str]) -> None:
    """Median time of the first side over that of each other side: above 1 the first is slower."""
    others = labels[1:]
    if not others:
        return
    ratios = {
        graph: [_ratio(seconds[labels[0]], seconds[other]) for other in others]
        for graph, seconds in results.items()
    }
    table: list[list[object]] = [[graph, *line] for graph, line in ratios.items()]
    columns = zip(*ratios.values(), strict=True)
    means = [geometric_mean(ratio for ratio in column if ratio is not None) for column in columns]
    table.append(["geometric mean", *means])
    print_table(f"Time of {labels[0]} over time of ...", ["graph", *others], table)


def _ratio(first: list[float], other: list[float]) -> float | None:
    return median(first) / median(other) if first and other and median(other) > 0 else None


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `speed`."""
    add_runs(parser)
    add_task(parser)
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--threads", nargs="+", type=int, default=[1], help="one side per number (default: 1)"
    )
    parser.add_argument(
        "--runs", type=int, default=5, help="rounds; every side runs once per round"
    )
    parser.add_argument(
        "--cli", action="store_true", help="time the command `procmap map` instead of the call"
    )
    parser.add_argument(
        "--peer", metavar="CMD", help="command of the other side, with {graph} for the path"
    )
    parser.add_argument("--peer-name", metavar="NAME", help="heading of the other side")
    parser.add_argument(
        "--peer-seconds",
        metavar="REGEX",
        help="where the peer prints its seconds (default: wall time of the process)",
    )
    parser.set_defaults(action=run)
