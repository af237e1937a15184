# SPDX-License-Identifier: MIT
"""`ranks`: J and cut of graphs that several ranks of MPI hold, against one machine and PT-Scotch.

J of `procmap.distributed.map` stands beside that of `procmap.map`; the cut of
`procmap.distributed.partition` beside those of `procmap.partition` and of PT-Scotch's dgpart.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness.arguments import add_runs, add_task
from harness.instance import Instance, find_graphs, read_instance
from harness.process import RunError, report_in, run_child
from harness.process import run as run_command
from harness.report import CsvLog, geometric_mean, mean_results, print_runs, print_table
from harness.scotch_files import read_mapping, write_graph
from harness.verify import Machine, verify

FIELDS = ["graph", "arcs", "task", "side", "seed", "value", "imbalance", "feasible"]
FIELDS += ["seconds", "status"]
PROGRAM = Path(__file__).with_name("rank_program.py")
ONE, SEVERAL, SCOTCH = "one machine", "ranks", "PT-Scotch"
Blocks = NDArray[np.int32]


@dataclass(frozen=True)
class Problem:
    """A graph, a machine and a seed."""

    path: Path
    instance: Instance
    machine: Machine
    seed: int


Way = Callable[[Problem, Path], tuple[Blocks, float]]


def run(args: argparse.Namespace) -> int:
    """Run everything, log it, compare; 1 if procmap failed or was infeasible."""
    log = CsvLog(args.out, FIELDS, args.resume)
    done = {(row["graph"], row["task"], row["side"], row["seed"]) for row in log.rows}
    tasks = {
        "map": Machine.parse(args.hierarchy, args.distance),
        "partition": Machine((args.k,), (1,)),
    }
    for path in find_graphs(args.graphs, args.names):
        instance = read_instance(path)
        for (task, machine), seed in product(tasks.items(), args.seeds):
            for side, way in _ways(args, task).items():
                if (path.stem, task, side, str(seed)) in done:
                    continue
                row = {"graph": path.stem, "arcs": len(instance.heads), "task": task}
                row |= {"side": side, "seed": seed}
                problem = Problem(path, instance, machine, seed)
                log.add(row | _judged(way, problem, args.imbalance))
                print(" ".join(log.rows[-1].values()), file=sys.stderr, flush=True)
    _print_ratios(log.rows, args)
    print_runs(log.rows)
    own = [row for row in log.rows if row["side"] != SCOTCH]
    return 1 if any(row["status"] != "ok" or row["feasible"] != "1" for row in own) else 0


def _ways(args: argparse.Namespace, task: str) -> dict[str, Way]:
    """Return who does a task, and how each is called: blocks and seconds of a problem."""

    def one(problem: Problem, folder: Path) -> tuple[Blocks, float]:
        saved = folder / "blocks.npy"
        options = _options(args, problem) | {"threads": 1, "blocks": saved}
        report = run_child("map", problem.path, options, args.timeout, True)
        return np.load(saved), float(report["seconds"])

    def several(problem: Problem, folder: Path) -> tuple[Blocks, float]:
        saved = folder / "blocks.npy"
        command = [*_mpiexec(args), sys.executable, str(PROGRAM), str(problem.path)]
        options = _options(args, problem) | {"ranks": args.ranks}
        options |= {"share": args.share, "blocks": saved}
        for name, value in options.items():
            command += [f"--{name}", str(value)]
        output, _ = run_command(command, args.timeout, {"OMP_NUM_THREADS": "1"})
        return np.load(saved), float(report_in(output)["seconds"])

    def scotch(problem: Problem, folder: Path) -> tuple[Blocks, float]:
        source, found = folder / "graph.grf", folder / "found.map"
        write_graph(source, problem.instance)
        command = [*_mpiexec(args), "dgpart", str(problem.machine.num_blocks)]
        command += [str(source), str(found), "-Cf", f"-b{args.imbalance}", "-vt"]
        output, _ = run_command(command, args.timeout)
        return read_mapping(found), _longest(output)

    ways: dict[str, Way] = {ONE: one, SEVERAL: several}
    if task == "partition" and shutil.which("dgpart") is not None:
        ways[SCOTCH] = scotch
    return ways


def _options(args: argparse.Namespace, problem: Problem) -> dict[str, object]:
    """Return what every call of procmap is told."""
    return {
        "hierarchy": ":".join(map(str, problem.machine.fan_out)),
        "distance": ":".join(map(str, problem.machine.distances)),
        "imbalance": args.imbalance,
        "preset": args.preset,
        "seed": problem.seed,
    }


def _mpiexec(args: argparse.Namespace) -> list[str]:
    return [*args.mpiexec.split(), "-n", str(args.ranks)]


def _longest(output: str) -> float:
    """Return the seconds of the slowest rank that dgpart prints."""
    for line in output.splitlines():
        if "Mapping" in line and "max=" in line:
            return float(line.split("max=")[1].split()[0])
    raise RunError(f"no time in {output[-200:]!r}")


def _judged(way: Way, problem: Problem, imbalance: str) -> dict[str, object]:
    """Have a mapping made and recompute what it costs."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            blocks, seconds = way(problem, Path(folder))
            verdict = verify(problem.instance, blocks, problem.machine, imbalance)
        except (RunError, ValueError) as error:
            return {"status": str(error)}
    return {
        "value": verdict.cost if len(problem.machine.fan_out) > 1 else verdict.edge_cut,
        "imbalance": verdict.imbalance,
        "feasible": verdict.feasible,
        "seconds": seconds,
        "status": "ok",
    }


def _print_ratios(rows: list[dict[str, str]], args: argparse.Namespace) -> None:
    """Per graph and in the mean, what ranks make over what the others do."""
    results = mean_results(
        rows, lambda row: (row["graph"], row["task"]), "side", "value", "seconds"
    )
    arcs = {row["graph"]: int(row["arcs"]) for row in rows}
    columns = [("map", ONE), ("partition", ONE), ("partition", SCOTCH)]
    table: list[list[object]] = []
    ratios: list[list[float]] = [[] for _ in columns]
    for graph, count in arcs.items():
        cells: list[object] = [graph, count]
        for (task, other), column in zip(columns, ratios, strict=True):
            found = results.get((graph, task), {})
            if SEVERAL not in found or other not in found:
                cells.append(None)
                continue
            ratio = found[SEVERAL][0] / found[other][0]
            column.append(ratio)
            cells.append(ratio)
        table.append(cells)
    table.append(["geometric mean", None, *(geometric_mean(column) for column in ratios)])
    print_table(
        f"{args.ranks} ranks, each of which may gather {args.share:.0%} of the arcs, over others: "
        f"J at {args.hierarchy}, {args.distance}; cut into {args.k} blocks",
        ["graph", "arcs", "J / one machine", "cut / one machine", "cut / PT-Scotch"],
        table,
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `ranks`."""
    add_runs(parser)
    add_task(parser)
    parser.add_argument("--ranks", type=int, default=4, help="(default: 4)")
    parser.add_argument(
        "--mpiexec",
        default="mpiexec.openmpi --allow-run-as-root --oversubscribe",
        metavar="CMD",
        help="without -n (default: %(default)s)",
    )
    parser.add_argument(
        "--share",
        type=float,
        default=0.25,
        help="of the arcs that one rank may gather (default: 0.25)",
    )
    parser.add_argument("--k", type=int, default=32, help="blocks of partitions (default: 32)")
    parser.add_argument("--preset", default="default")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0], help="(default: 0)")
    parser.add_argument(
        "--resume", action="store_true", help="continue --out; with all runs there, only print"
    )
    parser.set_defaults(action=run)
