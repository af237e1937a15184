# SPDX-License-Identifier: MIT
"""Performance profiles (Dolan and More 2002), speedups, Pareto fronts, and who is best when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.report import geometric_mean

from evaluation.means import Instance, Means, ratios

Steps = list[tuple[float, float]]
TOLERANCE = 1e-9  # of J, where equal means are to be equal


@dataclass(frozen=True)
class Quality:
    """How a program compares with the best one of every instance."""

    label: str
    solved: int  # instances with a feasible mapping
    best: float  # fraction of all instances on which none is better
    excess: float  # geometric mean of J over the best, where it has a result
    worst: float  # the largest of these


@dataclass(frozen=True)
class Loss:
    """A rival that is better than a preset on an instance; `time` is its time over the preset's."""

    preset: str
    rival: str
    instance: Instance
    factor: float
    time: float


def over_best(found: Means, name: str) -> list[float]:
    """Return J of a program over the least of all programs, where it has a result."""
    return [
        by_label[name].cost / min(mean.cost for mean in by_label.values())
        for by_label in found.values()
        if name in by_label
    ]


def quality(found: Means, name: str) -> Quality:
    """Return how a program compares with the best."""
    over = over_best(found, name)
    best = sum(ratio <= 1 + TOLERANCE for ratio in over) / max(1, len(found))
    return Quality(name, len(over), best, geometric_mean(over), max(over, default=float("nan")))


def profile(found: Means, name: str) -> Steps:
    """Return (tau, fraction of instances with J at most tau times the best), tau ascending."""
    over = sorted(over_best(found, name))
    steps: Steps = [(1.0, 0.0)]
    for count, ratio in enumerate(over, 1):
        steps.append((max(1.0, ratio), count / len(found)))
    return steps


def speedups(found: Means, name: str, base: str) -> list[float]:
    """Return the times of `base` over those of a program, largest first."""
    return sorted(ratios(found, base, name, "seconds"), reverse=True)


def pareto(points: dict[str, tuple[float, float]]) -> list[str]:
    """Return the names of the points (cost, time) that none is at least as good as in both."""
    front = []
    best = float("inf")
    for name, (_, cost) in sorted(
        ((name, (time, cost)) for name, (cost, time) in points.items()), key=lambda p: p[1]
    ):
        if cost < best:
            front.append(name)
            best = cost
    return front


def best_in_class(found: Means, preset: str, rivals: Sequence[str], slower: float) -> float:
    """Return the fraction of the preset's instances on which no rival is better.

    Rivals that take more than `slower` times as long as the preset do not take part.
    """
    won = 0
    solved = [by_label for by_label in found.values() if preset in by_label]
    for by_label in solved:
        own = by_label[preset]
        others = [by_label[name] for name in rivals if name in by_label]
        class_of = [rival for rival in others if rival.seconds <= slower * own.seconds]
        won += all(own.cost <= rival.cost * (1 + TOLERANCE) for rival in class_of)
    return won / max(1, len(solved))


def losses(found: Means, preset: str, rivals: Sequence[str]) -> list[Loss]:
    """Return every rival that is better than a preset, per instance, largest factor first."""
    lost = []
    for instance, by_label in found.items():
        if preset not in by_label:
            continue
        own = by_label[preset]
        for name in rivals:
            rival = by_label.get(name)
            if rival is not None and own.cost > rival.cost * (1 + TOLERANCE):
                factor, time = own.cost / rival.cost, rival.seconds / own.seconds
                lost.append(Loss(preset, name, instance, factor, time))
    return sorted(lost, key=lambda loss: (-loss.factor, loss.instance, loss.rival))
