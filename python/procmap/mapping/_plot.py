# SPDX-License-Identifier: MIT
"""An evaluation as a Matplotlib figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from procmap.mapping._arrangements import ARRANGEMENTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from procmap.graph._graph import Graph
    from procmap.mapping._explained import ExplainedReport

_MAX_CELLS = 256  # per side of a matrix: more PEs share one


def figure_of(evaluation: ExplainedReport) -> Figure:
    """Return the figure; it belongs to no window, so save or show it as you like."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - Matplotlib is optional
    except ImportError as exc:
        raise ImportError("plots need matplotlib: pip install 'procmap[plot]'") from exc

    figure = Figure(figsize=(11, 9), layout="constrained")
    axes = figure.subplots(2, 2)
    before = ARRANGEMENTS["block"](evaluation.graph.num_vertices, evaluation.topology)
    matrices = [_traffic_matrix(evaluation, blocks) for blocks in (before, evaluation.blocks)]
    largest = max(float(matrix.max()) for matrix in matrices)
    for axis, matrix, title in zip(axes[0], matrices, ("block order", "this mapping"), strict=True):
        _show_matrix(axis, matrix, largest, f"traffic between PEs, {title}")
    _show_levels(axes[1, 0], evaluation)
    _show_loads(axes[1, 1], evaluation)
    return figure


def _traffic_matrix(evaluation: ExplainedReport, blocks: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the traffic between (groups of) PEs in the user's unit."""
    graph, k = evaluation.graph, evaluation.num_blocks
    cells = min(k, _MAX_CELLS)
    cell = blocks.astype(np.int64) * cells // k
    between = cell[_tails(graph)] * cells + cell[graph.heads]
    weights = graph.traffic_scale.restore(graph.arc_weights)
    traffic = np.bincount(between, weights.astype(np.float64), cells * cells)
    return traffic.astype(np.float64).reshape(cells, cells)


def _tails(graph: Graph) -> NDArray[np.int64]:
    return np.repeat(np.arange(graph.num_vertices), np.diff(graph.offsets))


def _show_matrix(axis: Axes, matrix: NDArray[Any], largest: float, title: str) -> None:
    from matplotlib.colors import LogNorm  # noqa: PLC0415 - Matplotlib is optional

    shown = np.ma.masked_less_equal(matrix, 0)
    smallest = float(shown.min()) if shown.count() else 1.0
    norm = LogNorm(smallest, max(largest, smallest * 1.001))
    image = axis.imshow(shown, norm=norm, interpolation="nearest")
    axis.figure.colorbar(image, ax=axis)
    axis.set(title=title, xlabel="PE", ylabel="PE")


def _show_levels(axis: Axes, evaluation: ExplainedReport) -> None:
    reports = {"this mapping": evaluation, **evaluation.comparison}
    names = ["inside", *(f"{distance:g}" for distance in evaluation.level_distances)]
    names = names[: len(evaluation.level_traffic)]
    place, width = np.arange(len(names)), 0.8 / len(reports)
    for i, (name, report) in enumerate(reports.items()):
        axis.bar(place + (i - 1.5) * width, report.level_traffic, width, label=name)
    axis.set_xticks(place, names)
    axis.set(title="traffic by distance", xlabel="distance", ylabel="traffic")
    axis.legend()


def _show_loads(axis: Axes, evaluation: ExplainedReport) -> None:
    loads = np.sort(evaluation.block_weights)[::-1]
    axis.step(np.arange(len(loads)), loads, where="mid", label="load")
    axis.axhline(evaluation.capacity, color="tab:red", linestyle="--", label="capacity")
    axis.set(title="loads, heaviest first", xlabel="PEs", ylabel="load", ylim=(0, None))
    axis.legend()
