# SPDX-License-Identifier: MIT
"""What every PE may carry of a graph that ranks hold together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap import _core
from procmap._util.errors import ConfigError
from procmap.mapping._constraints import as_capacities, check_room
from procmap.mapping._options import default_imbalance

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from procmap.distributed._input import Given
    from procmap.topology._topology import Topology


def capacities_of(
    given: Given,
    topology: Topology,
    capacities: ArrayLike | None,
    imbalance: float | None,
) -> tuple[NDArray[np.int64], float]:
    """Return what every PE may carry, and the imbalance that is allowed."""
    k = topology.num_pes
    one_each = given.level.num_vertices <= k and given.unit_loads
    allowed = default_imbalance(one_each) if imbalance is None else imbalance
    if capacities is None:
        return np.full(k, _core.block_capacity(given.total_load, k, allowed), np.int64), allowed
    room = as_capacities(capacities, (given.load,))
    if len(room) != k:
        raise ConfigError(f"capacities has {len(room)} entries, but there are {k} PEs")
    return room, allowed


def check_room_of(given: Given, room: NDArray[np.int64], *, forbids: bool) -> None:
    """Refuse capacities that hold less than everything, within which nothing can be mapped."""
    check_room(room, (given.total_load,), (given.load,))
    if sum(room.tolist()) < given.total_load:
        raise ConfigError(
            f"capacities sum up to {sum(room.tolist())}, less than the total load "
            f"{given.total_load}"
        )
    if forbids and not room.any():
        raise ConfigError("capacities forbid every PE: all are 0")
