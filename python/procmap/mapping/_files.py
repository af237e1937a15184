# SPDX-License-Identifier: MIT
"""Files of mappings. Those of launchers are made in `procmap.launchers`.

- "blocks", "metis": one PE per line, as METIS's ``.part.K``
- "permutation": all on one line, as TopoMatch prints it
- "comm-split": the rank of every PE, keys for ``MPI_Comm_split``; all of them on a line if a PE has
  several, the first for the first process there
- "json": costs and balance too
- "html": a page to look at
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from procmap._util.errors import ConfigError
from procmap._util.messages import shown
from procmap.launchers import LAUNCHERS, LauncherFormat
from procmap.launchers.placement import Placement, lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from procmap.mapping._report import Report
    from procmap.topology._topology import Topology


MappingFormat: TypeAlias = (
    Literal["blocks", "metis", "permutation", "comm-split", "json", "html"] | LauncherFormat
)


def permutation(blocks: NDArray[np.int32], k: int) -> NDArray[np.int32]:
    """Return `blocks` if no PE has more than one task."""
    tasks = np.bincount(blocks, minlength=k)
    if (tasks > 1).any():
        pe = int(np.argmax(tasks > 1))
        raise ValueError(f"not a permutation: PE {pe} has {tasks[pe]} tasks")
    return blocks


def rank_of_pe(blocks: NDArray[np.int32], k: int) -> NDArray[np.int32]:
    """Return the inverse of a permutation, -1 for PEs without a task."""
    ranks = np.full(k, -1, np.int32)
    ranks[permutation(blocks, k)] = np.arange(len(blocks), dtype=np.int32)
    return ranks


def file_text(
    report: Report,
    blocks: NDArray[np.int32],
    topology: Topology,
    format: str,
    hosts: str | Iterable[str] | None,
) -> str:
    """Return what a file of a mapping says, but for "html"; the core writes "blocks", "metis"."""
    if format in _LABELS:
        return _LABELS[format](report, blocks, topology)
    if format not in LAUNCHERS:
        raise ConfigError(f"format must be one of {', '.join(FORMATS)}, got {shown(format)}")
    return LAUNCHERS[format].file(Placement.of(blocks, topology, hosts))


def _one_line(report: Report, blocks: NDArray[np.int32], topology: Topology) -> str:
    del topology
    return ",".join(map(str, permutation(blocks, report.num_blocks).tolist())) + "\n"


def _comm_split_keys(report: Report, blocks: NDArray[np.int32], topology: Topology) -> str:
    del topology
    if (np.bincount(blocks, minlength=report.num_blocks) <= 1).all():
        return lines(rank_of_pe(blocks, report.num_blocks).tolist())
    ranks: list[list[int]] = [[] for _ in range(report.num_blocks)]
    for rank, pe in enumerate(blocks.tolist()):
        ranks[pe].append(rank)
    return lines(" ".join(map(str, there or [-1])) for there in ranks)


def _json_object(report: Report, blocks: NDArray[np.int32], topology: Topology) -> str:
    """Return everything about the mapping that other programs may want."""
    places = topology.places
    values = {
        "num_tasks": len(blocks),
        "num_pes": report.num_blocks,
        "cost": report.cost,
        "edge_cut": report.edge_cut,
        "imbalance": report.imbalance,
        "feasible": report.feasible,
        "blocks": blocks.tolist(),
    }
    if places is not None:
        values["hosts"] = [places.hosts[i] for i in places.host_of[blocks]]
        values["pe_names"] = [places.name(pe) for pe in blocks.tolist()]
    return json.dumps(values) + "\n"


_LABELS: dict[str, Callable[[Report, NDArray[np.int32], Topology], str]] = {
    "permutation": _one_line,
    "comm-split": _comm_split_keys,
    "json": _json_object,
}
OF_RANKS = ("blocks", "metis", *_LABELS, *LAUNCHERS)
FORMATS = (*OF_RANKS, "html")
