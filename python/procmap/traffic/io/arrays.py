# SPDX-License-Identifier: MIT
"""Arrays of NumPy, sparse matrices of SciPy, and of MatrixMarket."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap._util.errors import FileError
from procmap._util.formats import Format
from procmap._util.messages import shortened
from procmap._util.npy import NPY_MAGIC, Archive, read_array
from procmap.graph.io import matrix_market, npz
from procmap.traffic._traffic import Traffic

if TYPE_CHECKING:
    from procmap._util.source import Source
    from procmap.graph._arcs import Arcs


def read_matrix_market(path: Source) -> Traffic:
    """Read a matrix, directed or not."""
    return _of_arcs(matrix_market.read_arcs(path, scaled=False))


def read_npy(path: Source) -> Traffic:
    """Read a dense matrix."""
    return Traffic.from_matrix(read_array(path))


def read_npz(path: Source) -> Traffic:
    """Read the one dense matrix of an archive, or the sparse one that it is."""
    arrays = Archive(path)
    if "format" in arrays:
        return _of_arcs(npz.arcs_of(path, arrays, scaled=False))
    if len(arrays) != 1:
        found = shortened(", ".join(sorted(arrays))) or "none"
        raise FileError(f"{path}: expected one array, found {found}")
    return Traffic.from_matrix(next(iter(arrays.values())))


def _of_arcs(arcs: Arcs) -> Traffic:
    """Return arcs as traffic; those without weights weigh 1."""
    volumes = np.ones(len(arcs.tails), np.int64) if arcs.weights is None else arcs.weights
    return Traffic.from_messages(arcs.tails, arcs.heads, volumes, arcs.num_vertices)


FORMATS = (
    Format("matrix-market", read_matrix_market, begins=matrix_market.FORMAT.begins),
    Format("npy", read_npy, begins=lambda start: start.startswith(NPY_MAGIC)),
    Format("npz", read_npz, begins=npz.FORMAT.begins),
)
