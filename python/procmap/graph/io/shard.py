# SPDX-License-Identifier: MIT
"""Archives of NumPy arrays that hold consecutive rows of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from procmap._util.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


def rows_of(
    name: str, arrays: Mapping[str, NDArray[Any]]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None, NDArray[Any] | None]:
    """Return offsets, heads, and weights of arcs and vertices, if there are such.

    Parameters
    ----------
    name
        How messages call the archive.
    arrays
        By the names of `Graph.from_csr`, or those of a SciPy matrix in CSR form.

    Raises
    ------
    FileError
        If there are no rows, or offsets are no integers.
    """
    if "indptr" in arrays:
        names = ("indptr", "indices", "data", "")
    else:
        names = ("offsets", "heads", "arc_weights", "vertex_weights")
    missing = [wanted for wanted in names[:2] if wanted not in arrays]
    if missing:
        raise FileError(f"{name}: there is no array '{missing[0]}'")
    offsets = arrays[names[0]]
    if offsets.ndim != 1 or len(offsets) == 0 or offsets.dtype.kind not in "iu":
        raise FileError(f"{name}: {names[0]} must hold integers, at least one")
    return offsets, arrays[names[1]], arrays.get(names[2]), arrays.get(names[3])
