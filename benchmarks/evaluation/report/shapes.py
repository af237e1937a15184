# SPDX-License-Identifier: MIT
"""Edge cuts of shapes that are in no other set, graph by graph."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.means import Means, labels, mean_ratio, ratios
from evaluation.report.pages import Page

CLEARLY = 1.01  # a cut that many times as large is clearly worse


def shapes(page: Page, found: Means, presets: Sequence[str]) -> None:
    """Say how presets compare with partitioners there, and where they lose."""
    rivals = [name for name in labels(found) if name not in presets]
    page.heading("Shapes that are in no other set")
    page.say(
        "Lattices without a border, trees, expanders, planted clusters, heavy vertices "
        "(`benchmarks/harness/shapes.py`), all PEs equally far apart. Only starts from clusters "
        "were chosen on some of them, no other parameter. Geometric means of the preset's cut over "
        "the other's, its time over the other's, and how many cuts are more than 1 % larger:"
    )
    header = ["partitioner", *(what for name in presets for what in (name, "time", "worse on"))]
    page.table(header, [[rival, *_beside(found, presets, rival)] for rival in rivals])
    blocks = sorted({machine for _, machine in found}, key=int)
    for preset in presets:
        page.say(f"Cut of `{preset}` over the least of {', '.join(rivals)}, by k:")
        page.table(["graph", *blocks], _over_best(found, preset, rivals, blocks))


def _beside(found: Means, presets: Sequence[str], rival: str) -> list[object]:
    cells: list[object] = []
    for preset in presets:
        cuts = ratios(found, preset, rival, "cost")
        worse = f"{sum(cut > CLEARLY for cut in cuts)} of {len(cuts)}"
        cut, time = (mean_ratio(found, preset, rival, field) for field in ("cost", "seconds"))
        cells += [cut, time, worse]
    return cells


def _over_best(
    found: Means, preset: str, rivals: Sequence[str], blocks: Sequence[str]
) -> list[list[object]]:
    table: list[list[object]] = []
    for graph in dict.fromkeys(graph for graph, _ in found):
        cells: list[object] = [graph]
        for machine in blocks:
            by_label = found.get((graph, machine), {})
            others = [by_label[name].cost for name in rivals if name in by_label]
            known = preset in by_label and others
            cells.append(by_label[preset].cost / min(others) if known else None)
        table.append(cells)
    return table
