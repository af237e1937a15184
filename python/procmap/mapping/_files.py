# SPDX-License-Identifier: MIT
"""Files of mappings. Those of launchers are made in `procmap.launchers`.

- "blocks", "metis": one PE per line, as METIS's ``.part.K``
- "permutation": all on one line, as TopoMatch prints it
- "comm-split": the rank of every PE, keys for ``MPI_Comm_split``; all of them on a line if a PE has
  several, the first for the first process there
- "json": costs and balance too
- "openfoam": OpenFOAM's ``cellDecomposition``, for decomposePar's method "manual"
- "scotch": Scotch's ``.map``: their number, then lines of a vertex and its PE
- "html": a page to look at
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from procmap._util.arrays import as_integers
from procmap._util.columns import data_lines, read_columns
from procmap._util.errors import FileError
from procmap._util.messages import shortened
from procmap._util.text import error_at
from procmap.launchers import LAUNCHERS, LauncherFormat
from procmap.launchers.placement import Placement, lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from procmap._util.source import Source
    from procmap.mapping._report import Report
    from procmap.topology._topology import Topology


MappingFormat: TypeAlias = (
    Literal["blocks", "metis", "permutation", "comm-split", "json", "openfoam", "scotch", "html"]
    | LauncherFormat
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


_FOAM = """\
FoamFile
{
    version     2.0;
    format      ascii;
    class       labelList;
    location    "constant";
    object      cellDecomposition;
}
"""


def _cell_decomposition(report: Report, blocks: NDArray[np.int32], topology: Topology) -> str:
    del report, topology
    return f"{_FOAM}\n{len(blocks)}\n(\n{lines(blocks.tolist())})\n"


def _scotch_map(report: Report, blocks: NDArray[np.int32], topology: Topology) -> str:
    del report, topology
    return f"{len(blocks)}\n" + lines(f"{task}\t{pe}" for task, pe in enumerate(blocks.tolist()))


def of_scotch(path: Source) -> NDArray[np.int32]:
    """Read Scotch's ``.map``; vertices count from 0 or 1, in any order.

    Raises
    ------
    FileError
        If it is malformed; the message is "PATH:LINE: ...".
    """
    line, first = next(data_lines(path), (1, ""))
    if not re.fullmatch(r"\d{1,18}", first, re.ASCII):
        raise error_at(path, line, f"expected a number of vertices, found '{shortened(first)}'")
    vertices, pes = read_columns(path, "ii", line)
    if len(vertices) != int(first):
        raise FileError(f"{path}: {int(first)} vertices expected, found {len(vertices)}")
    base = int(vertices.min(initial=1)) if len(vertices) else 0
    order = np.argsort(vertices, kind="stable")
    if base not in (0, 1) or (vertices[order] != np.arange(base, base + len(vertices))).any():
        raise FileError(f"{path}: vertices must be all of 0 to n - 1, or 1 to n, each once")
    try:
        return as_integers(pes[order], np.int32, "the column of PEs", ValueError)
    except ValueError as exc:
        raise FileError(f"{path}: {exc}") from None


_LABELS: dict[str, Callable[[Report, NDArray[np.int32], Topology], str]] = {
    "permutation": _one_line,
    "comm-split": _comm_split_keys,
    "json": _json_object,
    "openfoam": _cell_decomposition,
    "scotch": _scotch_map,
}
OF_RANKS = ("blocks", "metis", *_LABELS, *LAUNCHERS)
FORMATS = (*OF_RANKS, "html")
