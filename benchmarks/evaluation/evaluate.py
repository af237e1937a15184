# SPDX-License-Identifier: MIT
"""`evaluate`: run what the log does not have yet, judge every mapping, one line per run."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from harness.instance import read_header, read_instance
from harness.process import RunError
from harness.results import ROOT, commit_of, machine
from harness.verify import verify

from evaluation import instance_sets, sides
from evaluation.instance_sets import Entry, MissingGraph
from evaluation.limited import Limits, Worker
from evaluation.problem import Problem, Task
from evaluation.run_log import RunLog
from evaluation.sides import Side
from evaluation.suites import IMBALANCE, SUITES, Suite, threads_of, with_machines


@dataclass(frozen=True)
class Plan:
    """What one start runs."""

    suites: list[Suite]
    entries: list[Entry]
    presets: list[Side]
    rivals: list[Side]
    seeds: list[int]
    slow_seeds: list[int]
    threads: int
    device: str
    cores: int


def run(args: argparse.Namespace) -> int:
    """Run everything, print progress; 1 if a run of procmap failed or was infeasible."""
    plan, missing = _plan(args)
    log = RunLog(args.out, args.retry)
    log.add(_session(plan, args, missing))
    bad = 0
    for suite, entry, side in parts(plan):
        try:
            path = instance_sets.locate(entry, args.graphs, args.also)
        except MissingGraph as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        bad += _run_part(suite, entry, side, path, plan, args, log)
    print(f"{args.out}: {bad} runs of procmap failed or are infeasible")
    return 1 if bad else 0


def parts(plan: Plan) -> Iterator[tuple[Suite, Entry, Side]]:
    """Yield what one worker does: a program on a graph, all machines and seeds."""
    for suite in plan.suites:
        if plan.device.partition(":")[0] not in suite.devices:
            continue
        own = [Entry(name, "regular", "generated", None, None) for name in suite.graphs]
        for entry, side in product(own or plan.entries, _sides(suite, plan)):
            yield suite, entry, side


def tasks(suite: Suite, side: Side, plan: Plan) -> list[Task]:
    """Return the calls of a program on a graph."""
    seeds = plan.slow_seeds if side.slow else plan.seeds
    seeds = seeds if suite.seeds is None else list(suite.seeds)
    threads = threads_of(suite, plan.threads, plan.cores)
    return [
        Task(hierarchy, distance, IMBALANCE, seed, count, plan.device)
        for count, seed, (hierarchy, distance) in product(threads, seeds, suite.machines)
    ]


def _sides(suite: Suite, plan: Plan) -> list[Side]:
    found = []
    for all_of_them, wanted in ((plan.presets, suite.presets), (plan.rivals, suite.rivals)):
        found += [
            side
            for side in all_of_them
            if wanted is None or side.label in wanted or side.adapter == "command"
        ]
    return found


def _plan(args: argparse.Namespace) -> tuple[Plan, dict[str, str]]:
    """Return what is to be run, and which programs cannot be; raises ValueError if unknown."""
    installed, missing = sides.rivals_of(args.rivals_python)
    rivals = [] if args.device != "cpu" else sides.choose(args.rivals, installed)
    own = [side for side in sides.known().values() if side.is_own]
    entries = (
        instance_sets.read_set(instance_sets.set_path(args.set))
        if args.set
        else instance_sets.entries_of_folder(args.graphs)
    )
    if args.names:
        entries = [entry for entry in entries if entry.name in args.names]
    if not entries:
        raise ValueError("no graphs to run")
    plan = Plan(
        [_suite(name, args) for name in args.suites],
        entries,
        sides.choose(args.presets, own),
        rivals + [sides.parse_command(text) for text in args.rival],
        args.seeds,
        args.seeds[: args.slow_seeds],
        args.threads,
        args.device,
        len(os.sched_getaffinity(0)),
    )
    return plan, missing


def _suite(name: str, args: argparse.Namespace) -> Suite:
    """Return a suite; that of mapping may be for other machines."""
    suite = SUITES[name]
    return with_machines(suite, args.hierarchies, args.distance) if name == "mapping" else suite


def _session(plan: Plan, args: argparse.Namespace, missing: dict[str, str]) -> dict[str, Any]:
    """Describe this start."""
    import procmap

    info = procmap.info()
    return {
        "session": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC"),
        "command": args.command_line,
        "commit": args.commit or commit_of(ROOT),
        "machine": machine(),
        "procmap": f"{info['version']}, {info['compiler']}, Python {info['python']}",
        "unavailable": missing,
        "left_out": [
            entry.name
            for entry in plan.entries
            if instance_sets.is_missing(entry, args.graphs, args.also)
        ],
        "limits": {"seconds": args.timeout, "memory_gb": args.memory},
    }


def _run_part(
    suite: Suite, entry: Entry, side: Side, path: Path, plan: Plan, args: argparse.Namespace,
    log: RunLog,
) -> int:  # fmt: skip
    """Do what is missing of one part; return the number of own runs that are bad."""
    header = read_header(path)
    bases = [
        {"suite": suite.name, "graph": entry.name, "side": side.label, **task.as_dict()}
        for task in tasks(suite, side, plan)
    ]
    todo = [base for base in bases if not log.has(base)]
    if not todo:
        return 0
    about = {
        "kind": entry.kind,
        "n": header.num_vertices,
        "m": header.num_edges,
        "own": side.is_own,
        "machine": args.machine,
    }
    problem = Problem(path, read_instance(path))
    limits = Limits(args.timeout, None if plan.device != "cpu" else int(args.memory * 2**30))
    bad = 0
    for base, answer in zip(todo, _answers(problem, side, todo, limits, args), strict=True):
        row = {**base, **about, **answer}
        log.add(row)
        bad += side.is_own and (row["status"] != "ok" or not row["feasible"])
        print(progress(row), file=sys.stderr, flush=True)
    return bad


def _answers(
    problem: Problem, side: Side, todo: Sequence[dict[str, Any]], limits: Limits,
    args: argparse.Namespace,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """Yield the judged answers in order; a worker that fell over is followed by another."""
    python = sys.executable if side.is_own or side.adapter == "command" else args.rivals_python
    worker: Worker | None = None
    try:
        with tempfile.TemporaryDirectory() as folder:
            saved = Path(folder) / "blocks.npy"
            for base in todo:
                task = Task(**{field: base[field] for field in Task.__dataclass_fields__})
                try:
                    if worker is None:
                        worker = Worker(
                            python, side.adapter, side.setting, problem.path, task.threads, limits
                        )
                    request = {"task": task.as_dict(), "blocks": str(saved)}
                    answer = worker.ask(request)
                    yield {"version": worker.version, **judged(answer, problem, task, saved)}
                except RunError as error:
                    if worker is not None:
                        worker.close()
                    worker = None
                    yield {"status": str(error)}
    finally:
        if worker is not None:
            worker.close()


def judged(answer: dict[str, Any], problem: Problem, task: Task, saved: Path) -> dict[str, Any]:
    """Return the answer with J and balance as recomputed here, or with what is wrong with it."""
    if "error" in answer:
        return {"status": answer["error"]}
    blocks = np.load(saved)
    try:
        verdict = verify(problem.instance, blocks, task.machine, task.imbalance)
    except ValueError as error:
        return {"status": str(error)}
    k = task.machine.num_blocks
    said = [answer.pop(f"said_{name}", None) for name in ("cost", "feasible")]
    for ours, theirs in zip((verdict.cost, verdict.feasible), said, strict=True):
        if theirs is not None and theirs != ours:
            return {"status": f"it said {theirs}, recomputed {ours}"}
    return {
        "J": verdict.cost,
        "edge_cut": verdict.edge_cut,
        "imbalance_found": round(verdict.imbalance, 6),
        "feasible": verdict.feasible,
        "empty_pes": k - len(np.unique(blocks)),
        **answer,
        "status": "ok",
    }


def progress(row: dict[str, Any]) -> str:
    """Return a line for whoever waits."""
    said = [row[name] for name in ("suite", "graph", "side", "hierarchy", "seed", "threads")]
    if row["status"] == "ok":
        said += [f"J={row['J']}", f"{row['cpu_seconds']:.3f} CPU s"]
        said += [] if row["feasible"] else ["too heavy"]
    else:
        said.append(row["status"])
    return " ".join(map(str, said))
