# SPDX-License-Identifier: MIT
"""An evaluation as a table, plain or with Rich."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from procmap.mapping._explained import ExplainedReport
    from procmap.mapping._report import Report

_NO_PARTITION = "There is no k-way partition to compare with: PEs may carry less than all tasks."


def evaluation_text(evaluation: ExplainedReport) -> str:
    """Return the table and what follows from it as plain text; what is wrong comes first."""
    columns = _columns(evaluation)
    rows = [columns, *_rows(evaluation)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(columns))]
    lines = [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([*_faults(evaluation), *lines, "", *remarks(evaluation)])


def evaluation_table(evaluation: ExplainedReport) -> Any:
    """Return the same for Rich."""
    from rich.console import Group  # noqa: PLC0415 - Rich is optional
    from rich.table import Table  # noqa: PLC0415

    table = Table()
    for name in _columns(evaluation):
        table.add_column(name, justify="right" if name else "left")
    for row in _rows(evaluation):
        table.add_row(*row)
    return Group(*_faults(evaluation), table, *remarks(evaluation))


def _columns(evaluation: ExplainedReport) -> list[str]:
    names = {"partition": "k-way partition"}
    return ["", "this mapping", *(names.get(name, name) for name in evaluation.comparison)]


def _faults(report: Report) -> list[str]:
    if report.feasible:
        return []
    return ["INFEASIBLE: the heaviest PE carries more than allowed.", ""]


def _rows(evaluation: ExplainedReport) -> list[list[str]]:
    reports = [evaluation, *evaluation.comparison.values()]
    named = [
        (f"J ({evaluation.units.counts})", [r.cost for r in reports]),
        (cut_name(evaluation), [r.edge_cut for r in reports]),
    ]
    for level, traffic in enumerate(zip(*(r.level_traffic for r in reports), strict=True)):
        named.append((level_name(evaluation, level), list(traffic)))
    return [[name, *map(shown_number, values)] for name, values in named]


def cut_name(report: Report) -> str:
    """Return what to call `Report.edge_cut`."""
    return "traffic between PEs" if report.units.messages else "edge cut"


def level_name(evaluation: ExplainedReport, level: int) -> str:
    """Return what to call the traffic at a level."""
    if level == 0:
        return "traffic inside a PE"
    distance = shown_number(evaluation.level_distances[level - 1])
    if evaluation.topology.sizes:
        return f"traffic at level {level} (distance {distance})"
    return f"traffic at distance {distance}"


def shown_number(value: Any) -> str:
    """Return a number for people."""
    return f"{value:,.6g}" if isinstance(value, float) else f"{value:,}"


def remarks(evaluation: ExplainedReport) -> list[str]:
    """Return what follows from the figures, in sentences."""
    said = [
        *(_saving(evaluation, name) for name in evaluation.comparison),
        *([_NO_PARTITION] if evaluation.lacks_partition else []),
        _heaviest(evaluation),
        _volume(evaluation),
        _contiguity(evaluation),
    ]
    if not all((evaluation.units.traffic.exact, evaluation.units.distance.exact)):
        said.append(
            f"Weights or distances were rounded: traffic to {evaluation.units.traffic}, "
            f"distance to {evaluation.units.distance}."
        )
    return said


def _saving(evaluation: ExplainedReport, name: str) -> str:
    order = f"{name} order"
    if name == "partition":
        order = "a k-way partition with block b on PE b"
    elif name == evaluation.baseline:
        order += ", the default of srun and mpirun"
    text = f"J is {_percent(evaluation.saving(name))} than in {order}"
    levels = len(evaluation.level_traffic) - 1
    if levels > 1 and evaluation.topology.sizes:
        text += f"; {_percent(evaluation.saving(name, levels), 'less', 'more')} traffic "
        text += f"between {_outermost(evaluation)}"
    return text + "."


def _outermost(evaluation: ExplainedReport) -> str:
    places, sizes = evaluation.topology.places, evaluation.topology.sizes
    hosts = 0 if places is None else len(places.hosts)
    return "nodes" if hosts == sizes[-1] else "the outermost groups"


def _percent(share: float, fewer: str = "lower", more: str = "higher") -> str:
    if share == -float("inf"):
        return f"infinitely {more}"
    return f"{abs(share):.0%} {more if share < 0 else fewer}"


def _heaviest(evaluation: ExplainedReport) -> str:
    weights = evaluation.weights
    named = [f" in {weight.name}" if len(weights) > 1 else "" for weight in weights]
    return "Heaviest PE: {}.".format(
        "; ".join(
            f"{shown_number(weight.max_block_weight)} of at most {shown_number(weight.capacity)}"
            f"{of} (imbalance {weight.imbalance:.2%})"
            for weight, of in zip(weights, named, strict=True)
        )
    )


def _volume(evaluation: ExplainedReport) -> str:
    total, largest = evaluation.total_communication_volume, evaluation.max_communication_volume
    mean = evaluation.communication_volume.mean()
    return f"Communication volume: {total:,}; per PE at most {largest:,}, on average {mean:,.1f}."


def _contiguity(evaluation: ExplainedReport) -> str:
    scattered = evaluation.num_scattered_blocks
    if scattered == 0:
        return "Contiguity: the tasks of every PE are connected."
    return (
        f"Contiguity: the tasks of {scattered} of {evaluation.num_blocks} PEs are not connected "
        f"(up to {evaluation.components.max()} parts)."
    )
