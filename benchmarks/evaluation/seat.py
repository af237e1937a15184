# SPDX-License-Identifier: MIT
"""One worker after the other, each started when there is something for it to do."""

from __future__ import annotations

import sys

from harness.process import RunError

from evaluation.crew import Crew
from evaluation.limited import Limits, Worker
from evaluation.pieces import Piece


class Seat:
    """A place for a worker; `cores` are those that workers in it use, None for all."""

    def __init__(
        self, crew: Crew, rivals_python: str, limits: Limits, cores: frozenset[int] | None
    ) -> None:
        self._crew = crew
        self._rivals_python = rivals_python
        self._limits = limits
        self._cores = cores
        self._worker: Worker | None = None
        self._kind: tuple[str, int] | None = None  # adapter and threads of the worker
        self._piece: Piece | None = None  # what it is prepared for

    def worker(self, piece: Piece, threads: int) -> Worker:
        """Return a worker that is prepared for a piece; raises RunError, or Stopped."""
        kind = (piece.side.adapter, threads)
        if self._worker is None or self._kind != kind:
            self._start(piece, kind)
        assert self._worker is not None
        if self._piece is not piece:
            try:
                self._worker.prepare(piece.side.setting, piece.graph.path)
            except RunError:
                self.leave()
                raise
            self._piece = piece
        return self._worker

    def leave(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._crew.dismiss(self._worker)
            self._worker.close()
        self._worker = self._kind = self._piece = None

    def _start(self, piece: Piece, kind: tuple[str, int]) -> None:
        self.leave()
        adapter, threads = kind
        is_ours = piece.side.is_own or adapter == "command"
        python = sys.executable if is_ours else self._rivals_python
        worker = Worker(python, adapter, threads, self._limits, self._cores)
        try:
            self._crew.hire(worker)
        except BaseException:
            worker.close()
            raise
        self._worker, self._kind = worker, kind
