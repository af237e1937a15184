# SPDX-License-Identifier: MIT
"""``procmap map``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from procmap._util.errors import ConfigError
from procmap.cli.machine import add_machine, machine_of
from procmap.cli.options import (
    add_attempts,
    add_command,
    add_constraints,
    add_imbalance,
    add_run_options,
)
from procmap.cli.ranks import add_ranks, run_on_ranks
from procmap.cli.results import run_mapping

if TYPE_CHECKING:
    import argparse

    from procmap.cli.options import Commands


def add_to(commands: Commands) -> None:
    """Add the subcommand."""
    sub = add_command(commands, "map", _run, "map a graph onto a machine")
    add_machine(sub)
    add_imbalance(sub)
    add_run_options(sub)
    add_constraints(sub)
    add_attempts(sub)
    add_ranks(sub)


def _run(args: argparse.Namespace) -> int:
    if args.mpi:
        return run_on_ranks(args, machine_of)
    if args.gather_arcs is not None:
        raise ConfigError("--gather-arcs is for --mpi")
    return run_mapping(args, machine_of(args))
