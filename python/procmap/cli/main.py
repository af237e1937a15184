# SPDX-License-Identifier: MIT
"""Parse the command line, run the subcommand, turn exceptions into exit codes."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

import procmap
from procmap._errors import ConfigError, DeviceError, InfeasibleError, TopologyError
from procmap.cli import check, evaluate, info, map, partition, presets, reorder
from procmap.cli.options import Parser
from procmap.cli.status import BAD_INPUT, EXPLANATION, INFEASIBLE, INTERRUPTED, USAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

_SUBCOMMANDS = (map, partition, reorder, evaluate, check, presets, info)  # in the order of the help


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process if None.
    """
    args = _parser().parse_args(argv)
    if args.verbose:
        logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(message)s")
    try:
        code: int = args.run(args)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except (ConfigError, DeviceError, TopologyError) as exc:
        return _fail(exc, USAGE)
    except InfeasibleError as exc:
        return _fail(exc, INFEASIBLE)
    except MemoryError as exc:
        return _fail(str(exc) or "out of memory", BAD_INPUT)
    except (ValueError, OSError, OverflowError, ImportError) as exc:
        return _fail(exc, BAD_INPUT)
    return code


def _fail(message: object, code: int) -> int:
    text = " ".join(str(message).split())  # one line, whatever the message
    print(f"procmap: error: {text}", file=sys.stderr)
    return code


def _parser() -> Parser:
    parser = Parser(prog="procmap", description=procmap.__doc__, epilog=EXPLANATION)
    parser.add_argument("--version", action="version", version=f"procmap {procmap.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for subcommand in _SUBCOMMANDS:
        subcommand.add_to(commands)
    return parser
