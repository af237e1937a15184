# SPDX-License-Identifier: MIT
"""How much every rank sends to every other one."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.arrays import (
    as_array,
    as_integer,
    as_integers,
    check_numbers,
    check_one_dimensional,
    exact_sum,
)
from procmap._util.errors import GraphError
from procmap._util.limits import MAX_VERTICES, WEIGHT_LIMIT
from procmap._util.messages import form_of
from procmap.graph._graph import Graph

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from procmap.graph._foreign import SparseMatrix


@dataclass(frozen=True, eq=False, repr=False)
class Traffic:
    """A communication matrix in coordinate form, possibly directed.

    Message i is ``volumes[i]`` from rank ``senders[i]`` to rank ``receivers[i]``. Messages of the
    same pair add up; what a rank sends to itself does not count, and is 0 if it is no number >= 0.
    Make one with `from_messages` or `from_matrix`, or read it with `procmap.read_traffic`.

    Attributes
    ----------
    num_ranks : int
        Number of ranks, n.
    senders, receivers : numpy.ndarray of int64, shape (m,)
        In [0, n).
    volumes : numpy.ndarray of int64 or float64, shape (m,)
        >= 0 and finite, in any unit (bytes, messages, seconds).
    """

    num_ranks: int
    senders: NDArray[np.int64]
    receivers: NDArray[np.int64]
    volumes: NDArray[Any]

    @classmethod
    def from_messages(
        cls,
        senders: ArrayLike,
        receivers: ArrayLike,
        volumes: ArrayLike,
        num_ranks: int | None = None,
    ) -> Traffic:
        """Make it from three arrays of equal length (COO form).

        Parameters
        ----------
        senders, receivers : array_like of int, shape (m,)
            Ranks, counting from 0.
        volumes : array_like of int or float, shape (m,)
            >= 0 and finite, but for those of a rank to itself.
        num_ranks : int, optional
            n; one more than the largest rank named if None.

        Raises
        ------
        GraphError
            If an entry is out of range; the message names it.
        """
        tails = as_integers(senders, np.int64, "senders", GraphError, copy=True)
        heads = as_integers(receivers, np.int64, "receivers", GraphError, copy=True)
        amounts = as_array(volumes, "volumes", GraphError)
        check_one_dimensional(volumes, amounts, "volumes", GraphError)
        if amounts.shape == tails.shape == heads.shape:
            amounts = _volumes_or_0(amounts, tails == heads)
        amounts = _as_volumes(amounts, "volumes")
        if not len(tails) == len(heads) == len(amounts):
            raise GraphError(
                f"senders, receivers and volumes have {len(tails)}, {len(heads)} and "
                f"{len(amounts)} entries; they must have equally many"
            )
        if num_ranks is None:
            num_ranks = 1 + int(max(tails.max(), heads.max())) if len(tails) else 0
        n = as_integer(num_ranks, "num_ranks", 0, MAX_VERTICES, GraphError)
        for name, ranks in (("senders", tails), ("receivers", heads)):
            _refuse(
                (ranks < 0) | (ranks >= n),
                lambda i, name=name, ranks=ranks: f"{name}[{i}] = {ranks[i]} is not in [0, {n})",
            )
        _check_volumes(amounts, lambda i: f"volumes[{i}]")
        return cls(n, tails, heads, amounts)

    @classmethod
    def from_matrix(cls, matrix: SparseMatrix | ArrayLike) -> Traffic:
        """Make it from a square matrix: entry [i, j] is what rank i sends to rank j.

        Parameters
        ----------
        matrix : scipy.sparse matrix or array, or array_like, shape (n, n)
            Integers or floats, >= 0 and finite but for the diagonal. A triangle will do: only the
            sum of [i, j] and [j, i] counts.

        Raises
        ------
        GraphError
            If it is not such a matrix; the message names the entry.
        """
        sparse = sys.modules.get("scipy.sparse")  # whoever has such a matrix has imported it
        if sparse is not None and sparse.issparse(matrix):
            coo = matrix.tocoo()  # type: ignore[union-attr]
            _check_square(coo.shape)
            tails, heads = coo.row, coo.col
            amounts = _as_volumes(_volumes_or_0(coo.data, tails == heads), "matrix.data")
        else:
            dense = _as_matrix(matrix)
            tails, heads = np.nonzero(dense)
            amounts = dense[tails, heads]
            coo = dense
        _check_volumes(amounts, lambda i: f"traffic[{tails[i]}, {heads[i]}]")
        return cls(coo.shape[0], tails.astype(np.int64), heads.astype(np.int64), amounts)

    def to_graph(self) -> Graph:
        """Return the undirected graph of C + C^T: one vertex of weight 1 per rank.

        Its J is the sum of C[i, j] times distance, see `Graph.counts_messages`.

        Raises
        ------
        GraphError, OverflowError
            If the total is too large.
        """
        self._check_total()
        ends = np.stack([self.senders, self.receivers], axis=1)
        graph = Graph.from_edges(ends, self.num_ranks, self.volumes)
        graph._messages = True
        return graph

    def _check_total(self) -> None:
        if self.volumes.dtype.kind != "i" or exact_sum(self.volumes) < WEIGHT_LIMIT:
            return
        if exact_sum(self.volumes[self.senders != self.receivers]) >= WEIGHT_LIMIT:
            raise GraphError("traffic adds up to 2^62 or more; scale it down")

    def to_matrix(self) -> NDArray[Any]:
        """Return the dense matrix, shape (n, n), of the dtype of `volumes`. For small n.

        Raises
        ------
        GraphError
            If the messages of two ranks add up to 2^63 or more.
        """
        if self.volumes.dtype.kind == "i" and exact_sum(self.volumes) >= 2**63:
            self._check_entries()
        return self._added_up(self.volumes)

    def _added_up(self, volumes: NDArray[Any]) -> NDArray[Any]:
        matrix = np.zeros((self.num_ranks, self.num_ranks), volumes.dtype)
        np.add.at(matrix, (self.senders, self.receivers), volumes)
        return matrix

    def _check_entries(self) -> None:
        """Refuse entries beyond 64 bits, of which halves of volumes are added up."""
        low, high = self._added_up(self.volumes & (2**32 - 1)), self._added_up(self.volumes >> 32)
        beyond = high + (low >> 32) >= 2**31
        if beyond.any():
            i, j = divmod(int(np.argmax(beyond)), self.num_ranks)
            total = (int(high[i, j]) << 32) + int(low[i, j])
            raise GraphError(f"traffic[{i}, {j}] adds up to {total}, which is 2^63 or more")

    def __repr__(self) -> str:
        return f"Traffic({self.num_ranks} ranks, {len(self.volumes)} messages)"


def _as_matrix(matrix: Any) -> NDArray[Any]:
    dense = as_array(matrix, "traffic", GraphError)
    if dense.ndim != 2:
        raise GraphError(f"traffic must be a square matrix, got {form_of(matrix, dense.shape)}")
    _check_square(dense.shape)
    return _as_volumes(_volumes_or_0(dense, np.eye(len(dense), dtype=bool)), "traffic")


def _check_square(shape: tuple[int, ...]) -> None:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise GraphError(f"traffic must be a square matrix, got shape {tuple(shape)}")
    if shape[0] > MAX_VERTICES:
        raise GraphError(f"traffic has {shape[0]} ranks; at most 2**31 - 1 are possible")


def _as_volumes(values: Any, name: str) -> NDArray[Any]:
    """Return a copy as int64 or float64; integers stay exact."""
    array = as_array(values, name, GraphError)
    if array.size:
        check_numbers(array, name, GraphError)
    if array.dtype.kind != "f":
        return as_integers(array, np.int64, name, GraphError, ndim=array.ndim, copy=True)
    return array.astype(np.float64)


def _volumes_or_0(values: NDArray[Any], to_itself: NDArray[np.bool_]) -> NDArray[Any]:
    """Return volumes; what a rank sends to itself is 0 if it is none."""
    if values.dtype.kind not in "iuf":
        return values
    none = to_itself & ~(np.isfinite(values) & (values >= 0))
    if values.dtype.kind == "u":
        none |= to_itself & (values > np.uint64(np.iinfo(np.int64).max))
    return np.where(none, values.dtype.type(0), values) if none.any() else values


def _check_volumes(volumes: NDArray[Any], name: Any) -> None:
    _refuse(
        ~(np.isfinite(volumes) & (volumes >= 0)),
        lambda i: f"{name(i)} = {volumes[i]} is not a finite number >= 0",
    )


def _refuse(bad: NDArray[np.bool_], message: Any) -> None:
    """Raise GraphError about the first bad entry, if there is one."""
    if bad.any():
        raise GraphError(message(int(np.argmax(bad))))
