# SPDX-License-Identifier: MIT
"""What a call asks of single PEs and tasks, as arrays that the core takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.arrays import (
    as_array,
    as_integers,
    check_numbers,
    check_one_dimensional,
    first,
)
from procmap._util.errors import ConfigError
from procmap._util.messages import form_of
from procmap._util.scaling import in_user_unit
from procmap.graph._device import to_numpy
from procmap.mapping._report import UNLIMITED
from procmap.mapping._result import Mapping

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from procmap._util.scaling import Scale


def as_capacities(capacities: ArrayLike | None, loads: tuple[Scale, ...]) -> NDArray[np.int64]:
    """Return capacities in units of `loads`, rounded down, PE by PE; empty if there are none.

    Raises
    ------
    ConfigError
        If they are no numbers >= 0, or not one per PE and weight; infinite ones are.
    """
    if capacities is None:
        return np.zeros(0, np.int64)
    array = as_array(capacities, "capacities", ConfigError)
    if array.size == 0:  # none given, to the core
        raise ConfigError("capacities has 0 entries, expected one per PE")
    if array.ndim not in (1, 2):
        raise ConfigError(
            f"capacities must have one entry per PE, got {form_of(capacities, array.shape)}"
        )
    check_numbers(array, "capacities", ConfigError)
    if len(loads) == 1:
        column = array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array
        return _as_capacities(column, "capacities", loads[0])
    if array.ndim != 2 or array.shape[1] != len(loads):
        raise ConfigError(
            f"capacities must have a row per PE and a column for each of the {len(loads)} weights, "
            f"got shape {array.shape}"
        )
    columns = [
        _as_capacities(array[:, i], f"capacities[:, {i}]", load) for i, load in enumerate(loads)
    ]
    return np.ascontiguousarray(np.column_stack(columns), np.int64).reshape(-1)


def _as_capacities(array: NDArray[Any], name: str, load: Scale) -> NDArray[np.int64]:
    if load.digits == 0 and array.dtype.kind in "iu":
        integers = np.minimum(as_integers(array, np.int64, name, ConfigError), UNLIMITED)
        _check_signs(array, integers, name)
        return integers
    check_one_dimensional(array, array, name, ConfigError)
    if np.isnan(array).any():
        raise ConfigError(f"{first(np.isnan(array), array, name)} is not a number")
    with np.errstate(over="ignore"):  # what becomes infinite is no limit
        numbers = array.astype(np.float64) / float(load.unit)
    slack = 1e-6  # 0.3 in units of 0.1 is 2.9999999999999996, and 0.3 - 0.2 - 0.1 is not quite 0
    steps = np.floor(numbers + slack)
    _check_signs(array, steps, name)
    return np.minimum(steps, UNLIMITED).astype(np.int64)


def _check_signs(given: NDArray[Any], steps: NDArray[Any], name: str) -> None:
    """Refuse negative capacities here, as the core does so only where it maps."""
    if (steps < 0).any():
        raise ConfigError(f"{first(steps < 0, given, name)} is negative")


def check_room(
    capacities: NDArray[np.int64], totals: tuple[int, ...], loads: tuple[Scale, ...]
) -> None:
    """Refuse capacities that hold less than everything, in the user's unit.

    The core does so too, but knows only its own unit; a PE holds no fraction of that.
    """
    for i, (total, load) in enumerate(zip(totals, loads, strict=True)):
        own = capacities[i :: len(loads)]
        room = sum(own.tolist())
        if load.digits and room < total:
            name = "capacities" if len(loads) == 1 else f"capacities[:, {i}]"
            raise ConfigError(
                f"{name} sum up to {in_user_unit(room, load)} in whole steps of {load}, the unit "
                f"of the loads, less than the total load {in_user_unit(total, load)}"
            )


def as_initial(initial: ArrayLike | Mapping) -> NDArray[np.int32]:
    """Return the PEs of a mapping, or of an array also on a GPU; the core checks their range."""
    values = initial.blocks if isinstance(initial, Mapping) else initial
    return as_integers(to_numpy(values, "initial"), np.int32, "initial", ConfigError)


def per_vertex(values: NDArray[Any], name: str, num_vertices: int) -> NDArray[Any]:
    """Return values that the core checks, but for none at all, which it takes as not given."""
    if len(values) == 0 and num_vertices > 0:
        raise ConfigError(f"{name} has 0 entries, expected one per vertex, {num_vertices}")
    return values
