# SPDX-License-Identifier: MIT
"""Pieces of work by the workers of any `concurrent.futures.Executor`."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import dataclass
from typing import Any

from evaluation.crew import Crew
from evaluation.limited import Limits
from evaluation.pieces import Piece
from evaluation.run_log import Row, RunRows
from evaluation.runs import Runs


@dataclass(frozen=True)
class How:
    """How workers do pieces.

    Attributes
    ----------
    rivals_python, limits, machine
        As in `Runs`.
    done : frozenset
        Keys of runs that the log has.
    end : float or None
        When all must be over, in seconds since 1970.
    """

    rivals_python: str
    limits: Limits
    machine: str
    done: frozenset[tuple[object, ...]]
    end: float | None


def maker_of(text: str) -> Callable[[], Executor]:
    """Return the function MODULE:FUNCTION; raises ValueError if there is none."""
    module, _, name = text.partition(":")
    try:
        made: Any = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"--executor {text}: expected MODULE:FUNCTION ({error})") from error
    if not callable(made):
        raise ValueError(f"--executor {text}: this is no function that makes an executor")
    function: Callable[[], Executor] = made
    return function


def do_piece(piece: Piece, how: How) -> list[Row]:
    """Do what is missing of a piece, in a process of its own beside this one."""
    rows = RunRows(how.done)
    until = None if how.end is None else how.end - time.time()
    with Crew(1, until) as crew:
        runs = Runs(crew, rows, how.rivals_python, how.limits, how.machine, tells=False)
        crew.do_alone([piece], runs.do)
        runs.close()
    return rows.rows


def do_all(
    make: Callable[[], Executor], pieces: Sequence[Piece], how: How, note: Callable[[Row], None]
) -> int:
    """Have pieces done, note their rows; return how many were lost with a worker."""
    lost = 0
    with make() as pool:
        futures: dict[Future[list[Row]], Piece] = {}
        for piece in pieces:
            try:
                futures[pool.submit(do_piece, piece, how)] = piece
            except RuntimeError as error:  # broken by an earlier piece
                lost += _tell(piece, error)
        try:
            for future in as_completed(futures):
                try:
                    rows = future.result()
                except Exception as error:  # noqa: BLE001, RUF100 - every executor has its own
                    lost += _tell(futures[future], error)
                    continue
                for row in rows:
                    note(row)
        except BaseException:  # Ctrl-C
            for future in futures:
                future.cancel()
            raise
    return lost


def _tell(piece: Piece, error: BaseException) -> int:
    name = f"{piece.suite.name} {piece.graph.entry.name} {piece.side.label}"
    print(f"lost with its worker: {name} ({type(error).__name__}: {error})", file=sys.stderr)
    return 1
