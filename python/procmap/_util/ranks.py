# SPDX-License-Identifier: MIT
"""What the ranks of a communicator do together: exchanges, sums, and errors that reach all."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from numpy.typing import NDArray

    Array = NDArray[Any]

T = TypeVar("T", bound=np.generic)

# Counts and displacements of MPI before 4.0 are 32-bit integers: more goes in several messages.
_MOST_AT_ONCE = 2**30


class _ToldError(Exception):
    """Carries an error that all ranks know of already."""

    def __init__(self, of_rank: Exception) -> None:
        super().__init__()
        self.of_rank = of_rank


class Ranks:
    """A communicator, as far as it is used here.

    Every call of a method is made by all ranks. As a context, an error of one rank is raised on
    all of them: each exchange begins with a few bytes that say whether all ranks are well.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm
        Or what has its methods Get_rank, Get_size, Allgather, Alltoall, Alltoallv, Allreduce,
        allgather and bcast.
    """

    def __init__(self, comm: Any) -> None:
        self._comm = comm
        self.rank: int = comm.Get_rank()
        self.size: int = comm.Get_size()
        self.messages = 0  # sent by this rank to others
        self.bytes = 0

    def __enter__(self) -> Ranks:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, _ToldError):
            raise error.of_rank from None
        if self.size == 1:
            return  # there is nobody to tell
        failed = error
        if error is not None and not isinstance(error, Exception):  # Ctrl-C
            failed = RuntimeError(type(error).__name__)
        try:
            self._meet(0, failed)
        except _ToldError as told:
            raise told.of_rank from None

    def _meet(self, value: int, error: BaseException | None = None) -> NDArray[np.int64]:
        """Return the values of all ranks; raise if one of them failed."""
        own = np.array([error is not None, value], np.int64)
        everyone = np.empty((self.size, 2), np.int64)
        self._comm.Allgather(own, everyone)
        failed = np.flatnonzero(everyone[:, 0])
        if len(failed):
            root = int(failed[0])
            shared = self._comm.bcast(_of_rank(error, root) if self.rank == root else None, root)
            raise _ToldError(shared)
        return everyone[:, 1]

    def ints(self, value: int) -> NDArray[np.int64]:
        """Return the number of every rank; it fits 64 bits."""
        return self._meet(value)

    def total(self, value: int) -> int:
        """Return the exact sum of numbers of 64 bits."""
        return sum(self._meet(value).tolist())

    def largest(self, value: int) -> int:
        """Return the largest of the ranks' numbers."""
        return int(self._meet(value).max())

    def before(self, value: int) -> int:
        """Return the sum over all lower ranks."""
        return sum(self._meet(value)[: self.rank].tolist())

    def objects(self, value: Any) -> list[Any]:
        """Return an object of every rank."""
        own = pickle.dumps(value)  # what cannot be sent fails before others wait for it
        self._meet(0)
        return [pickle.loads(sent) for sent in self._comm.allgather(own)]

    def share(self, value: Any, root: int) -> Any:
        """Return the object of one rank."""
        own = pickle.dumps(value) if self.rank == root else None
        self._meet(0)
        return pickle.loads(self._comm.bcast(own, root))

    def sum(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the sums of an array that has the same length everywhere."""
        self._meet(0)
        sums = np.empty_like(values)
        self._comm.Allreduce(np.ascontiguousarray(values), sums)
        self._count(np.full(self.size, len(values)), values.itemsize)
        return sums

    def exchange(
        self, counts: NDArray[np.int64], *arrays: Array
    ) -> tuple[NDArray[np.int64], list[Array]]:
        """Send pieces of arrays to all ranks.

        Parameters
        ----------
        counts : numpy.ndarray of int64, shape (size,)
            How many entries go to every rank, from the beginning of the arrays on.
        arrays
            Of equal length.

        Returns
        -------
        counts : numpy.ndarray of int64, shape (size,)
            How many entries came from every rank.
        arrays : list of numpy.ndarray
            What came, in the order of ranks. A rank that is alone gets its own back.
        """
        self._meet(0)
        if self.size == 1:
            return np.asarray(counts, np.int64), [array[: int(counts[0])] for array in arrays]
        sent = np.ascontiguousarray(counts, np.int64)
        received = np.empty(self.size, np.int64)
        self._comm.Alltoall(sent, received)
        most = self.largest(max(int(sent.sum()), int(received.sum())))
        piece = max(1, _MOST_AT_ONCE // self.size) if most > _MOST_AT_ONCE else most
        rounds = self.largest(-(-int(max(sent.max(), received.max())) // max(piece, 1)))
        made = [
            self._pieces(np.ascontiguousarray(a), sent, received, piece, rounds) for a in arrays
        ]
        for array in arrays:
            self._count(sent, array.itemsize)
        return received, made

    def _pieces(
        self,
        array: Array,
        sent: NDArray[np.int64],
        received: NDArray[np.int64],
        piece: int,
        rounds: int,
    ) -> Array:
        came = np.empty(int(received.sum()), array.dtype)
        if rounds <= 1:
            self._alltoallv(array, sent, came, received)
            return came
        for i in range(rounds):
            out, out_counts = _cut(sent, i * piece, piece)
            into, in_counts = _cut(received, i * piece, piece)
            part = np.empty(len(into), array.dtype)
            self._alltoallv(array[out], out_counts, part, in_counts)
            came[into] = part
        return came

    def _alltoallv(
        self, out: Array, sent: NDArray[np.int64], into: Array, received: NDArray[np.int64]
    ) -> None:
        self._comm.Alltoallv((out, (sent, _starts(sent))), (into, (received, _starts(received))))

    def gather_to(self, root: int, array: NDArray[T]) -> NDArray[T]:
        """Return the arrays of all ranks, one after the other, at `root`; empty elsewhere."""
        counts = np.zeros(self.size, np.int64)
        counts[root] = len(array)
        return self.exchange(counts, array)[1][0]

    def everywhere(self, *arrays: Array) -> list[Array]:
        """Return the arrays of all ranks, one after the other, at every rank."""
        counts = np.full(self.size, len(arrays[0]), np.int64)
        return self.exchange(counts, *(np.tile(array, self.size) for array in arrays))[1]

    def _count(self, counts: NDArray[np.int64], itemsize: int) -> None:
        others = np.delete(counts, self.rank)
        self.messages += int(np.count_nonzero(others))
        self.bytes += int(others.sum()) * itemsize


def _starts(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.cumsum(counts) - counts


def _cut(
    counts: NDArray[np.int64], begin: int, length: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return which entries are the next piece for every rank, and how many for each."""
    starts = _starts(counts)
    lows, highs = np.minimum(counts, begin), np.minimum(counts, begin + length)
    ranges: Sequence[NDArray[np.int64]] = [
        np.arange(start + low, start + high)
        for start, low, high in zip(starts, lows, highs, strict=True)
    ]
    return np.concatenate(ranges), highs - lows


def _of_rank(error: BaseException | None, rank: int) -> Exception:
    """Return the error with the rank in its message, as one that can be sent."""
    text = f"rank {rank}: {error}" if str(error) else f"rank {rank}: {type(error).__name__}"
    kind: Any = type(error)
    try:
        named: Exception = pickle.loads(pickle.dumps(kind(text)))
    except Exception:  # takes other arguments, or is a class of a function
        named = RuntimeError(text)
    return named
