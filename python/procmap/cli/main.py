# SPDX-License-Identifier: MIT
"""Parse the command line, run the subcommand, turn exceptions into exit codes."""

from __future__ import annotations

import errno
import logging
import os
import re
import sys
from typing import TYPE_CHECKING

import procmap
from procmap._util.errors import ConfigError, DeviceError, FileError, TopologyError
from procmap.cli import check, completion, evaluate, info, map, partition, presets, reorder
from procmap.cli.options import Parser
from procmap.cli.status import BAD_INPUT, EXPLANATION, INFEASIBLE, INTERRUPTED, NO_READER, USAGE
from procmap.cli.terminal import print_any_name, say
from procmap.mapping._infeasible import InfeasibleError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

_WITH_DASHES = re.compile(r"(-[a-zA-Z])--|(--[a-z-]+)=--")
_SUBCOMMANDS = (
    map,
    partition,
    reorder,
    evaluate,
    check,
    presets,
    info,
    completion,
)  # in the order of the help


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process if None.
    """
    try:
        code = _run(argv)
        _flush()
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except (ConfigError, DeviceError, TopologyError) as exc:
        return _fail(exc, USAGE)
    except InfeasibleError as exc:
        return _fail(exc, INFEASIBLE)
    except MemoryError as exc:
        return _fail(str(exc) or "out of memory", BAD_INPUT)
    except (ValueError, OSError, OverflowError, ImportError) as exc:
        _discard_output()
        return NO_READER if _is_broken_pipe(exc) else _fail(exc, BAD_INPUT)
    return code


def _run(argv: Sequence[str] | None) -> int:
    print_any_name()
    try:
        args = _parsed(sys.argv[1:] if argv is None else argv)
    except SystemExit:  # after --help and --version
        _flush()
        raise
    if args.verbose:
        logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(message)s")
    code: int = args.run(args)
    return code


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    """Parse the words; argparse before Python 3.13 makes an empty list of a value "--"."""
    parser = _parser()
    for word in words:
        if option := _WITH_DASHES.fullmatch(word):
            parser.error(f"argument {option[1] or option[2]}: '--' is no value")
    return parser.parse_args(words)


def _flush() -> None:
    """Write what was printed: full disks and broken pipes show here, not at the end of Python."""
    if sys.stdout is not None:  # None: closed when Python started
        sys.stdout.flush()


def _is_broken_pipe(exc: Exception) -> bool:
    """Whether a reader of the output left, as in `procmap ... | head -1`: no mistake of anybody."""
    if isinstance(exc, FileError):  # of -o /dev/stdout
        return str(exc).endswith(os.strerror(errno.EPIPE))
    return isinstance(exc, BrokenPipeError)


def _discard_output() -> None:
    """If what was printed cannot be written, keep Python from trying again when it ends."""
    try:
        _flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _fail(message: object, code: int) -> int:
    text = " ".join(str(message).split())  # one line, whatever the message
    say(f"procmap: error: {text}")
    return code


def _parser() -> Parser:
    parser = Parser(prog="procmap", description=procmap.__doc__, epilog=EXPLANATION)
    parser.add_argument("--version", action="version", version=f"procmap {procmap.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for subcommand in _SUBCOMMANDS:
        subcommand.add_to(commands)
    return parser
