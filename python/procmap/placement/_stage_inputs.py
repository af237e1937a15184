# SPDX-License-Identifier: MIT
"""What `place_stages` is given, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.errors import ConfigError
from procmap._util.limits import MAX_TABLE
from procmap.graph._graph import Graph
from procmap.placement._numbers import as_numbers
from procmap.traffic._traffic import Traffic

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_MOST = MAX_TABLE  # layers: as many as there may be PEs, and they need no more
_LARGEST = float(np.finfo(np.float64).max) / 2  # of a sum, which others are added to


def as_vector(values: Any, size: int | None, name: str) -> NDArray[np.float64]:
    """Return numbers of all layers, of links between them or of PEs, whose sum is finite."""
    numbers = as_numbers(values, name)
    wanted = "(n,), n in [1, 10000]" if size is None else f"({size},)"
    is_size = 0 < numbers.size <= _MOST if size is None else numbers.size == size
    if numbers.ndim != 1 or not is_size:
        raise ConfigError(f"{name} must have shape {wanted}, got {numbers.shape}")
    return numbers


def as_chain(traffic: Any, n: int) -> NDArray[np.float64]:
    """Return what every layer sends to the next."""
    if isinstance(traffic, (Graph, Traffic)):
        raise ConfigError(f"traffic is a {type(traffic).__name__}, which needs contiguous=False")
    return np.zeros(max(n - 1, 0)) if traffic is None else as_vector(traffic, n - 1, "traffic")


def is_chain(traffic: Any) -> bool:
    """Whether this is what every layer sends to the next, and no graph."""
    if isinstance(traffic, list):
        return not any(isinstance(row, (list, tuple, np.ndarray)) for row in traffic)
    return traffic is None or (isinstance(traffic, np.ndarray) and traffic.ndim == 1)


def as_memory(
    memory: ArrayLike | None, capacity: ArrayLike | None, n: int, stages: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the memory of every layer and of every PE."""
    if (memory is None) != (capacity is None):
        raise ConfigError("memory and capacity must be given together")
    if memory is None or capacity is None:
        return np.zeros(n), np.zeros(stages)
    held = as_vector(memory, n, "memory")
    total_of(held, "memory")
    room = as_numbers(capacity, "capacity")
    room = np.full(stages, float(room)) if room.ndim == 0 else room
    return held, as_vector(room, stages, "capacity")


def total_of(values: NDArray[np.float64], name: str) -> float:
    """Return the sum; OverflowError if it is beyond the range of floats."""
    total = sum(values.tolist(), 0.0)  # Python does not warn where NumPy would
    _check_finite(total, f"the sum of {name}")
    return total


def check_costs(costs: float, traffic: float, farthest: float) -> None:
    """Refuse totals with which what a stage costs may be beyond the range of floats.

    Parameters
    ----------
    costs, traffic : float
        Sums over all layers.
    farthest : float
        The largest distance of two PEs.
    """
    _check_finite(traffic * farthest, "the sum of traffic times the largest distance")
    _check_finite(costs + traffic * farthest, "the sum of costs and of traffic times distance")


def _check_finite(total: float, what: str) -> None:
    if total > _LARGEST:
        raise OverflowError(f"{what} may be beyond the range of floats, 1.8e308; scale it down")
