# SPDX-License-Identifier: MIT
"""A graph of which every rank holds consecutive rows."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from procmap import _core
from procmap._util.limits import PIECE
from procmap._util.storage import GrowingWeights, Storage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from procmap._util.ranks import Ranks

_NARROW = 2**31


class GlobalRows(NamedTuple):
    """Rows of a rank with global heads, sorted; no arc weights mean 1.

    Heads are of int32 if there are fewer than 2^31 vertices, else of int64; weights of uint32 if
    they fit, else of int64.
    """

    offsets: NDArray[np.int64]
    heads: NDArray[Any]
    arc_weights: NDArray[Any]


class Level:
    """The rows of this rank, and what it must know of its ghosts, their neighbours elsewhere.

    Attributes
    ----------
    starts : numpy.ndarray of int64, shape (size + 1,)
        The first row of every rank.
    loads : numpy.ndarray of int64, shape (rows,)
        Weights of own rows.
    unit_loads : bool
        Whether those of all ranks are known to be 1; they take no memory then.
    fixed : numpy.ndarray of int32, shape (rows,), or None
        PE of own rows, -1 of those that are free.
    storage : Storage
        Where the arcs lie, and those of coarser levels.
    """

    def __init__(
        self,
        ranks: Ranks,
        starts: NDArray[np.int64],
        rows: GlobalRows,
        loads: NDArray[np.int64] | None,
        fixed: NDArray[np.int32] | None,
        storage: Storage,
    ) -> None:
        """Take the rows over, `heads` too; no `loads` at any rank mean 1."""
        self.ranks, self.storage = ranks, storage
        self.starts = starts
        self.first = int(starts[ranks.rank])
        self.offsets, self.arc_weights = rows.offsets, rows.arc_weights
        self.unit_loads = loads is None
        self.loads = np.broadcast_to(np.int64(1), self.num_rows) if loads is None else loads
        self.fixed = fixed
        self.heads, self.ghosts = self._local(rows.heads)
        counts = np.diff(np.searchsorted(self.ghosts, starts))
        self._counts, (wanted,) = ranks.exchange(counts, self.ghosts)
        self._lent = wanted - self.first
        self.num_arcs = ranks.total(len(self.heads))
        # No loads cost nothing, and 1 is what they mean.
        seen = np.zeros(0, np.int64) if loads is None else self.with_ghosts(loads)
        self.native = _core.RankRows(
            self.first, self.offsets, self.heads, self.arc_weights, seen, self.ghosts
        )

    def _local(self, heads: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return heads as numbers of own rows, then of ghosts; and the ghosts."""
        own = self.first, self.num_rows
        if self.ranks.size == 1 and heads.dtype == np.int32:
            return heads, np.zeros(0, np.int64)
        ghosts = _core.ghosts_of(*own, heads)
        # In place where that is possible: these are the largest arrays of all.
        narrow = heads.dtype == np.int32 and heads.flags.writeable
        local = heads if narrow else np.empty(len(heads), np.int32)
        for begin in range(0, len(heads), PIECE):
            piece = heads[begin : begin + PIECE]
            local[begin : begin + PIECE] = _core.local_heads(*own, piece, ghosts)
        return local, ghosts

    @contextmanager
    def with_fixed(self, fixed: NDArray[np.int32] | None) -> Iterator[None]:
        """Have other fixed vertices for a while."""
        before, self.fixed = self.fixed, fixed
        try:
            yield
        finally:
            self.fixed = before

    @property
    def num_vertices(self) -> int:
        """Number of rows of all ranks."""
        return int(self.starts[-1])

    @property
    def num_rows(self) -> int:
        """Number of rows of this rank."""
        return len(self.offsets) - 1

    @property
    def id_type(self) -> type[np.signedinteger[Any]]:
        """Type of the ids of vertices, and of counts of them."""
        return np.int32 if self.num_vertices < _NARROW else np.int64

    @property
    def ids(self) -> NDArray[Any]:
        """Ids of own rows."""
        return np.arange(self.first, self.first + self.num_rows, dtype=self.id_type)

    def degrees(self) -> NDArray[Any]:
        """Return the number of arcs of own rows."""
        return np.subtract(
            self.offsets[1:], self.offsets[:-1], dtype=self.id_type, casting="unsafe"
        )

    def block_sums(self, blocks: NDArray[np.int32], k: int) -> NDArray[np.int64]:
        """Return what own rows weigh in each of `k` blocks, then how many there are."""
        loads = np.zeros(0, np.int64) if self.unit_loads else self.loads
        return _core.block_sums(blocks, loads, k)

    def with_ghosts(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of own rows, followed by those of the ghosts; perhaps the same array."""
        if self.ranks.size == 1:
            return values
        _, (came,) = self.ranks.exchange(self._counts, values[self._lent])
        return np.concatenate([values, came])

    def of(self, ids: NDArray[Any], values: NDArray[Any]) -> NDArray[Any]:
        """Return the entries of any vertices in an array that has one for every row."""
        if self.ranks.size == 1:
            mine: NDArray[Any] = values[ids]
            return mine
        elsewhere = np.flatnonzero((ids < self.first) | (ids >= self.first + self.num_rows))
        different, place = np.unique(ids[elsewhere], return_inverse=True)
        asked, (rows,) = self.ranks.exchange(self.counts_of(different), different)
        _, (answers,) = self.ranks.exchange(asked, values[rows - self.first])
        rows = ids - ids.dtype.type(self.first)
        rows[elsewhere] = 0
        found = values[rows] if self.num_rows else np.empty(len(ids), values.dtype)
        found[elsewhere] = answers[place]
        return found

    def counts_of(self, ids: NDArray[Any]) -> NDArray[np.int64]:
        """Return how many of these increasing ids every rank has."""
        return np.diff(np.searchsorted(ids, self.starts))

    def global_heads(self) -> NDArray[Any]:
        """Return the heads as they were given."""
        if self.ranks.size == 1:
            return self.heads
        ids: NDArray[Any] = np.concatenate([self.ids, self.ghosts.astype(self.id_type)])
        return ids[self.heads]

    def selected(
        self, inside: NDArray[np.bool_], number: NDArray[Any], storage: Storage | None = None
    ) -> GlobalRows:
        """Return some rows with other heads.

        Parameters
        ----------
        inside : numpy.ndarray of bool, shape (rows,)
            Which rows.
        number : numpy.ndarray of int, shape (rows + ghosts,)
            What heads are replaced by; arcs to those that are negative are left out.
        storage : Storage, optional
            Where the arcs go.
        """
        made = GrowingRows(storage or Storage(), number.dtype)
        flags, begin = inside.view(np.uint8), 0
        while begin < self.num_rows:
            rows, begin = _core.selected_rows(self.native, flags, number, begin, PIECE)
            made.append(*rows)
        return made.finish()


class GrowingRows:
    """Rows that come in pieces."""

    def __init__(self, storage: Storage, id_type: Any) -> None:
        self._offsets = storage.growing(np.int64)
        self._offsets.append(np.zeros(1, np.int64))
        self._heads = storage.growing(id_type)
        self._weights = GrowingWeights(storage)

    def append(
        self, offsets: NDArray[np.int64], heads: NDArray[Any], weights: NDArray[Any]
    ) -> None:
        """Append rows whose offsets begin with 0; no weights mean 1."""
        self._offsets.append(offsets[1:] + self._heads.length)
        self._weights.append(weights, len(heads))
        self._heads.append(heads)

    @property
    def num_rows(self) -> int:
        """How many there are."""
        return self._offsets.length - 1

    def finish(self) -> GlobalRows:
        """Return all of them."""
        return GlobalRows(self._offsets.finish(), self._heads.finish(), self._weights.finish())


def starts_of(ranks: Ranks, num_rows: int) -> NDArray[np.int64]:
    """Return the first row of every rank, and the number of all rows."""
    return np.concatenate([[0], np.cumsum(ranks.ints(num_rows))])


def pieces(offsets: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield pieces of rows with at most `PIECE` arcs, or one row: the first, and the one behind."""
    begin, last = 0, len(offsets) - 1
    while begin < last:
        end = int(np.searchsorted(offsets, offsets[begin] + PIECE, "right")) - 1
        end = min(last, max(begin + 1, end), begin + PIECE)
        yield begin, end
        begin = end
