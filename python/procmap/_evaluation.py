# SPDX-License-Identifier: MIT
"""What a mapping costs, explained: per level, per PE, and beside the orders that launchers use."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap import _core
from procmap._arrangements import ARRANGEMENTS
from procmap._arrays import as_integer
from procmap._errors import ConfigError
from procmap._mapping import Report, Units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap._graph import Graph
    from procmap._topology import Topology


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Report):
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
        a neighbour. Read-only.
    components : numpy.ndarray of int32, shape (k,)
        Connected components of the tasks on every PE: 1 if they are contiguous, 0 if there are
        none. Read-only.
    comparison : dict of str to Report
        The same tasks in "block" order (srun's default and mpirun's: consecutive tasks fill a
        PE, a node, ...), "round-robin" (srun's cyclic: dealt out to the nodes in turn) and in
        "random" order.
    """

    graph: Graph
    topology: Topology
    blocks: NDArray[np.int32]
    _threads: int

    @cached_property
    def _shapes(self) -> Any:
        return _core.block_shapes(
            self.graph._native, self.blocks, self.topology.num_pes, self._threads
        )

    @property
    def communication_volume(self) -> NDArray[np.int64]:
        return self._shapes.volume  # type: ignore[no-any-return]

    @property
    def components(self) -> NDArray[np.int32]:
        return self._shapes.components  # type: ignore[no-any-return]

    @cached_property
    def comparison(self) -> dict[str, Report]:
        reports = {}
        for name, arrange in ARRANGEMENTS.items():
            order = arrange(self.graph.num_vertices, self.topology)
            core = _core.evaluate(
                self.graph._native, self.topology._native, order, 0.0, "auto", self._threads
            )
            reports[name] = Report._from_core(core, self.units)
        return reports

    @property
    def total_communication_volume(self) -> int:
        """Sum of `communication_volume`."""
        return int(self.communication_volume.sum())

    @property
    def max_communication_volume(self) -> int:
        """Largest `communication_volume` of a PE."""
        return int(self.communication_volume.max())

    @property
    def num_scattered_blocks(self) -> int:
        """PEs whose tasks are not connected."""
        return int((self.components > 1).sum())

    def saving(self, other: str = "block", level: int | None = None) -> float:
        """Return by how much of it this mapping is cheaper than another order.

        Parameters
        ----------
        other : {"block", "round-robin", "random"}
            The other order.
        level : int, optional
            Compare the traffic between PEs at this level, 1 being the innermost, instead of J.

        Returns
        -------
        float
            0.62 for 62 % less; negative if there is more; 0 if there is none in either.

        Raises
        ------
        ConfigError
            If there is no such order or level.
        """
        if other not in self.comparison:
            known = ", ".join(self.comparison)
            raise ConfigError(f"other must be one of {known}, got {other!r}")
        report = self.comparison[other]
        if level is None:
            ours, theirs = self.cost, report.cost
        else:
            i = as_integer(level, "level", 0, len(self.level_traffic) - 1, ConfigError)
            ours, theirs = self.level_traffic[i], report.level_traffic[i]
        if theirs == 0:
            return 0.0 if ours == 0 else -np.inf
        return float(1 - ours / theirs)

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
            "communication_volume": {
                "total": self.total_communication_volume,
                "max": self.max_communication_volume,
                "mean": float(volume.mean()),
            },
            "scattered_blocks": self.num_scattered_blocks,
            "empty_blocks": int((self.components == 0).sum()),
            "units": {
                field.name: {"unit": float(scale.unit), "exact": scale.exact}
                for field in fields(Units)
                for scale in [getattr(self.units, field.name)]
            },
            "comparison": {name: _costs(report) for name, report in self.comparison.items()},
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=indent)

    def plot(self) -> Any:
        """Return a Matplotlib figure: traffic matrix in block order and as mapped, levels, loads.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        """
        from procmap._plot import figure_of  # noqa: PLC0415 - Matplotlib is optional

        return figure_of(self)

    def __str__(self) -> str:
        from procmap._tables import evaluation_text  # noqa: PLC0415 - only for those who print

        return evaluation_text(self)

    def __rich__(self) -> Any:
        from procmap._tables import evaluation_table  # noqa: PLC0415 - called by Rich only

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
