# SPDX-License-Identifier: MIT
"""Edge lists: lines ``u v`` or ``u v weight``, vertices counting from 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from procmap._util.columns import data_lines, read_columns, refuse_line
from procmap._util.errors import FileError
from procmap._util.formats import Format
from procmap._util.limits import MAX_VERTICES
from procmap.graph._arcs import Arcs, Tasks
from procmap.graph.io.order import check_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from procmap._util.source import Source
    from procmap.graph._arcs import Symmetrize

_ADVICE = "number the vertices without gaps, or say num_vertices if it is so"


def read(path: Source, symmetrize: Symmetrize, num_vertices: int | None = None) -> Tasks:
    """Read an edge list; the last vertices may have no edge if their number is given."""
    number, first = next(data_lines(path), (1, ""))
    width = len(first.split())
    if width not in (0, 2, 3):
        raise FileError(f"{path}:{number}: expected 'u v' or 'u v weight', found {width} columns")
    has_floats = width == 3 and not _weights_are_integers(path)
    u, v, *weights = read_columns(path, "iif" if has_floats else "iii"[: max(width, 2)])
    if num_vertices is None:
        largest = int(max(u.max(initial=-1), v.max(initial=-1)))
        check_order(path, largest + 1, len(u), f"vertex {largest}", advice=_ADVICE)
    _check_rows(path, u, v, weights[0] if weights else None, num_vertices)
    arcs = Arcs.checked(u, v, weights[0] if weights else None, num_vertices)
    return Tasks(arcs.as_edges() if symmetrize == "error" else arcs.symmetrized(symmetrize))


def _check_rows(
    path: Source,
    u: NDArray[np.int64],
    v: NDArray[np.int64],
    weights: NDArray[Any] | None,
    num_vertices: int | None,
) -> None:
    """Name the first line of a vertex that is none, or of a negative weight."""
    n = MAX_VERTICES if num_vertices is None else num_vertices
    _check_vertices(path, u, n)
    _check_vertices(path, v, n)
    if weights is not None:
        negative = (weights < 0) & (u != v)  # those of self-loops do not count
        refuse_line(path, negative, lambda i: f"weight {weights[i]} is negative")


def _check_vertices(path: Source, ends: NDArray[np.int64], n: int) -> None:
    bad = (ends < 0) | (ends >= n)
    refuse_line(path, bad, lambda i: f"vertex {ends[i]} is not in [0, {n})")


def _weights_are_integers(path: Source) -> bool:
    """Whether no weight has a point or an exponent: a float would round large integers."""
    return not any(set(".eE") & set(text) for _, text in data_lines(path))


FORMAT = Format("edges", read, (".el", ".edges", ".csv", ".tsv"), options=("num_vertices",))
