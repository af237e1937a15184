# SPDX-License-Identifier: MIT
"""Arrays of NumPy, and sparse matrices of SciPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap._errors import FileError
from procmap._graph_files import npz
from procmap._graph_files.text import open_file
from procmap._traffic import Traffic

if TYPE_CHECKING:
    from procmap._arcs import Arcs


def read_npy(path: str) -> Traffic:
    """Read a dense matrix."""
    with open_file(path) as file:
        try:
            matrix = np.load(file, allow_pickle=False)
        except (ValueError, EOFError) as exc:
            raise FileError(f"{path}: not an array of numbers: {exc}") from None
    return Traffic.from_matrix(matrix)


def read_npz(path: str) -> Traffic:
    """Read the one dense matrix of an archive, or the sparse one that it is."""
    arrays = npz.load(path)
    if "format" in arrays:
        return of_arcs(npz.arcs_of(path, arrays, scaled=False))
    if len(arrays) != 1:
        raise FileError(f"{path}: expected one array, found {', '.join(sorted(arrays)) or 'none'}")
    return Traffic.from_matrix(next(iter(arrays.values())))


def of_arcs(arcs: Arcs) -> Traffic:
    """Return arcs as traffic; those without weights weigh 1."""
    volumes = np.ones(len(arcs.tails), np.int64) if arcs.weights is None else arcs.weights
    return Traffic(arcs.num_vertices, arcs.tails, arcs.heads, volumes)
