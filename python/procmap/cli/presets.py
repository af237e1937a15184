# SPDX-License-Identifier: MIT
"""``procmap presets``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import procmap
from procmap.cli.status import OK

if TYPE_CHECKING:
    import argparse

    from procmap.cli.options import Commands


def add_to(commands: Commands) -> None:
    """Add the subcommand."""
    sub = commands.add_parser("presets", help="list the presets, or print one as TOML")
    sub.add_argument("name", metavar="NAME", nargs="?", help="print this one")
    sub.set_defaults(run=_run, verbose=False)


def _run(args: argparse.Namespace) -> int:
    if args.name is None:
        print("\n".join(procmap.Config.preset_names()))
    else:
        print(procmap.Config.preset(args.name).dumps(), end="")
    return OK
