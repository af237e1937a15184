# SPDX-License-Identifier: MIT
"""A report with its reasons, apart from how they are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from procmap import _core
from procmap._util.arrays import as_integer
from procmap._util.cached import cached_property
from procmap._util.errors import ConfigError
from procmap._util.messages import is_in, shown
from procmap.mapping._arrangements import ARRANGEMENTS
from procmap.mapping._kway import kway_blocks
from procmap.mapping._report import Report, capacities_in_steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.graph._graph import Graph
    from procmap.topology._topology import Topology


@dataclass(frozen=True, eq=False, repr=False)
class ExplainedReport(Report):
    """What tables and figures show; users get it as an `Evaluation`."""

    graph: Graph
    topology: Topology
    blocks: NDArray[np.int32]
    _threads: int

    @cached_property
    def _shapes(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Volume and components: arrays, as what the core makes of them cannot be pickled."""
        shapes = _core.block_shapes(
            self.graph._native, self.blocks, self.topology.num_pes, self._threads
        )
        return shapes.volume, shapes.components

    @property
    def communication_volume(self) -> NDArray[np.int64]:
        return self._shapes[0]

    @property
    def components(self) -> NDArray[np.int32]:
        return self._shapes[1]

    @property
    def baseline(self) -> str:
        """What people have who do without a mapping: a key of `comparison`.

        Of ranks that is "block" order. Where PEs take many tasks of a graph, as of a mesh, and
        not all PEs are equally far from each other, it is a k-way "partition", unless capacities
        hold less than all tasks, so that there is none.
        """
        return "partition" if "partition" in self.arrangements else "block"

    @property
    def lacks_partition(self) -> bool:
        """Whether a k-way partition would be the baseline, but there is none."""
        return self._wants_partition and "partition" not in self.arrangements

    @property
    def _wants_partition(self) -> bool:
        are_ranks = self.graph.counts_messages or self.graph.num_vertices <= self.num_blocks
        return not are_ranks and len(self.level_distances) > 1

    @cached_property
    def arrangements(self) -> dict[str, NDArray[np.int32]]:
        """PE of every task in what this mapping is compared with, the baseline first."""
        split = kway_blocks(self.graph, self, self._threads) if self._wants_partition else None
        made = {} if split is None else {"partition": split}
        for name, arrange in ARRANGEMENTS.items():
            made[name] = arrange(self.graph.num_vertices, self.topology)
        return made

    @cached_property
    def comparison(self) -> dict[str, Report]:
        reports = {}
        capacities = capacities_in_steps(self).ravel()
        for name, order in self.arrangements.items():
            core = _core.evaluate(
                self.graph._native,
                self.topology._native,
                order,
                imbalance=0.0,
                threads=self._threads,
                device="auto",
                capacities=capacities,
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

    @property
    def num_empty_blocks(self) -> int:
        """PEs without a task that are not forbidden, `Mapping.empty_blocks`."""
        allowed = np.any([weight.capacities > 0 for weight in self.weights], axis=0)
        if not allowed.any():  # tasks without load and no capacities given, which forbids no PE
            allowed = ~allowed
        return int((allowed & (self.components == 0)).sum())

    def saving(self, other: str | None = None, level: int | None = None) -> float:
        """Return by how much of it this mapping is cheaper than another order.

        Parameters
        ----------
        other : {"partition", "block", "round-robin", "random"}, optional
            A key of `comparison`; the `baseline` if None.
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
        other = self.baseline if other is None else other
        if not is_in(other, self.comparison):
            known = ", ".join(self.comparison)
            raise ConfigError(f"other must be one of {known}, got {shown(other)}")
        report = self.comparison[other]
        if level is None:
            ours, theirs = self.cost, report.cost
        else:
            i = as_integer(level, "level", 0, len(self.level_traffic) - 1, ConfigError)
            ours, theirs = self.level_traffic[i], report.level_traffic[i]
        if theirs == 0:
            return 0.0 if ours == 0 else -np.inf
        return float(1 - ours / theirs)
