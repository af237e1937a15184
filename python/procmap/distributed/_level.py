# SPDX-License-Identifier: MIT
"""A graph of which every rank holds consecutive rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from procmap import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.distributed._ranks import Ranks


class GlobalRows(NamedTuple):
    """Rows of a rank with global heads, sorted; no arc weights mean 1."""

    offsets: NDArray[np.int64]
    heads: NDArray[np.int64]
    arc_weights: NDArray[np.int64]


class Level:
    """The rows of this rank, and what it must know of its ghosts, their neighbours elsewhere.

    Attributes
    ----------
    starts : numpy.ndarray of int64, shape (size + 1,)
        The first row of every rank.
    loads : numpy.ndarray of int64, shape (rows,)
        Weights of own rows.
    fixed : numpy.ndarray of int32, shape (rows,), or None
        PE of own rows, -1 of those that are free.
    """

    def __init__(
        self,
        ranks: Ranks,
        starts: NDArray[np.int64],
        rows: GlobalRows,
        loads: NDArray[np.int64],
        fixed: NDArray[np.int32] | None,
    ) -> None:
        self.ranks = ranks
        self.starts = starts
        self.first = int(starts[ranks.rank])
        self.offsets, self.arc_weights = rows.offsets, rows.arc_weights
        self.loads, self.fixed = loads, fixed
        self.heads, self.ghosts = _core.local_heads(self.first, self.num_vertices, *rows)
        counts = np.diff(np.searchsorted(self.ghosts, starts))
        self._wanted = counts
        self._counts, (wanted,) = ranks.exchange(counts, self.ghosts)
        self._lent = wanted - self.first
        self.num_arcs = ranks.total(len(self.heads))
        self.native = _core.RankRows(
            self.first,
            self.offsets,
            self.heads,
            self.arc_weights,
            self.with_ghosts(loads),
            self.ghosts,
        )

    @property
    def num_vertices(self) -> int:
        """Number of rows of all ranks."""
        return int(self.starts[-1])

    @property
    def num_rows(self) -> int:
        """Number of rows of this rank."""
        return len(self.offsets) - 1

    @property
    def ids(self) -> NDArray[np.int64]:
        """Ids of own rows."""
        return np.arange(self.first, self.first + self.num_rows)

    def with_ghosts(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of own rows, followed by those of the ghosts."""
        _, (came,) = self.ranks.exchange(self._counts, values[self._lent])
        return np.concatenate([values, came])

    def of(self, ids: NDArray[np.int64], values: NDArray[Any]) -> NDArray[Any]:
        """Return the entries of any vertices in an array that has one for every row."""
        here = (ids >= self.first) & (ids < self.first + self.num_rows)
        different, place = np.unique(ids[~here], return_inverse=True)
        asked, (rows,) = self.ranks.exchange(self.counts_of(different), different)
        _, (answers,) = self.ranks.exchange(asked, values[rows - self.first])
        found = np.empty(len(ids), values.dtype)
        found[here] = values[ids[here] - self.first]
        found[~here] = answers[place]
        return found

    def counts_of(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many of these increasing ids every rank has."""
        return np.diff(np.searchsorted(ids, self.starts))

    def global_rows(self) -> GlobalRows:
        """Return the rows as they were given."""
        ids = np.concatenate([self.ids, self.ghosts])
        return GlobalRows(self.offsets, ids[self.heads], self.arc_weights)


def starts_of(ranks: Ranks, num_rows: int) -> NDArray[np.int64]:
    """Return the first row of every rank, and the number of all rows."""
    return np.concatenate([[0], np.cumsum(ranks.ints(num_rows))])
