# SPDX-License-Identifier: MIT
"""An evaluation as a Matplotlib figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from procmap.mapping._aggregate import level_costs, traffic_between
from procmap.mapping._arrangements import node_of_pe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from procmap.mapping._explained import ExplainedReport
    from procmap.mapping._report import Report

_MAX_CELLS = 256  # per side of a matrix: more PEs share one
_MAX_BORDERS = 64  # of nodes in a matrix: more would hide it
_ORDERS = {
    "block": "block order",
    "partition": "k-way partition",
    "round-robin": "round-robin order",
}


def figure_of(evaluation: ExplainedReport) -> Figure:
    """Return the figure; it belongs to no window, so save or show it as you like."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - Matplotlib is optional
    except ImportError as exc:
        raise ImportError("plots need matplotlib: pip install 'procmap[plot]'") from exc

    figure = Figure(figsize=(11, 9), layout="constrained")
    axes = figure.subplots(2, 2)
    before = evaluation.arrangements[evaluation.baseline]
    titles = (f"{_ORDERS[evaluation.baseline]}", "this mapping")
    matrices = [traffic_matrix(evaluation, blocks) for blocks in (before, evaluation.blocks)]
    _show_matrices(axes[0], matrices, titles, _borders(evaluation))
    _show_levels(axes[1, 0], evaluation)
    _show_loads(axes[1, 1], evaluation)
    return figure


def traffic_matrix(evaluation: ExplainedReport, blocks: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the traffic between (groups of) PEs in the user's unit."""
    cells = min(evaluation.num_blocks, _MAX_CELLS)
    cell = np.arange(evaluation.num_blocks) * cells // evaluation.num_blocks
    return traffic_between(evaluation.graph, cell[blocks], cells)


def _borders(evaluation: ExplainedReport) -> NDArray[np.float64]:
    """Return where one node ends and the next begins, in cells of the matrices."""
    k = evaluation.num_blocks
    node = node_of_pe(evaluation.topology)
    ends = np.flatnonzero(np.diff(node)) + 1
    if len(ends) >= _MAX_BORDERS:
        return np.zeros(0)
    return (ends * (min(k, _MAX_CELLS) / k) - 0.5).astype(np.float64)


def _show_matrices(
    axes: NDArray[Any],
    matrices: list[NDArray[Any]],
    titles: Sequence[str],
    borders: NDArray[np.float64],
) -> None:
    """Show both matrices in one scale of colours."""
    from matplotlib.colors import LogNorm  # noqa: PLC0415 - Matplotlib is optional

    shown = [np.ma.masked_less_equal(matrix, 0) for matrix in matrices]
    values = np.concatenate([part.compressed() for part in shown])
    smallest, largest = (values.min(), values.max()) if values.size else (1.0, 1.0)
    norm = LogNorm(smallest, max(largest, smallest * 1.001))
    for axis, part, title in zip(axes, shown, titles, strict=True):
        image = axis.imshow(part, norm=norm, interpolation="nearest")
        for border in borders:
            axis.axhline(border, color="tab:gray", linewidth=0.4)
            axis.axvline(border, color="tab:gray", linewidth=0.4)
        axis.set(title=f"traffic between PEs, {title}", xlabel="PE", ylabel="PE")
    axes[0].figure.colorbar(image, ax=list(axes))


def _show_levels(axis: Axes, evaluation: ExplainedReport) -> None:
    others = [evaluation.baseline, *(["round-robin"] if evaluation.baseline == "block" else [])]
    reports: dict[str, Report] = {_ORDERS[name]: evaluation.comparison[name] for name in others}
    reports["this mapping"] = evaluation
    names = [f"{distance:g}" for distance in evaluation.level_distances]
    names = names[: len(evaluation.level_traffic) - 1]
    place, width = np.arange(len(names)), 0.8 / len(reports)
    for i, (name, report) in enumerate(reports.items()):
        costs = level_costs(report)
        axis.bar(place + (i - (len(reports) - 1) / 2) * width, costs, width, label=name)
    axis.set_xticks(place, names)
    axis.set(title="cost per level: its share of J", xlabel="distance", ylabel="traffic * distance")
    axis.legend()


def _show_loads(axis: Axes, evaluation: ExplainedReport) -> None:
    """Show the load of every PE; several weights as shares of what may be, as units differ."""
    several = len(evaluation.weights) > 1
    for weight in evaluation.weights:
        unit = float(weight.capacity) or 1.0
        loads = np.sort(weight.block_weights / unit if several else weight.block_weights)[::-1]
        name = weight.name if several else "load"
        axis.step(np.arange(len(loads)), loads, where="mid", label=name)
    limit, label = (1.0, "load / capacity") if several else (evaluation.capacity, "load")
    axis.axhline(limit, color="tab:red", linestyle="--", label="capacity")
    axis.set(title="loads, heaviest first", xlabel="PEs", ylabel=label, ylim=(0, None))
    axis.legend()
