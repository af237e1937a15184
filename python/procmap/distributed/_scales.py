# SPDX-License-Identifier: MIT
"""Numbers of all ranks as integers of one unit, as `procmap._util.scaling` does of one array."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.arrays import as_array, as_integers, check_finite
from procmap._util.errors import GraphError
from procmap._util.scaling import (
    MOST_DECIMALS,
    TOTAL_BITS,
    UNSCALED,
    Scale,
    apply_scale,
    are_decimals,
    binary_digits,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from procmap._util.ranks import Ranks

_NONE = -5000  # below every exponent of a float
_SUM_BITS = 20  # of a share of the largest number, for sums that are the same in any order


def scaled(
    ranks: Ranks, values: ArrayLike | None, name: str
) -> tuple[NDArray[np.int64] | None, Scale]:
    """Return this rank's numbers as integers, and what one of these is worth at all ranks."""
    array = np.zeros(0) if values is None else as_array(values, name, GraphError)
    fractions = array.dtype.kind == "f" and array.ndim == 1 and not _are_integers(array)
    if not ranks.largest(int(fractions)):
        given = None if values is None else as_integers(values, np.int64, name, GraphError)
        return given, UNSCALED
    if array.ndim != 1 or array.dtype.kind not in "fiu":
        raise GraphError(f"{name} must be one-dimensional numbers, got {array.dtype} {array.shape}")
    check_finite(array, name, GraphError)
    if array.min(initial=0) < 0:
        i = int(np.argmax(array < 0))
        raise GraphError(f"{name}[{i}] = {array[i]} is negative")
    numbers = array.astype(np.float64)
    scale = _scale_of(ranks, numbers, array.dtype)
    return None if values is None else apply_scale(scale, numbers), scale


def _are_integers(array: NDArray[Any]) -> bool:
    size = np.abs(array)
    return bool(((array == np.trunc(array)) & (size <= np.float64(2**53))).all())


def _scale_of(ranks: Ranks, numbers: NDArray[np.float64], dtype: np.dtype[Any]) -> Scale:
    positive = numbers[numbers > 0]
    largest = ranks.largest(int(np.frexp(positive.max())[1]) if len(positive) else _NONE)
    shares = np.ceil(np.ldexp(positive, _SUM_BITS - largest)).astype(np.int64)
    total = ranks.total(int(shares.sum())) / 2**_SUM_BITS
    room = TOTAL_BITS - largest - math.frexp(total)[1]
    digits = ranks.largest(binary_digits(positive) if len(positive) else _NONE)
    for decimals in range(1, MOST_DECIMALS + 1):
        if math.log2(10) * decimals > min(room, digits):
            break
        kind = dtype if dtype.kind == "f" else np.dtype(np.float64)
        if not ranks.largest(int(not are_decimals(numbers, decimals, kind))):
            return Scale(10, decimals)
    return Scale(2, digits) if digits <= room else Scale(2, room, exact=False)
