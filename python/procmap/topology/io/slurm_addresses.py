# SPDX-License-Identifier: MIT
"""SLURM_TOPOLOGY_ADDR of every node of a job.

``srun --ntasks-per-node=1 printenv SLURM_TOPOLOGY_ADDR`` prints one per node: the names of the
switches above it, outermost first, and its own, with dots in between.
"""

from __future__ import annotations

from collections.abc import Iterable

from procmap._util.errors import TopologyError
from procmap._util.messages import shown
from procmap._util.text import lines_of
from procmap.topology.io.slurm import Cluster


def read(addresses: str | Iterable[str], pattern: str | None = None) -> Cluster:
    """Return the cluster of these nodes.

    Parameters
    ----------
    addresses
        One per node, or a text with one per line.
    pattern
        SLURM_TOPOLOGY_ADDR_PATTERN, such as ``"switch.switch.node"``. It tells how many levels
        there are, which the addresses do not if names have dots.
    """
    if not isinstance(addresses, Iterable):
        raise TypeError(f"addresses must be a str, or one per node, got {shown(addresses)}")
    if pattern is not None and not isinstance(pattern, str):
        raise TypeError(f"pattern must be a str such as 'switch.switch.node', got {shown(pattern)}")
    rows = lines_of(addresses) if isinstance(addresses, str) else list(addresses)
    cluster = Cluster("SLURM_TOPOLOGY_ADDR", is_file=False)
    levels = None if pattern is None else len(pattern.split(".")) - 1
    for i, row in enumerate(rows):
        if not isinstance(row, str):
            raise TopologyError(f"addresses[{i}] must be a str, got {shown(row)}")
        address = row.strip()
        if not address:
            continue
        parts = address.split(".", -1 if levels is None else levels)
        if "" in parts or (levels is not None and len(parts) != levels + 1):
            expected = pattern or "switch.switch.node"
            raise TopologyError(f"{shown(address)} is not an address such as {expected}")
        groups, node = tuple(parts[:-1]), parts[-1]
        if cluster.groups.setdefault(node, groups) != groups:
            raise TopologyError(f"node {shown(node)} has two addresses")
    if not cluster.groups:
        raise TopologyError("there are no addresses")
    return cluster
