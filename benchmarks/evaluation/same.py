# SPDX-License-Identifier: MIT
"""`same`: whether two logs have the same J in every run of procmap that both have."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from evaluation.run_log import KEY, Row, read_all

WITHOUT = ("threads", "device")  # J does not depend on them


def costs(rows: Iterable[Row]) -> dict[tuple[object, ...], set[int | None]]:
    """Return every J that procmap had for the same call, whatever the threads and the device."""
    found: dict[tuple[object, ...], set[int | None]] = {}
    for row in rows:
        if row["own"]:
            key = tuple(row[field] for field in KEY if field not in WITHOUT)
            found.setdefault(key, set()).add(row.get("J"))
    return found


def run(args: argparse.Namespace) -> int:
    """Compare the logs; 1 if a J differs or none is in both."""
    first, second = (costs(read_all([path])[0]) for path in args.logs)
    both = [key for key in first if key in second]
    different = [key for key in both if len(first[key] | second[key]) > 1]
    for key in different:
        print(*key, *sorted(map(str, first[key] | second[key])))
    print(f"{len(both)} calls in both, {len(different)} with another J")
    return 1 if different or not both else 0
