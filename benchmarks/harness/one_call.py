# SPDX-License-Identifier: MIT
"""What `mappers.py` and `partitioners.py` share: one call of one program, one line of JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping

import numpy as np

Result = tuple[float, object]  # seconds, blocks
Program = Callable[[argparse.Namespace], Result]


def make_parser(
    description: str | None, programs: Mapping[str, Program]
) -> argparse.ArgumentParser:
    """Return a parser of the program, the graph and what every program is told."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("program", choices=list(programs))
    parser.add_argument("graph")
    parser.add_argument("--imbalance", default="0.03")
    parser.add_argument("--preset", default="default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--blocks", required=True, help="where to save the blocks (.npy)")
    return parser


def call(program: Program, args: argparse.Namespace, clock: str) -> None:
    """Call the program, save the blocks, and print its seconds under the name of their clock."""
    seconds, blocks = program(args)
    np.save(args.blocks, np.asarray(blocks, dtype=np.int32))
    print(json.dumps({clock: seconds}))
