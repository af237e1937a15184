# SPDX-License-Identifier: MIT
"""``procmap info``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import procmap
from procmap.cli.options import sentence
from procmap.cli.status import OK
from procmap.cli.summary import align

if TYPE_CHECKING:
    import argparse

    from procmap.cli.options import Commands


def add_to(commands: Commands) -> None:
    """Add the subcommand."""
    text = "show version, devices, threads, compiler and packages"
    sub = commands.add_parser("info", help=text, description=sentence(text))
    sub.add_argument("--json", action="store_true", help="print one JSON object")
    sub.set_defaults(run=_run, verbose=False)


def _run(args: argparse.Namespace) -> int:
    values = procmap.info()
    if args.json:
        print(json.dumps(values))
        return OK
    packages, no_gpu = values.pop("packages"), values.pop("no_gpu")
    values["devices"] = ", ".join(values["devices"]) + (f" (no GPU: {no_gpu})" if no_gpu else "")
    pairs = [(name, str(value)) for name, value in values.items()]
    pairs += [(name, version or "not installed") for name, version in packages.items()]
    print(align(pairs))
    return OK
