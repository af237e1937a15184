# SPDX-License-Identifier: MIT
"""The splits of a population, made by the workers of an executor or on further devices."""

from __future__ import annotations

import queue
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from procmap import _core
from procmap.mapping._jobs import Jobs, WorkerError, opened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from procmap.config._config import Config
    from procmap.mapping._jobs import ExecutorLike

    # What a worker makes of a job, or what was wrong.
    Answer = bytes | Exception

_ALL = 2**20  # more workers than any population has members
_LARGE = 4  # members; those of smaller populations are made faster than they travel


def has_large_populations(config: Config) -> bool:
    """Whether parts of one mapping are worth giving to others."""
    split = config.multisection
    members = (
        split.population_outer,
        split.population_middle,
        split.population_inner,
        split.population_even,
    )
    return max(members) >= _LARGE


def do_member(job: bytes, device: str, threads: int) -> Answer:
    """Do what a worker does: an error is an answer, for the caller to raise."""
    try:
        return _core.do_job(job, device, threads)
    except Exception as exc:  # noqa: BLE001, RUF100 - the caller raises it
        return exc


class Workers:
    """The workers of an executor, as the core calls its helpers: it keeps the first member.

    Parameters
    ----------
    executor : concurrent.futures.Executor or callable
        As in `map`.
    retries : int
        How often a member is made again whose worker has died.
    device : str
        Where workers compute.
    threads : int
        Of every member.
    """

    share = _ALL

    def __init__(self, executor: ExecutorLike, retries: int, device: str, threads: int) -> None:
        self._executor, self._retries = executor, retries
        self._how = device, threads
        self._jobs: list[bytes] = []
        self._futures: list[Future[Answer] | BaseException] = []
        self._pool: AbstractContextManager[Executor] | None = None

    def start(self, jobs: list[bytes]) -> None:
        """Hand out jobs."""
        self._jobs = jobs
        self._pool = opened(self._executor)
        pool = self._pool.__enter__()
        self._futures = []
        for job in jobs:
            try:
                self._futures.append(pool.submit(do_member, job, *self._how))
            except RuntimeError as exc:  # broken, or shut down
                self._futures.append(exc)

    def finish(self) -> list[bytes]:
        """Return their answers."""
        done: Jobs[Answer] = Jobs(len(self._jobs))
        for i, future in enumerate(self._futures):
            try:
                if isinstance(future, BaseException):
                    raise future
                done.results[i] = future.result()
            except Exception as exc:  # noqa: BLE001, RUF100 - every executor has its own
                done.lost[i] = exc
        self._release()
        if done.lost and self._retries > 0:
            self._again(done)
        if done.lost:
            raise WorkerError(done.loss("members"), [])
        return [_good(answer) for answer in done.results]

    def _again(self, done: Jobs[Answer]) -> None:
        lost = sorted(done.lost)
        arguments = [(self._jobs[i], *self._how) for i in lost]
        again = Jobs.run(self._executor, self._retries - 1, do_member, arguments)
        done.lost = {lost[i]: error for i, error in again.lost.items()}
        for i, answer in zip(lost, again.results, strict=True):
            done.results[i] = answer

    def close(self) -> None:
        """Give up what was not done, at the end of the call."""
        self._release()

    def _release(self) -> None:
        for future in self._futures:
            if isinstance(future, Future):
                future.cancel()
        self._futures = []
        if self._pool is not None:
            pool, self._pool = self._pool, None
            pool.__exit__(None, None, None)


class Devices(Workers):
    """Further devices of this host: each makes one member after the other.

    Parameters
    ----------
    devices : sequence of str
        All but the one of the call itself.
    threads : int
        Of the host for each of them.
    """

    def __init__(self, devices: Sequence[str], threads: int) -> None:
        self.share = len(devices)
        self._free: queue.SimpleQueue[str] = queue.SimpleQueue()
        for device in devices:
            self._free.put(device)
        self._threads = ThreadPoolExecutor(max(1, len(devices)))
        super().__init__(self._threads, 0, "", threads)

    def start(self, jobs: list[bytes]) -> None:
        """Hand out jobs."""
        self._jobs = jobs
        self._futures = [self._threads.submit(self._on_a_device, job) for job in jobs]

    def _on_a_device(self, job: bytes) -> Answer:
        device = self._free.get()
        try:
            return do_member(job, device, self._how[1])
        finally:
            self._free.put(device)

    def close(self) -> None:
        """Give up what was not done, and end the threads."""
        super().close()
        self._threads.shutdown(cancel_futures=True)


def _good(answer: Answer | None) -> bytes:
    if isinstance(answer, Exception):
        raise answer
    assert answer is not None
    return answer
