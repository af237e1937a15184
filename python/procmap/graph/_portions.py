# SPDX-License-Identifier: MIT
"""Rows of files, some at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from procmap._util.errors import FileError
from procmap._util.limits import PIECE
from procmap.graph._self_loops import self_loops_of_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


class Part(NamedTuple):
    """Consecutive rows as a file has them; `base` and `step` as in RowStarts."""

    name: str
    offsets: NDArray[Any]
    heads: NDArray[Any]
    weights: NDArray[Any] | None
    loads: NDArray[Any] | None
    base: int = 0
    step: int = 1


class RowStarts(NamedTuple):
    """How a file says where its rows begin: position p means arc (p - base) / step."""

    name: str
    rows: int
    arcs: int
    base: int = 0
    step: int = 1

    def offsets(
        self, first: int, positions: NDArray[np.int64], before: int | None
    ) -> NDArray[np.int64]:
        """Return which arcs the rows from `first` on begin with; the last position is their end.

        The rows before them end at arc `before`, if that is known. FileError names the first row
        that does not begin where it may.
        """
        offsets = (positions - self.base) // self.step
        least = np.concatenate([[before or 0], offsets[:-1]])
        wrong = (offsets < least) | (offsets > self.arcs)
        wrong |= (positions - self.base) % self.step != 0
        wrong[0] |= before is not None and offsets[0] != before
        if wrong.any():
            i = int(np.argmax(wrong))
            self._refuse(first + i, int(positions[i]), int(least[i]))
        end = int(offsets[-1])
        if first + len(offsets) - 1 == self.rows and end != self.arcs:
            raise FileError(f"{self.name}: rows end at {end}, but there are {self.arcs} arcs")
        return offsets

    def _refuse(self, row: int, position: int, least: int) -> NoReturn:
        """Raise FileError about a position that is none; that behind the last row is the end."""
        arc, remainder = divmod(position - self.base, self.step)
        what = f"row {row} begins" if row < self.rows else "the last row ends"
        if remainder:
            raise FileError(f"{self.name}: {what} at byte {position}, where no head begins")
        expected = f"{least} to {self.arcs}" if row and least < self.arcs else least
        raise FileError(f"{self.name}: {what} at arc {arc}, expected {expected}")


class Portion(NamedTuple):
    """Some rows of a part, whose first are `vertex` and `arc`; offsets from 0 on."""

    part: Part
    vertex: int  # of the whole graph
    arc: int  # of the part
    rows: tuple[NDArray[np.int64], NDArray[Any], NDArray[Any]]


def portions(parts: list[Part]) -> Iterator[Portion]:
    """Yield offsets, heads and weights, if there are any, of some rows at a time."""
    first = 0
    for part in parts:
        for begin, offsets in _offset_pieces(part):
            row, last = 0, len(offsets) - 1
            while row < last:
                end = int(np.searchsorted(offsets, offsets[row] + PIECE, "right")) - 1
                end = min(last, max(row + 1, end))
                arcs = slice(int(offsets[row]), int(offsets[end]))
                vertex = first + begin + row
                starts = offsets[row : end + 1] - offsets[row]
                heads = _signed(part.heads[arcs])
                weights = np.zeros(0, np.int64)
                if part.weights is not None:
                    loops = self_loops_of_rows(starts, heads, vertex)
                    weights = _counted(_signed(part.weights[arcs]), loops)
                yield Portion(part, vertex, arcs.start, (starts, heads, weights))
                row = end
        first += len(part.offsets) - 1


def _counted(weights: NDArray[Any], loops: NDArray[np.bool_]) -> NDArray[Any]:
    """Return the weights of arcs, 0 of those that do not count."""
    return np.where(loops, weights.dtype.type(0), weights) if loops.any() else weights


def _offset_pieces(part: Part) -> Iterator[tuple[int, NDArray[np.int64]]]:
    rows, before = len(part.offsets) - 1, 0
    starts = RowStarts(part.name, rows, len(part.heads), part.base, part.step)
    for begin in range(0, rows, PIECE):
        end = min(rows, begin + PIECE)
        offsets = starts.offsets(begin, part.offsets[begin : end + 1].astype(np.int64), before)
        before = int(offsets[-1])
        yield begin, offsets
    if rows < 1 and len(part.heads):
        raise FileError(f"{part.name}: rows end at 0, but there are {len(part.heads)} arcs")


def _signed(values: NDArray[Any]) -> NDArray[Any]:
    """Return signed integers of 32 or 64 bits; ids beyond these are refused as negative."""
    values = values.astype(values.dtype.newbyteorder("="), copy=False)
    if values.dtype.itemsize < 4:
        return values.astype(np.int64)
    kind = np.int32 if values.dtype.itemsize == 4 else np.int64
    return np.require(values.view(f"i{values.dtype.itemsize}"), kind, ("C", "A"))
