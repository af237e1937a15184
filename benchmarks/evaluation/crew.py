# SPDX-License-Identifier: MIT
"""Pieces of work several at once, each on a core of its own, until a time."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from evaluation.limited import Worker

Work = TypeVar("Work")


class Stopped(Exception):
    """The time is over, or the start was interrupted."""


class Crew:
    """Up to `jobs` pieces at once; as a context, its time begins.

    At the end of the time, `until` seconds after the start, the workers are ended and nothing is
    begun any more; what they were at counts as not begun.
    """

    def __init__(self, jobs: int, until: float | None = None) -> None:
        """Raises ValueError for more jobs than cores."""
        self._cores = sorted(os.sched_getaffinity(0))
        if not 1 <= jobs <= len(self._cores):
            raise ValueError(f"--jobs {jobs}: expected 1 to {len(self._cores)}, a core for each")
        self.jobs = jobs
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._workers: set[Worker] = set()
        self._running = 0
        self._timer = None if until is None else threading.Timer(max(0.0, until), self.stop)
        if until is not None and until <= 0:
            self._stopped.set()

    def __enter__(self) -> Crew:
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()

    @property
    def is_stopped(self) -> bool:
        """Whether the time is over."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """End all workers; nothing is begun any more."""
        with self._lock:
            self._stopped.set()
            for worker in self._workers:
                worker.kill()

    def do(self, work: Sequence[Work], one: Callable[[Work, frozenset[int] | None], None]) -> None:
        """Call `one` for every piece of work, with the cores it is to use: None for all.

        `one` ends early by raising Stopped; other exceptions end everything.
        """
        if self.jobs == 1:
            self.do_alone(work, one)
            return
        free: queue.SimpleQueue[int] = queue.SimpleQueue()
        for core in self._cores[: self.jobs]:
            free.put(core)

        def on_a_core(piece: Work) -> None:
            if self.is_stopped:
                return
            core = free.get()
            try:
                with contextlib.suppress(Stopped):
                    one(piece, frozenset((core,)))
            finally:
                free.put(core)

        with self._off_their_cores(), ThreadPoolExecutor(self.jobs) as pool:
            futures = [pool.submit(on_a_core, piece) for piece in work]
            try:
                for future in as_completed(futures):
                    future.result()
            except BaseException:
                self.stop()
                raise

    def do_alone(
        self, work: Sequence[Work], one: Callable[[Work, frozenset[int] | None], None]
    ) -> None:
        """Call `one` for every piece of work, one at a time on all cores."""
        with contextlib.suppress(Stopped):
            for piece in work:
                one(piece, None)

    def hire(self, worker: Worker) -> None:
        """Have a worker ended when the time is over; raises Stopped if it is."""
        with self._lock:
            if self.is_stopped:
                raise Stopped
            self._workers.add(worker)

    def dismiss(self, worker: Worker) -> None:
        """Forget a worker."""
        with self._lock:
            self._workers.discard(worker)

    @contextlib.contextmanager
    def one_more(self) -> Iterator[int]:
        """Count a run while it lasts; yields how many there are with it. Raises Stopped."""
        with self._lock:
            if self.is_stopped:
                raise Stopped
            self._running += 1
            count = self._running
        try:
            yield count
        finally:
            with self._lock:
                self._running -= 1

    @contextlib.contextmanager
    def _off_their_cores(self) -> Iterator[None]:
        """Keep this process, which judges the mappings, off the cores of its workers."""
        rest = self._cores[self.jobs :]
        if rest:
            os.sched_setaffinity(0, rest)
        try:
            yield
        finally:
            os.sched_setaffinity(0, self._cores)


def threads_per_core() -> int | None:
    """Return how many of the system's processors are one core, None if it does not say."""
    file = Path("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list")
    try:
        text = file.read_text().strip()
    except OSError:
        return None
    ends = [part.split("-") for part in text.split(",")]
    return sum(int(part[-1]) - int(part[0]) + 1 for part in ends)
