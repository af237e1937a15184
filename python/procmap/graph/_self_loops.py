# SPDX-License-Identifier: MIT
"""Traffic of a task with itself, which does not count, whatever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.arrays import as_array
from procmap._util.errors import GraphError
from procmap._util.limits import WEIGHT_LIMIT
from procmap.graph._csr import check_offsets

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray


def without_self_loops(
    weights: ArrayLike, name: str, self_loops: Callable[[], NDArray[np.bool_]]
) -> NDArray[Any]:
    """Return weights of arcs as an array, in a copy those of self-loops as 0 if that matters.

    Without this a self-loop would decide the unit of all fractions, and be refused if it is no
    number >= 0.

    Parameters
    ----------
    weights
        Of every arc, not checked yet.
    name
        How messages call them.
    self_loops
        Says which arcs are self-loops. It is asked only where these may matter.
    """
    array = as_array(weights, name, GraphError)
    if array.ndim != 1 or array.size == 0 or _are_harmless(array):
        return array
    loops = self_loops()
    if len(loops) != len(array) or not loops.any():
        return array
    array = array.copy()
    array[loops] = 0
    return array


def _are_harmless(array: NDArray[Any]) -> bool:
    """Whether self-loops among these cannot matter: integers >= 0 that add up to less than 2^62."""
    kind = array.dtype
    if kind.kind == "f":
        return _are_harmless_floats(array)
    if kind.kind not in "iu":
        return True  # refused, whatever they are
    # One pass finds both ends: as unsigned numbers, negative ones are the largest.
    largest = int(array.view(kind.str.replace("i", "u")).max())
    return largest <= np.iinfo(kind).max and largest * array.size < WEIGHT_LIMIT


def _are_harmless_floats(array: NDArray[Any]) -> bool:
    """Whether these are such integers, each of which a double holds."""
    largest = float(array.max())
    if not (array.min() >= 0 and largest <= 2**53 and largest * array.size < WEIGHT_LIMIT):
        return False
    return bool((array == np.trunc(array)).all())


def self_loops_of_rows(
    offsets: NDArray[np.int64], heads: NDArray[Any], first: int = 0
) -> NDArray[np.bool_]:
    """Return which arcs of compressed rows lead back to their row, which are `first` and so on."""
    check_offsets(offsets, len(heads))
    last = first + len(offsets) - 1
    rows = np.arange(first, last, dtype=heads.dtype if last < 2**31 else np.int64)
    loops: NDArray[np.bool_] = np.repeat(rows, np.diff(offsets)) == heads
    return loops
