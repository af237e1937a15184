# SPDX-License-Identifier: MIT
"""MatrixMarket files (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, 1996)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.columns import data_lines, read_columns, refuse_line
from procmap._util.errors import FileError
from procmap._util.formats import Format
from procmap._util.messages import shortened
from procmap.graph._arcs import Arcs, Tasks
from procmap.graph.io.order import check_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap._util.source import Source
    from procmap.graph._arcs import Symmetrize


@dataclass(frozen=True)
class _Header:
    path: Source
    layout: str  # coordinate or array
    field: str  # real, integer or pattern
    symmetric: bool
    line: int  # of the sizes
    sizes: list[int]

    @property
    def order(self) -> int:
        return self.sizes[0]

    @property
    def entries(self) -> int:
        n = self.order
        if self.layout == "coordinate":
            return self.sizes[2]
        return n * (n + 1) // 2 if self.symmetric else n * n


def read(path: Source, symmetrize: Symmetrize) -> Tasks:
    """Read the matrix of a graph."""
    return Tasks(read_arcs(path).symmetrized(symmetrize))


def read_arcs(path: Source, *, scaled: bool = True) -> Arcs:
    """Read a square matrix; a symmetric one is stored as its lower triangle."""
    header = _read_header(path)
    u, v, weights = (_read_coordinates if header.layout == "coordinate" else _read_array)(header)
    arcs = Arcs.checked(u, v, weights, header.order, "entries", scaled=scaled)
    if not header.symmetric:
        return arcs
    off_diagonal = arcs.tails != arcs.heads
    lower = replace(
        arcs,
        tails=arcs.tails[off_diagonal],
        heads=arcs.heads[off_diagonal],
        weights=None if arcs.weights is None else arcs.weights[off_diagonal],
    )
    return lower.mirrored()


def _read_header(path: Source) -> _Header:
    words = path.lines[:200].partition(b"\n")[0].decode("latin-1").lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        raise FileError(f"{path}:1: expected '%%MatrixMarket matrix LAYOUT FIELD SYMMETRY'")
    layout, field, symmetry = words[2:]
    _check_word(path, layout, ("coordinate", "array"))
    _check_word(path, field, ("real", "double", "integer", "pattern"))
    _check_word(path, symmetry, ("general", "symmetric"))
    if (layout, field) == ("array", "pattern"):
        raise FileError(f"{path}:1: an array has no pattern")
    line, text = next(data_lines(path), (2, ""))
    sizes = _sizes(path, line, text, 3 if layout == "coordinate" else 2)
    if sizes[0] != sizes[1]:
        raise FileError(f"{path}:{line}: the matrix must be square, got {sizes[0]} x {sizes[1]}")
    return _Header(path, layout, field, symmetry == "symmetric", line, sizes)


def _check_word(path: Source, word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise FileError(f"{path}:1: {shortened(word)!r} is none of {', '.join(known)}")


def _sizes(path: Source, line: int, text: str, count: int) -> list[int]:
    words = text.split()
    if len(words) != count or not all(w.isascii() and w.isdigit() for w in words):
        raise FileError(f"{path}:{line}: expected {count} sizes, got {shortened(text)!r}")
    if any(len(word) > 18 for word in words):
        raise FileError(f"{path}:{line}: size {shortened(max(words, key=len))} is too large")
    return [int(word) for word in words]


def _read_coordinates(
    header: _Header,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any] | None]:
    kinds = {"pattern": "ii", "integer": "iii"}.get(header.field, "iif")
    u, v, *weights = read_columns(header.path, kinds, header.line)
    _check_count(header, len(u))
    check_order(header.path, header.order, len(u), "the header")
    refuse_line(
        header.path,
        (u < 1) | (u > header.order) | (v < 1) | (v > header.order),
        lambda i: f"entry {i + 1} is at ({u[i]}, {v[i]}), outside [1, {header.order}]",
        header.line,
    )
    values = weights[0] if weights else np.zeros(0)
    if weights:
        negative = (values < 0) & (u != v)  # the diagonal does not count
        refuse_line(
            header.path,
            negative,
            lambda i: f"entry {i + 1}, {values[i]}, is negative",
            header.line,
        )
    if header.symmetric:
        _check_triangle(header, u, v)
    return u - 1, v - 1, values if weights else None


def _check_triangle(header: _Header, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> None:
    """Refuse entries of both triangles, which would count twice; some write the upper one."""
    above, below = rows < columns, rows > columns
    width = header.order + 1
    both = np.zeros(len(rows), bool)
    both[above] = np.isin(
        rows[above] * width + columns[above], columns[below] * width + rows[below]
    )
    refuse_line(
        header.path,
        both,
        lambda i: (
            f"entry {i + 1} is at ({rows[i]}, {columns[i]}), but ({columns[i]}, {rows[i]}) is "
            "there too; a symmetric matrix is stored as its lower triangle"
        ),
        header.line,
    )


def _read_array(header: _Header) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]:
    kind = "i" if header.field == "integer" else "f"
    (values,) = read_columns(header.path, kind, header.line)
    _check_count(header, len(values))
    n = header.order
    if header.symmetric:  # columns of the lower triangle
        columns, rows = np.triu_indices(n)
    else:
        columns, rows = (index.ravel() for index in np.indices((n, n)))
    there = values != 0
    return rows[there], columns[there], values[there]


def _check_count(header: _Header, found: int) -> None:
    if found != header.entries:
        raise FileError(
            f"{header.path}:{header.line}: the header says {header.entries} entries, "
            f"but there are {found}"
        )


FORMAT = Format("matrix-market", read, (".mtx",), lambda start: start.startswith(b"%%MatrixMarket"))
