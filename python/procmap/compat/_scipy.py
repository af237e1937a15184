# SPDX-License-Identifier: MIT
"""`quadratic_assignment`, as in SciPy."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.arrays import as_array, as_integer, as_integers, check_numbers, first
from procmap._util.errors import ConfigError, GraphError, TopologyError
from procmap._util.limits import WEIGHT_LIMIT
from procmap._util.messages import form_of, is_in, shown
from procmap.mapping._reorder import reorder_ranks
from procmap.topology._topology import Topology

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["quadratic_assignment"]

_OPTIONS = (
    "maximize", "partial_match", "rng",
    "P0", "shuffle_input", "maxiter", "tol", "partial_guess",  # of its methods
)  # fmt: skip


def quadratic_assignment(
    A: ArrayLike,
    B: ArrayLike,
    method: str = "faq",
    options: dict[str, Any] | None = None,
) -> Any:
    """Minimise ``trace(A.T @ P @ B @ P.T)`` as ``scipy.optimize.quadratic_assignment`` does.

    It is rank reordering: A is traffic, B the distances between places, and row i of A goes to
    ``col_ind[i]``. Needs SciPy for the type of the result.

    Parameters
    ----------
    A, B : array_like, shape (n, n)
        n at most 10,000. At least one of them is symmetric, and at least one has a zero
        diagonal.
    method : {"faq", "2opt"}
        Without effect.
    options : dict, optional
        ``maximize`` as in SciPy; ``rng``, if an integer, is the seed. ``partial_match`` is not
        supported; SciPy's others are without effect.

    Returns
    -------
    scipy.optimize.OptimizeResult
        With ``col_ind`` (shape (n,)), ``fun`` and ``nit``, the number of refinement rounds.

    Raises
    ------
    GraphError, TopologyError
        If A or B is malformed, or holds integers of 2^62 or more.
    ConfigError
        If an option is unknown or not supported.
    OverflowError
        If the cost could exceed 64 bits.
    """
    from scipy.optimize import OptimizeResult  # noqa: PLC0415 - SciPy is optional

    sign, seed = _check_options(method, {} if options is None else options)
    traffic, places = _square(A, "A", GraphError), _square(B, "B", TopologyError)
    if traffic.shape != places.shape:
        raise GraphError(f"A and B must be of one size, got {traffic.shape} and {places.shape}")
    n = len(traffic)
    if n == 0:
        return OptimizeResult(col_ind=np.zeros(0, np.int64), fun=0, nit=0)
    mapping = reorder_ranks(
        _nonnegative(_without_diagonal(traffic), "A", GraphError),
        Topology.from_distance_matrix(
            _nonnegative(sign * _as_distances(traffic, places), "B", TopologyError)
        ),
        seed=seed,
    )
    order = mapping.permutation.astype(np.int64)
    fun = _sum_of_products(traffic, places[np.ix_(order, order)])
    rounds = sum(level.rounds for level in mapping.stats.levels)
    return OptimizeResult(col_ind=order, fun=fun, nit=rounds)


def _check_options(method: str, options: Any) -> tuple[int, int]:
    """Return -1 to maximise or 1, and the seed."""
    if not is_in(method, ("faq", "2opt")):
        raise ConfigError(f"method must be 'faq' or '2opt', got {shown(method)}")
    if not isinstance(options, Mapping):
        raise ConfigError(f"options must be a dict, got {shown(options)}")
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        raise ConfigError(f"unknown option {shown(unknown[0])}; there are {', '.join(_OPTIONS)}")
    partial = options.get("partial_match")
    if partial is not None and np.size(partial):
        raise ConfigError("partial_match is not supported")
    rng = options.get("rng")
    numbered = isinstance(rng, (int, np.integer))
    seed = as_integer(rng, "rng", 0, 2**64 - 1, ConfigError) if numbered else 0
    return -1 if options.get("maximize") else 1, seed


def _square(values: ArrayLike, name: str, error: type[ValueError]) -> NDArray[Any]:
    matrix = as_array(values, name, error)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise error(f"{name} must be a square matrix, got {form_of(values, matrix.shape)}")
    if matrix.size:
        check_numbers(matrix, name, error)
    if matrix.dtype.kind == "f":
        infinite = ~np.isfinite(matrix) & ~np.eye(len(matrix), dtype=bool)
        if infinite.any():
            raise error(f"{first(infinite, matrix, name)} is not a finite number")
        return matrix.astype(np.float64)
    integers = as_integers(matrix, np.int64, name, error, ndim=2)
    beyond = (integers <= -WEIGHT_LIMIT) | (integers >= WEIGHT_LIMIT)
    np.fill_diagonal(beyond, False)  # that of A or B is 0, so that neither counts
    if beyond.any():
        i, j = divmod(int(np.argmax(beyond)), len(matrix))
        raise error(f"{name}[{i}, {j}] = {integers[i, j]} is not between -2^62 and 2^62")
    return integers


def _as_distances(traffic: NDArray[Any], places: NDArray[Any]) -> NDArray[Any]:
    """Return symmetric distances that give the same objective, up to a factor."""
    if np.diagonal(traffic).any() and np.diagonal(places).any():
        raise GraphError("A or B must have a zero diagonal: no task is at a distance from itself")
    distances = _without_diagonal(places)
    if np.array_equal(distances, distances.T):
        return distances
    if not np.array_equal(traffic, traffic.T):
        raise GraphError("A or B must be symmetric")
    with np.errstate(over="ignore"):  # what becomes infinite is refused
        doubled: NDArray[Any] = distances + distances.T
    return doubled


def _nonnegative(matrix: NDArray[Any], name: str, error: type[ValueError]) -> NDArray[Any]:
    """Return a matrix with the same best assignments: all pay alike for a constant added to it."""
    smallest, largest = matrix.min().item(), matrix.max().item()
    if not -np.inf < smallest < 0:
        return matrix
    if largest - smallest > (sys.float_info.max if matrix.dtype.kind == "f" else 2**63 - 1):
        raise error(f"the entries of {name} are too far apart: {smallest} to {largest}")
    return _without_diagonal(matrix - smallest)


def _sum_of_products(a: NDArray[Any], b: NDArray[Any]) -> int | float:
    """Return the sum of all products of entries at the same place; of integers exactly."""
    if "f" in (a.dtype.kind, b.dtype.kind):
        with np.errstate(over="ignore", invalid="ignore"):
            return float((a * b).sum())
    return sum(_exact_product(row, other) for row, other in zip(a, b, strict=True))


def _exact_product(a: NDArray[np.int64], b: NDArray[np.int64]) -> int:
    """Return the scalar product of integers, of Python's integers if 64 bits may be too few."""
    bound = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64))
    return int(a @ b) if bound < WEIGHT_LIMIT else int(a.astype(object) @ b)


def _without_diagonal(matrix: NDArray[Any]) -> NDArray[Any]:
    copy: NDArray[Any] = matrix.copy()
    np.fill_diagonal(copy, 0)
    return copy
