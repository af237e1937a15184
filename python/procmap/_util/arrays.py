# SPDX-License-Identifier: MIT
"""Turn what users pass into exactly what the C++ core takes, or say what is wrong with it."""

from __future__ import annotations

import numbers
import operator
import os
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from procmap._util.errors import ConfigError
from procmap._util.limits import PIECE
from procmap._util.messages import shown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# More cannot help.
_MAX_THREADS = max(64, os.cpu_count() or 1)


_Int = TypeVar("_Int", bound="np.signedinteger[Any]")


def as_integers(
    values: ArrayLike,
    dtype: type[_Int],
    name: str,
    error: type[ValueError],
    *,
    copy: bool = False,
) -> NDArray[_Int]:
    """Return `values` as an aligned, C-contiguous array of `dtype` with the same values.

    Parameters
    ----------
    values
        One-dimensional; integers of any dtype, or floats that are all integral.
    dtype
        What the core takes.
    name
        How messages call the array.
    error
        What to raise.
    copy
        Whether the result must not share memory with `values`.
    """
    array = as_array(values, name, error)
    if array.ndim != 1:
        raise error(f"{name} must be one-dimensional, got shape {array.shape}")
    if array.size == 0:
        return np.zeros(0, dtype)
    if array.dtype.kind == "f":
        _check_integral(array, name, error)
    elif array.dtype.kind not in "iu":
        raise error(f"{name} must hold integers, got dtype {array.dtype}{_hint(array)}")
    _check_fits(array, dtype, name, error)
    result: NDArray[_Int] = np.require(array, dtype, ["C", "A"])
    if copy and not isinstance(values, (list, tuple)) and np.may_share_memory(result, array):
        result = result.copy()
    return result


def as_array(values: ArrayLike, name: str, error: type[ValueError]) -> NDArray[Any]:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise error(f"{name} has masked values; fill them first")
    if hasattr(values, "detach"):  # a torch tensor that requires gradients has no __array__
        values = values.detach()
    try:
        return np.asarray(values)
    except (TypeError, ValueError) as exc:
        raise error(f"{name} is not an array: {exc}") from exc


def _hint(array: NDArray[Any]) -> str:
    if array.dtype.kind == "b":
        return "; use .astype(numpy.int64) if True means 1"
    if array.dtype.kind == "O":
        return " (Python objects, or integers beyond 64 bits)"
    return ""


def check_finite(array: NDArray[Any], name: str, error: type[ValueError]) -> None:
    """Raise `error` if a float of the one-dimensional `array` is NaN or infinite."""
    finite = np.isfinite(array)
    if not finite.all():
        i = int(np.argmin(finite))
        raise error(f"{name}[{i}] = {array[i]} is not a finite number")


def _check_integral(array: NDArray[Any], name: str, error: type[ValueError]) -> None:
    check_finite(array, name, error)
    good = array == np.trunc(array)
    if good.all():
        return
    i = int(np.argmin(good))
    raise error(
        f"{name}[{i}] = {array[i]} is not an integer; scale the values first, "
        f"for example numpy.rint({name} * 1000).astype(numpy.int64)"
    )


def _check_fits(array: NDArray[Any], dtype: type[_Int], name: str, error: type[ValueError]) -> None:
    if np.can_cast(array.dtype, dtype):
        return
    info = np.iinfo(dtype)
    if array.dtype.kind == "f":  # the largest integer may not be a float, but max + 1 is one
        bad = (array >= np.float64(info.max + 1)) | (array < np.float64(info.min))
    elif array.dtype.kind == "u":
        bad = array > np.asarray(info.max).astype(array.dtype)
    else:
        bad = (array > info.max) | (array < info.min)
    if bad.any():
        i = int(np.argmax(bad))
        value = int(array[i])
        raise error(f"{name}[{i}] = {value} does not fit {np.dtype(dtype)}")


def as_integer(
    value: object, name: str, low: int, high: int | None, error: type[ValueError]
) -> int:
    """Return `value` as an int in [low, high]; refuse bools, floats and everything else."""
    bounds = f">= {low}" if high is None else f"in [{low}, {high}]"
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise error(f"{name} must be an integer {bounds}, got {shown(value)}") from None
    if number < low or (high is not None and number > high):
        raise error(f"{name} must be an integer {bounds}, got {shown(number)}")
    return number


def exact_sum(values: NDArray[Any]) -> int:
    """Return the sum of integers below 2^63, which may be beyond 64 bits."""
    total = 0
    for begin in range(0, len(values), PIECE):
        piece = values[begin : begin + PIECE].astype(np.int64, copy=False)
        total += int((piece & (2**32 - 1)).sum()) + (int((piece >> 32).sum()) << 32)
    return total


def as_flag(value: object, name: str) -> bool:
    """Return True or False; refuse everything else, of which "no" would count as True."""
    if not isinstance(value, (bool, np.bool_)):
        raise ConfigError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def as_real(value: object, name: str, error: type[ValueError]) -> float:
    """Return `value` as a float, NaN and infinities included; the core knows the range."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise error(f"{name} must be a number, got {shown(value)}")
    try:
        return float(value)
    except OverflowError:
        raise error(f"{name} = {shown(value)} is too large") from None


def thread_count(threads: object) -> int:
    """Return the core's number of threads; 0 means all."""
    if threads is None:
        return 0
    return min(as_integer(threads, "threads", 1, None, ConfigError), _MAX_THREADS)
