# SPDX-License-Identifier: MIT
"""The machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from procmap import _core
from procmap._util.arrays import as_integer, as_integers
from procmap._util.errors import FileError, TopologyError
from procmap._util.scaling import UNSCALED, Scale, in_user_unit
from procmap.topology._cluster import cluster_of
from procmap.topology._description import Description, Hierarchy, Matrix, Regular
from procmap.topology._distances import scaled_matrix
from procmap.topology._levels import as_numbers, check_length, levels_of
from procmap.topology._places import Places
from procmap.topology._readers import TopologyReaders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Literal

    from numpy.typing import ArrayLike, NDArray

    from procmap.topology._description import Shape
    from procmap.topology._places import Kind

_MAX = int(np.iinfo(np.int32).max)  # of the type; the core knows the limits


class Topology(TopologyReaders):
    """A machine: processing elements (PEs) and the distance between any two of them.

    A hierarchy is written innermost first: ``"4:8:6"`` has 4 PEs per processor, 8 processors per
    node and 6 nodes, 192 PEs in all. PEs are numbered innermost first too, so PE p sits in
    processor ``p // 4``. Other machines are a `torus`, `mesh`, `hypercube`, `fat_tree` or
    `dragonfly`, any symmetric matrix of distances, and the part of a machine that a job got
    (`sub`). `read` and the methods that begin with "from" take descriptions in files.
    """

    __slots__ = ("_native", "_places", "_recipe", "_scale")

    _native: _core.Topology
    # What makes the same machine again, a function and its arguments; None: its matrix does.
    _recipe: tuple[Callable[..., Topology], tuple[Any, ...]] | None
    _scale: Scale
    _places: Places | None

    def __init__(self) -> None:
        raise TypeError(
            "use Topology.hierarchy, Topology.from_distance_matrix, Topology.torus, ..."
        )

    @classmethod
    def _make(
        cls,
        core: _core.Topology,
        recipe: tuple[Callable[..., Topology], tuple[Any, ...]] | None,
        scale: Scale = UNSCALED,
        places: Places | None = None,
    ) -> Topology:
        self = object.__new__(cls)
        self._native = core
        self._recipe = recipe
        self._scale = scale
        self._places = places
        return self

    @classmethod
    def hierarchy(
        cls,
        sizes: str | Sequence[int] | Mapping[str, int],
        distances: str | Sequence[int] | Mapping[str, int],
        *,
        order: Literal["inner-first", "outer-first"] = "inner-first",
    ) -> Topology:
        """Make a machine from the sizes and distances of its levels.

        Parameters
        ----------
        sizes : str, sequence or mapping of int
            ``"4:8:6"``, ``[4, 8, 6]`` or ``{"core": 4, "processor": 8, "node": 6}``: PEs per
            processor, processors per node, nodes. At most 8 levels and 2**22 PEs.
        distances : str, sequence or mapping of int
            ``"1:10:100"``, ``[1, 10, 100]`` or a mapping with the same names: distance of two PEs
            that first meet at that level, >= 0 and not decreasing. A PE is at distance 0 from
            itself.
        order : {"inner-first", "outer-first"}
            Which level comes first in both; Scotch, TopoMatch and hwloc write the outermost.

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
        if isinstance(sizes, str) and isinstance(distances, str) and order == "inner-first":
            check_length(sizes, "sizes")
            check_length(distances, "distances")
            core = _core.Topology.parse(sizes, distances)
        else:
            core = _core.Topology.hierarchy(*levels_of(sizes, distances, order))
        return cls._make(core, (cls.hierarchy, (tuple(core.sizes), tuple(core.distances))))

    @classmethod
    def flat(cls, num_pes: int) -> Topology:
        """Make a machine of `num_pes` PEs at distance 1 from each other.

        Mapping onto it is graph partitioning.
        """
        k = as_integer(num_pes, "num_pes", 1, _MAX, TopologyError)
        return cls._make(_core.Topology.flat(k), (cls.flat, (k,)))

    @classmethod
    def from_distance_matrix(cls, distances: ArrayLike) -> Topology:
        """Make a machine from the distances between its PEs.

        Parameters
        ----------
        distances : array_like of int or float, shape (k, k)
            Symmetric, >= 0, 0 on the diagonal; k is at most 10,000 and integers are below 2**31.
            Fractions are scaled to integers of 20 bits, exactly if few decimals are enough; see
            `distance_scale`.

        Returns
        -------
        Topology
            A hierarchy if the matrix is exactly that of one whose PEs are numbered innermost
            first.

        Raises
        ------
        TopologyError
            If the matrix is not as above; the message names the first wrong entry.

        Examples
        --------
        >>> Topology.from_distance_matrix([[0, 1, 9], [1, 0, 2], [9, 2, 0]]).distance(0, 2)
        9
        """
        return _from_matrix(*scaled_matrix(distances))

    @classmethod
    def torus(cls, *sizes: int, costs: Sequence[int] | None = None) -> Topology:
        """Make a grid of PEs that wraps around in every dimension.

        Parameters
        ----------
        *sizes : int
            PEs per dimension: ``Topology.torus(8, 8, 8)``. At most 22 dimensions and 2**22 PEs.
            PE numbers are those of ``numpy.ravel_multi_index`` and of ``MPI_Cart_create``: the
            last coordinate changes fastest.
        costs : sequence of int, optional
            Cost of one step in each dimension, in [0, 2**31); all 1 if None.

        Returns
        -------
        Topology
            The distance of two PEs is the sum over the dimensions of steps times cost, the
            shorter way round.

        Raises
        ------
        TopologyError
            If sizes or costs are out of range.
        """
        dimensions, prices = _grid(sizes, costs)
        core = _core.Topology.torus(dimensions, prices)
        return cls._make(core, (_torus, (dimensions, prices)))

    @classmethod
    def mesh(cls, *sizes: int, costs: Sequence[int] | None = None) -> Topology:
        """Make a grid of PEs without wrap-around; otherwise as `torus`."""
        dimensions, prices = _grid(sizes, costs)
        core = _core.Topology.mesh(dimensions, prices)
        return cls._make(core, (_mesh, (dimensions, prices)))

    @classmethod
    def hypercube(cls, dimensions: int) -> Topology:
        """Make a hypercube of ``2**dimensions`` PEs, `dimensions` in [0, 22].

        The distance is the number of bits in which two PE numbers differ.
        """
        d = as_integer(dimensions, "dimensions", 0, _MAX, TopologyError)
        return cls._make(_core.Topology.hypercube(d), (cls.hypercube, (d,)))

    @classmethod
    def fat_tree(cls, ports: int, pes_per_host: int = 1) -> Topology:
        """Make the three-level fat tree of switches with `ports` ports.

        `ports` (even) pods of ``ports / 2`` edge switches of ``ports / 2`` hosts. It is a
        hierarchy whose distances count links: 2 below an edge switch, 4 within a pod and 6
        beyond; with `pes_per_host` > 1 also 1 within a host.
        """
        p = as_integer(ports, "ports", 1, _MAX, TopologyError)
        hosts = as_integer(pes_per_host, "pes_per_host", 1, _MAX, TopologyError)
        return cls._make(_core.Topology.fat_tree(p, hosts), (cls.fat_tree, (p, hosts)))

    @classmethod
    def dragonfly(
        cls, groups: int, routers: int, pes: int, *, costs: Sequence[int] = (1, 1, 1)
    ) -> Topology:
        """Make a dragonfly: `groups` groups of `routers` routers with `pes` PEs each.

        All routers of a group are linked to each other, and every two groups by one link. Those
        of a group are spread over its routers in order (the absolute arrangement): the link to
        its j-th other group is at router ``j * routers // (groups - 1)``. PE p is at router
        ``p // pes``, router r in group ``r // routers``.

        Parameters
        ----------
        groups, routers, pes : int
            At least 1; at most 10,000 routers in all.
        costs : sequence of 3 ints
            Cost of a link between PE and router, between routers of a group, between groups.

        Returns
        -------
        Topology
            The distance is the cost of the links of the minimal route, from the PE to its
            router, locally to the router with the link to the other group, over that link,
            locally and down again; with costs of 1 that is 2 at one router, 3 within a group,
            and 3 to 5 beyond.

        Raises
        ------
        TopologyError
            If a number is out of range.
        """
        counts = [
            as_integer(value, name, 1, _MAX, TopologyError)
            for value, name in ((groups, "groups"), (routers, "routers"), (pes, "pes"))
        ]
        links = as_numbers(costs, "costs")
        if len(links) != 3:
            raise TopologyError(f"costs has {len(links)} entries, expected 3")
        core = _core.Topology.dragonfly(*counts, *links)
        return cls._make(core, (_dragonfly, (*counts, links)))

    @classmethod
    def cluster(
        cls,
        node: Topology,
        hosts: str | Iterable[str],
        distances: float | ArrayLike | None = None,
    ) -> Topology:
        """Make a cluster of hosts that are all like one.

        Parameters
        ----------
        node : Topology
            What every host is, from ``lstopo``, ``nvidia-smi topo -m`` or anything else that is one
            host. What its PEs are, their cores, CPUs or GPUs, is kept.
        hosts : str or iterable of str
            ``"node[01-08]"`` or a sequence of names.
        distances : number or array_like, shape (hosts, hosts), optional
            Of PEs of two different hosts: one for all, or a symmetric matrix. If None ten times
            the largest distance within a node. For levels of switches there are the readers of
            Slurm's files with ``inside=node``.

        Returns
        -------
        Topology
            PEs of the first host come first.

        Raises
        ------
        TopologyError
            If `node` is more than one host, hosts are nearer than PEs of a node, or the machine
            is no hierarchy and has more than 10,000 PEs.

        Examples
        --------
        >>> node = Topology.hierarchy("8:2", "1:3").with_hosts("this", kind="gpu")
        >>> Topology.cluster(node, "gpu[01-04]", 30).names[17]
        'gpu02:gpu1'
        """
        if not isinstance(node, Topology):
            raise TypeError(f"node must be a Topology, got {type(node).__name__}")
        return cls._build(cluster_of(node, hosts, distances))

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
        return self._make(part, (_sub, (self, chosen.copy())), self._scale, places)

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
        return self._with(Places.evenly(hosts, self.num_pes, cores, kind or "core"))

    def _with(self, places: Places | None) -> Topology:
        return Topology._make(self._native, self._recipe, self._scale, places)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sizes of the levels of a hierarchy, innermost first; empty for other machines."""
        return tuple(self._native.sizes)

    @property
    def grid_sizes(self) -> tuple[int, ...]:
        """Sizes of the dimensions of a torus or mesh; empty for other machines."""
        made_by, arguments = self._recipe or (None, ())
        return tuple(arguments[0]) if made_by in (_torus, _mesh) else ()

    @property
    def wraps_around(self) -> bool:
        """Whether this is a torus."""
        return self._recipe is not None and self._recipe[0] is _torus

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
        return in_user_unit(self._native.distance(a, b), self._scale)

    def meeting_level(self, a: int, b: int) -> int:
        """Level (1 is the innermost) at which PEs `a` and `b` first meet; 0 if they are the same.

        Raises
        ------
        IndexError
            If one of them is not in [0, num_pes).
        TopologyError
            If the machine is no hierarchy.
        """
        return self._native.meeting_level(a, b)

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
        recipe = self._recipe or (_from_matrix, (self._native.distance_matrix(), self._scale))
        return _restore, (recipe, self._places)


def _restore(
    recipe: tuple[Callable[..., Topology], tuple[Any, ...]], places: Places | None
) -> Topology:
    make, arguments = recipe
    return make(*arguments)._with(places)


def _from_matrix(matrix: NDArray[np.int64], scale: Scale) -> Topology:
    core = _core.Topology.from_distance_matrix(matrix.reshape(-1), len(matrix))
    return Topology._make(core, None, scale)


def _torus(sizes: list[int], costs: list[int]) -> Topology:
    return Topology.torus(*sizes, costs=costs)


def _mesh(sizes: list[int], costs: list[int]) -> Topology:
    return Topology.mesh(*sizes, costs=costs)


def _dragonfly(groups: int, routers: int, pes: int, costs: list[int]) -> Topology:
    return Topology.dragonfly(groups, routers, pes, costs=costs)


def _sub(machine: Topology, pes: NDArray[np.int32]) -> Topology:
    return machine.sub(pes)


def _grid(sizes: Sequence[int], costs: Sequence[int] | None) -> tuple[list[int], list[int]]:
    dimensions = [as_integer(size, "sizes", 1, _MAX, TopologyError) for size in sizes]
    return dimensions, [1] * len(sizes) if costs is None else as_numbers(costs, "costs")
