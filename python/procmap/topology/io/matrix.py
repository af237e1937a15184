# SPDX-License-Identifier: MIT
"""Distances, and measured latencies or bandwidths, as a square matrix of numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from procmap._util.arrays import check_numbers
from procmap._util.columns import read_table
from procmap._util.errors import FileError, TopologyError
from procmap._util.formats import Format
from procmap._util.npy import NPY_MAGIC, read_array
from procmap._util.source import Source
from procmap.topology._description import Description, Matrix

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

Quantity = Literal["distances", "latencies", "bandwidths"]


def read(path: str | os.PathLike[str], quantity: Quantity) -> Description:
    """Read a ``.npy`` file or lines of numbers."""
    source = Source.of(path)
    binary = source.start(len(NPY_MAGIC)) == NPY_MAGIC or source.path.endswith(".npy")
    table = read_array(source) if binary else read_table(source)
    try:
        return Description(of_matrix(table, quantity), where=source.path)
    except TopologyError as exc:
        raise FileError(f"{source}: {exc}") from None


def of_matrix(table: NDArray[Any], quantity: Quantity) -> Matrix:
    """Return the machine with these distances or measurements."""
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise TopologyError(f"{quantity} must be a square matrix, got shape {table.shape}")
    return Matrix(table if quantity == "distances" else _as_distances(table, quantity))


def _as_distances(table: NDArray[Any], quantity: Quantity) -> NDArray[np.float64]:
    """Return the mean of both directions, or for bandwidths how much slower than the best."""
    check_numbers(table, quantity, TopologyError)
    values = table.astype(np.float64)
    apart = ~np.eye(len(values), dtype=bool)
    bad = apart & ~(np.isfinite(values) & (values > 0))
    if bad.any():
        i, j = np.argwhere(bad)[0]
        raise TopologyError(f"{quantity}[{i}, {j}] = {table[i, j]} is not a finite number > 0")
    values[~apart] = 0
    values = np.minimum(values, values.T) + np.abs(values - values.T) / 2  # no sum is too large
    if quantity == "bandwidths" and apart.any():
        best = values[apart].max()
        with np.errstate(over="ignore"):  # which is refused further on
            values[apart] = best / values[apart]
    return values


def _begins(start: bytes) -> bool:
    """Whether it begins with a number."""
    return start.lstrip()[:1] in [b"%c" % char for char in b"0123456789.-"]


FORMATS = (
    Format("distances", partial(read, quantity="distances"), (".npy",), _begins),
    Format("latencies", partial(read, quantity="latencies")),
    Format("bandwidths", partial(read, quantity="bandwidths")),
)
