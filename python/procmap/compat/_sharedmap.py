# SPDX-License-Identifier: MIT
"""`process_map`, as in SharedMap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from procmap._util.errors import ConfigError
from procmap._util.messages import is_in, shown
from procmap.mapping._api import map as map_graph
from procmap.topology._topology import Topology

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from procmap.config._fields import Preset

__all__ = ["ProcessMappingResult", "process_map"]

_MODES: dict[str, Preset] = {"fast": "fast", "eco": "default", "strong": "strong"}


class ProcessMappingResult(NamedTuple):
    """Result of `process_map`, as of chszlablib.

    Attributes
    ----------
    comm_cost : int or float
        J, with every edge counted twice.
    assignment : numpy.ndarray of int32, shape (n,)
        PE of every vertex. Read-only.
    """

    comm_cost: int | float
    assignment: NDArray[np.int32]


ProcessMappingResult.__module__ = "procmap.compat"  # where users and their pickles know it


def process_map(
    g: Any,
    hierarchy: Sequence[int],
    distance: Sequence[int],
    *,
    mode: str = "eco",
    strategy: str | None = None,  # noqa: ARG001 - of SharedMap's threads
    parallel_algorithm: str | None = None,  # noqa: ARG001
    serial_algorithm: str | None = None,  # noqa: ARG001
    imbalance: float = 0.03,
    threads: int = 1,
    seed: int = 0,
    verbose: bool = False,  # noqa: ARG001 - see the logger "procmap"
) -> ProcessMappingResult:
    """Map a graph as chszlablib's ``Decomposition.process_map`` (SharedMap) does.

    Parameters
    ----------
    g : chszlablib.Graph or graph_like
        The tasks.
    hierarchy, distance : sequence of int
        Sizes and distances of the levels, innermost first: ``[4, 8]`` is 8 groups of 4 PEs.
    mode : {"fast", "eco", "strong"}
        The presets "fast", "default" and "strong".
    strategy, parallel_algorithm, serial_algorithm, verbose
        Without effect: threads do not change the result, and progress goes to ``logging``.
    imbalance, threads, seed
        As in `procmap.map`.

    Returns
    -------
    ProcessMappingResult

    Raises
    ------
    GraphError, TopologyError, ConfigError
        If the graph, the machine or an option is malformed.
    """
    if not is_in(mode, _MODES):
        raise ConfigError(f"mode must be one of {', '.join(_MODES)}, got {shown(mode)}")
    tasks, loads = g, None
    if all(hasattr(g, name) for name in ("xadj", "adjncy", "edge_weights", "node_weights")):
        tasks, loads = (g.xadj, g.adjncy, g.edge_weights), g.node_weights
    result = map_graph(
        tasks,
        Topology.hierarchy(hierarchy, distance),
        vertex_weights=loads,
        imbalance=imbalance,
        preset=_MODES[mode],
        seed=seed,
        threads=threads,
    )
    return ProcessMappingResult(result.cost, result.blocks)
