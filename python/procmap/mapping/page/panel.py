# SPDX-License-Identifier: MIT
"""The first panel of the report, which needs no script: notebooks show it too."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from procmap.mapping._aggregate import level_costs
from procmap.mapping._tables import level_name, remarks, shown_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from procmap.mapping._explained import ExplainedReport
    from procmap.mapping._report import Report, WeightReport

BASELINES = {"block": "block order", "partition": "k-way partition"}
_MOST_LEVELS = 12  # distances of other machines can be many


def panel(evaluation: ExplainedReport) -> str:
    """Return headline, figures and levels as HTML; a part of a page that has page.css."""
    return (
        f'<section class="panel">{_headline(evaluation)}{_figures(evaluation)}'
        f"{_levels(evaluation)}{_remarks(evaluation)}</section>"
    )


def _headline(evaluation: ExplainedReport) -> str:
    saving = evaluation.saving()
    if saving == -float("inf"):
        text = "J is 0 without this mapping, and more with it"
    else:
        how = "lower" if saving >= 0 else "higher"
        text = f"J is {abs(saving):.0%} {how} than in {_before(evaluation)}"
    fault = ""
    if not evaluation.feasible:
        # The one that exceeds; none does if a PE is empty that must not be.
        weight = max(evaluation.weights, key=lambda each: bool(each.excess.any()))
        fault = (
            f'<p class="fault">Infeasible: the heaviest PE carries '
            f"{shown_number(weight.max_block_weight)}{escape(_of(evaluation, weight))}, more than "
            f"it may ({shown_number(weight.capacity)}).</p>"
        )
    return f"{fault}<h2>{escape(text)}</h2>"


def _before(evaluation: ExplainedReport) -> str:
    if evaluation.baseline == "block":
        return "block order, the default of srun and mpirun"
    return "a k-way partition with block b on PE b"


def _figures(evaluation: ExplainedReport) -> str:
    before = evaluation.comparison[evaluation.baseline]
    cut = "traffic between PEs" if evaluation.units.messages else "edge cut"
    pairs = [
        ("J", evaluation.cost, before.cost),
        (cut, evaluation.edge_cut, before.edge_cut),
    ]
    cells = [_figure(name, shown_number(now), shown_number(then)) for name, now, then in pairs]
    for weight, then in zip(evaluation.weights, before.weights, strict=True):
        of = escape(_of(evaluation, weight))
        heaviest = [shown_number(each.max_block_weight) for each in (weight, then)]
        cells.append(_figure(f"heaviest PE{of}", *heaviest))
        cells.append(_figure(f"imbalance{of}", f"{weight.imbalance:.1%}", f"{then.imbalance:.1%}"))
    tasks, edges = evaluation.graph.num_vertices, evaluation.graph.num_edges
    machine = evaluation.topology._native.describe()
    return (
        f'<dl class="figures">{"".join(cells)}</dl>'
        f"<p>{tasks:,} tasks with {edges:,} edges on {escape(machine)}. "
        f"J counts {evaluation.units.counts}.</p>"
    )


def _of(evaluation: ExplainedReport, weight: WeightReport) -> str:
    return f" of {weight.name}" if len(evaluation.weights) > 1 else ""


def _figure(name: str, now: str, then: str) -> str:
    return f"<div><dt>{name}</dt><dd>{now}</dd><dd>before {then}</dd></div>"


def _levels(evaluation: ExplainedReport) -> str:
    """Return the cost of every level as two bars."""
    before = evaluation.comparison[evaluation.baseline]
    costs = [level_costs(report) for report in (before, evaluation)]
    largest = max([1e-300, *(float(part.max(initial=0)) for part in costs)])
    rows = list(_level_rows(evaluation, before, largest))
    more = len(rows) - _MOST_LEVELS
    note = f"<p>{more} more distances are not shown.</p>" if more > 0 else ""
    if not rows:
        return ""
    return (
        '<h3>Cost by level</h3><table class="levels"><thead><tr><th></th>'
        f"<th>share of J: {BASELINES[evaluation.baseline]} above, this mapping below</th>"
        "<th>traffic before</th><th>now</th></tr></thead><tbody>"
        f"{''.join(rows[:_MOST_LEVELS])}</tbody></table>{note}"
    )


def _level_rows(evaluation: ExplainedReport, before: Report, largest: float) -> Iterator[str]:
    costs = zip(level_costs(before), level_costs(evaluation), strict=True)
    for level, (then, now) in enumerate(costs, start=1):
        bars = "".join(
            f'<div class="bar {name}" style="width:{100 * cost / largest:.1f}%" '
            f'title="{shown_number(float(cost))}"></div>'
            for name, cost in (("before", then), ("after", now))
        )
        name = escape(level_name(evaluation, level).removeprefix("traffic "))
        traffic = (shown_number(report.level_traffic[level]) for report in (before, evaluation))
        yield f"<tr><th>{name}</th><td>{bars}</td><td>{'</td><td>'.join(traffic)}</td></tr>"


def _remarks(evaluation: ExplainedReport) -> str:
    items = "".join(f"<li>{escape(text)}</li>" for text in remarks(evaluation))
    return f"<ul>{items}</ul>"
