#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Benchmarks of procmap: one command per question.

quality    how good and how balanced are the mappings, against other programs?
partition  how good are partitions into k blocks, against other partitioners?
machines   how good are mappings onto a torus and a dragonfly, against Scotch?
weights    how good are partitions by several weights per vertex, against METIS?
ranks      how good are mappings of graphs that ranks of MPI hold, against PT-Scotch?
speed      how fast is procmap against another command, and with more threads?
growth     do time per arc and memory stay flat as graphs grow?
reader     how fast are METIS files read?
gpu        how fast is a GPU, against GPU-HeiPa?
boxes      do time and memory per arc stay flat on a GPU up to billions of arcs?
larger     do they over ranks of MPI, or with the arcs in a file?
sweep      what do changed fields of a preset bring, on many graphs at once?
ablation   what does every ingredient of a preset bring, and what does it cost?
busy       how long does a call take beside processes that never rest?
many       how fast are many small graphs in one call?
profile    where does the time of one call go, per phase, level and kernel?
experts    how even are placements of experts, and how many move, against the greedy balancer?
traces     how far do tokens go, and how long do pipeline stages take, against what is built in?
warm       what does improving an old mapping gain when weights change?
evaluate   the paper's protocol, with every rival that is installed
report     the report of such runs: profiles, speedups, who is better where
same       is J of two such logs the same?
pack       compress such logs for the repository
guard      is J of a small fixed set what it was?

Needs NumPy and an installed procmap. README.md in this folder says what is measured. With
--report FILE the tables are also written to a file that states commit, command and machine.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from evaluation import options
from harness import (
    ablation,
    boxes,
    busy,
    experts,
    gpu,
    growth,
    larger,
    machines,
    many,
    partition,
    profiling,
    quality,
    ranks,
    results,
    speed,
    sweep,
    traces,
    warm,
    weights,
)

COMMANDS = {
    "quality": quality.add_options,
    "partition": partition.add_options,
    "machines": machines.add_options,
    "weights": weights.add_options,
    "ranks": ranks.add_options,
    "speed": speed.add_options,
    "growth": growth.add_options,
    "reader": growth.add_reader_options,
    "gpu": gpu.add_options,
    "boxes": boxes.add_options,
    "larger": larger.add_options,
    "ablation": ablation.add_options,
    "sweep": sweep.add_options,
    "warm": warm.add_options,
    "busy": busy.add_options,
    "many": many.add_options,
    "profile": profiling.add_options,
    "experts": experts.add_options,
    "traces": traces.add_options,
}


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, add_options in COMMANDS.items():
        command = commands.add_parser(name)
        command.add_argument(
            "--report", type=Path, metavar="MD", help="file for the tables and how they were made"
        )
        add_options(command)
    options.add(commands)
    given = sys.argv[1:] if arguments is None else arguments
    args = parser.parse_args(given)
    try:
        with results.written_to(getattr(args, "report", None), given):
            return int(args.action(args))
    except (FileNotFoundError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    sys.exit(main())
