# SPDX-License-Identifier: MIT
"""`gpu`: warm medians on a GPU, beside GPU-HeiPa's figures and the host's threads."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from harness import figures
from harness.arguments import add_runs, add_task
from harness.instance import find_graphs
from harness.process import run as run_process
from harness.report import CsvLog, geometric_mean, print_table

if TYPE_CHECKING:
    import procmap

FIELDS = ["graph", "preset", "J", "feasible", "ms", "J_cpu", "arcs", "device_bytes", "host_ms"]
PEER_OF = {
    "im": "GPU-HeiPa IM",
    "fast": "GPU-HeiPa IM",
    "hm": "GPU-HeiPa HM",
    "hm-ultra": "GPU-HeiPa HM-ultra",
    "default": "GPU-HeiPa HM-ultra",
    "strong": "GPU-HeiPa HM-ultra",
}
FIRST_CALL = Path(__file__).with_name("first_call.py")
PROCESSES = 5  # of which each makes a first call


def run(args: argparse.Namespace) -> int:
    """Measure every preset on every graph; 1 if a mapping is infeasible or its J is wrong."""
    import procmap

    topology = procmap.Topology.hierarchy(args.hierarchy, args.distance)
    peers = _peer_figures(args)
    log = CsvLog(args.out, FIELDS)
    failed = 0
    for path in find_graphs(args.graphs, args.names):
        graph = procmap.read_graph(path)
        if args.resident:
            graph = graph.to_device(args.device)
        for preset in args.presets:
            row, _ = measure(graph, topology, preset, args)
            failed += is_wrong(row)
            host = [_host_ms(graph, topology, count, row, args) for count in args.host_threads]
            log.add({"graph": path.stem, **row, "host_ms": " ".join(map(str, host))})
            print(*log.rows[-1].values(), file=sys.stderr, flush=True)
    _print(log.rows, peers, args.host_threads)
    if args.first_call:
        _print_first_calls(args.device)
    return 1 if failed else 0


def measure(
    graph: procmap.Graph, topology: procmap.Topology, preset: str, args: argparse.Namespace
) -> tuple[dict[str, Any], procmap.Mapping]:
    """Map `args.runs` times after a first one; return what to log (ms: median) and the mapping."""
    import procmap

    options = {"imbalance": float(args.imbalance), "seed": args.seed, "device": args.device}
    ms, mapping = _median_ms(graph, topology, args.runs, {"preset": preset, **options})
    row = {
        "preset": preset,
        "J": mapping.cost,
        "feasible": int(mapping.feasible),
        "ms": ms,
        "J_cpu": procmap.evaluate(graph, mapping.blocks, topology, device="cpu").cost,
        "arcs": 2 * graph.num_edges,
        "device_bytes": mapping.stats.device_memory,
    }
    return row, mapping


def _median_ms(
    graph: procmap.Graph, topology: procmap.Topology, runs: int, options: dict[str, Any]
) -> tuple[float, procmap.Mapping]:
    """Return the median of some calls after a first one, and the mapping."""
    import procmap

    seconds = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        mapping = procmap.map(graph, topology, **options)
        seconds.append(time.perf_counter() - start)
    return round(1e3 * median(seconds[1:]), 2), mapping


def _host_ms(
    graph: procmap.Graph,
    topology: procmap.Topology,
    threads: int,
    row: dict[str, Any],
    args: argparse.Namespace,
) -> float:
    """Return the median of calls on threads of the host, which find the same mapping."""
    options = {"preset": row["preset"], "imbalance": float(args.imbalance), "seed": args.seed}
    options |= {"device": "cpu", "threads": threads}
    ms, mapping = _median_ms(graph, topology, args.runs, options)
    if mapping.cost != row["J"]:
        raise SystemExit(f"J is {mapping.cost} on the host and {row['J']} on the GPU")
    return ms


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


def _print(
    rows: list[dict[str, str]],
    peers: dict[tuple[str, str], tuple[float, float]],
    threads: list[int],
) -> None:
    header = ["graph", "preset", "ms", "J", "ns/arc", "bytes/arc", "times faster", "J / peer's J"]
    on_host = [f"{count} threads, ms" for count in threads]
    table: list[list[object]] = []
    compared: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        ms, arcs = float(row["ms"]), int(row["arcs"])
        line: list[object] = [row["graph"], row["preset"], ms, int(row["J"])]
        line += [1e6 * ms / max(arcs, 1), int(row["device_bytes"]) / max(arcs, 1)]
        peer = peers.get((row["graph"], PEER_OF.get(row["preset"], "")))
        if peer:
            pair = (peer[0] / ms, int(row["J"]) / peer[1])
            compared.setdefault(row["preset"], []).append(pair)
            line += pair
        line += [""] * (len(header) - len(line))
        table.append([*line, *map(float, row["host_ms"].split())])
    print_table("On the GPU", [*header, *on_host], table)
    _print_peers(compared)
    _print_host(rows, threads)


def _print_peers(compared: dict[str, list[tuple[float, float]]]) -> None:
    """Print the means over graphs, and the graph where a preset is the least faster."""
    header = ["preset", "peer", "graphs", "times faster", "least", "J / peer's J"]
    table = []
    for preset, pairs in compared.items():
        speedups, ratios = zip(*pairs, strict=True)
        line = [preset, PEER_OF[preset], len(pairs), geometric_mean(speedups), min(speedups)]
        table.append([*line, geometric_mean(ratios)])
    print_table("Beside GPU-HeiPa, geometric means", header, table)


def _print_host(rows: list[dict[str, str]], threads: list[int]) -> None:
    """Print how much faster the GPU is than threads of its host, and these than the first."""
    header = ["preset", *[f"GPU over {count} threads" for count in threads]]
    header += [f"{count} over {threads[0]}" for count in threads[1:]]
    table = []
    for preset in dict.fromkeys(row["preset"] for row in rows if threads):
        own = [
            (float(row["ms"]), [float(ms) for ms in row["host_ms"].split()])
            for row in rows
            if row["preset"] == preset
        ]
        over_gpu = [geometric_mean(host[i] / ms for ms, host in own) for i in range(len(threads))]
        over_first = [
            geometric_mean(host[0] / host[i] for _, host in own) for i in range(1, len(threads))
        ]
        table.append([preset, *over_gpu, *over_first])
    print_table("Threads of the host, geometric means over the graphs", header, table)


def _print_first_calls(device: str) -> None:
    """Print the times of the first and the second call of fresh processes."""
    command = [sys.executable, str(FIRST_CALL), device]
    calls = [tuple(map(float, run_process(command, None)[0].split())) for _ in range(PROCESSES)]
    first, second = (median(column) for column in zip(*calls, strict=True))
    print_table(
        f"A grid of 2,500 points, medians of {PROCESSES} processes",
        ["", "ms"],
        [["first call", 1e3 * first], ["second call", 1e3 * second]],
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `gpu`."""
    add_runs(parser)
    add_task(parser)
    parser.add_argument("--presets", nargs="+", default=["im", "hm"], help="(default: im hm)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--runs", type=int, default=5, help="after a first that does not count")
    parser.add_argument("--resident", action="store_true", help="graphs lie on the GPU already")
    parser.add_argument(
        "--host-threads", nargs="+", type=int, default=[], help="time such calls on the host, too"
    )
    parser.add_argument("--first-call", action="store_true", help="time those of fresh processes")
    parser.set_defaults(action=run)
