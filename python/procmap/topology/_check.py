# SPDX-License-Identifier: MIT
"""The check of a machine that a caller passes."""

from __future__ import annotations

from procmap.topology._topology import Topology


def require_topology(topology: object) -> None:
    """Raise TypeError if `topology` is no Topology."""
    if not isinstance(topology, Topology):
        raise TypeError(f"topology must be a Topology, got {type(topology).__name__}")
