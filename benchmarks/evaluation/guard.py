# SPDX-License-Identifier: MIT
"""`guard`: J of a small fixed set, which is exact, against values that were recorded.

The set needs NumPy alone and seconds. Times are recorded with J, and never compared.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from harness import families, patterns
from harness.boxes import box
from harness.report import geometric_mean, print_table
from harness.whole_file import whole_file

RECORDED = Path(__file__).resolve().parent.parent / "figures" / "guard.csv"
FIELDS = ("graph", "sha256", "hierarchy", "distance", "preset", "seed", "J", "ms")
PRESETS = ("im", "hm", "hm-ultra", "fast", "default", "strong")
SEED = 1
STRONG_ON = frozenset({"stencil_20"})  # the preset takes seconds elsewhere


@dataclass(frozen=True)
class Entry:
    """One mapping of the set; `sha256` is that of the graph's edges."""

    graph: str
    sha256: str
    hierarchy: str
    distance: str
    preset: str
    seed: int
    cost: int
    ms: float

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What is mapped, and how."""
        return self.graph, self.hierarchy, self.preset, self.seed


Arrays = tuple[int, np.ndarray, np.ndarray, np.ndarray]  # n, tails, heads, weights


def graphs() -> dict[str, tuple[Arrays, str]]:
    """Return the graphs of the set by name, each with the sizes of a hierarchy."""
    offsets, heads = box(8)
    tails = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    once = tails < heads
    edges, weights = patterns.clustered_traffic(9)
    return {
        "box_8": (_unit((8**3, tails[once], heads[once])), "4:8:1"),
        "stencil_24": (_unit(patterns.stencil(24)), "4:8:2"),
        "rmat_9": (_unit(families.rmat(9)), "4:8:2"),
        "pref_8": (_unit(families.preferential_attachment(8)), "4:8:1"),
        "netl_8": (_unit(families.netlist(8)), "4:4:2"),
        "traffic_9": ((*edges, weights), "4:8:2"),
        "stencil_20": (_unit(patterns.stencil(20)), "60"),
    }


def _unit(edges: families.Edges) -> Arrays:
    return (*edges, np.ones(len(edges[1]), np.int64))


def fingerprint(arrays: Arrays) -> str:
    """Return a hash of a graph's edges: another NumPy may draw others."""
    n, *columns = arrays
    whole = np.concatenate([[n], *columns]).astype("<i8")
    return hashlib.sha256(whole.tobytes()).hexdigest()[:16]


def measure(presets: Iterable[str] = PRESETS) -> list[Entry]:
    """Map the whole set on one thread."""
    import procmap

    found = []
    for name, (arrays, hierarchy) in graphs().items():
        n, tails, heads, weights = arrays
        proper = tails != heads
        edges = np.stack([tails[proper], heads[proper]], axis=1)
        graph = procmap.Graph.from_edges(edges, n, weights[proper])
        distance = ":".join(["1", "10", "100"][: hierarchy.count(":") + 1])
        topology: Any = procmap.Topology.hierarchy(hierarchy, distance)
        for preset in presets:
            if preset == "strong" and name not in STRONG_ON:
                continue
            begin = time.process_time()
            mapping = procmap.map(graph, topology, preset=preset, seed=SEED, threads=1)
            ms = round(1e3 * (time.process_time() - begin), 1)
            about = (name, fingerprint(arrays), hierarchy, distance, preset, SEED)
            found.append(Entry(*about, int(mapping.cost), ms))
    return found


def read(path: Path = RECORDED) -> list[Entry]:
    """Return what was recorded."""
    with path.open(newline="") as file:
        return [
            Entry(
                *(row[field] for field in FIELDS[:5]), int(row["seed"]), int(row["J"]),
                float(row["ms"]),
            )
            for row in csv.DictReader(file)
        ]  # fmt: skip


def write(entries: Iterable[Entry], path: Path = RECORDED) -> None:
    """Record."""
    with whole_file(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        writer.writerows(vars(entry).values() for entry in entries)


def differences(recorded: Iterable[Entry], found: Iterable[Entry]) -> list[str]:
    """Return a line for everything that is not as recorded; times do not count."""
    before = {entry.key: entry for entry in recorded}
    lines = []
    for entry in found:
        old = before.pop(entry.key, None)
        what = " ".join(map(str, entry.key))
        if old is None:
            lines.append(f"{what}: J {entry.cost:,}, not recorded")
        elif old.sha256 != entry.sha256:
            lines.append(f"{what}: not the recorded graph; NumPy {np.__version__} draws another")
        elif old.cost != entry.cost:
            ratio = entry.cost / max(1, old.cost)
            lines.append(f"{what}: J {entry.cost:,}, recorded {old.cost:,} (x {ratio:.4f})")
    lines += [f"{' '.join(map(str, key))}: recorded, no longer in the set" for key in before]
    return lines


def ratios(recorded: Iterable[Entry], found: Iterable[Entry]) -> list[list[object]]:
    """Return preset, mean J before and now, and now over before, for what is in both."""
    before = {entry.key: entry for entry in recorded}
    table: list[list[object]] = []
    both = [(before[entry.key], entry) for entry in found if entry.key in before]
    for preset in dict.fromkeys(new.preset for _, new in both):
        pairs = [(old, new) for old, new in both if new.preset == preset]
        old_mean, new_mean = (
            geometric_mean(max(1, entry.cost) for entry in side)
            for side in zip(*pairs, strict=True)
        )
        table.append([preset, old_mean, new_mean, new_mean / old_mean])
    return table


def run(args: argparse.Namespace) -> int:
    """Compare, or with --update record; 1 if something is not as recorded."""
    recorded = read() if RECORDED.is_file() else []
    found = measure()
    changed = differences(recorded, found)
    if args.update:
        write(_keep_times(recorded, found))
        header = ["preset", "mean J before", "now", "now / before"]
        print_table("Geometric means of J", header, ratios(recorded, found))
    for line in changed:
        print(line)
    print(f"{len(found)} mappings, {len(changed)} not as recorded{', now they are' * args.update}")
    return 1 if changed and not args.update else 0


def _keep_times(recorded: Iterable[Entry], found: Iterable[Entry]) -> list[Entry]:
    """Keep the times of what did not change, so that only lines with another J change."""
    before = {(entry.key, entry.sha256, entry.cost): entry.ms for entry in recorded}
    return [
        replace(entry, ms=before.get((entry.key, entry.sha256, entry.cost), entry.ms))
        for entry in found
    ]
