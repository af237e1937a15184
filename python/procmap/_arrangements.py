# SPDX-License-Identifier: MIT
"""Where tasks go if nobody maps them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from procmap._topology import Topology

_SEED = 0  # of the random order: the same at every call


def _in_blocks(num_tasks: int, topology: Topology) -> NDArray[np.int32]:
    """Consecutive tasks on the same PE, consecutive PEs on the same node."""
    task = np.arange(num_tasks, dtype=np.int64)
    return (task * topology.num_pes // max(num_tasks, 1)).astype(np.int32)


def _round_robin(num_tasks: int, topology: Topology) -> NDArray[np.int32]:
    """One task after the other to the next node, there to the next PE."""
    k = topology.num_pes
    nodes = topology.sizes[-1] if len(topology.sizes) > 1 else 1
    turn = np.arange(num_tasks, dtype=np.int64) % k
    return (turn % nodes * (k // nodes) + turn // nodes).astype(np.int32)


def _at_random(num_tasks: int, topology: Topology) -> NDArray[np.int32]:
    """As many tasks per PE as in blocks, but any."""
    return np.random.default_rng(_SEED).permutation(_in_blocks(num_tasks, topology))


ARRANGEMENTS: dict[str, Callable[[int, Topology], NDArray[np.int32]]] = {
    "block": _in_blocks,
    "round-robin": _round_robin,
    "random": _at_random,
}
