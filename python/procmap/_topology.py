# SPDX-License-Identifier: MIT
"""The machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap import _core
from procmap._arrays import as_integer, as_integers
from procmap._errors import TopologyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class Topology:
    """A machine: processing elements (PEs) and the distance between any two of them.

    A hierarchy is written innermost first: ``"4:8:6"`` has 4 PEs per processor, 8 processors per
    node and 6 nodes, 192 PEs in all. PEs are numbered innermost first too, so PE p sits in
    processor ``p // 4``. Make one with `hierarchy` or `flat`.
    """

    __slots__ = ("_native",)

    _native: _core.Topology

    def __init__(self) -> None:
        raise TypeError("use Topology.hierarchy or Topology.flat")

    @classmethod
    def _wrap(cls, core: _core.Topology) -> Topology:
        self = object.__new__(cls)
        self._native = core
        return self

    @classmethod
    def hierarchy(cls, sizes: str | Sequence[int], distances: str | Sequence[int]) -> Topology:
        """Make a machine from the sizes and distances of its levels, innermost first.

        Parameters
        ----------
        sizes : str or sequence of int
            ``"4:8:6"`` or ``[4, 8, 6]``: PEs per processor, processors per node, nodes. At most
            8 levels and 2**22 PEs.
        distances : str or sequence of int
            ``"1:10:100"`` or ``[1, 10, 100]``: distance of two PEs that first meet at that level,
            >= 0 and not decreasing. A PE is at distance 0 from itself.

        Returns
        -------
        Topology

        Raises
        ------
        TopologyError
            If the two do not describe a machine.

        Examples
        --------
        >>> Topology.hierarchy("4:8:6", "1:10:100").num_pes
        192
        """
        if isinstance(sizes, str) and isinstance(distances, str):
            return cls._wrap(_core.Topology.parse(sizes, distances))
        groups = _numbers(sizes, "sizes", np.int32)
        return cls._wrap(_core.Topology.hierarchy(groups, _numbers(distances, "distances")))

    @classmethod
    def flat(cls, num_pes: int) -> Topology:
        """Make a machine of `num_pes` PEs at distance 1 from each other.

        Mapping onto it is graph partitioning.
        """
        largest = np.iinfo(np.int32).max  # of the type; the core knows the limit
        k = as_integer(num_pes, "num_pes", 1, largest, TopologyError)
        return cls._wrap(_core.Topology.flat(k))

    @property
    def num_pes(self) -> int:
        """Number of PEs, k."""
        return self._native.num_pes

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sizes of the levels, innermost first."""
        return tuple(self._native.sizes)

    @property
    def distances(self) -> tuple[int, ...]:
        """Distances of the levels, innermost first."""
        return tuple(self._native.distances)

    def distance(self, a: int, b: int) -> int:
        """Distance of PEs `a` and `b`.

        Raises
        ------
        IndexError
            If one of them is not in [0, num_pes).
        """
        return self._native.distance(a, b)

    def meeting_level(self, a: int, b: int) -> int:
        """Level (1 is the innermost) at which PEs `a` and `b` first meet; 0 if they are the same.

        Raises
        ------
        IndexError
            If one of them is not in [0, num_pes).
        """
        return self._native.meeting_level(a, b)

    def distance_matrix(self) -> NDArray[np.int64]:
        """Return all distances, shape (num_pes, num_pes). For checks on small machines."""
        pe = np.arange(self.num_pes)
        matrix = np.zeros((self.num_pes, self.num_pes), np.int64)
        inner = 1  # PEs in a group of the level below
        for size, distance in zip(self.sizes, self.distances, strict=True):
            group = pe // inner
            matrix[group[:, None] != group[None, :]] = distance
            inner *= size
        return matrix

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Topology):
            return NotImplemented
        return self.sizes == other.sizes and self.distances == other.distances

    def __hash__(self) -> int:
        return hash((self.sizes, self.distances))

    def __repr__(self) -> str:
        return f"Topology({self._native.describe()})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle sizes and distances."""
        return Topology.hierarchy, (self.sizes, self.distances)


def _numbers(
    values: str | Sequence[int], name: str, dtype: type[np.int32] | type[np.int64] = np.int64
) -> list[int]:
    if isinstance(values, str):
        parts = values.split(":")
        if not all(part.isascii() and part.isdigit() for part in parts):
            raise TopologyError(f"{name} = '{values}' is not a list of integers such as 4:8:6")
        values = [int(part) for part in parts]
    numbers: list[int] = as_integers(values, dtype, name, TopologyError).tolist()
    return numbers
