# SPDX-License-Identifier: MIT
"""``procmap evaluate``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import procmap
from procmap._util.errors import ConfigError, FileError
from procmap._util.text import write_text
from procmap.cli.machine import add_machine, machine_or_blocks_of
from procmap.cli.options import (
    add_command,
    add_device,
    add_imbalance,
    add_report,
    read_graph,
)
from procmap.cli.outputs import check_outputs
from procmap.cli.results import print_report
from procmap.mapping._options import allowed_imbalance

if TYPE_CHECKING:
    import argparse

    from procmap.cli.options import Commands


def add_to(commands: Commands) -> None:
    """Add the subcommand."""
    sub = add_command(commands, "evaluate", _run, "say what a mapping costs")
    sub.add_argument("mapping", metavar="MAPPING", help="one PE per line, in vertex order")
    add_machine(sub)
    sub.add_argument("-k", dest="blocks", type=int, help="number of blocks of a partition")
    add_imbalance(sub)
    add_device(sub)
    add_report(sub)


def _run(args: argparse.Namespace) -> int:
    topology = machine_or_blocks_of(args)
    check_outputs(args)
    graph = read_graph(args)
    blocks = procmap.read_mapping(args.mapping)
    allowed = allowed_imbalance(args.imbalance, graph, topology.num_pes)
    try:
        report = procmap.evaluate(
            graph,
            blocks,
            topology,
            imbalance=allowed,
            device=args.device,
            threads=args.threads,
        )
    except ConfigError:
        raise
    except ValueError as exc:
        raise FileError(f"{args.mapping}: {exc}") from None
    if args.report is not None:
        write_text(args.report, report.to_html(args.mapping))
    return print_report(args, graph, topology, report, {"imbalance_allowed": allowed})
