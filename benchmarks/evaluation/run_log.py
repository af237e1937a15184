# SPDX-License-Identifier: MIT
"""The log of runs: one JSON object per line, so that a broken start loses nothing.

A line with "session" describes a start (commit, command, machine, versions); one with "side" is a
run. Files whose names end in .xz are read too.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]
DIGITS, PHASE_DIGITS = 4, 2  # of numbers with a point in packed logs; phases take most of these
KEY = ("suite", "graph", "hierarchy", "distance", "imbalance", "side", "seed", "threads", "device")


def key_of(row: Row) -> tuple[object, ...]:
    """Return what tells a run from all others."""
    return tuple(row[field] for field in KEY)


def read_lines(path: Path) -> list[Row]:
    """Return all objects of a file; a last line that was cut off does not count."""
    data = path.read_bytes()
    text = (lzma.decompress(data) if path.suffix == ".xz" else data).decode()
    lines = text.split("\n")
    rows = [json.loads(line) for line in lines[:-1] if line]
    if lines[-1]:
        try:
            rows.append(json.loads(lines[-1]))
        except json.JSONDecodeError:
            return rows
    return rows


def runs(lines: Iterable[Row]) -> list[Row]:
    """Return the runs; of several of one key the last."""
    return list({key_of(row): row for row in lines if "side" in row}.values())


def sessions(lines: Iterable[Row]) -> list[Row]:
    """Return the descriptions of starts."""
    return [row for row in lines if "session" in row]


def read_all(paths: Sequence[Path]) -> tuple[list[Row], list[Row]]:
    """Return (runs, sessions) of several files, each of which may be of another machine."""
    lines = [row for path in paths for row in read_lines(path)]
    return runs(lines), sessions(lines)


class RunRows:
    """Runs in memory, for whoever hands them on."""

    def __init__(self, done: Iterable[tuple[object, ...]] = ()) -> None:
        """Begin with keys of runs that somebody else has."""
        self.rows: list[Row] = []
        self._done = set(done)

    def has(self, row: Row) -> bool:
        """Whether this run is there already."""
        return key_of(row) in self._done

    def add(self, row: Row) -> None:
        """Add a run."""
        self.rows.append(row)
        self._done.add(key_of(row))


class RunLog(RunRows):
    """A file to which runs are added one at a time."""

    def __init__(self, path: Path, retry: bool = False) -> None:
        """Continue a file if it exists; with `retry` runs that failed do not count as done."""
        self._path = path
        lines = read_lines(path) if path.is_file() else []
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and not path.read_bytes().endswith(b"\n"):
            _write(path, lines)  # without the end of a start that was killed
        done = [row for row in runs(lines) if not retry or row["status"] == "ok"]
        super().__init__(key_of(row) for row in done)

    @property
    def done(self) -> frozenset[tuple[object, ...]]:
        """Keys of all runs."""
        return frozenset(self._done)

    def add(self, row: Row) -> None:
        """Append a run or the description of a start."""
        with self._path.open("a") as file:
            file.write(json.dumps(row, separators=(",", ":")) + "\n")
        if "side" in row:
            self._done.add(key_of(row))


def _write(path: Path, lines: Iterable[Row]) -> None:
    path.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in lines))


def in_order(rows: Iterable[Row], rank: Callable[[str], tuple[int, str]]) -> list[Row]:
    """Return runs in an order that does not depend on which ended first; `rank` is of programs."""

    def place(row: Row) -> tuple[object, ...]:
        where = (row["suite"], row["graph"], row["hierarchy"], row["distance"])
        return row["device"], rank(row["side"]), *where, row["threads"], row["seed"]

    return sorted(rows, key=place)


def packed(lines: Iterable[Row]) -> bytes:
    """Return a log compressed, numbers with a point rounded."""
    text = "".join(
        json.dumps(_rounded(row), separators=(",", ":"), sort_keys=True) + "\n" for row in lines
    )
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


def _rounded(value: Any, digits: int = DIGITS) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{digits}g}")
    if isinstance(value, dict):
        of = {"phases": PHASE_DIGITS}
        return {key: _rounded(own, of.get(key, digits)) for key, own in value.items()}
    return value
