# SPDX-License-Identifier: MIT
"""Arrays that grow, in memory or in files without a name."""

from __future__ import annotations

import mmap
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.limits import PIECE

if TYPE_CHECKING:
    import os

    from numpy.typing import DTypeLike, NDArray

_NARROW = 2**32 - 1


class Storage:
    """Where large arrays lie.

    Parameters
    ----------
    folder : path-like, optional
        Of the files; in memory if None. The files have no name there and vanish with the arrays
        or the process.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = folder

    def growing(self, dtype: DTypeLike) -> Growing:
        """Return an array without entries."""
        return Growing(np.dtype(dtype)) if self.folder is None else _InFile(dtype, self.folder)


class Growing:
    """An array to which entries are appended, so that it is never there twice."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype
        self.length = 0
        self._array = np.empty(0, dtype)

    def append(self, values: NDArray[Any]) -> None:
        """Append entries, which fit the type."""
        end = self.length + len(values)
        # A large array is moved to more room by the page, not by the byte.
        self._array.resize(end, refcheck=False)
        self._array[self.length :] = values
        self.length = end

    def finish(self) -> NDArray[Any]:
        """Return the array; nothing is appended any more."""
        return self._array


class _InFile(Growing):
    def __init__(self, dtype: DTypeLike, folder: str | os.PathLike[str]) -> None:
        super().__init__(np.dtype(dtype))
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - `finish` closes it

    def __del__(self) -> None:
        self._file.close()  # if an error came before `finish`

    def append(self, values: NDArray[Any]) -> None:
        self._file.write(np.ascontiguousarray(values, self.dtype).data)
        self.length += len(values)

    def finish(self) -> NDArray[Any]:
        with self._file:
            if self.length == 0:
                return np.empty(0, self.dtype)
            self._file.flush()
            mapped = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        return np.frombuffer(mapped, self.dtype)


class GrowingWeights:
    """Weights of arcs as narrow as they can be: none while all are 1, then 32 bits, then 64."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._made: Growing | None = None
        self._ones = 0

    def append(self, weights: NDArray[Any], count: int) -> None:
        """Append the weights of so many arcs; none mean 1."""
        units = len(weights) == 0 or (self._made is None and bool((weights == 1).all()))
        if self._made is None and units:
            self._ones += count
            return
        if units:
            weights = np.ones(count, np.uint32)
        wide = int(weights.max(initial=0)) > _NARROW
        if self._made is None:
            self._made = self._storage.growing(np.int64 if wide else np.uint32)
            _repeat_one(self._made, self._ones)
        elif wide and self._made.dtype != np.int64:
            self._made = _copied(self._made.finish(), self._storage.growing(np.int64))
        self._made.append(weights)

    def finish(self) -> NDArray[Any]:
        """Return an array of uint32 or int64; without entries if all weights are 1."""
        return np.zeros(0, np.int64) if self._made is None else self._made.finish()


def _repeat_one(growing: Growing, count: int) -> None:
    for begin in range(0, count, PIECE):
        growing.append(np.ones(min(PIECE, count - begin), growing.dtype))


def _copied(array: NDArray[Any], into: Growing) -> Growing:
    for begin in range(0, len(array), PIECE):
        into.append(array[begin : begin + PIECE])
    return into
