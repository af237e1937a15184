# SPDX-License-Identifier: MIT
"""`evaluate`: run what the log does not have yet, judge every mapping, one line per run."""

from __future__ import annotations

import argparse
import os
import sys
import time
from datetime import datetime, timezone
from typing import Any

from harness.instance import read_header
from harness.results import ROOT, commit_of, machine

from evaluation import instance_sets, sides
from evaluation.crew import Crew, threads_per_core
from evaluation.elsewhere import How, do_all, maker_of
from evaluation.instance_sets import MissingGraph
from evaluation.limited import Limits
from evaluation.pieces import Graph, Plan, entries_of, pieces
from evaluation.run_log import RunLog
from evaluation.runs import Runs
from evaluation.suites import SUITES, Suite, with_machines


def run(args: argparse.Namespace) -> int:
    """Run everything, print progress; 1 if a run of procmap failed or was infeasible."""
    plan, missing = _plan(args)
    on_cpu = plan.device == "cpu"
    if not on_cpu and plan.jobs > 1:
        raise ValueError(f"--jobs {plan.jobs}: runs on a GPU are one at a time")
    make = None if args.executor is None else maker_of(args.executor)
    if make is not None and (plan.jobs > 1 or not on_cpu):
        raise ValueError("--executor has its own workers on CPUs: leave --jobs and --device out")
    began, lost = time.time(), 0
    limits = Limits(args.timeout, int(args.memory * 2**30) if on_cpu else None)
    with Crew(plan.jobs, args.until) as crew:
        log = RunLog(args.out, args.retry)
        log.add(_session(plan, args, missing))
        runs = Runs(crew, log, args.rivals_python, limits, args.machine)
        todo = [piece for piece in pieces(plan, _graphs(plan, args)) if not runs.is_done(piece)]
        try:
            do = runs.do if on_cpu else runs.do_on_gpu
            together = [piece for piece in todo if not piece.is_alone]
            if make is None:
                crew.do(together, do)
            else:
                end = None if args.until is None else began + args.until
                how = How(args.rivals_python, limits, args.machine, log.done, end)
                lost = do_all(make, together, how, runs.note)
            crew.do_alone([piece for piece in todo if piece.is_alone], do)
        finally:
            runs.close()
    left = sum(not runs.is_done(piece) for piece in todo)
    ended = f"; the time is over, {left} of {len(todo)} pieces are not done" if left else ""
    print(f"{args.out}: {runs.bad} runs of procmap failed or are infeasible{ended}")
    if lost:
        print(f"{lost} pieces were lost with their workers; the same command goes on with them")
    return 1 if runs.bad or lost else 0


def _graphs(plan: Plan, args: argparse.Namespace) -> dict[str, Graph]:
    """Find or make all graphs; says which are nowhere."""
    found: dict[str, Graph] = {}
    entries = {entry.name: entry for suite in plan.suites for entry in entries_of(suite, plan)}
    for name, entry in entries.items():
        try:
            path = instance_sets.locate(entry, args.graphs, args.also)
        except MissingGraph as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        found[name] = Graph(entry, path, read_header(path))
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
        args.jobs,
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
        "threads_per_core": threads_per_core(),
        "procmap": f"{info['version']}, {info['compiler']}, Python {info['python']}",
        "unavailable": missing,
        "left_out": [
            entry.name
            for entry in plan.entries
            if instance_sets.is_missing(entry, args.graphs, args.also)
        ],
        "limits": {"seconds": args.timeout, "memory_gb": args.memory},
        "jobs": plan.jobs,
    }
