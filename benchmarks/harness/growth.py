# SPDX-License-Identifier: MIT
"""`growth` and `reader`: time per arc, peak memory and reading speed as graphs get larger."""

from __future__ import annotations

import argparse
import sys
from statistics import median

from harness.arguments import add_runs, add_task
from harness.instance import Header, find_graphs, read_header
from harness.process import RunError, run_child
from harness.report import CsvLog, print_table

MEGABYTE = 1e6
GROWTH_FIELDS = [
    "graph",
    "n",
    "m",
    "preset",
    "threads",
    "run",
    "seconds",
    "ns_per_arc",
    "base_bytes",
    "read_peak_bytes",
    "peak_bytes",
    "csr_bytes",
    "status",
]
READER_FIELDS = [
    "graph",
    "n",
    "m",
    "bytes",
    "plain_seconds",
    "best_seconds",
    "median_seconds",
    "mb_per_second",
    "status",
]


def run_growth(args: argparse.Namespace) -> int:
    """Map every graph in fresh processes; print time per arc and memory; 1 if a run failed."""
    log = CsvLog(args.out, GROWTH_FIELDS)
    for path in find_graphs(args.graphs, args.names):
        header = read_header(path)
        for number in range(args.runs):
            row: dict[str, object] = {
                "graph": path.stem,
                "n": header.num_vertices,
                "m": header.num_edges,
            }
            row.update(
                preset=args.preset,
                threads=args.threads,
                run=number,
                csr_bytes=header.csr_bytes,
                status="ok",
            )
            options: dict[str, object] = {
                "hierarchy": args.hierarchy,
                "distance": args.distance,
                "imbalance": args.imbalance,
                "preset": args.preset,
                "seed": args.seed,
                "threads": args.threads,
            }
            try:
                row.update(run_child("map", path, options, args.timeout))
                row["ns_per_arc"] = 1e9 * float(str(row["seconds"])) / max(1, header.num_arcs)
            except RunError as error:
                row["status"] = str(error)
            log.add(row)
            print(*log.rows[-1].values(), file=sys.stderr, flush=True)
    return _print_growth(log.rows)


def _print_growth(rows: list[dict[str, str]]) -> int:
    """One line per graph: medians over the runs."""
    table: list[list[object]] = []
    per_arc = []
    for graph in dict.fromkeys(row["graph"] for row in rows):
        good = [row for row in rows if row["graph"] == graph and row["status"] == "ok"]
        if not good:
            table.append([graph, "failed", *[None] * 6])
            continue
        seconds, arc, base, read, peak = (
            median(float(row[field]) for row in good)
            for field in ("seconds", "ns_per_arc", "base_bytes", "read_peak_bytes", "peak_bytes")
        )
        csr = float(good[0]["csr_bytes"])
        per_arc.append(arc)
        sizes = [size / MEGABYTE for size in (csr, base, read, peak)]
        table.append([graph, seconds, arc, *(f"{size:.0f}" for size in sizes), peak / csr])
    header = [
        "graph",
        "s",
        "ns/arc",
        "CSR MB",
        "start MB",
        "after reading MB",
        "peak MB",
        "peak / CSR",
    ]
    print_table("Time per arc and peak memory of the process (medians)", header, table)
    if per_arc:
        print(f"\nTime per arc, largest over smallest: {max(per_arc) / min(per_arc):.2f}")
    return 1 if any(row["status"] != "ok" for row in rows) else 0


def run_reader(args: argparse.Namespace) -> int:
    """Read every graph on one thread; print MB/s (10^6 bytes of text); 1 if a run failed."""
    log = CsvLog(args.out, READER_FIELDS)
    table: list[list[object]] = []
    for path in find_graphs(args.graphs, args.names):
        header = read_header(path)
        row: dict[str, object] = {
            "graph": path.stem,
            "n": header.num_vertices,
            "m": header.num_edges,
            "status": "ok",
        }
        try:
            report = run_child("read", path, {"repeats": args.runs}, args.timeout, one_thread=True)
            times = [float(seconds) for seconds in report["seconds"]]
            row.update(bytes=report["bytes"], plain_seconds=report["plain"])
            row.update(best_seconds=min(times), median_seconds=median(times))
            row["mb_per_second"] = report["bytes"] / MEGABYTE / median(times)
            table.append(_reader_line(path.stem, header, report["bytes"], times, report["plain"]))
        except RunError as error:
            row["status"] = str(error)
        log.add(row)
        print(*log.rows[-1].values(), file=sys.stderr, flush=True)
    columns = ["graph", "MB", "median s", "MB/s", "best MB/s", "million arcs/s", "plain read MB/s"]
    print_table("Reading METIS files on one thread (warm page cache)", columns, table)
    return 1 if any(row["status"] != "ok" for row in log.rows) else 0


def _reader_line(
    name: str, header: Header, size: int, times: list[float], plain: float
) -> list[object]:
    middle, megabytes = median(times), size / MEGABYTE
    speeds = (megabytes / middle, megabytes / min(times))
    return [
        name,
        f"{megabytes:.1f}",
        middle,
        *(f"{speed:.0f}" for speed in speeds),
        f"{header.num_arcs / middle / 1e6:.1f}",
        f"{megabytes / plain:.0f}",
    ]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `growth`."""
    add_runs(parser)
    add_task(parser)
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.set_defaults(action=run_growth)


def add_reader_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `reader`."""
    add_runs(parser)
    parser.add_argument("--runs", type=int, default=5)
    parser.set_defaults(action=run_reader)
