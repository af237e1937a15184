# SPDX-License-Identifier: MIT
"""Formats that say which PE a task has, and nothing about hosts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from procmap.launchers.placement import lines

if TYPE_CHECKING:
    from procmap._mapping import Mapping


def permutation(mapping: Mapping) -> str:
    """PE of every rank on one line, as TopoMatch prints it."""
    return ",".join(map(str, mapping.permutation.tolist())) + "\n"


def comm_split_keys(mapping: Mapping) -> str:
    """Rank of the process on every PE, one per line, -1 if it has none: keys for MPI_Comm_split."""
    return lines(mapping.rank_of_pe.tolist())


def json_object(mapping: Mapping) -> str:
    """Return everything about the mapping that other programs may want."""
    places = mapping.topology.places
    values = {
        "num_tasks": len(mapping._host_blocks),
        "num_pes": mapping.num_blocks,
        "cost": mapping.cost,
        "edge_cut": mapping.edge_cut,
        "imbalance": mapping.imbalance,
        "feasible": mapping.feasible,
        "blocks": mapping._host_blocks.tolist(),
    }
    if places is not None:
        values["hosts"] = [places.hosts[i] for i in places.host_of[mapping._host_blocks]]
        values["pe_names"] = [places.name(pe) for pe in mapping._host_blocks.tolist()]
    return json.dumps(values) + "\n"
