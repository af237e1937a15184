# SPDX-License-Identifier: MIT
"""Arithmetic means over seeds, geometric means over instances."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from harness.report import geometric_mean

from evaluation.run_log import Row

LEAST_SECONDS = 1e-4  # below that a clock says nothing
Instance = tuple[str, str]  # graph, hierarchy


@dataclass(frozen=True)
class Mean:
    """A program on an instance: means over its feasible runs; `cost` is at least 1."""

    cost: float
    seconds: float
    runs: int


Means = dict[Instance, dict[str, Mean]]  # instance -> label -> mean


def counts(row: Row) -> bool:
    """Whether a run gave a mapping within the balance asked for."""
    return bool(row["status"] == "ok" and row["feasible"])


def label_of(row: Row) -> str:
    """Return the name of a program in tables; those on a GPU are marked."""
    return str(row["side"]) + (" on GPU" if str(row["device"]).startswith("cuda") else "")


def seconds_of(row: Row) -> float:
    """Return CPU seconds on one thread, which other processes do not change, else wall seconds."""
    on_one = row["device"] == "cpu" and row["threads"] == 1
    return max(LEAST_SECONDS, float(row["cpu_seconds" if on_one else "seconds"]))


def instance_of(row: Row) -> Instance:
    """Return what a run was about."""
    return str(row["graph"]), str(row["hierarchy"])


def means(rows: Iterable[Row], label: Callable[[Row], str] = label_of) -> Means:
    """Return the means over the seeds; runs without a feasible mapping do not count."""
    found: dict[Instance, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if counts(row):
            found[instance_of(row)][label(row)].append(row)
    return {
        instance: {name: _mean(own) for name, own in by_label.items()}
        for instance, by_label in sorted(found.items())
    }


def _mean(rows: Sequence[Row]) -> Mean:
    cost = fmean(row["J"] for row in rows)
    return Mean(max(1.0, cost), fmean(map(seconds_of, rows)), len(rows))


def labels(found: Means) -> list[str]:
    """Return all programs, in order of appearance."""
    return list(dict.fromkeys(name for by_label in found.values() for name in by_label))


def only(found: Means, wanted: Iterable[str]) -> Means:
    """Return the means of some programs alone; instances without any are left out."""
    names = set(wanted)
    kept = {
        instance: {name: mean for name, mean in by_label.items() if name in names}
        for instance, by_label in found.items()
    }
    return {instance: by_label for instance, by_label in kept.items() if by_label}


def ratios(found: Means, name: str, other: str, field: str) -> list[float]:
    """Return `field` of a program over that of another, where both have a result."""
    return [
        getattr(by_label[name], field) / getattr(by_label[other], field)
        for by_label in found.values()
        if name in by_label and other in by_label
    ]


def mean_ratio(found: Means, name: str, other: str, field: str) -> float:
    """Return the geometric mean of those ratios, NaN for none."""
    return geometric_mean(ratios(found, name, other, field))
