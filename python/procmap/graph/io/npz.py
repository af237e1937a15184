# SPDX-License-Identifier: MIT
"""Sparse matrices as ``scipy.sparse.save_npz`` writes them; SciPy is not needed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.errors import FileError
from procmap._util.formats import Format
from procmap._util.messages import shown
from procmap._util.npy import ZIP_MAGIC, Archive
from procmap.graph._arcs import Arcs, Tasks
from procmap.graph.io.order import check_order

if TYPE_CHECKING:
    from collections.abc import Mapping

    from procmap._util.source import Source
    from procmap.graph._arcs import Symmetrize

_ARRAYS = {
    "csr": ("indptr", "indices", "data"),
    "csc": ("indptr", "indices", "data"),  # the rows of the transpose
    "coo": ("row", "col", "data"),
}


def read(path: Source, symmetrize: Symmetrize) -> Tasks:
    """Read the matrix of a graph."""
    return Tasks(arcs_of(path, Archive(path)).symmetrized(symmetrize))


def arcs_of(
    path: Source, arrays: Mapping[str, np.ndarray[Any, Any]], *, scaled: bool = True
) -> Arcs:
    """Return a square sparse matrix in CSR, CSC or COO form."""
    if "format" not in arrays:
        raise FileError(
            f"{path}: there is no array 'format': not a sparse matrix as scipy.sparse.save_npz "
            "writes it"
        )
    kind = _text(arrays.get("format"))
    names = _ARRAYS.get(kind)
    if names is None:
        raise FileError(f"{path}: 'format' is {shown(kind)}, expected one of {', '.join(_ARRAYS)}")
    missing = [name for name in ("shape", *names) if name not in arrays]
    if missing:
        raise FileError(f"{path}: there is no array '{missing[0]}'")
    order = _order(path, arrays["shape"])
    first, second, weights = (arrays[name] for name in names)
    if kind == "coo":
        check_order(path, order, first.size, "'shape'")
        return Arcs.checked(first, second, weights, order, "entries", scaled=scaled)
    arcs = Arcs.of_rows(first, second, weights, scaled=scaled)
    if arcs.num_vertices != order:
        raise FileError(f"{path}: 'shape' says {order} rows, indptr {arcs.num_vertices}")
    return replace(arcs, tails=arcs.heads, heads=arcs.tails) if kind == "csc" else arcs


def _order(path: Source, shape: np.ndarray[Any, Any]) -> int:
    """Return the number of rows, and of columns."""
    if shape.shape != (2,) or shape.dtype.kind not in "iu":
        raise FileError(
            f"{path}: 'shape' must hold two integers, got {shape.dtype} of shape {shape.shape}"
        )
    rows, columns = shape.tolist()
    if rows != columns:
        raise FileError(f"{path}: the matrix must be square, got shape {shown([rows, columns])}")
    return int(rows)


def _text(array: np.ndarray[Any, Any] | None) -> str:
    value = None if array is None or array.ndim else array.item()
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


FORMAT = Format("npz", read, (".npz",), lambda start: start.startswith(ZIP_MAGIC))
