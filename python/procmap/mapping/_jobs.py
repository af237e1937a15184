# SPDX-License-Identifier: MIT
"""Mappings as jobs of an executor: submitted, tried again, and nothing lost if a worker dies."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from procmap._util.arrays import as_integer
from procmap._util.errors import ConfigError
from procmap._util.messages import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from procmap.mapping._result import Mapping

    ExecutorLike: TypeAlias = Executor | Callable[[], Executor]

T = TypeVar("T")


class WorkerError(RuntimeError):
    """A worker of an executor ended before its job did, and the job was not tried again.

    Attributes
    ----------
    mappings : list of Mapping or None
        What is finished, in the order of the graphs of `map_many`, or of the attempts of `map`;
        None for the others.
    """

    def __init__(self, message: str, mappings: list[Mapping | None]) -> None:
        super().__init__(message)
        self.mappings = mappings

    def __reduce__(self) -> tuple[type[WorkerError], tuple[str, list[Mapping | None]]]:
        """Pickle with both arguments."""
        return type(self), (str(self), self.mappings)


WorkerError.__module__ = "procmap"


class Jobs(Generic[T]):
    """What became of a function that was called for many arguments by the workers of an executor.

    Attributes
    ----------
    results : list
        What it returned, None where it did not.
    lost : dict
        The last failure of every job whose worker failed, by number.
    """

    def __init__(self, count: int) -> None:
        self.results: list[T | None] = [None] * count
        self.lost: dict[int, BaseException] = {}

    @classmethod
    def run(
        cls,
        executor: ExecutorLike,
        retries: int,
        function: Callable[..., T],
        arguments: Sequence[tuple[Any, ...]],
        finished: Callable[[int, T], object] | None = None,
    ) -> Jobs[T]:
        """Call ``function(*arguments[i])`` for all i; it reports its own errors in its result.

        `finished` is called with every i and its result, in their order. What it raises ends it
        all: jobs that did not begin are given up.
        """
        jobs = cls(len(arguments))
        waiting = list(range(len(arguments)))
        for _ in range(retries + 1):
            with opened(executor) as pool:
                jobs._submit(pool, function, {i: arguments[i] for i in waiting}, finished)
            waiting = sorted(jobs.lost)
            if not waiting:
                break
        return jobs

    def _submit(
        self,
        pool: Executor,
        function: Callable[..., T],
        arguments: dict[int, tuple[Any, ...]],
        finished: Callable[[int, T], object] | None,
    ) -> None:
        self.lost = {}
        futures = {}
        try:
            for i, given in arguments.items():
                try:
                    futures[i] = pool.submit(function, *given)
                except RuntimeError as exc:  # broken by an earlier job, or shut down
                    self.lost[i] = exc
            for i, future in futures.items():
                try:
                    self.results[i] = result = future.result()
                except Exception as exc:  # noqa: BLE001, RUF100 - every executor has its own
                    self.lost[i] = exc
                else:
                    if finished is not None:
                        finished(i, result)
        except BaseException:  # Ctrl-C, or what `finished` raised
            for future in futures.values():
                future.cancel()
            raise

    def loss(self, name: str) -> str:
        """Say which job was lost first and why; jobs are called ``name[i]``."""
        first = min(self.lost)
        error = self.lost[first]
        others = f", and so did those of {len(self.lost) - 1} others" if len(self.lost) > 1 else ""
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return f"{name}[{first}]: its worker ended before the mapping was made{others} ({reason})"


class InTurn(Executor):
    """The calling thread as an executor: a job is done when it is submitted."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Return a future that has its result."""
        future: Future[T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def checked_executor(executor: object, retries: object) -> int:
    """Return the number of retries; raise unless there is an executor where one is needed."""
    count = as_integer(retries, "retries", 0, 1000, ConfigError)
    if executor is None:
        if count:
            raise ConfigError(f"retries = {count} is for workers, but there is no executor")
    elif not _is_open(executor) and not callable(executor):
        raise TypeError(
            "executor must be a concurrent.futures.Executor or a function that makes one, got "
            f"{shown(executor)}"
        )
    return count


def _is_open(executor: object) -> bool:
    """Whether this is an executor and not something that makes one, such as its class."""
    return not isinstance(executor, type) and callable(getattr(executor, "submit", None))


def opened(executor: ExecutorLike) -> AbstractContextManager[Executor]:
    """Return the caller's executor, which stays open, or a new one."""
    if isinstance(executor, Executor) or not callable(executor):
        return nullcontext(executor)
    made = executor()
    if not _is_open(made):
        raise TypeError(f"executor() must make a concurrent.futures.Executor, got {shown(made)}")
    return made
