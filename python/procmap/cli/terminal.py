# SPDX-License-Identifier: MIT
"""What looks better in a terminal with Rich, and is plain without."""

from __future__ import annotations

import io
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from procmap import Evaluation


def print_any_name() -> None:
    """Let standard output take every name of a file, whatever the locale.

    One that is no UTF-8 goes out as the bytes that it is, so that a command line for a launcher
    can be pasted; an encoding that lacks a letter gets an escape, as standard error does.
    """
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        whole = sys.stdout.encoding.lower() in ("utf-8", "utf8")
        sys.stdout.reconfigure(errors="surrogateescape" if whole else "backslashreplace")


def say(line: str) -> None:
    """Print a line on standard error, if there is one.

    What a damaged file made part of a message must not command the terminal.
    """
    if sys.stderr is not None:  # None: closed when Python started, and print would take stdout
        plain = (c if c.isprintable() else repr(c)[1:-1] for c in line)
        print("".join(plain), file=sys.stderr)


def print_evaluation(evaluation: Evaluation) -> None:
    """Print the table."""
    if sys.stdout.isatty():
        try:
            from rich.console import Console  # noqa: PLC0415 - optional
        except ImportError:
            pass
        else:
            Console().print(evaluation)
            return
    print(evaluation)


@contextmanager
def progress_bar(args: argparse.Namespace) -> Iterator[Callable[[str], None] | None]:
    """Show in a terminal that a long run goes on, what was last done and for how long it ran.

    With -v the log says so instead. The method does not know how many rounds it will take, so the
    bar has no end, unless there is a time limit: then it shows the time left.
    """
    if args.verbose or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    try:
        from rich.console import Console  # noqa: PLC0415 - optional
        from rich.progress import (  # noqa: PLC0415
            BarColumn,
            Progress,
            SpinnerColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
    except ImportError:
        yield None
        return
    limit = args.time_limit
    left = [TextColumn("of"), TimeRemainingColumn(), TextColumn("left:")] if limit else []
    columns = (
        SpinnerColumn(),
        TimeElapsedColumn(),
        BarColumn(20),
        *left,
        TextColumn("{task.description}"),
    )
    start = time.monotonic()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("starting", total=limit)

        def show(line: str) -> None:
            passed = min(time.monotonic() - start, limit) if limit else 0
            progress.update(task, description=line, completed=passed)

        yield show
