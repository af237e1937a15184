# SPDX-License-Identifier: MIT
"""The machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap import _core
from procmap._arrays import as_integer, as_integers
from procmap._errors import TopologyError
from procmap._places import Places

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from procmap._places import Kind


class Topology:
    """A machine: processing elements (PEs) and the distance between any two of them.

    A hierarchy is written innermost first: ``"4:8:6"`` has 4 PEs per processor, 8 processors per
    node and 6 nodes, 192 PEs in all. PEs are numbered innermost first too, so PE p sits in
    processor ``p // 4``. Make one with `hierarchy` or `flat`.
    """

    __slots__ = ("_native", "_places")

    _native: _core.Topology
    _places: Places | None

    def __init__(self) -> None:
        raise TypeError("use Topology.hierarchy or Topology.flat")

    @classmethod
    def _wrap(cls, core: _core.Topology, places: Places | None = None) -> Topology:
        self = object.__new__(cls)
        self._native = core
        self._places = places
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
    def places(self) -> Places | None:
        """Hosts and cores of the PEs, if they are known; see `with_hosts`."""
        return self._places

    @property
    def names(self) -> tuple[str, ...] | None:
        """Name of every PE, such as ``node01:core3``, if they are known."""
        if self._places is None:
            return None
        return tuple(self._places.name(pe) for pe in range(self.num_pes))

    def with_hosts(
        self, hosts: str | Iterable[str], *, cores_per_pe: int = 1, kind: Kind = "core"
    ) -> Topology:
        """Return the same machine with names, which files for launchers need.

        Parameters
        ----------
        hosts : str or iterable of str
            ``"node[01-16]"`` or a sequence of names. The first ``num_pes / len(hosts)`` PEs are
            on the first host, and so on.
        cores_per_pe : int
            Cores of every PE: those of the first PE of a host come first.
        kind : {"core", "pu", "numa", "package", "gpu", "node"}
            What a PE is; ranks on a "node" or "gpu" are not bound to cores.

        Returns
        -------
        Topology

        Raises
        ------
        TopologyError
            If the names are malformed or do not divide the PEs evenly.

        Examples
        --------
        >>> Topology.hierarchy("2:2", "1:10").with_hosts("n[1-2]").names
        ('n1:core0', 'n1:core1', 'n2:core0', 'n2:core1')
        """
        places = Places.evenly(hosts, self.num_pes, cores_per_pe, kind)
        return Topology._wrap(self._native, places)

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
        same = self.sizes == other.sizes and self.distances == other.distances
        return same and self.places == other.places

    def __hash__(self) -> int:
        return hash((self.sizes, self.distances))

    def __repr__(self) -> str:
        return f"Topology({self._native.describe()})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle sizes, distances and places."""
        return _restore, (self.sizes, self.distances, self.places)


def _restore(sizes: tuple[int, ...], distances: tuple[int, ...], places: Places | None) -> Topology:
    return Topology._wrap(Topology.hierarchy(sizes, distances)._native, places)


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
