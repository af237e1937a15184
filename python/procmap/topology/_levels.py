# SPDX-License-Identifier: MIT
"""Sizes and distances of the levels of a hierarchy, however they are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.arrays import as_integers
from procmap._util.errors import TopologyError
from procmap._util.messages import is_in, shortened, shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Levels: TypeAlias = "str | Sequence[int] | Mapping[str, int]"

_LONGEST, _MOST = 1000, 64  # characters and entries; the core knows the exact limits


def levels_of(sizes: Levels, distances: Levels, order: str) -> tuple[list[int], list[int]]:
    """Return both as integers, innermost level first.

    Raises
    ------
    TopologyError
        If they are no integers, name different levels, or `order` is none.
    """
    if not is_in(order, ("inner-first", "outer-first")):
        raise TopologyError(f"order must be 'inner-first' or 'outer-first', got {shown(order)}")
    names = _names(sizes, distances)
    groups = as_numbers(_in_order(sizes, names), "sizes", np.int32)
    between = as_numbers(_in_order(distances, names), "distances")
    step = 1 if order == "inner-first" else -1
    return groups[::step], between[::step]


def farthest_in(sizes: Sequence[int], distances: Sequence[int]) -> int:
    """Return the largest distance of two PEs of a hierarchy: none meet at a level of one group."""
    return max((far for size, far in zip(sizes, distances, strict=True) if size > 1), default=0)


def check_length(values: str, name: str) -> None:
    """Refuse a text that is too long for any levels, before a message shows all of it."""
    if len(values) > _LONGEST:
        raise TopologyError(f"{name} = '{shortened(values)}' has more than {_LONGEST} characters")


def as_numbers(
    values: str | Sequence[int], name: str, dtype: type[np.int32] | type[np.int64] = np.int64
) -> list[int]:
    """Return ``"4:8:6"`` or a sequence of integers as a list."""
    if isinstance(values, str):
        check_length(values, name)
        parts = values.split(":")
        if not all(part.isascii() and part.isdigit() for part in parts):
            raise TopologyError(
                f"{name} = '{shortened(values)}' is not a list of integers such as 4:8:6"
            )
        values = [int(part) for part in parts]
    numbers: list[int] = as_integers(
        values, dtype, name, TopologyError, amounts=name != "sizes"
    ).tolist()
    if len(numbers) > _MOST:
        raise TopologyError(f"{name} has {len(numbers)} entries; at most {_MOST} can be right")
    return numbers


def _names(sizes: Levels, distances: Levels) -> list[Any]:
    """Return the names of the levels in the order of `sizes`, if they have some."""
    named = [list(values) for values in (sizes, distances) if isinstance(values, Mapping)]
    if named and (len(named) < 2 or set(named[0]) != set(named[1])):
        raise TopologyError("sizes and distances must name the same levels, or neither any")
    return named[0] if named else []


def _in_order(levels: Levels, names: list[Any]) -> str | Sequence[int]:
    return [levels[name] for name in names] if isinstance(levels, Mapping) else levels
