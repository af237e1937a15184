# SPDX-License-Identifier: MIT
"""A mapping that is to be improved, and what it costs to leave it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.arrays import as_integers, as_real
from procmap._util.errors import ConfigError
from procmap._util.limits import WEIGHT_LIMIT
from procmap.graph._device import to_numpy
from procmap.mapping._options import in_core_units

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from procmap._util.ranks import Ranks
    from procmap.mapping._report import Units
    from procmap.topology._topology import Topology


@dataclass(frozen=True)
class Previous:
    """Where the rows of this rank were.

    Attributes
    ----------
    blocks : numpy.ndarray of int32, shape (rows,)
        Their PEs.
    sizes : numpy.ndarray of int64, shape (rows,)
        What moves with them.
    pull : numpy.ndarray of int64, shape (rows,), or None
        Half of what it costs to move them, in units of the core; None if that costs nothing.
    cost : float
        Of one unit of size, with traffic in units of the core.
    """

    blocks: NDArray[np.int32]
    sizes: NDArray[np.int64]
    pull: NDArray[np.int64] | None
    cost: float

    def options(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return options of `procmap.map` for a graph that one rank holds, and those by row."""
        rows: dict[str, NDArray[Any]] = {"initial": self.blocks}
        if self.pull is None:
            return {}, rows
        return {"migration_cost": self.cost}, {**rows, "vertex_sizes": self.sizes}

    def migration(self, blocks: NDArray[np.int32]) -> int:
        """Return what these rows cost that are elsewhere, in units of the core."""
        return 0 if self.pull is None else 2 * int(self.pull[blocks != self.blocks].sum())

    def migrated(self, ranks: Ranks, blocks: NDArray[np.int32]) -> int:
        """Return the size of all rows that are elsewhere now."""
        return ranks.total(int(self.sizes[blocks != self.blocks].sum()))


def previous_of(
    ranks: Ranks,
    initial: ArrayLike | None,
    sizes: ArrayLike | None,
    migration_cost: float,
    units: Units,
    num_rows: int,
    k: int,
) -> Previous | None:
    """Return the mapping that all ranks have given, None if none has.

    Raises
    ------
    ConfigError
        At all ranks, if it is wrong at one.
    """
    cost = as_real(migration_cost, "migration_cost", ConfigError)
    if not math.isfinite(cost) or cost < 0:
        raise ConfigError(f"migration_cost = {cost} is not a finite number >= 0")
    givers = ranks.ints(int(initial is not None))
    sizers = ranks.ints(int(sizes is not None))
    if not givers.any():
        if cost > 0 or sizers.any():
            raise ConfigError("migration_cost and vertex_sizes need an initial mapping")
        return None
    _check_given_by_all("initial", givers)
    _check_given_by_all("vertex_sizes", sizers)
    blocks = _one_per_row(initial, np.int32, "initial", num_rows)
    bad = (blocks < 0) | (blocks >= k)
    if bad.any():
        i = int(np.argmax(bad))
        raise ConfigError(f"initial[{i}] = {blocks[i]} is not in [0, {k})")
    moved = np.ones(num_rows, np.int64)
    if sizes is not None:
        moved = _one_per_row(sizes, np.int64, "vertex_sizes", num_rows)
    if (moved < 0).any():
        i = int(np.argmax(moved < 0))
        raise ConfigError(f"vertex_sizes[{i}] = {moved[i]} is negative")
    if sum(ranks.objects(sum(moved.tolist()))) >= WEIGHT_LIMIT:
        raise ConfigError("vertex_sizes add up to 2^62 or more")
    pull = None
    if cost > 0:
        pull = _pull(ranks, moved, in_core_units(cost, units))
    return Previous(blocks, moved, pull, float(Fraction(cost) / units.traffic.unit))


def _one_per_row(values: Any, dtype: Any, name: str, num_rows: int) -> NDArray[Any]:
    given = np.asarray(to_numpy(values, name))
    array: NDArray[Any] = as_integers(
        given, dtype, name, ConfigError, amounts=name == "vertex_sizes"
    )
    if len(array) != num_rows:
        raise ConfigError(f"{name} has {len(array)} entries, but this rank has {num_rows} rows")
    return array


def _check_given_by_all(name: str, givers: NDArray[np.int64]) -> None:
    if givers.any() and not givers.all():
        raise ConfigError(
            f"{name} must be given at all ranks or at none: rank {int(np.argmin(givers))} gave "
            f"none, rank {int(np.argmax(givers))} did"
        )


def _pull(ranks: Ranks, sizes: NDArray[np.int64], cost: float) -> NDArray[np.int64]:
    """Return half of what rows cost, rounded as the core does (cpp/src/core/constraints.cpp)."""
    half = cost * sizes.astype(np.float64) / 2
    pull = np.floor(np.minimum(half, float(WEIGHT_LIMIT)) + 0.5).astype(np.int64)
    if 2 * sum(ranks.objects(sum(pull.tolist()))) >= WEIGHT_LIMIT:
        raise OverflowError(
            "the mapping cost with all migration could exceed 2^62; scale migration_cost down"
        )
    return pull


def allowed_blocks(
    blocks: NDArray[np.int32], capacities: NDArray[np.int64], topology: Topology
) -> NDArray[np.int32]:
    """Return blocks with those that are forbidden replaced by the nearest that are not."""
    usable = np.flatnonzero(capacities > 0)
    if len(usable) in (0, len(capacities)):
        return blocks
    refuge = np.arange(len(capacities), dtype=np.int32)
    for pe in np.flatnonzero(capacities <= 0).tolist():
        # PEs that are near have near numbers, as the core says too.
        at = int(np.searchsorted(usable, pe))
        near = usable[max(0, at - 1) : at + 1].tolist()
        refuge[pe] = min(near, key=lambda other: topology.distance(pe, other))
    return refuge[blocks]
