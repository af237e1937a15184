# SPDX-License-Identifier: MIT
"""`partition`: edge cuts of procmap's presets and of other partitioners, every one verified."""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from harness.arguments import add_runs
from harness.instance import Instance, find_graphs, read_instance
from harness.partitioners import installed
from harness.process import RunError, run_child
from harness.report import CsvLog, geometric_mean, mean_results, print_runs, print_table
from harness.verify import Machine, verify

FIELDS = ["graph", "k", "eps", "side", "seed", "edge_cut", "imbalance", "feasible"]
FIELDS += ["seconds", "status"]
SCRIPT = Path(__file__).with_name("partitioners.py")
Results = dict[tuple[str, int], dict[str, tuple[float, float]]]  # (graph, k) -> side -> cut, s


@dataclass(frozen=True)
class Side:
    """A partitioner; `preset` is one of procmap's."""

    program: str
    preset: str | None = None

    @property
    def label(self) -> str:
        """The name in logs and tables."""
        return self.preset or self.program


def run(args: argparse.Namespace) -> int:
    """Run all combinations, log them, compare; 1 if procmap failed or was infeasible."""
    log = CsvLog(args.out, FIELDS, args.resume)
    done = {(row["graph"], row["k"], row["side"], row["seed"]) for row in log.rows}
    sides = _sides(args)
    for path in find_graphs(args.graphs, args.names):
        todo = [
            (k, side, seed)
            for k, seed, side in product(args.k, args.seeds, sides)
            if (path.stem, str(k), side.label, str(seed)) not in done
        ]
        instance = read_instance(path) if todo else None
        for k, side, seed in todo:
            assert instance is not None
            log.add(_measure(path, instance, k, side, seed, args))
            print(" ".join(log.rows[-1].values()), file=sys.stderr, flush=True)
    _print_ratios(log.rows, args.presets, sides)
    print_runs(log.rows)
    own = [row for row in log.rows if row["side"] in args.presets]
    return 1 if any(row["status"] != "ok" or row["feasible"] != "1" for row in own) else 0


def _sides(args: argparse.Namespace) -> list[Side]:
    peers = args.peers if args.peers is not None else [p for p in installed() if p != "procmap"]
    return [Side("procmap", preset) for preset in args.presets] + [Side(peer) for peer in peers]


def _measure(
    path: Path, instance: Instance, k: int, side: Side, seed: int, args: argparse.Namespace
) -> dict[str, object]:
    """Partition once in a fresh process and judge the blocks; return the row of the log."""
    row: dict[str, object] = {"graph": path.stem, "k": k, "eps": args.imbalance}
    row |= {"side": side.label, "seed": seed}
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder) / "blocks.npy"
        options: dict[str, object] = {"k": k, "imbalance": args.imbalance, "seed": seed}
        options |= {"preset": side.preset, "blocks": saved}
        try:
            report = run_child(side.program, path, options, args.timeout, True, SCRIPT)
            verdict = verify(instance, np.load(saved), Machine((k,), (1,)), args.imbalance)
        except (RunError, ValueError) as error:
            return {**row, "status": str(error)}
    return {
        **row,
        "edge_cut": verdict.edge_cut,
        "imbalance": verdict.imbalance,
        "feasible": verdict.feasible,
        "seconds": report["seconds"],
        "status": "ok",
    }


def _means(rows: list[dict[str, str]]) -> Results:
    """Mean cut and seconds over the seeds."""
    return mean_results(
        rows, lambda row: (row["graph"], int(row["k"])), "side", "edge_cut", "seconds"
    )


def _print_ratios(rows: list[dict[str, str]], presets: list[str], sides: list[Side]) -> None:
    """Geometric means of a preset's cut and seconds over those of every other side."""
    results = _means(rows)
    ks = sorted({k for _, k in results})
    for preset in presets:
        table = []
        for side in sides:
            if side.label == preset:
                continue
            for column, what in enumerate(("cut", "seconds")):
                ratios = {
                    key: found[preset][column] / found[side.label][column]
                    for key, found in results.items()
                    if preset in found and side.label in found
                }
                cells = [geometric_mean(r for (_, k), r in ratios.items() if k == kk) for kk in ks]
                table.append([side.label, what, *cells, geometric_mean(ratios.values())])
        graphs = len({graph for graph, _ in results})
        print_table(
            f"{preset} over every other side, geometric means over {graphs} graphs",
            ["side", "", *(f"k = {k}" for k in ks), "all"],
            table,
        )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `partition`."""
    add_runs(parser)
    parser.add_argument(
        "--k", nargs="+", type=int, default=[2, 8, 32, 128, 512], help="(default: 2 8 32 128 512)"
    )
    parser.add_argument("--imbalance", default="0.03", help="(default: %(default)s)")
    parser.add_argument("--presets", nargs="*", default=["default"], help="(default: default)")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1], help="(default: 1)")
    parser.add_argument(
        "--peers",
        nargs="*",
        metavar="PACKAGE",
        help="of pymetis, kaminpar, mtkahypar (default: those installed)",
    )
    parser.add_argument(
        "--resume", action="store_true", help="continue --out; with all runs there, only print"
    )
    parser.set_defaults(action=run)
