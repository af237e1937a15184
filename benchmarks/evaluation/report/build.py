# SPDX-License-Identifier: MIT
"""From runs to a page and its files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evaluation import sides
from evaluation.means import Means, labels, means, only
from evaluation.report import parts, quality, setup
from evaluation.report.pages import Page
from evaluation.report.shapes import shapes
from evaluation.run_log import Row, in_order

BASE = "SharedMap-S"  # the paper's
SHOWN = ("im", "hm-ultra", "fast", "default", "strong", "SharedMap-F", BASE, "KaHIP-S", "Scotch-Q",
         "im on GPU", "fast on GPU", "default on GPU", "strong on GPU")  # fmt: skip
LINES = 10  # in a chart
WHERE_TIME_GOES = ("mapping", "arcs", "recorded")  # suites with the paper's machines
AGAINST = ("default", "strong")


def build(runs: Iterable[Row], sessions: Sequence[Row], folder: str = "evaluation") -> Page:
    """Return the report of all runs; parts without runs are left out."""
    rows = in_order(runs, sides.rank)
    page = Page(folder)
    page.heading("Evaluation", 1)
    mapping = [row for row in rows if row["suite"] == "mapping"]
    found = means(mapping)
    presets = _own(rows)
    rivals = [name for name in labels(found) if name not in _marked(presets)]
    setup.origins(page, sessions)
    setup.programs(page, rows, sessions)
    if found:
        setup.instances(page, mapping, sessions)
        _mapping(page, mapping, found, presets, rivals)
    parts.phases(page, [row for row in rows if row["suite"] in WHERE_TIME_GOES])
    parts.devices(page, rows)
    partitions = means(row for row in rows if row["suite"] == "partition")
    if partitions:
        parts.partition(page, partitions, [n for n in presets if n in labels(partitions)])
    unlike = means(row for row in rows if row["suite"] == "shapes")
    if unlike:
        shapes(page, unlike, [name for name in presets if name in labels(unlike)])
    parts.growth(page, rows)
    parts.recorded(page, rows)
    _results(page, found, rows)
    return page


def _own(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row["side"] for row in rows if row["own"]))


def _marked(presets: Sequence[str]) -> set[str]:
    return {name + device for name in presets for device in ("", " on GPU")}


def _mapping(
    page: Page, rows: Sequence[Row], found: Means, presets: Sequence[str], rivals: Sequence[str]
) -> None:
    kinds = {row["graph"]: row["kind"] for row in rows}
    own = [name for name in labels(found) if name in presets]
    quality.own(page, found, presets)
    if rivals:
        base = BASE if BASE in rivals else rivals[0]
        shown = [name for name in SHOWN if name in labels(found)][:LINES]
        quality.everyone(page, found, base, shown)
        quality.pareto(page, found, base)
        quality.classes(page, found, own, rivals)
        quality.pairs(page, found, kinds, [name for name in AGAINST if name in own], rivals)
        quality.lost(page, only(found, [*own, *rivals]), own, rivals)
    parts.jet(page, found)


def _results(page: Page, found: Means, rows: Sequence[Row]) -> None:
    page.heading("All figures")
    table = [
        [graph, machine, name, mean.cost, mean.seconds, mean.runs]
        for (graph, machine), by_label in found.items()
        for name, mean in by_label.items()
    ]
    header = ["graph", "machine", "program", "mean J", "mean seconds", "feasible runs"]
    page.csv("results", f"Means of {len(rows)} runs", header, table)
