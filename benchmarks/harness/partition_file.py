# SPDX-License-Identifier: MIT
"""One program partitions one METIS file: ``partition_file.py PROGRAM GRAPH BLOCKS K``.

Each program reads the file with its own reader. The blocks are written one per line.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class Program(NamedTuple):
    """How to run a program, and the command or package that it needs."""

    needs: str
    run: Callable[[str, str, int], None]


def procmap(graph: str, blocks: str, k: int) -> None:
    """The command of this library."""
    command = [sys.executable, "-m", "procmap", "partition", graph, "-k", str(k), "-e", "0.03"]
    os.execv(sys.executable, [*command, "-o", blocks])


def metis(graph: str, blocks: str, k: int) -> None:
    """The command gpmetis, which writes beside the graph."""
    status = subprocess.run(["gpmetis", "-ufactor=30", graph, str(k)], check=False).returncode
    written = Path(f"{graph}.part.{k}")
    if written.exists():
        written.rename(blocks)
    _end_as(status)


def scotch(graph: str, blocks: str, k: int) -> None:
    """The commands gcv, which reads Chaco's and METIS's files, and gpart."""
    converted, mapped = f"{graph}.grf", f"{graph}.map"
    for command in (
        ["gcv", "-ic", "-os", graph, converted],
        ["scotch_gpart", str(k), converted, mapped, "-b0.03"],
    ):
        status = subprocess.run(command, check=False).returncode
        if status != 0:
            _end_as(status)
    if Path(mapped).exists():
        lines = [line.split() for line in Path(mapped).read_text().splitlines()[1:]]
        numbered = sorted((int(vertex), block) for vertex, block in lines)
        Path(blocks).write_text("".join(f"{block}\n" for _, block in numbered))


def kahip(graph: str, blocks: str, k: int) -> None:
    """KaHIP through the package chszlablib, whose reader is its own."""
    import chszlablib

    read = chszlablib.read_metis(graph)
    result = chszlablib.Decomposition.partition(read, k, mode="eco", imbalance=0.03)
    _write(blocks, result.assignment)


def mtkahypar(graph: str, blocks: str, k: int) -> None:
    """The package mtkahypar."""
    import mtkahypar

    solver = mtkahypar.initialize(1)
    context = solver.context_from_preset(mtkahypar.PresetType.DEFAULT)
    context.set_partitioning_parameters(k, 0.03, mtkahypar.Objective.CUT)
    read = solver.graph_from_file(graph, context, mtkahypar.FileFormat.METIS)
    _write(blocks, read.partition(context).get_partition())


def _write(path: str, blocks: object) -> None:
    Path(path).write_text("".join(f"{int(b)}\n" for b in blocks))  # type: ignore[attr-defined]


def _end_as(status: int) -> None:
    """End with the status of a command; 128 + the signal that ended it, as shells do."""
    sys.exit(status if status >= 0 else 128 - status)


PROGRAMS = {
    "procmap": Program("procmap", procmap),
    "METIS": Program("gpmetis", metis),
    "Scotch": Program("scotch_gpart", scotch),
    "KaHIP": Program("chszlablib", kahip),
    "Mt-KaHyPar": Program("mtkahypar", mtkahypar),
}

if __name__ == "__main__":
    name, graph_file, blocks_file, parts = sys.argv[1:]
    PROGRAMS[name].run(graph_file, blocks_file, int(parts))
