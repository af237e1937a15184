# SPDX-License-Identifier: MIT
"""``procmap check``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from procmap.cli.options import add_command, read_graph
from procmap.cli.status import OK
from procmap.cli.summary import align, graph_dict

if TYPE_CHECKING:
    import argparse

    from procmap.cli.options import Commands


def add_to(commands: Commands) -> None:
    """Add the subcommand."""
    add_command(commands, "check", _run, "say whether a graph file is correct")


def _run(args: argparse.Namespace) -> int:
    values = graph_dict(read_graph(args))
    if args.json:
        print(json.dumps({"command": args.command, "graph": args.graph, **values}))
        return OK
    shown = {True: "yes", False: "no"}
    pairs = [
        (name.replace("_", " "), shown[value] if isinstance(value, bool) else str(value))
        for name, value in values.items()
    ]
    print(align([("graph", f"{args.graph}: correct"), *pairs]))
    return OK
