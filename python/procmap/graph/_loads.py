# SPDX-License-Identifier: MIT
"""Weights of vertices as the core takes them: one, or several of every vertex."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from procmap._util.arrays import as_array, check_one_dimensional
from procmap._util.errors import GraphError
from procmap._util.messages import shown
from procmap._util.scaling import UNSCALED, Scale, scale_to_integers
from procmap.graph._device import on_gpu, to_numpy

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    LoadsLike: TypeAlias = ArrayLike | Mapping[str, ArrayLike]

MOST_WEIGHTS = 8


@dataclass(frozen=True)
class Loads:
    """Scaled weights of all vertices.

    Attributes
    ----------
    first : numpy.ndarray of int64, shape (n,), optional
        The first weight of every vertex; all 1 if None.
    further : numpy.ndarray of int64, shape (n * (c - 1),), optional
        The others, vertex by vertex.
    scales : tuple of Scale
        Of every weight.
    names : tuple of str
        Of every weight; empty if nobody named them.
    """

    first: NDArray[np.int64] | None = None
    further: NDArray[np.int64] | None = None
    scales: tuple[Scale, ...] = (UNSCALED,)
    names: tuple[str, ...] = ()


def is_several(values: object) -> bool:
    """Whether these are several weights per vertex, or weights with names."""
    return isinstance(values, Mapping) or len(getattr(values, "shape", ())) == 2


def as_loads(given: LoadsLike | None, *, copy: bool = False) -> Loads:
    """Return one weight per vertex, rows of several, or columns by name as `Loads`."""
    if given is None:
        return Loads()
    names: tuple[str, ...] = ()
    if isinstance(given, Mapping):
        names, columns = _named_columns(given)
    else:
        values: Any = given
        if on_gpu(values) and is_several(values):
            values = to_numpy(values, "vertex_weights")
        array = as_array(values, "vertex_weights", GraphError)
        if array.ndim != 2:
            first, scale = scale_to_integers(values, "vertex_weights", GraphError, copy=copy)
            return Loads(first, scales=(scale,))
        columns = [array[:, i] for i in range(array.shape[1])]
    return _scaled_columns(names, columns)


def _named_columns(values: Mapping[Any, ArrayLike]) -> tuple[tuple[str, ...], list[NDArray[Any]]]:
    for name in values:
        if not isinstance(name, str) or not name:
            raise GraphError(f"names of vertex weights must be strings, got {shown(name)}")
    columns: list[NDArray[Any]] = []
    for name, column in values.items():
        array = as_array(to_numpy(column, "vertex_weights"), _entry(name), GraphError)
        check_one_dimensional(column, array, _entry(name), GraphError)
        if columns and len(array) != len(columns[0]):
            raise GraphError(
                f"{_entry(name)} has {len(array)} entries, but the weights before it have "
                f"{len(columns[0])}"
            )
        columns.append(array)
    return tuple(values), columns


def _scaled_columns(names: tuple[str, ...], columns: list[NDArray[Any]]) -> Loads:
    if not 1 <= len(columns) <= MOST_WEIGHTS:
        raise GraphError(
            f"a vertex has 1 to {MOST_WEIGHTS} weights, but vertex_weights has {len(columns)} "
            "columns"
        )
    scaled = [
        scale_to_integers(
            np.ascontiguousarray(column), _entry(names[i] if names else i), GraphError, copy=True
        )
        for i, column in enumerate(columns)
    ]
    further = np.column_stack([values for values, _ in scaled[1:]]) if len(scaled) > 1 else None
    return Loads(
        scaled[0][0],
        None if further is None else np.ascontiguousarray(further, np.int64).reshape(-1),
        tuple(scale for _, scale in scaled),
        names,
    )


def _entry(name: str | int) -> str:
    return f"vertex_weights[{name!r}]" if isinstance(name, str) else f"vertex_weights[:, {name}]"


def default_names(count: int) -> tuple[str, ...]:
    """Return what weights are called that nobody named."""
    return ("load",) if count == 1 else tuple(f"load {i}" for i in range(count))
