# SPDX-License-Identifier: MIT
"""Where tasks go if nobody maps them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from procmap.topology._topology import Topology

_SEED = 0  # of the random order: the same at every call


def node_of_pe(topology: Topology) -> NDArray[Any]:
    """Return the node of every PE: its host, or its group of the outermost level; else 0."""
    return _nodes(topology)[0]


def _nodes(topology: Topology) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the node of every PE, in the order of the job, and which PE of the node it is."""
    pe = np.arange(topology.num_pes)
    if topology.places is not None:
        return topology.places.host_of, topology.places.local_of
    if len(topology.sizes) > 1:
        per_node = topology.num_pes // topology.sizes[-1]
        return pe // per_node, pe % per_node
    return np.zeros_like(pe), pe


def _in_blocks(num_tasks: int, topology: Topology) -> NDArray[np.int32]:
    """Consecutive tasks on the same PE, consecutive PEs on the same node, first ones first."""
    node, local = _nodes(topology)
    task = np.arange(num_tasks, dtype=np.int64)
    filled = np.lexsort((local, node))
    place = task * topology.num_pes // num_tasks if num_tasks > topology.num_pes else task
    return filled[place].astype(np.int32)


def _round_robin(num_tasks: int, topology: Topology) -> NDArray[np.int32]:
    """One task after the other to the next node, there to the next PE."""
    node, local = _nodes(topology)
    dealt = np.lexsort((node, local))
    return dealt[np.arange(num_tasks) % topology.num_pes].astype(np.int32)


def _at_random(num_tasks: int, topology: Topology) -> NDArray[np.int32]:
    """As many tasks per PE as in blocks, but any."""
    return np.random.default_rng(_SEED).permutation(_in_blocks(num_tasks, topology))


ARRANGEMENTS: dict[str, Callable[[int, Topology], NDArray[np.int32]]] = {
    "block": _in_blocks,
    "round-robin": _round_robin,
    "random": _at_random,
}
