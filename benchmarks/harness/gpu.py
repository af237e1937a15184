# SPDX-License-Identifier: MIT
"""`gpu`: host arrays in, host arrays out, warm medians on a GPU, beside GPU-HeiPa's figures."""

from __future__ import annotations

import argparse
import time
from statistics import median
from typing import TYPE_CHECKING, Any

from harness import figures
from harness.instance import find_graphs
from harness.report import CsvLog, geometric_mean, print_table

if TYPE_CHECKING:
    import procmap

FIELDS = ["graph", "preset", "J", "feasible", "ms", "J_cpu", "arcs", "device_bytes"]
PEER_OF = {"im": "GPU-HeiPa IM", "hm": "GPU-HeiPa HM", "hm-ultra": "GPU-HeiPa HM-ultra"}


def run(args: argparse.Namespace) -> int:
    """Measure every preset on every graph; 1 if a mapping is infeasible or its J is wrong."""
    import procmap

    topology = procmap.Topology.hierarchy(args.hierarchy, args.distance)
    peers = _peer_figures(args)
    log = CsvLog(args.out, FIELDS)
    failed = 0
    for path in find_graphs(args.graphs, args.names):
        graph = procmap.read_graph(path)
        for preset in args.presets:
            row, _ = measure(graph, topology, preset, args)
            failed += is_wrong(row)
            log.add({"graph": path.stem, **row})
    _print(log.rows, peers)
    return 1 if failed else 0


def measure(
    graph: procmap.Graph, topology: procmap.Topology, preset: str, args: argparse.Namespace
) -> tuple[dict[str, Any], procmap.Mapping]:
    """Map `args.runs` times after a first one; return what to log (ms: median) and the mapping."""
    import procmap

    options = {"imbalance": float(args.imbalance), "seed": args.seed, "device": args.device}
    seconds = []
    for _ in range(args.runs + 1):
        start = time.perf_counter()
        mapping = procmap.map(graph, topology, preset=preset, **options)
        seconds.append(time.perf_counter() - start)
    row = {
        "preset": preset,
        "J": mapping.cost,
        "feasible": int(mapping.feasible),
        "ms": round(1e3 * median(seconds[1:]), 2),
        "J_cpu": procmap.evaluate(graph, mapping.blocks, topology, device="cpu").cost,
        "arcs": 2 * graph.num_edges,
        "device_bytes": mapping.stats.device_memory,
    }
    return row, mapping


def is_wrong(row: dict[str, Any]) -> bool:
    """Whether a mapping is infeasible, or J is not what the CPU finds."""
    return not row["feasible"] or row["J"] != row["J_cpu"]


def _peer_figures(args: argparse.Namespace) -> dict[tuple[str, str], tuple[float, float]]:
    """Return milliseconds and J of GPU-HeiPa by graph and program."""
    return {
        (row["instance"], f"{row['algorithm']} {row['config']}"): (
            float(row["ms"]),
            float(row["J"]),
        )
        for row in figures.read_rows(figures.GPU_HEIPA)
        if (row["hierarchy"], row["distance"]) == (args.hierarchy, args.distance)
    }


def _print(rows: list[dict[str, Any]], peers: dict[tuple[str, str], tuple[float, float]]) -> None:
    header = ["graph", "preset", "ms", "J", "ns/arc", "bytes/arc", "times faster", "J / peer's J"]
    table: list[list[object]] = []
    speedups: dict[str, list[float]] = {}
    for row in rows:
        ms, arcs = float(row["ms"]), int(row["arcs"])
        line: list[object] = [row["graph"], row["preset"], ms, int(row["J"])]
        line += [1e6 * ms / max(arcs, 1), int(row["device_bytes"]) / max(arcs, 1)]
        peer = peers.get((row["graph"], PEER_OF.get(row["preset"], "")))
        if peer:
            speedups.setdefault(row["preset"], []).append(peer[0] / ms)
            line += [peer[0] / ms, int(row["J"]) / peer[1]]
        table.append([*line, *[""] * (len(header) - len(line))])
    print_table("On the GPU", header, table)
    means = [[preset, len(s), geometric_mean(s)] for preset, s in speedups.items()]
    print_table("Times faster than GPU-HeiPa", ["preset", "graphs", "geometric mean"], means)
