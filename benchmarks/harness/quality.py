# SPDX-License-Identifier: MIT
"""`quality`: presets x graphs x seeds, every mapping verified, held against other programs."""

from __future__ import annotations

import argparse
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from harness import figures
from harness.arguments import add_runs, add_task
from harness.instance import Instance, find_graphs, read_header, read_instance
from harness.process import RunError, run_child
from harness.report import CsvLog, geometric_mean, print_table
from harness.verify import Machine, verify

FIELDS = [
    "graph",
    "n",
    "m",
    "hierarchy",
    "distance",
    "eps",
    "preset",
    "seed",
    "threads",
    "J",
    "edge_cut",
    "heaviest",
    "capacity",
    "imbalance",
    "feasible",
    "seconds",
    "cpu_seconds",
    "read_seconds",
    "peak_bytes",
    "status",
]


def run(args: argparse.Namespace) -> int:
    """Run all combinations, log them, compare; return 1 if any mapping is wrong or infeasible."""
    log = CsvLog(args.out, FIELDS, args.resume)
    done = {(row["graph"], row["preset"], row["seed"]) for row in log.rows}
    for path in find_graphs(args.graphs, args.names):
        todo = [
            (p, s)
            for p, s in product(args.presets, args.seeds)
            if (path.stem, p, str(s)) not in done
        ]
        instance = read_instance(path) if todo else None
        for preset, seed in todo:
            assert instance is not None
            log.add(_measure(path, instance, preset, seed, args))
            print(_progress(log.rows[-1]), file=sys.stderr, flush=True)
    missed = _compare(log.rows, args)
    wrong = [row for row in log.rows if row["status"] != "ok" or row["feasible"] != "1"]
    print(f"\n{len(log.rows)} runs, {len(wrong)} failed, wrong or infeasible.")
    for row in wrong:
        print("  " + _progress(row))
    return 1 if wrong or (missed and args.strict) else 0


def _measure(
    path: Path, instance: Instance, preset: str, seed: int, args: argparse.Namespace
) -> dict[str, object]:
    """Map once in a fresh process; return the row of the log."""
    header = read_header(path)
    task: dict[str, object] = {
        "hierarchy": args.hierarchy,
        "distance": args.distance,
        "preset": preset,
        "seed": seed,
        "threads": args.threads,
    }
    row = {
        **task,
        "graph": path.stem,
        "n": header.num_vertices,
        "m": header.num_edges,
        "eps": args.imbalance,
    }
    try:
        return {**row, **_map_and_verify(path, instance, task, args)}
    except (RunError, ValueError) as error:
        return {**row, "status": str(error)}


def _map_and_verify(
    path: Path, instance: Instance, task: dict[str, object], args: argparse.Namespace
) -> dict[str, object]:
    """Recompute everything that the measured process claims about its mapping."""
    machine = Machine.parse(args.hierarchy, args.distance)
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder) / "blocks.npy"
        options = {**task, "imbalance": args.imbalance, "blocks": saved}
        report = run_child("map", path, options, args.timeout)
        verdict = verify(instance, np.load(saved), machine, args.imbalance)
    measured = ("seconds", "cpu_seconds", "read_seconds", "peak_bytes")
    return {
        "J": verdict.cost,
        "edge_cut": verdict.edge_cut,
        "heaviest": verdict.heaviest,
        "capacity": verdict.capacity,
        "imbalance": verdict.imbalance,
        "feasible": verdict.feasible,
        **{field: report[field] for field in measured},
        "status": _agreement(report, verdict.cost, verdict.feasible),
    }


def _agreement(report: dict[str, Any], cost: int, feasible: bool) -> str:
    """Return `ok`, or what procmap reports differently from the recomputation."""
    if report["cost"] != cost:
        return f"reported cost {report['cost']}, recomputed {cost}"
    if report["feasible"] != feasible:
        return f"reported feasible={report['feasible']}, recomputed {feasible}"
    return "ok"


def _progress(row: dict[str, str]) -> str:
    return " ".join(
        f"{field}={row[field]}"
        for field in ("graph", "preset", "seed", "J", "feasible", "seconds", "status")
    )


def _compare(rows: list[dict[str, str]], args: argparse.Namespace) -> int:
    """Print J per graph, geometric means and targets; return the number of targets missed."""
    own = figures.mean_costs(rows)
    files = [figures.GPU_HEIPA, *args.baselines]
    peers = figures.load_peers(files, args.hierarchy, args.distance, args.imbalance)
    targets = figures.load_targets(args.targets)
    _print_costs(rows, own, peers, targets)
    _print_means(own, peers)
    outcomes = [figures.judge(target, own, peers) for target in targets if target.preset in own]
    table = [
        (
            o.target.preset,
            o.target.peer,
            o.target.limit,
            o.ratio,
            o.worst,
            o.verdict,
            " ".join(o.missing),
        )
        for o in outcomes
    ]
    print_table(
        "Targets (J over the peer's J)",
        ["preset", "peer", "limit", "measured", "worst", "verdict", "missing"],
        table,
    )
    return sum(not outcome.met for outcome in outcomes)


def _print_costs(
    rows: list[dict[str, str]],
    own: figures.Costs,
    peers: figures.Costs,
    targets: list[figures.Target],
) -> None:
    """One line per graph: mean J of each preset and its ratio to the peers of the targets."""
    presets = [preset for preset in dict.fromkeys(row["preset"] for row in rows) if preset in own]
    pairs = [(t.preset, t.peer) for t in targets if t.preset in presets and t.peer in peers]
    header = ["graph", *presets, *(f"{preset} / {peer}" for preset, peer in pairs)]
    table = []
    for graph in dict.fromkeys(row["graph"] for row in rows):
        means = [own[preset].get(graph) for preset in presets]
        shown = [None if mean is None else round(mean) for mean in means]
        against = [figures.ratios(own[preset], peers[peer]).get(graph) for preset, peer in pairs]
        table.append([graph, *shown, *against])
    print_table("Mean J over the seeds", header, table)


def _print_means(own: figures.Costs, peers: figures.Costs) -> None:
    """One line per peer: geometric mean of J ratios and the number of graphs in it."""
    table = []
    for peer in sorted(peers):
        cells: list[object] = [peer]
        for preset in own:
            found = figures.ratios(own[preset], peers[peer])
            cells += [geometric_mean(found.values()), len(found)]
        if any(cells[2::2]):
            table.append(cells)
    header = ["peer", *(text for preset in own for text in (preset, "graphs"))]
    print_table("Geometric mean of J over the peer's J, on all common graphs", header, table)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `quality`."""
    add_runs(parser)
    add_task(parser)
    parser.add_argument("--presets", nargs="+", default=["fast"], help="(default: fast)")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1], help="(default: 1)")
    parser.add_argument("--threads", type=int, help="threads of procmap (default: its own choice)")
    parser.add_argument(
        "--baselines", nargs="+", type=Path, default=[], metavar="CSV", help="figures of more peers"
    )
    parser.add_argument("--targets", type=Path, default=figures.TARGETS, metavar="CSV")
    parser.add_argument(
        "--resume", action="store_true", help="continue --out; with all runs there, only print"
    )
    parser.add_argument("--strict", action="store_true", help="fail if a target is missed")
    parser.set_defaults(action=run)
