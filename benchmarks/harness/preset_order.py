# SPDX-License-Identifier: MIT
"""Is a preset that does more also better, call by call?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, product

from harness.report import geometric_mean, print_table

ALLOWED = 1.002  # above this times the J of the lesser preset a call is out of order
PRESETS = ("fast", "default", "strong")
Row = dict[str, str]


def print_order(rows: Iterable[Row], machines: Sequence[str]) -> None:
    """Print J and seconds of each preset over those of the one before it, for every machine."""
    calls: dict[tuple[str, str, str], dict[str, Row]] = {}
    for row in rows:
        if row["status"] == "ok" and row["side"] in PRESETS:
            calls.setdefault((row["machine"], row["graph"], row["seed"]), {})[row["side"]] = row
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


def _compared(pairs: Sequence[tuple[Row, Row]]) -> tuple[float, float, int, float]:
    """Mean and worst ratio of J, number of calls out of order, mean ratio of seconds."""
    costs = [max(1.0, float(more["J"])) / max(1.0, float(less["J"])) for more, less in pairs]
    seconds = [
        max(1e-4, float(more["cpu_seconds"])) / max(1e-4, float(less["cpu_seconds"]))
        for more, less in pairs
    ]
    above = sum(cost > ALLOWED for cost in costs)
    return geometric_mean(costs), max(costs), above, geometric_mean(seconds)
