# SPDX-License-Identifier: MIT
"""Phases (Table 2), partitioning, Jet, growth, CPU against GPU, recorded figures."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from math import prod
from statistics import fmean
from typing import Any

from harness import figures
from harness.report import geometric_mean

from evaluation import profiles
from evaluation.means import Means, labels, mean_ratio, means
from evaluation.report.pages import Page, percent
from evaluation.report.quality import profile_chart, quality_table
from evaluation.report.svg import Axis, Series, chart
from evaluation.run_log import Row

LARGE = 1_000_000  # vertices; the paper's border between small and large graphs
PHASES = ("Coarsening", "Contraction", "Initial mapping", "Uncontraction",
          "Refinement and rebalancing", "Other")  # fmt: skip
PHASE_OF = {
    "matching": 0, "clustering": 0, "numbering": 0, "repeat clusters": 0,
    "contraction": 1, "drop cross arcs": 1,
    "initial mapping": 2, "start refinement": 2, "tournament": 2,
    "projection": 3,
    "evaluation": 5, "upload": 5, "download": 5,
}  # fmt: skip
REFINEMENT = 4  # all other names are steps of it


def phase_seconds(row: Row) -> list[float]:
    """Return the seconds of a run by the paper's phases; what no phase has is the last."""
    seconds = [0.0] * len(PHASES)
    for name, value in row["phases"].items():
        seconds[PHASE_OF.get(name, REFINEMENT)] += value
    seconds[-1] += max(0.0, row["call_seconds"] - sum(seconds))
    return seconds


def phases(page: Page, rows: Sequence[Row]) -> None:
    """Table 2: share of time per phase."""
    own = [row for row in rows if row["own"] and row["status"] == "ok"]
    if own:
        page.heading("Where the time goes (Table 2)")
    for device in dict.fromkeys(row["device"] for row in own):
        header = ["phase"]
        columns: list[list[object]] = []
        for preset in dict.fromkeys(row["side"] for row in own):
            for size, is_in in _sizes():
                part = [row for row in own if (row["side"], row["device"]) == (preset, device)]
                part = [row for row in part if is_in(row["n"])]
                if part:
                    header.append(f"{preset}, {size}")
                    columns.append([percent(share) for share in mean_shares(part)])
        page.say(f"Mean shares on {device}; small graphs have fewer than a million vertices.")
        page.table(header, [[name, *(column[i] for column in columns)]
                            for i, name in enumerate(PHASES)])  # fmt: skip


def _sizes() -> tuple[tuple[str, Callable[[int], bool]], ...]:
    return ("small", lambda n: n < LARGE), ("large", lambda n: n >= LARGE)


def mean_shares(rows: Sequence[Row]) -> list[float]:
    """Return the mean share of every phase."""
    shares = []
    for row in rows:
        seconds = phase_seconds(row)
        shares.append([value / sum(seconds) for value in seconds])
    return [fmean(column) for column in zip(*shares, strict=True)]


def partition(page: Page, found: Means, presets: Sequence[str]) -> None:
    """Edge cuts beside those of partitioners."""
    page.heading("Edge cut")
    blocks = ", ".join(sorted({machine for _, machine in found}, key=int))
    page.say(f"All PEs equally far apart: J is twice the edge cut. k is {blocks}.")
    names = labels(found)
    page.chart("partition_profile", profile_chart("Edge cut: performance profile", found, names))
    quality_table(page, found, names, presets[0] if presets else names[0])
    shown = [name for name in presets if name in names]
    table = [
        [name, *(mean_ratio(found, preset, name, "cost") for preset in shown)]
        for name in names
        if name not in shown
    ]
    page.say("Geometric means of the preset's cut over the other's:")
    page.table(["partitioner", *shown], table)


def jet(page: Page, found: Means) -> None:
    """What a good partition that knows nothing of the machine costs."""
    if "KaMinPar-Jet" not in labels(found):
        return
    page.heading("Jet")
    page.say(
        "Jet partitions for the edge cut, with block i on PE i. The paper measured it on a GPU; "
        "KaMinPar has the same method for a CPU. Its J over that of mappers, geometric means:"
    )
    others = [
        name for name in ("im", "hm-ultra", "default", "SharedMap-S") if name in labels(found)
    ]
    table = [
        [name, percent(mean_ratio(found, "KaMinPar-Jet", name, "cost") - 1),
         mean_ratio(found, "KaMinPar-Jet", name, "seconds")]
        for name in others
    ]  # fmt: skip
    page.table(["beside", "J of Jet above", "time of Jet over"], table)


def growth(page: Page, rows: Sequence[Row]) -> None:
    """Time over arcs, blocks, levels and threads."""
    what: tuple[tuple[str, str, Callable[[Row], float], str, bool], ...] = (
        ("arcs", "arcs", lambda row: 2.0 * row["m"], "ns per arc", True),
        ("blocks", "k", lambda row: float(_pes(row)), "seconds", True),
        ("levels", "levels of 256 PEs", _levels, "seconds", False),
        ("threads", "threads", lambda row: row["threads"], "wall seconds", True),
    )  # fmt: skip
    for suite, axis, x_of, unit, log in what:
        own = [row for row in rows if row["suite"] == suite and row["status"] == "ok"]
        if not own:
            continue
        page.heading(f"Time over {axis}")
        _growth(page, suite, (axis, x_of, unit, log), own)


def _pes(row: Row) -> int:
    return prod(int(size) for size in row["hierarchy"].split(":"))


def _levels(row: Row) -> float:
    return 1.0 + str(row["hierarchy"]).count(":")


def _growth(
    page: Page, suite: str, what: tuple[str, Callable[[Row], float], str, bool], rows: Sequence[Row]
) -> None:
    axis, x_of, unit, log = what
    lines: dict[str, dict[float, float]] = defaultdict(dict)
    for x, by_label in _by_x(rows, x_of, suite).items():
        for name, seconds in by_label.items():
            lines[name][x] = 1e9 * seconds / x if suite == "arcs" else seconds
    series = [Series(name, sorted(points.items())) for name, points in lines.items()]
    title = f"Time over {axis}, {', '.join(sorted({row['graph'].split('_')[0] for row in rows}))}"
    page.chart(f"growth_{suite}", chart(title, Axis(axis, log), Axis(unit, log=True), series))
    xs = sorted({x for points in lines.values() for x in points})
    table = [[name, *(points.get(x) for x in xs)] for name, points in lines.items()]
    page.table([f"{unit}, {axis}:", *(f"{int(x):,}" for x in xs)], table)
    if suite == "threads":
        faster = [
            [name, *(_ratio(points.get(xs[0]), points.get(x)) for x in xs)]
            for name, points in lines.items()
        ]
        page.table(["times faster than on one thread:", *(f"{int(x):,}" for x in xs)], faster)


def _ratio(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first / second


def _by_x(
    rows: Sequence[Row], x_of: Callable[[Row], float], suite: str
) -> dict[float, dict[str, float]]:
    """Return mean seconds by x and program; wall seconds where threads are compared."""
    groups: dict[float, list[Row]] = defaultdict(list)
    for row in rows:
        groups[x_of(row)].append(row)
    result: dict[float, dict[str, float]] = {}
    for x, own in groups.items():
        wall = [{**row, "cpu_seconds": row["seconds"]} for row in own]
        found = means(wall if suite == "threads" else own)
        result[x] = {
            name: geometric_mean(by[name].seconds for by in found.values() if name in by)
            for name in labels(found)
        }
    return result


SIZES = ((0, 1e5, "fewer than 100,000 arcs"), (1e5, 1e6, "100,000 to a million"),
         (1e6, math.inf, "a million and more"))  # fmt: skip


def devices(page: Page, rows: Sequence[Row]) -> None:
    """The same presets on a CPU and on a GPU, by the size of the graph."""
    own = [row for row in rows if row["own"] and row["suite"] != "threads"]
    arcs = {row["graph"]: 2 * row["m"] for row in own}
    found: Means = {}
    for suite in dict.fromkeys(row["suite"] for row in own):
        part = means(row for row in own if row["suite"] == suite)
        found |= {(f"{suite} {graph}", machine): by for (graph, machine), by in part.items()}
    on_both = [name for name in labels(found) if f"{name} on GPU" in labels(found)]
    if not on_both:
        return
    page.heading("CPU against GPU")
    table = []
    for name in on_both:
        gpu = f"{name} on GPU"
        cells: list[object] = [name, _same_runs(own, name)]
        for low, high, _ in SIZES:
            part = {i: by for i, by in found.items() if low <= arcs[i[0].split(" ")[1]] < high}
            cells.append(mean_ratio(part, name, gpu, "seconds"))
        times = profiles.speedups(found, gpu, name)
        table.append([*cells, geometric_mean(times), times[0]])
    page.say(
        "CPU seconds on one thread over the wall seconds of a GPU and the threads of its host, "
        "geometric means by the size of the graph; and in how many calls of the same seed J is the "
        "same."
    )
    page.table(["preset", "same J", *(what for *_, what in SIZES), "all", "largest"], table)


def _same_runs(rows: Sequence[Row], name: str) -> str:
    """Return in how many calls J is the same, of those that ran on both devices."""
    costs: dict[tuple[object, ...], dict[bool, int]] = defaultdict(dict)
    for row in rows:
        if row["side"] == name and row["status"] == "ok":
            key = (row["graph"], row["hierarchy"], row["distance"], row["imbalance"], row["seed"])
            costs[key][row["device"] == "cpu"] = row["J"]
    both = [by_device for by_device in costs.values() if len(by_device) == 2]
    return f"{sum(by[True] == by[False] for by in both):,} of {len(both):,}"


PAIRS = {"IM": ("im", "fast"), "HM": ("hm", "default"), "HM-ultra": ("hm-ultra", "default")}


def recorded(page: Page, rows: Sequence[Row]) -> None:
    """GPU-HeiPa's figures where a graph of the log has some."""
    found = means(row for row in rows if row["own"] and row["suite"] != "threads")
    table: list[list[Any]] = []
    for row in figures.read_rows(figures.GPU_HEIPA):
        by_label = found.get((row["instance"], row["hierarchy"]), {})
        for name in PAIRS[row["config"]]:
            cpu, gpu = by_label.get(name), by_label.get(f"{name} on GPU")
            some = gpu or cpu
            if some is None:
                continue
            ours, on_cpu = (1e3 * mean.seconds if mean else None for mean in (gpu, cpu))
            its = float(row["ms"])
            table.append([row["instance"], f"GPU-HeiPa {row['config']}*", name,
                          some.cost / float(row["J"]), its, ours,
                          its / ours if ours else None, on_cpu])  # fmt: skip
    if not table:
        return
    page.heading("Beside recorded figures of GPU-HeiPa")
    page.say(
        "What has a * did not run here: it was recorded on an NVIDIA H200, one run each, input in "
        "pinned memory (`benchmarks/figures/gpu_heipa_h200.csv`). J compares everywhere; times "
        "compare where ours are those of such a GPU too."
    )
    header = ["graph", "recorded", "ours", "J over its", "its ms", "our ms on a GPU",
              "times faster", "our ms on a CPU"]  # fmt: skip
    page.table(header, table, left=3)
    means_of = []
    for config, names in PAIRS.items():
        for name in names:
            own = [line for line in table if line[1:3] == [f"GPU-HeiPa {config}*", name]]
            if own:
                faster = [line[6] for line in own if line[6] is not None]
                means_of.append([f"GPU-HeiPa {config}*", name, len(own),
                                 geometric_mean(line[3] for line in own),
                                 geometric_mean(faster) if faster else None])  # fmt: skip
    page.say("Geometric means:")
    page.table(["recorded", "ours", "graphs", "J over its", "times faster"], means_of, left=2)
