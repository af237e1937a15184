# SPDX-License-Identifier: MIT
"""Turn what users pass into exactly what the C++ core takes, or say what is wrong with it."""

from __future__ import annotations

import numbers
import operator
import os
import re
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from procmap._util.errors import ConfigError
from procmap._util.limits import PIECE
from procmap._util.messages import form_of, shown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_COLUMN = re.compile(r"(\w+)\[:, (\d+)\]")

# More cannot help.
_MAX_THREADS = max(64, os.cpu_count() or 1)


_Int = TypeVar("_Int", bound="np.signedinteger[Any]")


def as_integers(
    values: ArrayLike,
    dtype: type[_Int],
    name: str,
    error: type[ValueError],
    *,
    ndim: int = 1,
    copy: bool = False,
    amounts: bool = False,
) -> NDArray[_Int]:
    """Return `values` as an aligned, C-contiguous array of `dtype` with the same values.

    Parameters
    ----------
    values
        Integers of any dtype, or floats that are all integral.
    dtype
        What the core takes.
    name
        How messages call the array, see `entry`.
    error
        What to raise.
    ndim
        Dimensions that the array has. Of more than one the caller tells what is wrong with others.
    copy
        Whether the result must not share memory with `values`.
    amounts
        Whether fractions become integers in a smaller unit; no index does.
    """
    array = as_array(values, name, error)
    if ndim == 1:
        check_one_dimensional(values, array, name, error)
    if array.size == 0:
        return np.zeros(array.shape, dtype)
    if array.dtype.kind == "f":
        _check_integral(array, name, error, amounts=amounts)
    elif array.dtype.kind not in "iu":
        raise error(f"{name} must hold integers, got {_kind(array, name)}")
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
        reason = "its rows differ in length" if "inhomogeneous" in str(exc) else exc
        raise error(f"{name} is not an array: {reason}") from exc


def check_one_dimensional(
    values: object, array: NDArray[Any], name: str, error: type[ValueError]
) -> None:
    """Raise `error` unless `array`, made of `values`, has one dimension."""
    if array.ndim != 1:
        raise error(f"{name} must be one-dimensional, got {form_of(values, array.shape)}")


def check_numbers(array: NDArray[Any], name: str, error: type[ValueError]) -> None:
    """Raise `error` unless `array` has a type of integers or of floats."""
    if array.dtype.kind not in "iuf":
        raise error(f"{name} must hold numbers, got {_kind(array, name)}")


def entry(name: str, where: tuple[Any, ...]) -> str:
    """Return how messages call an entry: ``name[2]``, and ``name[2, 0]`` of ``name[:, 0]``."""
    column = _COLUMN.fullmatch(name)
    if column:
        return f"{column[1]}[{where[0]}, {column[2]}]"
    return f"{name}[{', '.join(map(str, where))}]" if where else name


def first(bad: NDArray[np.bool_], array: NDArray[Any], name: str) -> str:
    """Return name and value of the first entry that is bad."""
    where = np.unravel_index(int(np.argmax(bad)), bad.shape)
    return f"{entry(name, where)} = {array[where]}"


def _kind(array: NDArray[Any], name: str) -> str:
    """Return the type of an array that holds no numbers, and the entry that is to blame."""
    text = f"dtype {array.dtype}"
    if array.dtype.kind == "b":
        return f"{text}; use .astype(numpy.int64) if True means 1"
    if array.dtype.kind not in "OSU" or not array.size:
        return text
    for where, item in np.ndenumerate(array):
        value = item.item() if isinstance(item, np.generic) else item
        if not isinstance(value, int) or isinstance(value, bool):
            return f"{text}: {entry(name, where)} is {shown(value)}"
        if not -(2**63) <= value < 2**63:
            return f"{text}: {entry(name, where)} is {shown(value)}, beyond 64 bits"
    return text


def check_finite(array: NDArray[Any], name: str, error: type[ValueError]) -> None:
    """Raise `error` if a float of `array` is NaN or infinite."""
    finite = np.isfinite(array)
    if not finite.all():
        raise error(f"{first(~finite, array, name)} is not a finite number")


def _check_integral(
    array: NDArray[Any], name: str, error: type[ValueError], *, amounts: bool
) -> None:
    check_finite(array, name, error)
    bad = array != np.trunc(array)
    if not bad.any():
        return
    hint = f"; scale the values first, for example numpy.rint({name} * 1000).astype(numpy.int64)"
    raise error(f"{first(bad, array, name)} is not an integer{hint if amounts else ''}")


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
        where = np.unravel_index(int(np.argmax(bad)), bad.shape)
        raise error(f"{entry(name, where)} = {int(array[where])} does not fit {np.dtype(dtype)}")


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
