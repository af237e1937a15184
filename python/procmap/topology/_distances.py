# SPDX-License-Identifier: MIT
"""Matrices of distances as the core takes them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.arrays import as_array, check_numbers
from procmap._util.errors import TopologyError
from procmap._util.limits import MAX_DISTANCE
from procmap._util.messages import form_of
from procmap._util.scaling import UNSCALED, Scale, kept_apart

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_DECIMALS = 6  # of the largest entry that are tried before precision is lost
_MOST_DECIMALS = 300  # powers of ten beyond are no floats
_BITS = 20  # of the largest fraction: with the 40 bits of fractional traffic (_scaling.py) J fits
_TOLERANCE = 1e-12  # relative


def scaled_matrix(distances: ArrayLike) -> tuple[NDArray[np.int64], Scale]:
    """Return `distances` as integers, and what one of these is worth."""
    matrix = _as_square(distances)
    kind = matrix.dtype.kind
    check_numbers(matrix, "distances", TopologyError)
    if kind == "f":
        return _scale(matrix)
    if kind == "u" and matrix.dtype.itemsize == 8 and matrix.size and matrix.max() > MAX_DISTANCE:
        a, b = np.unravel_index(int(matrix.argmax()), matrix.shape)
        raise TopologyError(f"distance[{a}][{b}] = {matrix[a, b]} is not below 2^31")
    return np.ascontiguousarray(matrix, np.int64), UNSCALED


def _as_square(distances: ArrayLike) -> NDArray[Any]:
    matrix = as_array(distances, "distances", TopologyError)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.size == 0:
        given = form_of(distances, matrix.shape)
        raise TopologyError(f"distances must be a square matrix, got {given}")
    return matrix


def _scale(matrix: NDArray[Any]) -> tuple[NDArray[np.int64], Scale]:
    values = np.ascontiguousarray(matrix, np.float64)
    wrong = ~np.isfinite(values) | (values < 0)
    if wrong.any():
        a, b = np.unravel_index(int(wrong.argmax()), values.shape)
        problem = "is negative" if values[a, b] < 0 else "is not a finite number"
        raise TopologyError(f"distance[{a}][{b}] = {values[a, b]} {problem}")
    _check_diagonal(values)
    _check_symmetric(values)
    exact = _in_decimals(values)
    if exact is not None:
        return exact
    digits = _BITS - int(np.frexp(values.max())[1])
    scaled = np.ldexp(values, digits)
    rounded = kept_apart(values, np.rint(scaled))
    return rounded.astype(np.int64), Scale(2, digits, exact=np.array_equal(scaled, rounded))


def _in_decimals(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], Scale] | None:
    """Return the values as integers of some power of ten, if a small one makes them all that.

    Tolerance and tries go with the largest value: another unit must not make another machine.
    """
    largest = float(values.max())
    if largest == 0:
        return np.zeros(values.shape, np.int64), UNSCALED
    for decimals in _tries(largest):
        factor = 10.0 ** abs(decimals)
        scaled = values * factor if decimals >= 0 else values / factor
        if scaled.max() > (2**_BITS if decimals else MAX_DISTANCE):
            return None
        rounded = np.rint(scaled)
        if (np.abs(scaled - rounded) <= _TOLERANCE * scaled).all():
            return rounded.astype(np.int64), Scale(10, decimals) if decimals else UNSCALED
    return None


def _tries(largest: float) -> range:
    """Return which powers of ten may make integers of values up to `largest`."""
    magnitude = math.floor(math.log10(largest))
    first = -magnitude if largest > MAX_DISTANCE else 0
    return range(
        max(first, -_MOST_DECIMALS), min(_DECIMALS - min(magnitude, 0), _MOST_DECIMALS) + 1
    )


def _check_diagonal(values: NDArray[np.float64]) -> None:
    """Name the culprit in the caller's unit; the core knows only its own."""
    away = np.diagonal(values) != 0
    if away.any():
        a = int(away.argmax())
        raise TopologyError(
            f"distance[{a}][{a}] = {values[a, a]}, but a PE is at distance 0 from itself"
        )


def _check_symmetric(values: NDArray[np.float64]) -> None:
    """Name the culprit in the caller's unit, before rounding could hide it."""
    different = values != values.T
    if different.any():
        a, b = np.unravel_index(int(different.argmax()), values.shape)
        raise TopologyError(
            f"distance[{a}][{b}] = {values[a, b]} but distance[{b}][{a}] = {values[b, a]}; "
            "distances must be symmetric"
        )
