# SPDX-License-Identifier: MIT
"""Numbers of the user as the 64-bit integers that the core computes with, and back again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from procmap._util.arrays import (
    as_array,
    as_integers,
    check_finite,
    check_numbers,
    check_one_dimensional,
    first,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# Scaled numbers add up to about 2**40, a cost counts every edge twice, and fractional distances get
# 20 bits: costs stay below the core's limit of 2**62, and 1e-12 of the total is resolved.
TOTAL_BITS = 40

MOST_DECIMALS = 9


@dataclass(frozen=True)
class Scale:
    """What one step of the integers that stand for a user's numbers is worth.

    A number of the user is its integer times ``base ** -digits``.

    Attributes
    ----------
    base : {2, 10}
        10 for decimal fractions such as 0.3, otherwise 2.
    digits : int
        Digits after the point; negative if even the ones were dropped.
    exact : bool
        Whether the integers say exactly what the numbers did; if not, each is off by up to half
        a `unit`, or less than one where the number was below half a unit: only 0 becomes 0.
    """

    base: Literal[2, 10] = 2
    digits: int = 0
    exact: bool = True

    @property
    def unit(self) -> Fraction:
        """One step in the user's unit; 1 for numbers that were taken as they are."""
        return Fraction(self.base) ** -self.digits

    def restore(self, values: NDArray[np.int64]) -> NDArray[Any]:
        """Return integers in the user's unit: as they are if that is 1, else float64."""
        if self.digits == 0:
            return values
        if self.base == 10:
            factor = 10.0 ** abs(self.digits)
            return values / factor if self.digits > 0 else values * factor
        with np.errstate(over="ignore"):
            return np.ldexp(values.astype(np.float64), -self.digits)

    def __str__(self) -> str:
        return f"{float(self.unit):.3g}{'' if self.exact else ' (rounded)'}"


UNSCALED = Scale()


def in_user_unit(value: int, *scales: Scale) -> int | float:
    """Return an integer of the core in the unit that is the product of these scales.

    It is infinite beyond the range of floats.
    """
    if not any(scale.digits for scale in scales):  # most calls; fractions are slow
        return value
    unit = math.prod((scale.unit for scale in scales), start=Fraction(1))
    try:
        return value if unit == 1 else float(value * unit)
    except OverflowError:
        return math.copysign(math.inf, value)


def scale_to_integers(
    values: ArrayLike,
    name: str,
    error: type[ValueError],
    *,
    copy: bool = False,
) -> tuple[NDArray[np.int64], Scale]:
    """Return `values` as int64 and what one of these is worth.

    Integers stay what they are, and so do floats that are all integral, at most 2**53, and of a
    sum below 2**61. Others are multiplied by the smallest power of 2 or of 10 that makes them
    integers, or, if no such power keeps their sum below 2**40, by the power of 2 that just does,
    and rounded, but none to 0 that was not.

    Parameters
    ----------
    values
        One-dimensional; integers or floats of any dtype, floats >= 0.
    name
        How messages call the array.
    error
        What to raise if a value is negative, not finite, or no number at all.
    copy
        Whether the result must not share memory with `values`.
    """
    array = as_array(values, name, error)
    check_one_dimensional(values, array, name, error)
    if array.size:
        check_numbers(array, name, error)
    if array.dtype.kind != "f" or _need_no_scale(array):
        return as_integers(values, np.int64, name, error, copy=copy), UNSCALED
    check_finite(array, name, error)
    if array.min() < 0:
        raise error(f"{first(array < 0, array, name)} is negative")
    with np.errstate(over="ignore"):
        numbers = array.astype(np.float64)
    if not np.isfinite(numbers).all():
        raise error(f"{name} holds numbers beyond the range of float64")
    scale = _exact_scale(numbers, array.dtype) if (numbers == array).all() else None
    scale = scale or Scale(2, TOTAL_BITS - _total_exponent(numbers), exact=False)
    return apply_scale(scale, numbers), scale


def _need_no_scale(array: NDArray[Any]) -> bool:
    """Whether the numbers are integers that floats hold exactly, and their sum fits the core."""
    size = np.abs(array)
    exact = (array == np.trunc(array)) & (size <= np.float64(2**53))
    return bool(exact.all()) and bool(size.sum(dtype=np.float64) < 2**61)


def _total_exponent(numbers: NDArray[np.float64]) -> int:
    """Return the smallest e for which the sum is below 2**e, without overflow on the way."""
    largest = int(np.frexp(numbers.max())[1])
    rest = float(np.ldexp(numbers, -largest).sum())
    return largest + math.frexp(rest)[1]


def _exact_scale(numbers: NDArray[np.float64], dtype: np.dtype[Any]) -> Scale | None:
    """Return the smallest power that makes all numbers integers, if it keeps the sum small."""
    room = TOTAL_BITS - _total_exponent(numbers)
    digits = binary_digits(numbers)
    for decimals in range(1, MOST_DECIMALS + 1):
        if math.log2(10) * decimals > min(room, digits):
            break
        # Most arrays fail at once, so a look at a few values saves passes over all of them.
        if all(are_decimals(part, decimals, dtype) for part in (numbers[:1000], numbers)):
            return Scale(10, decimals)
    return Scale(2, digits) if digits <= room else None


def binary_digits(numbers: NDArray[np.float64]) -> int:
    """Return how many binary digits after the point it takes to write every number."""
    mantissa, exponent = np.frexp(numbers[numbers > 0])
    integer = np.ldexp(mantissa, 53).astype(np.int64)
    trailing_zeros = np.frexp((integer & -integer).astype(np.float64))[1] - 1
    return int((53 - trailing_zeros - exponent).max())


def are_decimals(numbers: NDArray[np.float64], decimals: int, dtype: np.dtype[Any]) -> bool:
    """Whether every number is the float nearest to some decimal fraction of so many digits."""
    factor = 10.0**decimals
    nearest = np.rint(numbers * factor) / factor
    return bool((nearest.astype(dtype) == numbers).all())


def apply_scale(scale: Scale, numbers: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the integers that stand for numbers >= 0."""
    if scale.base == 10:
        return np.rint(numbers * 10.0**scale.digits).astype(np.int64)
    return kept_apart(numbers, np.rint(np.ldexp(numbers, scale.digits))).astype(np.int64)


def kept_apart(values: NDArray[np.float64], rounded: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rounded values, 1 where others than 0 became 0: there is a task, or a way to go."""
    rounded[(rounded == 0) & (values > 0)] = 1
    return rounded
