# SPDX-License-Identifier: MIT
"""A k-way partition in block numbering: what people have who know no machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap import _core
from procmap.config._config import Config
from procmap.graph._device import to_numpy
from procmap.topology._topology import Topology

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.graph._graph import Graph
    from procmap.mapping._report import Report


def kway_blocks(graph: Graph, report: Report, threads: int) -> NDArray[np.int32]:
    """Return blocks of a small edge cut, as many and as large as those of `report` may be."""
    options = _core.Options()
    options.config = Config.preset("fast")._native
    options.threads = threads
    steps = [
        weight.capacities / float(load.unit)
        for weight, load in zip(report.weights, report.units.loads, strict=True)
    ]
    columns = np.floor(np.stack(steps, axis=1) + 1e-6)  # the integers that they were
    options.capacities = columns.astype(np.int64).ravel()
    flat = Topology.flat(report.num_blocks)
    made = _core.map(graph._native, flat._native, options, None)
    blocks: NDArray[np.int32] = to_numpy(made.blocks, "blocks")
    return blocks
