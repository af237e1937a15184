# SPDX-License-Identifier: MIT
"""A k-way partition in block numbering: what people have who know no machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap import _core
from procmap.config._config import Config
from procmap.graph._device import to_numpy
from procmap.mapping._report import capacities_in_steps
from procmap.topology._topology import Topology

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.graph._graph import Graph
    from procmap.mapping._report import Report


def kway_blocks(graph: Graph, report: Report, threads: int) -> NDArray[np.int32] | None:
    """Return blocks of a small edge cut, as many and as large as those of `report` may be.

    None if they may not carry all tasks: only a given mapping can have such capacities.
    """
    options = _core.Options()
    options.config = Config.preset("fast")._native
    options.threads = threads
    capacities = capacities_in_steps(report)
    for room, total in zip(capacities.T, graph.total_weights, strict=True):
        if sum(room.tolist()) < total:
            return None
    if capacities.any():  # all 0 forbids every PE, also to tasks of no load
        options.capacities = capacities.ravel()
    flat = Topology.flat(report.num_blocks)
    made = _core.map(graph._native, flat._native, options, None)
    blocks: NDArray[np.int32] = to_numpy(made.blocks, "blocks")
    return blocks
