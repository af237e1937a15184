# SPDX-License-Identifier: MIT
"""`weights`: cuts and J of graphs whose vertices have several weights, beside those of METIS.

Where METIS exceeds the imbalance that is asked for, both get `--wider` as well, and are compared
there if METIS keeps that. Every mapping is judged here, weight by weight.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import generate
import numpy as np
from numpy.typing import NDArray

from harness.arguments import add_runs, add_task
from harness.instance import Instance, find_graphs, read_instance
from harness.process import RunError, run_child
from harness.report import CsvLog, geometric_mean, print_runs, print_table
from harness.several import metis_library
from harness.verify import Machine, verify
from harness.weight_sets import WEIGHT_SETS, make_weights

FIELDS = ["graph", "weights", "count", "k", "eps", "task", "side", "cut", "J", "imbalance"]
FIELDS += ["feasible", "cpu_seconds", "status"]
KEY = FIELDS[:7]
SCRIPT = Path(__file__).with_name("several.py")
METIS = "METIS"
IRREGULAR = ("traffic_13", "pref_13", "rmat_13", "netl_13", "netl_15")
REGULAR = ("del_12", "rgg_14", "fem3d_12", "dual3d_14", "road_16")
QUICK = (("pref_13", "del_12"), (2,), (8, 64))  # graphs, numbers of weights, k
Row = dict[str, str]


@dataclass(frozen=True)
class Problem:
    """A graph with weights."""

    path: Path
    instance: Instance
    saved: Path
    weights: NDArray[np.int64]


def run(args: argparse.Namespace) -> int:
    """Run everything, log it, compare; 1 if procmap failed, or METIS alone was feasible."""
    if args.quick:
        args.names, args.counts, args.k = (list(values) for values in QUICK)
    log = CsvLog(args.out, FIELDS, args.resume)
    for path in _graphs(args):
        instance = read_instance(path)
        for name, count in product(args.sets, args.counts):
            with tempfile.TemporaryDirectory() as folder:
                weights = make_weights(name, instance, count)
                problem = Problem(path, instance, Path(folder) / "weights.npy", weights)
                np.save(problem.saved, weights)
                _run_problem(log, problem, {"weights": name, "count": count}, args)
    _print_tables(log.rows, args)
    return 1 if any(row["status"] != "ok" for row in log.rows) or _missed(log.rows, args) else 0


def _graphs(args: argparse.Namespace) -> list[Path]:
    """Return the files of the graphs; those that can be generated and are missing are written."""
    names = args.names or [*IRREGULAR, *REGULAR]
    args.graphs.mkdir(parents=True, exist_ok=True)
    for name in names:
        if not (args.graphs / f"{name}.graph").is_file():
            generate.generate(name, args.graphs)
    return find_graphs(args.graphs, names)


def _run_problem(
    log: CsvLog, problem: Problem, what: dict[str, object], args: argparse.Namespace
) -> None:
    """Have all sides solve a problem; J where k is that of the machine."""
    machine = Machine.parse(args.hierarchy, args.distance)
    for k in args.k:
        sides = [("cut", METIS)] if args.metis else []
        sides += [("cut", preset) for preset in args.presets]
        if k == machine.num_blocks:
            sides += [("J", preset) for preset in args.presets]
        row = {"graph": problem.path.stem, **what, "k": k, "eps": args.imbalance}
        found = [_measure(log, problem, row, side, machine, args) for side in sides]
        if args.metis and found[0]["feasible"] == "0":
            for side in sides:
                _measure(log, problem, {**row, "eps": args.wider}, side, machine, args)


def _measure(
    log: CsvLog,
    problem: Problem,
    what: dict[str, object],
    side: tuple[str, str],
    machine: Machine,
    args: argparse.Namespace,
) -> Row:
    """Solve once in a fresh process unless the log has it; return the row of the log."""
    row: dict[str, object] = {**what, "task": side[0], "side": side[1]}
    for old in log.rows:
        if all(old[name] == str(row[name]) for name in KEY):
            return old
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder) / "blocks.npy"
        options = {"k": row["k"], "imbalance": row["eps"], "seed": args.seed, "blocks": saved}
        options |= {"weights": problem.saved}
        if side[1] != METIS:
            options["preset"] = side[1]
        if side[0] == "J":
            options |= {"hierarchy": args.hierarchy, "distance": args.distance}
        program = "metis" if side[1] == METIS else "procmap"
        try:
            report = run_child(program, problem.path, options, args.timeout, True, SCRIPT)
            row |= _judged(problem, np.load(saved), row, machine)
            row |= {"cpu_seconds": report["cpu_seconds"], "status": "ok"}
        except (RunError, ValueError) as error:
            row["status"] = str(error)
    log.add(row)
    print(" ".join(log.rows[-1].values()), file=sys.stderr, flush=True)
    return log.rows[-1]


def _judged(
    problem: Problem, blocks: NDArray[np.int32], row: dict[str, object], machine: Machine
) -> dict[str, object]:
    """Recompute what a mapping costs, and the balance of every weight."""
    k = int(str(row["k"]))
    here = machine if k == machine.num_blocks else Machine((k,), (1,))
    verdicts = [
        verify(
            dataclasses.replace(problem.instance, vertex_weights=w), blocks, here, str(row["eps"])
        )
        for w in problem.weights.T.copy()
    ]
    return {
        "cut": verdicts[0].edge_cut,
        "J": verdicts[0].cost if here is machine else None,
        "imbalance": max(verdict.imbalance for verdict in verdicts),
        "feasible": all(verdict.feasible for verdict in verdicts),
    }


def _instances(rows: list[Row]) -> dict[tuple[str, ...], dict[tuple[str, str, str], Row]]:
    """Results by graph, set of weights, their number and k; then by imbalance, task and side."""
    found: dict[tuple[str, ...], dict[tuple[str, str, str], Row]] = {}
    for row in rows:
        if row["status"] == "ok":
            key = tuple(row[name] for name in KEY[:4])
            found.setdefault(key, {})[row["eps"], row["task"], row["side"]] = row
    return found


def _feasible(row: Row | None) -> Row | None:
    """Return the row if every weight of every block is within its limit."""
    return row if row is not None and row["feasible"] == "1" else None


def _missed(rows: list[Row], args: argparse.Namespace) -> bool:
    """Whether METIS was feasible where a preset was not."""
    return any(
        _feasible(found.get((args.imbalance, "cut", METIS)))
        and not _feasible(found.get((args.imbalance, "cut", preset)))
        for found in _instances(rows).values()
        for preset in args.presets
    )


def _compared(
    found: dict[tuple[str, str, str], Row], preset: str, args: argparse.Namespace
) -> dict[str, float]:
    """Cut, J and time over METIS's at the first imbalance that both keep."""
    for eps in (args.imbalance, args.wider):
        own = _feasible(found.get((eps, "cut", preset)))
        other = _feasible(found.get((eps, "cut", METIS)))
        if own is None or other is None:
            continue
        ratios = {"cut": max(1, int(own["cut"])) / max(1, int(other["cut"]))}
        ratios["time"] = float(own["cpu_seconds"]) / max(1e-4, float(other["cpu_seconds"]))
        mapped = _feasible(found.get((eps, "J", preset)))
        if mapped is not None:
            ratios["J"] = max(1, int(mapped["J"])) / max(1, int(other["J"]))
        return ratios
    return {}


def _print_tables(rows: list[Row], args: argparse.Namespace) -> None:
    """How often every side is feasible, and every preset over METIS, by k, weights and graph."""
    instances = _instances(rows)
    sides = dict.fromkeys(row["side"] for row in rows)
    table: list[list[object]] = []
    for side in sides:
        cells: list[object] = [side, len(instances)]
        for eps in (args.imbalance, args.wider):
            known = [found.get((eps, "cut", side)) for found in instances.values()]
            cells.append(sum(_feasible(row) is not None for row in known))
        table.append(cells)
    header = ["side", "instances", f"feasible at {args.imbalance}"]
    print_table(
        f"Feasible partitions; at {args.wider} only instances count where METIS exceeds "
        f"{args.imbalance}",
        [*header, f"then at {args.wider}"],
        table,
    )
    for preset in args.presets:
        ratios = {key: _compared(found, preset, args) for key, found in instances.items()}
        _print_ratios(preset, ratios)
    print_runs(rows)


def _print_ratios(preset: str, ratios: dict[tuple[str, ...], dict[str, float]]) -> None:
    """Geometric means of a preset's cut, J and time over METIS's, by what instances share."""
    ratios = {key: ratio for key, ratio in ratios.items() if ratio}
    table: list[list[object]] = []

    def add(label: str, chosen: Iterable[dict[str, float]]) -> None:
        some = list(chosen)
        means = [geometric_mean(r[name] for r in some if name in r) for name in ("cut", "J")]
        worst = max((r["cut"] for r in some), default=None)
        table.append([label, len(some), means[0], worst, means[1]])
        table[-1].append(geometric_mean(r["time"] for r in some))

    for place, name in ((3, "k"), (2, "weights"), (1, "set"), (0, "graph")):
        for value in dict.fromkeys(key[place] for key in ratios):
            add(f"{name} {value}", (r for key, r in ratios.items() if key[place] == value))
    add("all", ratios.values())
    if ratios:
        header = ["", "instances", "cut", "largest", "J", "CPU time"]
        print_table(f"{preset} over METIS where both are feasible, geometric means", header, table)


def metis_is_installed() -> bool:
    """Whether METIS can be called."""
    try:
        metis_library()
    except OSError:
        return False
    return True


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `weights`."""
    add_runs(parser)
    add_task(parser)
    parser.add_argument(
        "--k", nargs="+", type=int, default=[8, 64, 192], help="blocks (default: 8 64 192)"
    )
    parser.add_argument("--wider", default="0.05", help="where METIS needs it (default: 0.05)")
    parser.add_argument(
        "--sets",
        nargs="+",
        choices=list(WEIGHT_SETS),
        default=list(WEIGHT_SETS),
        help="of weights (default: all)",
    )
    parser.add_argument(
        "--counts",
        nargs="+",
        type=int,
        choices=[2, 3],
        default=[2, 3],
        help="weights of a vertex (default: 2 3)",
    )
    parser.add_argument("--presets", nargs="*", default=["default"], help="(default: default)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--metis",
        action=argparse.BooleanOptionalAction,
        default=metis_is_installed(),
        help="beside METIS (default: if libmetis is installed)",
    )
    parser.add_argument("--quick", action="store_true", help="two graphs, two weights, k = 8, 64")
    parser.add_argument(
        "--resume", action="store_true", help="continue --out; with all runs there, only print"
    )
    parser.set_defaults(action=run)
