# SPDX-License-Identifier: MIT
"""Edge lists: lines ``u v`` or ``u v weight``, vertices counting from 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from procmap._util.columns import data_lines, read_columns
from procmap._util.errors import FileError
from procmap._util.formats import Format
from procmap.graph._arcs import Arcs, Tasks
from procmap.graph.io.order import check_order

if TYPE_CHECKING:
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
    arcs = Arcs.checked(u, v, weights[0] if weights else None, num_vertices)
    return Tasks(arcs.as_edges() if symmetrize == "error" else arcs.symmetrized(symmetrize))


def _weights_are_integers(path: Source) -> bool:
    """Whether no weight has a point or an exponent: a float would round large integers."""
    return not any(set(".eE") & set(text) for _, text in data_lines(path))


FORMAT = Format("edges", read, (".el", ".edges", ".csv", ".tsv"), options=("num_vertices",))
