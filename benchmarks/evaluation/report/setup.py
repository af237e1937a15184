# SPDX-License-Identifier: MIT
"""What a report begins with: how its figures were made, on which graphs, by which programs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from evaluation.means import label_of
from evaluation.report.pages import Page
from evaluation.run_log import Row

LOAD = re.compile(r", load ([0-9.]+)")


def origins(page: Page, sessions: Sequence[Row]) -> None:
    """Say which commands made the runs, and where."""
    page.heading("How it was made")
    page.say(
        "This page, its charts and its tables are written by `python benchmarks/run.py report` "
        "from logs of runs; [Repeat this](repeat.md) says how. J and the balance of every mapping "
        "were recomputed from the graph file, without procmap. A mapping heavier than the balance "
        "allows counts as none. Means are arithmetic over seeds and geometric over instances. "
        "Times are those of the call, without starting, reading and building the graph: CPU "
        "seconds on one thread, wall seconds on several threads and on a GPU, where upload and "
        "download are within. The load of a machine at the start of a command says whether others "
        "ran beside it, such as runs on the processor beside those on a GPU."
    )
    fields = ("commit", "machine", "procmap")
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for session in sessions:
        groups[tuple(_without_load(str(session[field])) for field in fields)].append(session)
    for about, starts in groups.items():
        first, last = starts[0]["session"], starts[-1]["session"]
        table = [[name, value] for name, value in zip(fields, about, strict=True)]
        table.append(["started", first if first == last else f"{first} to {last}"])
        table += [["command", f"`{command}`"] for command in
                  dict.fromkeys(str(start["command"]) for start in starts)]  # fmt: skip
        table += _at_once(starts)
        limits = starts[-1]["limits"]
        table.append(["limits", f"{limits['seconds']:g} s per call, {limits['memory_gb']:g} GB"])
        page.lines += ["| | |", "| :-- | :-- |"]
        page.lines += [f"| {name} | {value} |" for name, value in table] + [""]


def _at_once(starts: Sequence[Row]) -> list[list[str]]:
    """Say how busy the machine was, as far as the log knows."""
    said: list[list[str]] = []
    jobs = sorted({start["jobs"] for start in starts if start.get("jobs")})
    if jobs:
        most = jobs[-1]
        each = ", each on a core of its own" if most > 1 else ""
        said.append(["runs at once", f"{' or '.join(map(str, jobs))}{each}"])
    threads = {start["threads_per_core"] for start in starts if start.get("threads_per_core")}
    if threads:
        said.append(["threads per core", " or ".join(map(str, sorted(threads)))])
    loads = [match.group(1) for start in starts if (match := LOAD.search(str(start["machine"])))]
    if loads:
        least, most_load = min(loads, key=float), max(loads, key=float)
        said.append(["load at the start",
                     least if least == most_load else f"{least} to {most_load}"])  # fmt: skip
    return said


def _without_load(text: str) -> str:
    return text.rsplit(", load", 1)[0]


def programs(page: Page, rows: Sequence[Row], sessions: Sequence[Row]) -> None:
    """List the programs, their versions and how their runs ended."""
    page.heading("Programs", 3)
    by_label: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_label[label_of(row)].append(row)
    table = []
    for label, own in by_label.items():
        versions = sorted({row["version"] for row in own if row.get("version")})
        failed = [row for row in own if row["status"] != "ok"]
        heavy = sum(row["status"] == "ok" and not row["feasible"] for row in own)
        seeds = len({row["seed"] for row in own})
        table.append([label, ", ".join(versions), seeds, len(own), heavy, len(failed)])
    header = ["program", "version", "seeds", "runs", "too heavy", "without result"]
    page.table(header, table, left=2)
    reasons: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        if row["status"] != "ok":
            reasons[label_of(row), str(row["status"])] += 1
    page.table(
        ["program", "why there is no result", "runs"],
        [[label, f"`{why}`", count] for (label, why), count in reasons.items()],
        left=2,
    )
    missing = {name: why for start in sessions for name, why in start["unavailable"].items()}
    ran = set(by_label)
    page.table(
        ["not run", "why"],
        [[name, why] for name, why in missing.items() if name not in ran],
        left=2,
    )


def instances(page: Page, rows: Sequence[Row], sessions: Sequence[Row]) -> None:
    """Table 1: the graphs with their sizes."""
    page.heading("Graphs (Table 1)", 3)
    graphs = {row["graph"]: row for row in rows}
    odd = sum(row["kind"] == "irregular" for row in graphs.values())
    machines = sorted({(row["distance"], row["hierarchy"]) for row in rows})
    distances = dict.fromkeys(distance for distance, _ in machines)
    named = "; ".join(
        f"{', '.join(hierarchy for own, hierarchy in machines if own == distance)} with distances "
        f"{distance}"
        for distance in distances
    )
    balance = sorted({f"{100 * float(row['imbalance']):g} %" for row in rows})
    page.say(
        f"{len(graphs)} graphs, {odd} of them irregular, and {len(machines)} machines: "
        f"{named}. Imbalance {', '.join(balance)}."
    )
    absent = sorted({name for start in sessions for name in start.get("left_out", ())} - {*graphs})
    if absent:
        page.say(f"Left out, since no folder had them: {', '.join(absent)}.")
    by_size = sorted(graphs.values(), key=lambda r: (r["kind"] != "regular", r["n"], r["graph"]))
    table = [[row["graph"], row["kind"], row["n"], row["m"]] for row in by_size]
    page.table(["graph", "kind", "vertices", "edges"], table, left=2)
