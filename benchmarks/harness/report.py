# SPDX-License-Identifier: MIT
"""Plain-text tables, means, and CSV files that grow row by row."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import mean
from typing import TypeVar

from harness.whole_file import whole_file

Key = TypeVar("Key")


def geometric_mean(values: Iterable[float]) -> float:
    """Return the geometric mean of positive numbers, NaN for none."""
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def mean_results(
    rows: Iterable[dict[str, str]],
    instance_of: Callable[[dict[str, str]], Key],
    side: str,
    value: str,
    seconds: str,
) -> dict[Key, dict[str, tuple[float, float]]]:
    """Return mean value (at least 1) and seconds over the seeds, by instance and by side.

    `side`, `value` and `seconds` are names of columns; rows that are not ok do not count.
    """
    found: dict[tuple[Key, str], list[tuple[float, float]]] = {}
    for row in rows:
        if row["status"] == "ok":
            pair = (float(row[value]), float(row[seconds]))
            found.setdefault((instance_of(row), row[side]), []).append(pair)
    results: dict[Key, dict[str, tuple[float, float]]] = {}
    for (instance, name), pairs in found.items():
        cost, time = (mean(column) for column in zip(*pairs, strict=True))
        results.setdefault(instance, {})[name] = (max(1.0, cost), max(1e-4, time))
    return results


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a Markdown table: first column left, the others right, floats to three digits.

    Nothing is printed for a table without rows.
    """
    if not rows:
        return
    cells = [[_text(cell) for cell in row] for row in rows]
    widths = [max(len(line[i]) for line in [list(header), *cells]) for i in range(len(header))]
    print(f"\n{title}\n")
    print(_line(header, widths))
    print(
        "|"
        + "|".join("-" * (widths[i] + 1) + ("-" if i == 0 else ":") for i in range(len(widths)))
        + "|"
    )
    for row in cells:
        print(_line(row, widths))


def print_runs(rows: Sequence[dict[str, str]]) -> None:
    """How many results of every side are too heavy somewhere (these count too) or missing."""
    table = []
    for side in dict.fromkeys(row["side"] for row in rows):
        own = [row for row in rows if row["side"] == side]
        heavy = sum(row["feasible"] == "0" for row in own)
        table.append([side, len(own), heavy, sum(row["status"] != "ok" for row in own)])
    print_table("Runs", ["side", "runs", "infeasible", "failed"], table)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cell.ljust(widths[i]) if i == 0 else cell.rjust(widths[i]) for i, cell in enumerate(cells)
    ]
    return "| " + " | ".join(padded) + " |"


def _text(cell: object) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return "-" if math.isnan(cell) else f"{cell:.3f}"
    if isinstance(cell, int) and not isinstance(cell, bool):
        return f"{cell:,}"
    return str(cell)


class CsvLog:
    """A CSV file to which rows are added one at a time, so that a broken run loses nothing."""

    def __init__(self, path: Path | None, fields: Sequence[str], resume: bool = False) -> None:
        """Start a file, or with `resume` one that keeps the rows whose status is `ok`.

        Without a path rows stay in memory.
        """
        self.fields = list(fields)
        self.rows: list[dict[str, str]] = []
        self._path = path
        if path is None:
            return
        if resume and path.exists():
            with path.open(newline="") as file:
                self.rows = [row for row in csv.DictReader(file) if row["status"] == "ok"]
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            writer = csv.DictWriter(file, self.fields, lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows)

    def add(self, row: dict[str, object]) -> None:
        """Append one row to memory and to the file."""
        text = {field: _plain(row.get(field)) for field in self.fields}
        self.rows.append(text)
        if self._path is not None:
            with self._path.open("a", newline="") as file:
                csv.DictWriter(file, self.fields, lineterminator="\n").writerow(text)


def _plain(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)
