# SPDX-License-Identifier: MIT
"""``procmap partition``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from procmap.cli.machine import flat
from procmap.cli.options import (
    add_attempts,
    add_command,
    add_constraints,
    add_imbalance,
    add_run_options,
)
from procmap.cli.results import run_mapping

if TYPE_CHECKING:
    import argparse

    from procmap.cli.options import Commands


def add_to(commands: Commands) -> None:
    """Add the subcommand."""
    sub = add_command(commands, "partition", _run, "split a graph into k blocks")
    sub.add_argument("-k", dest="blocks", type=int, required=True, help="number of blocks")
    add_imbalance(sub)
    add_run_options(sub)
    add_constraints(sub)
    add_attempts(sub)


def _run(args: argparse.Namespace) -> int:
    return run_mapping(args, flat(args.blocks))
