# SPDX-License-Identifier: MIT
"""Options that several commands have."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_graphs(parser: argparse.ArgumentParser) -> None:
    """Add which graphs are used."""
    parser.add_argument(
        "--graphs", type=Path, required=True, metavar="DIR", help="folder with NAME.graph (METIS)"
    )
    parser.add_argument(
        "--names", nargs="+", metavar="NAME", help="graphs to use (default: all of the folder)"
    )


def add_runs(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command on graphs."""
    add_graphs(parser)
    parser.add_argument("--out", type=Path, metavar="CSV", help="log of every run")
    parser.add_argument(
        "--timeout", type=float, metavar="S", help="seconds after which one run counts as failed"
    )


def add_task(parser: argparse.ArgumentParser) -> None:
    """Add the options of a mapping task."""
    parser.add_argument(
        "--hierarchy", default="4:8:6", help="innermost level first (default: %(default)s)"
    )
    parser.add_argument("--distance", default="1:10:100", help="per level (default: %(default)s)")
    parser.add_argument(
        "--imbalance", default="0.03", help="eps, as a decimal (default: %(default)s)"
    )
