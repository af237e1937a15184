# SPDX-License-Identifier: MIT
"""Attempts and graphs as jobs for the workers of an executor, and one mapping of what they made."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from procmap._util.arrays import exact_sum
from procmap._util.errors import ConfigError
from procmap._util.messages import shown
from procmap.mapping._jobs import InTurn, Jobs, WorkerError
from procmap.mapping._options import device_name
from procmap.mapping._report import UNLIMITED, in_steps
from procmap.mapping._stats import PhaseTime, Stats

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from procmap.graph._graph import Graph
    from procmap.mapping._jobs import ExecutorLike
    from procmap.mapping._options import Options
    from procmap.mapping._result import Mapping
    from procmap.topology._topology import Topology

    # A worker's answer: the mapping, or what was wrong.
    Answer: TypeAlias = "Mapping | Exception"


@dataclass(frozen=True)
class Request:
    """A graph that is to be mapped, checked, and the options for it."""

    tasks: Graph
    given: Options
    migration_cost: float  # in units of the core
    devices: tuple[str, ...] = ()  # that take turns with the attempts

    @property
    def attempts(self) -> list[Options]:
        """What every job is asked: of all attempts one, unless the time decides how many."""
        asked = replace(
            self.given,
            vertex_weights=None,
            threads=1 if self.given.threads is None else self.given.threads,
            strict=True,
            progress=None,
            stream=None,
            executor=None,
            retries=0,
            devices=None,
        )
        if self.given.time_limit is not None:
            return [asked]
        seeds = [(self.given.seed + i) % 2**64 for i in range(self.given.repeats or 1)]
        where = self.devices or (self.given.device,)
        return [
            replace(asked, seed=seed, repeats=None, device=where[i % len(where)])
            for i, seed in enumerate(seeds)
        ]


def spread(
    requests: Sequence[Request],
    topology: Topology,
    work: Callable[[Graph, Topology, Options], Answer],
    executor: ExecutorLike,
    *,
    retries: int = 0,
    numbered: bool = False,
) -> list[Mapping]:
    """Return the best mapping of every request; messages say its number if it is to be `numbered`.

    Raises
    ------
    WorkerError
        If a worker ended before its job and there are no more retries.
    Exception
        What a job raised.
    """
    started = time.perf_counter()
    attempts = [request.attempts for request in requests]
    owner = [i for i, some in enumerate(attempts) for _ in some]
    arguments = [
        (request.tasks, topology, options)
        for request, some in zip(requests, attempts, strict=True)
        for options in some
    ]

    def tell(job: int, answer: Answer) -> None:
        _tell(requests[owner[job]].given.progress, answer)

    jobs = Jobs.run(executor, retries, work, arguments, tell)
    found: list[list[Mapping]] = [[] for _ in requests]
    for i, answer in zip(owner, jobs.results, strict=True):
        if isinstance(answer, Exception):
            raise type(answer)(f"graphs[{i}]: {answer}") if numbered else answer
        if answer is not None:
            found[i].append(answer)
    if jobs.lost:
        raise _lost_graphs(jobs, requests, owner, found) if numbered else _lost_attempts(jobs)
    seconds = time.perf_counter() - started
    return [
        best_of(some, r.migration_cost, seconds) for r, some in zip(requests, found, strict=True)
    ]


def _tell(progress: Callable[[str], None] | None, answer: Answer) -> None:
    """Say what became of the attempts of a job, in the words of the core on a level."""
    if progress is None or isinstance(answer, Exception):
        return
    for attempt in answer.stats.attempts:
        if attempt.finished:
            progress(
                f"attempt with seed {attempt.seed}: {len(answer)} vertices, cost {attempt.cost} "
                f"after {attempt.seconds:.2f} s"
            )


def _lost_attempts(jobs: Jobs[Answer]) -> WorkerError:
    finished = [None if isinstance(m, Exception) else m for m in jobs.results]
    return WorkerError(jobs.loss("attempts"), finished)


def _lost_graphs(
    jobs: Jobs[Answer], requests: Sequence[Request], owner: list[int], found: list[list[Mapping]]
) -> WorkerError:
    """Return the error of jobs whose workers are gone; it holds all graphs that are finished."""
    graphs: Jobs[Answer] = Jobs(len(requests))
    graphs.lost = {owner[i]: error for i, error in reversed(jobs.lost.items())}
    done = [
        None if i in graphs.lost else best_of(found[i], request.migration_cost, 0.0)
        for i, request in enumerate(requests)
    ]
    return WorkerError(graphs.loss("graphs"), done)


def shared_out(
    requests: Sequence[Request],
    topology: Topology,
    work: Callable[[Graph, Topology, Options], Answer],
    devices: Sequence[str],
) -> list[Mapping]:
    """Do as `spread`, with a thread per device that maps one graph after the other."""
    shares = even_shares([request.tasks.num_edges for request in requests], len(devices))
    made: list[Mapping | None] = [None] * len(requests)
    ended = threading.Event()

    def of_device(share: list[int]) -> None:
        for i in share:
            if ended.is_set():
                return
            try:
                (made[i],) = spread(requests[i : i + 1], topology, work, InTurn)
            except Exception as exc:
                ended.set()
                raise type(exc)(f"graphs[{i}]: {exc}") from exc

    with ThreadPoolExecutor(len(devices)) as pool:
        try:
            for done in [pool.submit(of_device, share) for share in shares]:
                done.result()
        except BaseException:  # Ctrl-C
            ended.set()
            raise
    return [mapping for mapping in made if mapping is not None]


def even_shares(sizes: Sequence[int], parts: int) -> list[list[int]]:
    """Return what each of so many parts takes: large ones first, each to who has least so far."""
    shares: list[list[int]] = [[] for _ in range(parts)]
    loads = [0] * parts
    for i in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
        least = loads.index(min(loads))
        shares[least].append(i)
        loads[least] += sizes[i] + 1
    return shares


def on_devices(requests: Sequence[Request], devices: Sequence[str]) -> list[Request]:
    """Return requests that say which of the devices maps them."""
    where = {
        i: device
        for device, share in zip(
            devices,
            even_shares([request.tasks.num_edges for request in requests], len(devices)),
            strict=True,
        )
        for i in share
    }
    return [
        replace(request, given=replace(request.given, device=where[i]))
        for i, request in enumerate(requests)
    ]


def checked_devices(devices: Sequence[int | str] | None, device: str) -> list[str]:
    """Return names of devices that share graphs; none if nobody said any."""
    if devices is None:
        return []
    if isinstance(devices, str) or not isinstance(devices, Iterable):
        raise TypeError(f"devices must be several devices, such as [0, 1], got {shown(devices)}")
    if device != "auto":
        raise ConfigError("give either device or devices, not both")
    listed = [f"cuda:{d}" if isinstance(d, int) and d >= 0 else d for d in devices]
    names = [device_name(d, f"devices[{i}]") for i, d in enumerate(listed)]
    if not names or "auto" in names:
        raise ConfigError(f"devices must name at least one device each, got {shown(devices)}")
    return names


def best_of(found: list[Mapping], migration_cost: float, seconds: float) -> Mapping:
    """Return the best balanced, then the cheapest, then the first, as `repeats` does."""
    best, kept = found[0], _Standing.of(found[0])
    for mapping in found[1:]:
        standing = _Standing.of(mapping)
        if standing.is_better_than(kept, migration_cost):  # the first of equals stays
            best, kept = mapping, standing
    return replace(best, stats=_all_stats(found, best, seconds)) if len(found) > 1 else best


@dataclass(frozen=True)
class _Standing:
    """What decides between attempts: `overload` and `is_better` of cpp/src/api/attempts.cpp.

    The core compares only attempts of its own, and the result must not depend on who made them.
    """

    feasible: bool
    overload: int
    cost: int  # in units of the core
    migrated: int

    @classmethod
    def of(cls, mapping: Mapping) -> _Standing:
        cost = next(attempt.cost for attempt in mapping.stats.attempts if attempt.kept)
        return cls(mapping.feasible, _overload(mapping), cost, mapping.migrated_weight)

    def is_better_than(self, other: _Standing, migration_cost: float) -> bool:
        if self.feasible != other.feasible:
            return self.feasible
        if self.overload != other.overload:
            return self.overload < other.overload
        if self.migrated == other.migrated:  # integers, of which floats may lose the difference
            return self.cost < other.cost
        ours, theirs = (each.cost + migration_cost * each.migrated for each in (self, other))
        return ours < theirs


def _overload(mapping: Mapping) -> int:
    """Return the excess of the worst block, or of several weights that of all blocks and weights.

    Weights add up as shares of what a block holds on average, in steps of 2**-20, as in
    `total_excess` of cpp/src/core/several_weights.cpp.
    """
    scales = mapping.units.loads
    loads = [in_steps(w.block_weights, s) for w, s in zip(mapping.weights, scales, strict=True)]
    rooms = [in_steps(w.capacities, s) for w, s in zip(mapping.weights, scales, strict=True)]
    over = [np.maximum(load - room, 0) for load, room in zip(loads, rooms, strict=True)]
    if len(over) == 1:
        return int(over[0].max(initial=0))
    total = 0
    for load, excess in zip(loads, over, strict=True):
        average = max(exact_sum(load) // len(load), 1)
        total += sum(-(-(each << 20) // average) for each in excess[excess > 0].tolist())
    return min(total, UNLIMITED)


def _all_stats(found: list[Mapping], best: Mapping, seconds: float) -> Stats:
    """Return what happened in all attempts, wherever they ran."""
    phases: dict[str, PhaseTime] = {}
    for phase in (phase for mapping in found for phase in mapping.stats.phases):
        before = phases.get(phase.name, PhaseTime(phase.name, 0.0, 0))
        phases[phase.name] = PhaseTime(
            phase.name, before.seconds + phase.seconds, before.calls + phase.calls
        )
    return replace(
        best.stats,
        seconds=seconds,
        phases=tuple(phases.values()),
        levels=tuple(level for mapping in found for level in mapping.stats.levels),
        attempts=tuple(
            replace(attempt, kept=attempt.kept and mapping is best)
            for mapping in found
            for attempt in mapping.stats.attempts
        ),
    )
