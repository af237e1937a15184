# SPDX-License-Identifier: MIT
"""`machines`: mappings onto machines that are no hierarchies, beside Scotch's; one task per PE."""

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
from harness.mappers import SCOTCH_STRATEGIES, SCOTCH_TARGETS, has_scotch
from harness.models import machine_name, parse_model
from harness.preset_order import print_order
from harness.process import RunError, run_child
from harness.report import CsvLog, geometric_mean, mean_results, print_runs, print_table
from harness.verify import verify

FIELDS = ["machine", "graph", "eps", "side", "seed", "J", "imbalance", "feasible"]
FIELDS += ["cpu_seconds", "status"]
SCRIPT = Path(__file__).with_name("mappers.py")
Results = dict[tuple[str, str], dict[str, tuple[float, float]]]  # (machine, graph) -> side -> J, s

STENCIL = (16, 32)  # ranks of one task per PE
STENCIL_MACHINE = "hierarchy:8x8x8"
STENCIL_BEST_KNOWN = 3_200_000  # SharedMap strong and Scotch quality


@dataclass(frozen=True)
class Side:
    """A mapper and how to call it."""

    program: str
    label: str
    options: dict[str, object]


@dataclass(frozen=True)
class Task:
    """A graph and a machine to map it onto."""

    machine: str
    path: Path
    instance: Instance
    imbalance: str


def run(args: argparse.Namespace) -> int:
    """Run all combinations, log them, compare; 1 if procmap failed or was infeasible."""
    log = CsvLog(args.out, FIELDS, args.resume)
    for path in find_graphs(args.graphs, args.names):
        instance = read_instance(path)
        for machine in args.machines:
            task = Task(machine, path, instance, args.imbalance)
            _run_all(log, task, _sides(machine, args), args)
    with tempfile.TemporaryDirectory() as folder:
        for seed in args.seeds:
            path = write_stencil(Path(folder) / f"stencil_{seed}.graph", *STENCIL, seed)
            task = Task(STENCIL_MACHINE, path, read_instance(path), "0")
            _run_all(
                log, task, _presets(args), argparse.Namespace(**{**vars(args), "seeds": [seed]})
            )
    _print(log.rows, args)
    own = [row for row in log.rows if row["side"] in args.presets]
    return 1 if any(row["status"] != "ok" or row["feasible"] != "1" for row in own) else 0


def write_stencil(path: Path, rows: int, columns: int, seed: int) -> Path:
    """Write the periodic stencil of shuffled ranks that exchange 100 with each of 4 neighbours."""
    n = rows * columns
    rank = np.random.default_rng(seed).permutation(n).reshape(rows, columns)
    neighbours = np.empty((n, 4), np.int64)
    neighbours[rank.ravel()] = np.stack(
        [np.roll(rank, step, axis).ravel() for axis in (0, 1) for step in (1, -1)], axis=1
    )
    lines = [" ".join(f"{u + 1} 100" for u in sorted(row)) for row in neighbours.tolist()]
    path.write_text("\n".join([f"{n} {2 * n} 001", *lines, ""]))
    return path


def _presets(args: argparse.Namespace) -> list[Side]:
    return [Side("procmap", preset, {"preset": preset}) for preset in args.presets]


def _sides(machine: str, args: argparse.Namespace) -> list[Side]:
    sides = _presets(args)
    targets = SCOTCH_TARGETS.get(machine.partition(":")[0], [])
    if args.scotch and has_scotch():
        sides += [
            Side("scotch", f"Scotch {target} {strategy}", {"target": target, "strategy": strategy})
            for target, strategy in product(targets, SCOTCH_STRATEGIES)
        ]
    return sides


def _run_all(log: CsvLog, task: Task, sides: list[Side], args: argparse.Namespace) -> None:
    """Measure what is not in the log yet."""
    done = {(row["machine"], row["graph"], row["side"], row["seed"]) for row in log.rows}
    for seed, side in product(args.seeds, sides):
        if (task.machine, task.path.stem, side.label, str(seed)) not in done:
            log.add(_measure(task, side, seed, args.timeout))
            print(" ".join(log.rows[-1].values()), file=sys.stderr, flush=True)


def _measure(task: Task, side: Side, seed: int, timeout: float | None) -> dict[str, object]:
    """Map once in a fresh process and judge the blocks; return the row of the log."""
    row: dict[str, object] = {"machine": task.machine, "graph": task.path.stem}
    row |= {"eps": task.imbalance, "side": side.label, "seed": seed}
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder) / "blocks.npy"
        options: dict[str, object] = {"machine": task.machine, "imbalance": task.imbalance}
        options |= {**side.options, "seed": seed, "blocks": saved}
        try:
            report = run_child(side.program, task.path, options, timeout, True, SCRIPT)
            model = parse_model(task.machine)
            verdict = verify(task.instance, np.load(saved), model, task.imbalance)
        except (RunError, ValueError) as error:
            return {**row, "status": str(error)}
    return {
        **row,
        "J": verdict.cost,
        "imbalance": verdict.imbalance,
        "feasible": verdict.feasible,
        "cpu_seconds": report["cpu_seconds"],
        "status": "ok",
    }


def _print(rows: list[dict[str, str]], args: argparse.Namespace) -> None:
    results = mean_results(
        rows, lambda row: (row["machine"], row["graph"]), "side", "J", "cpu_seconds"
    )
    for machine, preset in product(args.machines, args.presets):
        _print_ratios(machine, preset, results)
    print_order(rows, args.machines)
    stencils = {key: found for key, found in results.items() if key[0] == STENCIL_MACHINE}
    print_table(
        f"One task per PE: stencil of {STENCIL[0]} x {STENCIL[1]} ranks, {STENCIL_MACHINE}, "
        f"best known {STENCIL_BEST_KNOWN:,}",
        ["preset and shuffle", "J", "CPU s"],
        [
            [f"{preset} {graph}", round(cost), seconds]
            for (_, graph), found in stencils.items()
            for preset, (cost, seconds) in found.items()
        ],
    )
    print_runs(rows)


def _print_ratios(machine: str, preset: str, results: Results) -> None:
    """J of a preset over that of Scotch, as it comes and at its best, with CPU seconds."""
    usual = f"Scotch {SCOTCH_TARGETS[machine.partition(':')[0]][0]} default"
    table: list[list[object]] = []
    ratios: list[tuple[float, float]] = []
    for (where, graph), found in results.items():
        if where != machine or preset not in found:
            continue
        cost, seconds = found[preset]
        peers = {side: values for side, values in found.items() if side.startswith("Scotch")}
        row: list[object] = [graph, round(cost), seconds]
        if usual in peers:
            best = min(peers, key=lambda side: peers[side][0])
            ratios.append((cost / peers[usual][0], cost / peers[best][0]))
            row += [ratios[-1][0], peers[usual][1], ratios[-1][1], peers[best][1]]
            row.append(best.removeprefix("Scotch "))
        table.append(row)
    header = ["graph", f"{preset} J", "CPU s"]
    if ratios:
        header += ["J / Scotch", "its CPU s", "J / its best", "its CPU s", "which"]
        means = [geometric_mean(column) for column in zip(*ratios, strict=True)]
        table.append(["geometric mean", None, None, means[0], None, means[1], None, None])
    print_table(f"{preset} on {machine}", header, table)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `machines`."""
    add_runs(parser)
    parser.add_argument(
        "--machines",
        nargs="+",
        type=machine_name,
        default=["torus:8x8x8", "dragonfly:9x8x4"],
        help="the second is groups x routers x PEs (default: torus:8x8x8 dragonfly:9x8x4)",
    )
    parser.add_argument("--imbalance", default="0.03", help="(default: %(default)s)")
    parser.add_argument("--presets", nargs="+", default=["default"], help="(default: default)")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1], help="(default: 1)")
    parser.add_argument(
        "--scotch",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="Scotch too, if scotchpy64 is installed",
    )
    parser.add_argument(
        "--resume", action="store_true", help="continue --out; with all runs there, only print"
    )
    parser.set_defaults(action=run)
