# SPDX-License-Identifier: MIT
"""Has pieces of work done, judges every mapping, and logs a line per run."""

from __future__ import annotations

import functools
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from harness.process import RunError
from harness.verify import verify

from evaluation.crew import Crew, Stopped
from evaluation.limited import Limits
from evaluation.pieces import Piece
from evaluation.problem import Problem, Task
from evaluation.run_log import Row, RunRows
from evaluation.seat import Seat


class Runs:
    """The runs of one start; `bad` counts those of procmap that failed or are infeasible."""

    def __init__(
        self,
        crew: Crew,
        log: RunRows,
        rivals_python: str,
        limits: Limits,
        machine: str,
        *,
        tells: bool = True,
    ) -> None:
        self.bad = 0
        self._tells = tells
        self._crew = crew
        self._log = log
        self._seat: Callable[[frozenset[int] | None], Seat] = functools.partial(
            Seat, crew, rivals_python, limits
        )
        self._machine = machine
        self._writing = threading.Lock()
        self._kept: Seat | None = None
        self._problem = functools.lru_cache(crew.jobs)(Problem)  # for judging

    def close(self) -> None:
        """End the worker that was kept."""
        if self._kept is not None:
            self._kept.leave()

    def is_done(self, piece: Piece) -> bool:
        """Whether the log has all of a piece."""
        return not self._missing(piece)

    def do(self, piece: Piece, cores: frozenset[int] | None) -> None:
        """Do what is missing of a piece, in a process of its own; raises Stopped."""
        seat = self._seat(cores)
        try:
            self._do(piece, seat)
        finally:
            seat.leave()

    def do_on_gpu(self, piece: Piece, cores: frozenset[int] | None) -> None:
        """Do the same in the process of the piece before: starting a GPU takes seconds."""
        if self._kept is None:
            self._kept = self._seat(cores)
        self._do(piece, self._kept)

    def _missing(self, piece: Piece) -> list[tuple[Task, Row]]:
        about = {"suite": piece.suite.name, "graph": piece.graph.entry.name,
                 "side": piece.side.label}  # fmt: skip
        rows = [(task, {**about, **task.as_dict()}) for task in piece.tasks]
        return [(task, row) for task, row in rows if not self._log.has(row)]

    def _do(self, piece: Piece, seat: Seat) -> None:
        header = piece.graph.header
        about = {
            "kind": piece.graph.entry.kind,
            "n": header.num_vertices,
            "m": header.num_edges,
            "own": piece.side.is_own,
            "machine": self._machine,
        }
        problem = self._problem(piece.graph.path)
        with tempfile.TemporaryDirectory() as folder:
            saved = Path(folder) / "blocks.npy"
            for task, row in self._missing(piece):
                ran, answer = self._answer(piece, task, seat, saved)
                if "status" not in answer:
                    answer = judged(answer, problem, task, saved)
                self.note({**row, **about, **ran, **answer})

    def _answer(self, piece: Piece, task: Task, seat: Seat, saved: Path) -> tuple[Row, Row]:
        """Return how it ran and the answer, or a status.

        A worker that fell over is followed by another.
        """
        try:
            worker = seat.worker(piece, task.threads)
            with self._crew.one_more() as at_once:
                answer = worker.ask({"task": task.as_dict(), "blocks": str(saved)})
            if "error" in answer and piece.side.is_own:
                seat.leave()  # an error of a GPU spoils its process
        except RunError as error:
            seat.leave()
            if self._crew.is_stopped:
                raise Stopped from error
            return {}, {"status": str(error)}
        return {"version": worker.version, "at_once": at_once}, answer

    def note(self, row: Row) -> None:
        """Log a run and say so, one at a time."""
        with self._writing:
            self._log.add(row)
            self.bad += row["own"] and (row["status"] != "ok" or not row["feasible"])
            if self._tells:
                print(progress(row), file=sys.stderr, flush=True)


def judged(answer: dict[str, Any], problem: Problem, task: Task, saved: Path) -> dict[str, Any]:
    """Return the answer with J and balance as recomputed here, or with what is wrong with it."""
    if "error" in answer:
        return {"status": answer["error"]}
    blocks = np.load(saved)
    try:
        verdict = verify(problem.instance, blocks, task.machine, task.imbalance)
    except ValueError as error:
        return {"status": str(error)}
    k = task.machine.num_blocks
    said = [answer.pop(f"said_{name}", None) for name in ("cost", "feasible")]
    for ours, theirs in zip((verdict.cost, verdict.feasible), said, strict=True):
        if theirs is not None and theirs != ours:
            return {"status": f"it said {theirs}, recomputed {ours}"}
    return {
        "J": verdict.cost,
        "edge_cut": verdict.edge_cut,
        "imbalance_found": round(verdict.imbalance, 6),
        "feasible": verdict.feasible,
        "empty_pes": k - len(np.unique(blocks)),
        **answer,
        "status": "ok",
    }


def progress(row: Row) -> str:
    """Return a line for whoever waits."""
    said = [row[name] for name in ("suite", "graph", "side", "hierarchy", "seed", "threads")]
    if row["status"] == "ok":
        said += [f"J={row['J']}", f"{row['cpu_seconds']:.3f} CPU s"]
        said += [] if row["feasible"] else ["too heavy"]
    else:
        said.append(row["status"])
    return " ".join(map(str, said))
