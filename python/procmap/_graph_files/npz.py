# SPDX-License-Identifier: MIT
"""Sparse matrices as ``scipy.sparse.save_npz`` writes them; SciPy is not needed."""

from __future__ import annotations

import zipfile
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._arcs import Arcs
from procmap._errors import FileError
from procmap._graph_files.text import open_file
from procmap._objects import Tasks

if TYPE_CHECKING:
    from procmap._arcs import Symmetrize

_ARRAYS = {
    "csr": ("indptr", "indices", "data"),
    "csc": ("indptr", "indices", "data"),  # the transpose, which symmetric matrices are too
    "coo": ("row", "col", "data"),
}


# What zipfile, zlib and NumPy raise for files that are damaged or of an unknown kind.
_NO_ARCHIVE = (
    ValueError,
    EOFError,
    KeyError,
    OSError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
)


def read(path: str, symmetrize: Symmetrize) -> Tasks:
    """Read the matrix of a graph."""
    return Tasks(arcs_of(path, load(path)).symmetrized(symmetrize))


def arcs_of(path: str, arrays: dict[str, np.ndarray[Any, Any]], *, scaled: bool = True) -> Arcs:
    """Return a square sparse matrix in CSR, CSC or COO form; one in CSC form is transposed."""
    kind = _text(arrays.get("format"))
    names = _ARRAYS.get(kind)
    if names is None:
        raise FileError(f"{path}: 'format' is {kind!r}, expected one of {', '.join(_ARRAYS)}")
    missing = [name for name in ("shape", *names) if name not in arrays]
    if missing:
        raise FileError(f"{path}: there is no array '{missing[0]}'")
    shape = arrays["shape"].tolist()
    if not isinstance(shape, list) or len(shape) != 2 or shape[0] != shape[1]:
        raise FileError(f"{path}: the matrix must be square, got shape {shape}")
    first, second, weights = (arrays[name] for name in names)
    if kind == "coo":
        return Arcs.checked(first, second, weights, shape[0], "entries", scaled=scaled)
    arcs = Arcs.of_rows(first, second, weights, scaled=scaled)
    if arcs.num_vertices != shape[0]:
        raise FileError(f"{path}: 'shape' says {shape[0]} rows, indptr {arcs.num_vertices}")
    return arcs


def load(path: str) -> dict[str, np.ndarray[Any, Any]]:
    """Return the arrays of an npz file."""
    with open_file(path) as file:
        try:
            archive = np.load(file, allow_pickle=False)
            if not isinstance(archive, np.lib.npyio.NpzFile):
                raise FileError(f"{path}: not an npz file")
            return {name: archive[name] for name in archive.files}
        except FileError:
            raise
        except _NO_ARCHIVE as exc:
            raise FileError(f"{path}: not an npz file of arrays: {exc}") from None


def _text(array: np.ndarray[Any, Any] | None) -> str:
    value = None if array is None or array.ndim else array.item()
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
