# SPDX-License-Identifier: MIT
"""The options of `evaluate`, `report` and `guard`."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from harness.results import ROOT, machine
from harness.whole_file import whole_file

from evaluation import evaluate, guard, same, sides
from evaluation.report.build import build
from evaluation.run_log import in_order, packed, read_all
from evaluation.suites import PAPER_DISTANCE, SUITES

LOG = ROOT / "build" / "evaluation" / "runs.jsonl"
GRAPHS = ROOT / "build" / "graphs"


def add(commands: Any) -> None:
    """Add the commands of this package to those of run.py."""
    _add_evaluate(commands.add_parser("evaluate", help="run the protocol, rivals included"))
    _add_report(commands.add_parser("report", help="write the report of such runs"))
    guard_parser = commands.add_parser(
        "guard", help="compare J of a small set with recorded values"
    )
    guard_parser.add_argument(
        "--update", action="store_true", help="record, print old and new means"
    )
    guard_parser.set_defaults(action=guard.run)
    pack_parser = commands.add_parser("pack", help="write a log for the repository: small, .xz")
    pack_parser.add_argument("logs", type=Path, nargs="+", metavar="JSONL")
    pack_parser.add_argument("--out", type=Path, required=True, metavar="JSONL.XZ")
    pack_parser.set_defaults(action=_pack)
    same_parser = commands.add_parser("same", help="compare J of two logs")
    same_parser.add_argument("logs", type=Path, nargs=2, metavar="JSONL")
    same_parser.set_defaults(action=same.run)


def _add_evaluate(parser: argparse.ArgumentParser) -> None:
    which = parser.add_argument_group("graphs")
    which.add_argument("--set", metavar="NAME", help="small, paper, irregular, large, or a CSV "
                       "file like those (default: all graphs of --graphs)")  # fmt: skip
    which.add_argument("--graphs", type=Path, default=GRAPHS, metavar="DIR",
                       help="METIS files; generated ones are written here")  # fmt: skip
    which.add_argument("--also", type=Path, nargs="*", default=[], metavar="DIR",
                       help="folders with NAME.graph, .graph.xz or .mtx of others")  # fmt: skip
    which.add_argument("--names", nargs="+", metavar="NAME", help="of the set only these")
    who = parser.add_argument_group("programs")
    who.add_argument("--presets", nargs="*", metavar="NAME", help="of procmap (default: all)")
    who.add_argument("--rivals", nargs="*", metavar="NAME", help="(default: all installed)")
    who.add_argument("--rivals-python", default=sys.executable, metavar="PATH",
                     help="interpreter that has their packages (default: this one)")  # fmt: skip
    who.add_argument("--rival", action="append", default=[], metavar="NAME=CMD",
                     help="any command, with {graph} {k} {out}; also {hierarchy} {distance} "
                     "{imbalance} {seed} {threads}")  # fmt: skip
    how = parser.add_argument_group("protocol")
    how.add_argument("--suites", nargs="+", choices=list(SUITES), default=["mapping"], metavar="S",
                     help=f"of {', '.join(SUITES)} (default: mapping)")  # fmt: skip
    how.add_argument("--hierarchies", nargs="+", metavar="H",
                     help="machines of the suite mapping (default: 4:8:1 to 4:8:6)")  # fmt: skip
    how.add_argument("--distance", default=PAPER_DISTANCE, metavar="D",
                     help="per level (default: %(default)s)")  # fmt: skip
    how.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3, 4, 5],
                     help="(default: 1 2 3 4 5)")  # fmt: skip
    how.add_argument("--slow-seeds", type=int, default=5, metavar="N",
                     help="how many of them slow rivals get (default: 5)")  # fmt: skip
    how.add_argument("--threads", type=int, default=1, help="(default: 1)")
    how.add_argument("--jobs", type=int, default=1, metavar="N",
                     help="runs at once, each on a core of its own; those with several threads "
                     "come afterwards, alone (default: 1)")  # fmt: skip
    how.add_argument("--executor", metavar="MODULE:FUNCTION",
                     help="makes a concurrent.futures.Executor whose workers do the runs, such as "
                     "concurrent.futures:ProcessPoolExecutor; they see the same files")  # fmt: skip
    how.add_argument("--until", type=float, metavar="S",
                     help="seconds after which all ends; what is not done by then, the next start "
                     "does")  # fmt: skip
    how.add_argument("--device", default="cpu", help="cpu or cuda (then without rivals)")
    how.add_argument("--timeout", type=float, default=600, metavar="S", help="per call")
    how.add_argument("--memory", type=float, default=16, metavar="GB", help="per process")
    how.add_argument("--out", type=Path, default=LOG, metavar="JSONL", help="log; continued")
    how.add_argument("--commit", metavar="TEXT", help="where the folder is no git repository")
    how.add_argument("--retry", action="store_true", help="repeat runs that failed")
    parser.set_defaults(action=_evaluate)


def _evaluate(args: argparse.Namespace) -> int:
    args.command_line = f"python benchmarks/run.py {shlex.join(sys.argv[1:])}"
    if os.sep in args.rivals_python:
        args.rivals_python = str(Path.cwd() / args.rivals_python)  # workers start elsewhere
    args.machine = machine().rsplit(", load", 1)[0]
    return evaluate.run(args)


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("logs", type=Path, nargs="*", default=[LOG], metavar="JSONL",
                        help="logs of one or more machines, also .xz; of equal runs the last "
                        f"counts (default: {LOG.relative_to(ROOT)})")  # fmt: skip
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "evaluation" / "report.md",
                        metavar="MD", help="page; charts and tables go beside it")  # fmt: skip
    parser.set_defaults(action=_report)


def _pack(args: argparse.Namespace) -> int:
    rows, sessions = read_all(args.logs)
    args.out.write_bytes(packed([*sessions, *in_order(rows, sides.rank)]))
    print(f"{args.out}: {len(rows)} runs, {args.out.stat().st_size:,} bytes")
    return 0


def _report(args: argparse.Namespace) -> int:
    rows, sessions = read_all(args.logs)
    folder = args.out.with_suffix("")
    page = build(rows, sessions, folder.name)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in page.files.items():
        with whole_file(folder / name) as file:
            file.write(text)
    with whole_file(args.out) as file:
        file.write(page.text)
    print(args.out)
    return 0
