# SPDX-License-Identifier: MIT
"""Edge lists: lines ``u v`` or ``u v weight``, vertices counting from 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from procmap._arcs import Arcs
from procmap._errors import FileError
from procmap._graph_files.text import data_lines, read_columns
from procmap._objects import Tasks

if TYPE_CHECKING:
    from procmap._arcs import Symmetrize


def read(path: str, symmetrize: Symmetrize) -> Tasks:
    """Read an edge list."""
    number, first = next(data_lines(path), (1, ""))
    width = len(first.split())
    if width not in (0, 2, 3):
        raise FileError(f"{path}:{number}: expected 'u v' or 'u v weight', found {width} columns")
    has_floats = width == 3 and not _weights_are_integers(path)
    u, v, *weights = read_columns(path, "iif" if has_floats else "iii"[: max(width, 2)])
    arcs = Arcs.checked(u, v, weights[0] if weights else None, None)
    return Tasks(arcs.as_edges() if symmetrize == "error" else arcs.symmetrized(symmetrize))


def _weights_are_integers(path: str) -> bool:
    """Whether no weight has a point or an exponent: a float would round large integers."""
    return not any(set(".eE") & set(text) for _, text in data_lines(path))
