# SPDX-License-Identifier: MIT
"""The check of a machine that a caller passes."""

from __future__ import annotations

from procmap.topology._topology import Topology


def require_topology(topology: object) -> None:
    """Raise TypeError if `topology` is no Topology; say what makes one of it."""
    if not isinstance(topology, Topology):
        raise TypeError(
            f"topology must be a Topology, got {type(topology).__name__}{_remedy(topology)}"
        )


def _remedy(topology: object) -> str:
    if isinstance(topology, str):
        return "; Topology.hierarchy takes levels, Topology.read the path of a file"
    if isinstance(topology, int):
        return "; Topology.flat takes a number of PEs"
    if len(getattr(topology, "shape", ())) == 2:
        return "; Topology.from_distance_matrix takes a matrix of distances"
    return ""
