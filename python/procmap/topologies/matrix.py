# SPDX-License-Identifier: MIT
"""Distances, and measured latencies or bandwidths, as a square matrix of numbers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from procmap._errors import FileError, TopologyError
from procmap._graph_files.text import read_table
from procmap._topology import Topology

if TYPE_CHECKING:
    from numpy.typing import NDArray

Quantity = Literal["distances", "latencies", "bandwidths"]


def read(path: str | os.PathLike[str], quantity: Quantity) -> Topology:
    """Read a ``.npy`` file or lines of numbers."""
    name = os.fspath(path)
    table = _load(name) if name.endswith(".npy") else read_table(name)
    try:
        return of_matrix(table, quantity)
    except TopologyError as exc:
        raise FileError(f"{name}: {exc}") from None


def of_matrix(table: NDArray[Any], quantity: Quantity) -> Topology:
    """Return the machine with these distances or measurements."""
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise TopologyError(f"expected a square matrix, got shape {table.shape}")
    return Topology.from_distance_matrix(
        table if quantity == "distances" else _as_distances(table, quantity)
    )


def _as_distances(table: NDArray[Any], quantity: Quantity) -> NDArray[np.float64]:
    """Return the mean of both directions, or for bandwidths how much slower than the best."""
    if table.dtype.kind not in "iuf":
        raise TopologyError(f"expected numbers, got dtype {table.dtype}")
    values = table.astype(np.float64)
    apart = ~np.eye(len(values), dtype=bool)
    bad = apart & ~(np.isfinite(values) & (values > 0))
    if bad.any():
        i, j = np.argwhere(bad)[0]
        raise TopologyError(f"{quantity}[{i}, {j}] = {table[i, j]} is not a finite number > 0")
    values = (values + values.T) / 2
    if quantity == "bandwidths" and apart.any():
        best = values[apart].max()
        values[apart] = best / values[apart]
    values[~apart] = 0
    return values


def _load(path: str) -> NDArray[Any]:
    try:
        array = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as exc:
        raise FileError(f"{path}: cannot be read as an array: {exc}") from None
    if not isinstance(array, np.ndarray):
        raise FileError(f"{path}: expected one array")
    return array
