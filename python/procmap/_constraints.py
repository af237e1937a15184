# SPDX-License-Identifier: MIT
"""What a call asks of single PEs and tasks, as the core takes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from procmap import _core
from procmap._arrays import as_array, as_integers, as_real
from procmap._device import to_numpy
from procmap._errors import ConfigError
from procmap._mapping import Mapping

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from procmap._mapping import Units
    from procmap._scaling import Scale

_Int = TypeVar("_Int", np.int32, np.int64)

# Beyond every total load: as good as no limit.
_UNLIMITED = 2**62


@dataclass(frozen=True)
class Constraints:
    """The arguments of that name of `procmap.map`, unchecked."""

    capacities: ArrayLike | None = None
    fixed: ArrayLike | None = None
    initial: ArrayLike | Mapping | None = None
    migration_cost: float = 0.0
    vertex_sizes: ArrayLike | None = None
    allow_empty: bool = True

    def to_core(self, units: Units) -> _core.Constraints:
        """Return the constraints in the units of the core, which checks lengths and ranges."""
        start = self.initial
        if start is not None:
            start = to_numpy(start.blocks if isinstance(start, Mapping) else start, "initial")
        cost = as_real(self.migration_cost, "migration_cost", ConfigError)
        return _core.Constraints(
            as_capacities(self.capacities, units.load),
            _optional(self.fixed, np.int32, "fixed"),
            _optional(start, np.int32, "initial"),
            float(cost / (units.traffic.unit * units.distance.unit)),
            _optional(self.vertex_sizes, np.int64, "vertex_sizes"),
            bool(self.allow_empty),
        )


def as_capacities(capacities: ArrayLike | None, load: Scale) -> NDArray[np.int64]:
    """Return capacities in units of `load`, rounded down; empty if there are none.

    Raises
    ------
    ConfigError
        If they are no numbers; infinite ones are.
    """
    if capacities is None:
        return np.zeros(0, np.int64)
    array = as_array(capacities, "capacities", ConfigError)
    if load.digits == 0 and array.dtype.kind in "iu":
        return as_integers(array, np.int64, "capacities", ConfigError)
    if array.ndim != 1 or array.dtype.kind not in "fiu":
        raise ConfigError(
            f"capacities must be numbers, one per PE, got {array.dtype} {array.shape}"
        )
    numbers = array.astype(np.float64) / float(load.unit)
    if np.isnan(numbers).any():
        raise ConfigError(f"capacities[{int(np.argmax(np.isnan(numbers)))}] is not a number")
    slack = 1e-6  # 0.3 in units of 0.1 is 2.9999999999999996
    return np.clip(np.floor(numbers + slack), -1, _UNLIMITED).astype(np.int64)


def _optional(values: ArrayLike | None, dtype: type[_Int], name: str) -> NDArray[_Int]:
    if values is None:
        return np.zeros(0, dtype)
    return as_integers(values, dtype, name, ConfigError)
