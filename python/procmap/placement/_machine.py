# SPDX-License-Identifier: MIT
"""Machines, or numbers of PEs that are equally far from each other."""

from __future__ import annotations

from procmap._util.arrays import as_integer
from procmap._util.errors import ConfigError
from procmap._util.limits import MAX_TABLE
from procmap._util.messages import shown
from procmap.topology._topology import Topology


def as_machine(topology: Topology | int) -> Topology:
    """Return the machine, or a flat one of so many PEs."""
    if isinstance(topology, Topology):
        return topology
    try:
        pes = as_integer(topology, "topology", 1, MAX_TABLE, ConfigError)
    except ConfigError:
        raise ConfigError(
            f"topology must be a Topology or an integer in [1, {MAX_TABLE}], got {shown(topology)}"
        ) from None
    return Topology.flat(pes)
