# SPDX-License-Identifier: MIT
"""Matrices of distances as the core takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._errors import TopologyError
from procmap._scaling import UNSCALED, Scale

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_DECIMALS = 6  # that are tried before precision is lost
_BITS = 20  # of the largest fraction: with the 40 bits of fractional traffic (_scaling.py) J fits


def scaled_matrix(distances: ArrayLike) -> tuple[NDArray[np.int64], Scale]:
    """Return `distances` as integers, and what one of these is worth."""
    matrix = _as_square(distances)
    kind = matrix.dtype.kind
    if kind not in "iuf":
        raise TopologyError(f"distances must hold numbers, got dtype {matrix.dtype}")
    if kind == "f":
        return _scale(matrix)
    if kind == "u" and matrix.dtype.itemsize == 8 and matrix.size and matrix.max() >= 2**31:
        a, b = np.unravel_index(int(matrix.argmax()), matrix.shape)
        raise TopologyError(f"distance[{a}][{b}] = {matrix[a, b]} is not below 2^31")
    return np.ascontiguousarray(matrix, np.int64), UNSCALED


def _as_square(distances: ArrayLike) -> NDArray[Any]:
    try:
        matrix = np.asarray(distances)
    except ValueError as exc:
        raise TopologyError(f"distances is not an array: {exc}") from exc
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.size == 0:
        raise TopologyError(f"distances must be a square matrix, got shape {matrix.shape}")
    return matrix


def _scale(matrix: NDArray[Any]) -> tuple[NDArray[np.int64], Scale]:
    values = np.ascontiguousarray(matrix, np.float64)
    wrong = ~np.isfinite(values) | (values < 0)
    if wrong.any():
        a, b = np.unravel_index(int(wrong.argmax()), values.shape)
        problem = "is negative" if values[a, b] < 0 else "is not a finite number"
        raise TopologyError(f"distance[{a}][{b}] = {values[a, b]} {problem}")
    _check_symmetric(values)
    largest = float(values.max())
    for decimals in range(_DECIMALS + 1):
        scaled = values * 10.0**decimals
        rounded = np.rint(scaled)
        if largest * 10.0**decimals > (2**_BITS if decimals else 2**31 - 1):
            break
        if np.allclose(scaled, rounded, rtol=1e-12, atol=1e-9):
            return rounded.astype(np.int64), Scale(10, decimals) if decimals else UNSCALED
    digits = _BITS - int(np.frexp(largest)[1])
    return np.rint(np.ldexp(values, digits)).astype(np.int64), Scale(2, digits, exact=False)


def _check_symmetric(values: NDArray[np.float64]) -> None:
    """Name the culprit in the caller's unit, before rounding could hide it."""
    different = values != values.T
    if different.any():
        a, b = np.unravel_index(int(different.argmax()), values.shape)
        raise TopologyError(
            f"distance[{a}][{b}] = {values[a, b]} but distance[{b}][{a}] = {values[b, a]}; "
            "distances must be symmetric"
        )
