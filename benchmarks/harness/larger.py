# SPDX-License-Identifier: MIT
"""`larger`: time and bytes per arc of graphs that ranks hold together, or that stay in a file."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from harness.process import report_in
from harness.report import CsvLog, print_table

PROGRAM = Path(__file__).with_name("larger_program.py")
FIELDS = [
    "side", "ranks", "arcs", "seconds", "cpu_seconds", "ns_per_arc", "bytes", "bytes_per_arc",
    "sent_per_arc", "cost", "blocks",
]  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Map every box in processes of its own; print totals, and the levels of the largest."""
    log = CsvLog(args.out, FIELDS)
    levels: list[list[object]] = []
    for side in args.sides:
        found = _measured(side, args)
        levels = found.pop("levels")
        log.add({"side": side, **found})
        print(*log.rows[-1].values(), file=sys.stderr, flush=True)
    columns = FIELDS[2:]
    where = f"{args.ranks} ranks" if args.ranks else "one process, arcs in a file"
    rows = [[_number(row[name]) for name in columns] for row in log.rows]
    print_table(f"Boxes of cells with 26 neighbours, k = {args.k}: {where}", columns, rows)
    header = ["stage", "level", "vertices", "arcs", "rounds", "seconds", "messages", "bytes sent"]
    print_table(
        "The largest of them, level by level; messages and bytes of all ranks", header, levels
    )
    return 0


def _measured(side: int, args: argparse.Namespace) -> dict:
    numbers = side, args.k, args.gather_arcs, args.ranks
    command = [sys.executable, str(PROGRAM), *map(str, numbers)]
    if args.ranks:
        command = [*args.mpiexec.split(), "-n", str(args.ranks), *command]
    else:
        command.append(str(args.folder))
    # A rank has one thread: they share the cores, and waiting threads would take them.
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"{' '.join(command)}: {done.stderr[-2000:]}")
    return report_in(done.stdout)


def _number(text: str) -> object:
    try:
        value = float(text)
    except ValueError:
        return text
    return int(value) if value == int(value) else value


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `larger`."""
    parser.add_argument(
        "--sides", nargs="+", type=int, default=[34, 74, 158], metavar="N",
        help="boxes of N^3 cells: 74 are 10^7 arcs, 158 are 10^8, 339 are 10^9",
    )  # fmt: skip
    parser.add_argument(
        "--ranks", type=int, default=4, help="0: one process with the arcs in a file (default: 4)"
    )
    parser.add_argument("--k", type=int, default=6, help="blocks (default: %(default)s)")
    parser.add_argument("--gather-arcs", type=int, default=2**22, help="(default: 2^22)")
    parser.add_argument("--mpiexec", default="mpiexec", help="with its options")
    parser.add_argument("--folder", type=Path, default=Path("build"), help="of the file")
    parser.add_argument("--out", type=Path, metavar="CSV", help="log of every box")
    parser.set_defaults(action=run)
