# SPDX-License-Identifier: MIT
"""What a mapping costs, explained: per level, per PE, and beside the orders that launchers use."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from procmap._util.messages import shown
from procmap.mapping._explained import ExplainedReport
from procmap.mapping._plot import figure_of
from procmap.mapping._report import Report, weights_list
from procmap.mapping._tables import evaluation_table, evaluation_text
from procmap.mapping.page.page import html_page, html_panel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from procmap.graph._graph import Graph
    from procmap.topology._topology import Topology


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(ExplainedReport):
    """A report with its reasons: communication volume, contiguity, comparison.

    Print it for a table; `to_json` and `plot` for other uses. The reasons are found out when they
    are first asked for.

    Attributes
    ----------
    graph : Graph
        The tasks.
    topology : Topology
        The machine.
    blocks : numpy.ndarray of int32, shape (n,)
        PE of every task. Read-only.
    communication_volume : numpy.ndarray of int64, shape (k,)
        What every PE sends if each of its tasks sends one unit to every other PE on which it has
        a neighbour. Edges of weight 0 make no neighbours, here and in `components`. Read-only.
    components : numpy.ndarray of int32, shape (k,)
        Connected components of the tasks on every PE: 1 if they are contiguous, 0 if there are
        none. Read-only.
    comparison : dict of str to Report
        The same tasks in "block" order (srun's default and mpirun's: consecutive tasks fill a
        PE, a node, ...), "round-robin" (srun's cyclic: dealt out to the nodes in turn) and in
        "random" order. Where PEs take many tasks of a graph, first as a k-way "partition" with a
        small edge cut whose block b is on PE b; it is computed when it is asked for, and left out
        if PEs may carry less than all tasks.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return all figures, those of single PEs summed up, as plain Python objects."""
        volume = self.communication_volume
        return {
            "num_tasks": len(self.blocks),
            "num_edges": self.graph.num_edges,
            "num_pes": self.num_blocks,
            "machine": self.topology._native.describe(),
            **_costs(self),
            "level_distances": self.level_distances.tolist(),
            "max_block_weight": self.max_block_weight,
            "capacity": self.capacity,
            "imbalance": self.imbalance,
            "feasible": self.feasible,
            **({"weights": weights_list(self)} if len(self.weights) > 1 else {}),
            "communication_volume": {
                "total": self.total_communication_volume,
                "max": self.max_communication_volume,
                "mean": float(volume.mean()),
            },
            "scattered_blocks": self.num_scattered_blocks,
            "empty_blocks": self.num_empty_blocks,
            "cost_counts": self.units.counts,
            "units": {
                name: {"unit": float(scale.unit), "exact": scale.exact}
                for name, scale in self.units.scales.items()
            },
            "baseline": self.baseline,
            "comparison": {name: _costs(report) for name, report in self.comparison.items()},
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=indent)

    def to_html(self, title: str = "procmap") -> str:
        """Return a page to look at, as `Mapping.write` makes it, without other presets."""
        if not isinstance(title, str):
            raise TypeError(f"title must be a str, got {shown(title)}")
        return html_page(self, title=title)

    def _repr_html_(self) -> str:
        return html_panel(self)

    def plot(self) -> Any:
        """Return a Matplotlib figure: traffic matrix in block order and as mapped, levels, loads.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        """
        return figure_of(self)

    def __str__(self) -> str:
        return evaluation_text(self)

    def __rich__(self) -> Any:
        return evaluation_table(self)

    def __repr__(self) -> str:
        return f"Evaluation({len(self.blocks)} tasks on {self._describe()})"


def _costs(report: Report) -> dict[str, Any]:
    return {
        "cost": report.cost,
        "edge_cut": report.edge_cut,
        "level_traffic": report.level_traffic.tolist(),
    }


def explain(
    report: Report, graph: Graph, topology: Topology, blocks: NDArray[np.int32], threads: int
) -> Evaluation:
    """Add to the figures of `blocks` what there is to say about them."""
    kept = blocks.copy()
    kept.flags.writeable = False
    return Evaluation(
        **{field.name: getattr(report, field.name) for field in fields(Report)},
        graph=graph,
        topology=topology,
        blocks=kept,
        _threads=threads,
    )
