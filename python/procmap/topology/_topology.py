# SPDX-License-Identifier: MIT
"""The machine."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.arrays import as_integers
from procmap._util.errors import FileError, TopologyError
from procmap._util.messages import shown
from procmap._util.scaling import Scale, in_user_unit
from procmap.topology._description import Description, Hierarchy, Matrix, Regular
from procmap.topology._makers import Recipe
from procmap.topology._places import Places
from procmap.topology._readers import TopologyReaders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import ArrayLike, NDArray

    from procmap.topology._cluster import Node
    from procmap.topology._description import Shape
    from procmap.topology._places import Kind


class Topology(TopologyReaders):
    """A machine: processing elements (PEs) and the distance between any two of them.

    A hierarchy is written innermost first: ``"4:8:6"`` has 4 PEs per processor, 8 processors per
    node and 6 nodes, 192 PEs in all. PEs are numbered innermost first too, so PE p sits in
    processor ``p // 4``. Other machines are a `torus`, `mesh`, `hypercube`, `fat_tree` or
    `dragonfly`, any symmetric matrix of distances, and the part of a machine that a job got
    (`sub`). `read` and the methods that begin with "from" take descriptions in files.
    """

    __slots__ = ()

    def __init__(self) -> None:
        raise TypeError(
            "use Topology.hierarchy, Topology.from_distance_matrix, Topology.torus, ..."
        )

    def sub(self, pes: ArrayLike) -> Topology:
        """Return the machine that consists of some PEs of this one.

        Parameters
        ----------
        pes : array_like of int
            Its PE i is ``pes[i]`` of this machine; none twice.

        Returns
        -------
        Topology
            A hierarchy again if whole groups of one were chosen in order.

        Raises
        ------
        TopologyError
            If a PE is listed twice or does not exist, or if a part of a hierarchy spreads over
            more than 10,000 groups of the innermost level.
        """
        chosen = as_integers(pes, np.int32, "pes", TopologyError)
        part = self._native.sub(chosen)  # which checks the numbers of the PEs
        places = None if self._places is None else self._places.sub(chosen)
        return self._make(part, Recipe("sub", (self, chosen.copy()), {}), self._scale, places)

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

    @classmethod
    def _build(cls, machine: Description) -> Topology:
        try:
            made = cls._of_shape(machine.shape)
        except TopologyError as exc:
            if machine.where:
                raise FileError(f"{machine.where}: {exc}") from None
            raise
        return made if machine.places is None else made._with(machine.places)

    @classmethod
    def _of_shape(cls, shape: Shape) -> Topology:
        if isinstance(shape, Matrix):
            return cls.from_distance_matrix(shape.distances)
        if isinstance(shape, Regular):
            make: Callable[..., Topology] = getattr(cls, shape.kind)
            return make(*shape.numbers)
        whole = cls.hierarchy(shape.sizes, shape.distances)
        return whole if shape.pes is None else whole.sub(shape.pes)

    def _as_inside(self) -> Description:
        if not self.sizes or self._scale.unit != 1:
            raise TopologyError("inside must be a hierarchy with integer distances")
        if self._places is not None and len(self._places.hosts) != 1:
            raise TopologyError(f"inside must be one host, but it has {len(self._places.hosts)}")
        return Description(Hierarchy(self.sizes, self.distances), self._places)

    def _as_node(self) -> Node:
        return self

    def with_hosts(
        self,
        hosts: str | Iterable[str],
        *,
        cores_per_pe: int | None = None,
        kind: Kind | None = None,
    ) -> Topology:
        """Return the same machine with names, which files for launchers need.

        Parameters
        ----------
        hosts : str or iterable of str
            ``"node[01-16]"`` or a sequence of names. The first ``num_pes / len(hosts)`` PEs are
            on the first host, and so on. Hosts of a machine that knows some get other names, and
            its PEs stay the cores or GPUs that they are.
        cores_per_pe : int, optional
            Cores of every PE, 1 if None: those of the first PE of a host come first.
        kind : {"core", "pu", "numa", "package", "gpu", "node"}, optional
            What a PE is, "core" if None; ranks on a "node" or "gpu" are not bound to cores, but to
            that. With `kind` or `cores_per_pe`, what was known of PEs is forgotten.

        Returns
        -------
        Topology

        Raises
        ------
        TopologyError
            If the names are malformed or do not divide the PEs evenly, or if they are not as many
            as the machine has hosts, whose PEs they would split or join.

        Examples
        --------
        >>> Topology.hierarchy("2:2", "1:10").with_hosts("n[1-2]").names
        ('n1:core0', 'n1:core1', 'n2:core0', 'n2:core1')
        """
        if self._places is not None and cores_per_pe is None and kind is None:
            return self._with(self._places.renamed(hosts))
        cores = 1 if cores_per_pe is None else cores_per_pe
        what: Kind = "core" if kind is None else kind
        return self._with(Places.evenly(hosts, self.num_pes, cores, what))

    def _with(self, places: Places | None) -> Topology:
        return Topology._make(self._native, self._recipe, self._scale, places)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sizes of the levels of a hierarchy, innermost first; empty for other machines."""
        return tuple(self._native.sizes)

    @property
    def grid_sizes(self) -> tuple[int, ...]:
        """Sizes of the dimensions of a torus or mesh; empty for other machines."""
        recipe = self._recipe
        return recipe.arguments if recipe and recipe.method in ("torus", "mesh") else ()

    @property
    def wraps_around(self) -> bool:
        """Whether this is a torus."""
        return self._recipe is not None and self._recipe.method == "torus"

    @property
    def distances(self) -> tuple[int, ...]:
        """Distances of the levels of a hierarchy, innermost first; empty for other machines."""
        return tuple(self._native.distances)

    @property
    def distance_scale(self) -> Scale:
        """What the distances that the library computes with are in the unit of those given."""
        return self._scale

    def distance(self, a: int, b: int) -> int | float:
        """Distance of PEs `a` and `b`, in the unit of the distances given.

        Raises
        ------
        IndexError
            If one of them is not in [0, num_pes).
        """
        return in_user_unit(self._native.distance(*self._pes(a, b)), self._scale)

    def meeting_level(self, a: int, b: int) -> int:
        """Level (1 is the innermost) at which PEs `a` and `b` first meet; 0 if they are the same.

        Raises
        ------
        IndexError
            If one of them is not in [0, num_pes).
        TopologyError
            If the machine is no hierarchy.
        """
        return self._native.meeting_level(*self._pes(a, b))

    def _pes(self, *pes: int) -> Iterator[int]:
        """Return numbers of PEs, each of which is one."""
        for pe in pes:
            try:
                number = operator.index(pe)
            except TypeError:
                raise TypeError(f"a PE must be an integer, got {shown(pe)}") from None
            if not 0 <= number < self.num_pes:
                raise IndexError(f"PE {shown(number)} is not in [0, {self.num_pes})")
            yield number

    def distance_matrix(self) -> NDArray[Any]:
        """Return all distances, shape (num_pes, num_pes), int64 or float64 if there are fractions.

        For small machines: it has ``num_pes ** 2`` entries.
        """
        return self._scale.restore(self._native.distance_matrix())

    def __eq__(self, other: object) -> bool:
        """Whether both have the same distances, known in the same way."""
        if not isinstance(other, Topology):
            return NotImplemented
        return (
            self._scale == other._scale
            and self._places == other._places
            and self._native.same_as(other._native)
        )

    def __hash__(self) -> int:
        return hash((self.num_pes, self.sizes, self.distances, self._scale))

    def __repr__(self) -> str:
        scale = "" if self._scale.unit == 1 else f"; distances in units of {self._scale}"
        return f"Topology({self._native.describe()}{scale})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what made the machine, and the places."""
        recipe = self._recipe
        if recipe is None:
            recipe = Recipe("_from_matrix", (self._native.distance_matrix(), self._scale), {})
        return _restore, (recipe, self._places)


def _restore(recipe: Recipe, places: Places | None) -> Topology:
    made: Topology = getattr(Topology, recipe.method)(*recipe.arguments, **recipe.keywords)
    return made._with(places)
