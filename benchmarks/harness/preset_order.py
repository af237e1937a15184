# SPDX-License-Identifier: MIT
"""Is a preset that does more also better, call by call?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, product

from harness.report import geometric_mean, mean_results, print_table

ALLOWED = 1.002  # above this times the J of the lesser preset a call is out of order
PRESETS = ("fast", "default", "strong")
Measured = tuple[float, float]  # J, CPU seconds


def print_order(rows: Iterable[dict[str, str]], machines: Sequence[str]) -> None:
    """Print J and seconds of each preset over those of the one before it, for every machine."""
    calls = mean_results(
        rows, lambda row: (row["machine"], row["graph"], row["seed"]), "side", "J", "cpu_seconds"
    )
    table: list[list[object]] = []
    for machine, (lesser, preset) in product(machines, pairwise(PRESETS)):
        pairs = [
            (call[preset], call[lesser])
            for (where, *_), call in calls.items()
            if where == machine and preset in call and lesser in call
        ]
        if pairs:
            table.append([machine, f"{preset} / {lesser}", len(pairs), *_compared(pairs)])
    if table:
        header = ["machine", "presets", "calls", "J", "worst J", f"above {ALLOWED}", "CPU time"]
        print_table("Presets in order", header, table)


def _compared(pairs: Sequence[tuple[Measured, Measured]]) -> tuple[float, float, int, float]:
    """Mean and worst ratio of J, number of calls out of order, mean ratio of seconds."""
    costs = [more[0] / less[0] for more, less in pairs]
    seconds = [more[1] / less[1] for more, less in pairs]
    above = sum(cost > ALLOWED for cost in costs)
    return geometric_mean(costs), max(costs), above, geometric_mean(seconds)
