# SPDX-License-Identifier: MIT
"""What one start runs, cut into pieces that processes of their own work on, the useful first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from harness.instance import Header

from evaluation.instance_sets import Entry, named
from evaluation.problem import Task
from evaluation.sides import Side
from evaluation.suites import IMBALANCE, Suite, threads_of

SLOWNESS = 10  # how much longer slow programs take than others, about; for the order alone


@dataclass(frozen=True)
class Plan:
    """What one start runs."""

    suites: list[Suite]
    entries: list[Entry]
    presets: list[Side]
    rivals: list[Side]
    seeds: list[int]
    slow_seeds: list[int]
    threads: int
    device: str
    cores: int
    jobs: int


@dataclass(frozen=True)
class Graph:
    """A graph of a set, its file and what the file's first line says."""

    entry: Entry
    path: Path
    header: Header


@dataclass(frozen=True)
class Piece:
    """What one worker does: a program on a graph, with machines, seeds and threads."""

    suite: Suite
    graph: Graph
    side: Side
    tasks: tuple[Task, ...]

    @property
    def is_alone(self) -> bool:
        """Whether nothing runs beside it, as it uses several threads."""
        return any(task.threads > 1 for task in self.tasks)

    @property
    def length(self) -> int:
        """About how long it takes, in no unit."""
        header = self.graph.header
        size = header.num_vertices + header.num_edges
        return len(self.tasks) * size * (SLOWNESS if _is_slow(self.side) else 1)


def entries_of(suite: Suite, plan: Plan) -> list[Entry]:
    """Return the graphs of a suite; without any if it does not run on the device."""
    if plan.device.partition(":")[0] not in suite.devices:
        return []
    return [named(name) for name in suite.graphs] or plan.entries


def pieces(plan: Plan, graphs: dict[str, Graph]) -> list[Piece]:
    """Return all pieces in the order in which they are begun; graphs that are missing are left out.

    What slow rivals do with seeds beyond the first comes last, before that suite after suite. Of
    several at once the long ones begin, so that none is left alone at the end.
    """
    found: list[tuple[bool, int, int, Piece]] = []
    for number, suite in enumerate(plan.suites):
        for entry, side in product(entries_of(suite, plan), _sides(suite, plan)):
            if entry.name not in graphs:
                continue
            for is_extra, tasks in _by_seeds(suite, side, plan):
                piece = Piece(suite, graphs[entry.name], side, tuple(tasks))
                length = piece.length if plan.jobs > 1 else 0
                found.append((is_extra, number, -length, piece))
    return [piece for *_, piece in sorted(found, key=lambda key: key[:3])]


def tasks(suite: Suite, side: Side, plan: Plan) -> list[Task]:
    """Return the calls of a program on a graph."""
    seeds: Sequence[int] = plan.slow_seeds if side.slow else plan.seeds
    seeds = seeds if suite.seeds is None else suite.seeds
    threads = threads_of(suite, plan.threads, plan.cores)
    return [
        Task(hierarchy, distance, IMBALANCE, seed, count, plan.device)
        for count, seed, (hierarchy, distance) in product(threads, seeds, suite.machines)
    ]


def _by_seeds(suite: Suite, side: Side, plan: Plan) -> Iterator[tuple[bool, list[Task]]]:
    """Yield the tasks of slow rivals seed by seed, those of others at once."""
    every = tasks(suite, side, plan)
    if not side.slow:
        yield False, every
        return
    for number, seed in enumerate(dict.fromkeys(task.seed for task in every)):
        yield number > 0, [task for task in every if task.seed == seed]


def _is_slow(side: Side) -> bool:
    return side.slow or (side.is_own and side.label == "strong")


def _sides(suite: Suite, plan: Plan) -> list[Side]:
    found = []
    for all_of_them, wanted in ((plan.presets, suite.presets), (plan.rivals, suite.rivals)):
        found += [
            side
            for side in all_of_them
            if wanted is None or side.label in wanted or side.adapter == "command"
        ]
    return found
