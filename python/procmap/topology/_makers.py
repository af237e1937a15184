# SPDX-License-Identifier: MIT
"""The ways to make a Topology from numbers.

A class of its own, below Topology, because documentation makes both of them long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from procmap import _core
from procmap._util.arrays import as_integer
from procmap._util.errors import TopologyError
from procmap._util.messages import is_in, utf8
from procmap._util.scaling import UNSCALED, Scale
from procmap.topology._cluster import cluster_of
from procmap.topology._distances import scaled_matrix
from procmap.topology._levels import as_numbers, check_length, levels_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Literal

    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Self

    from procmap.topology._cluster import Node
    from procmap.topology._description import Description
    from procmap.topology._places import Places

_MAX = int(np.iinfo(np.int32).max)  # of the type; the core knows the limits


class Recipe(NamedTuple):
    """A call of a method of Topology that makes the same machine again."""

    method: str  # a name, as pickles hold what is in a recipe
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]


class TopologyMakers:
    """What a Topology holds, and class methods that make one."""

    __slots__ = ("_native", "_places", "_recipe", "_scale")

    _native: _core.Topology
    _recipe: Recipe | None  # None: its matrix makes the same machine again
    _scale: Scale
    _places: Places | None

    @classmethod
    def _make(
        cls,
        core: _core.Topology,
        recipe: Recipe | None,
        scale: Scale = UNSCALED,
        places: Places | None = None,
    ) -> Self:
        self = object.__new__(cls)
        self._native = core
        self._recipe = recipe
        self._scale = scale
        self._places = places
        return self

    @classmethod
    def _build(cls, machine: Description) -> Self:
        raise NotImplementedError

    def _as_node(self) -> Node:
        """Return what `cluster` asks of a host."""
        raise NotImplementedError

    @classmethod
    def hierarchy(
        cls,
        sizes: str | Sequence[int] | Mapping[str, int],
        distances: str | Sequence[int] | Mapping[str, int],
        *,
        order: Literal["inner-first", "outer-first"] = "inner-first",
    ) -> Self:
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
        inner_first = is_in(order, ("inner-first",))
        if inner_first and isinstance(sizes, str) and isinstance(distances, str):
            check_length(sizes, "sizes")
            check_length(distances, "distances")
            core = _core.Topology.parse(utf8(sizes), utf8(distances))
        else:
            core = _core.Topology.hierarchy(*levels_of(sizes, distances, order))
        return cls._make(core, Recipe("hierarchy", (tuple(core.sizes), tuple(core.distances)), {}))

    @classmethod
    def flat(cls, num_pes: int) -> Self:
        """Make a machine of `num_pes` PEs at distance 1 from each other.

        Mapping onto it is graph partitioning.
        """
        k = as_integer(num_pes, "num_pes", 1, _MAX, TopologyError)
        return cls._make(_core.Topology.flat(k), Recipe("flat", (k,), {}))

    @classmethod
    def from_distance_matrix(cls, distances: ArrayLike) -> Self:
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
        return cls._from_matrix(*scaled_matrix(distances))

    @classmethod
    def _from_matrix(cls, matrix: NDArray[np.int64], scale: Scale) -> Self:
        core = _core.Topology.from_distance_matrix(matrix.reshape(-1), len(matrix))
        return cls._make(core, None, scale)

    @classmethod
    def torus(cls, *sizes: int, costs: Sequence[int] | None = None) -> Self:
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
        return cls._make(core, Recipe("torus", tuple(dimensions), {"costs": prices}))

    @classmethod
    def mesh(cls, *sizes: int, costs: Sequence[int] | None = None) -> Self:
        """Make a grid of PEs without wrap-around; otherwise as `torus`."""
        dimensions, prices = _grid(sizes, costs)
        core = _core.Topology.mesh(dimensions, prices)
        return cls._make(core, Recipe("mesh", tuple(dimensions), {"costs": prices}))

    @classmethod
    def hypercube(cls, dimensions: int) -> Self:
        """Make a hypercube of ``2**dimensions`` PEs, `dimensions` in [0, 22].

        The distance is the number of bits in which two PE numbers differ.
        """
        d = as_integer(dimensions, "dimensions", 0, _MAX, TopologyError)
        return cls._make(_core.Topology.hypercube(d), Recipe("hypercube", (d,), {}))

    @classmethod
    def fat_tree(cls, ports: int, pes_per_host: int = 1) -> Self:
        """Make the three-level fat tree of switches with `ports` ports.

        `ports` (even) pods of ``ports / 2`` edge switches of ``ports / 2`` hosts. It is a
        hierarchy whose distances count links: 2 below an edge switch, 4 within a pod and 6
        beyond; with `pes_per_host` > 1 also 1 within a host.
        """
        p = as_integer(ports, "ports", 1, _MAX, TopologyError)
        hosts = as_integer(pes_per_host, "pes_per_host", 1, _MAX, TopologyError)
        return cls._make(_core.Topology.fat_tree(p, hosts), Recipe("fat_tree", (p, hosts), {}))

    @classmethod
    def dragonfly(
        cls, groups: int, routers: int, pes: int, *, costs: Sequence[int] = (1, 1, 1)
    ) -> Self:
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
        return cls._make(core, Recipe("dragonfly", tuple(counts), {"costs": links}))

    @classmethod
    def cluster(
        cls,
        node: Self,
        hosts: str | Iterable[str],
        distances: float | ArrayLike | None = None,
    ) -> Self:
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
        if not isinstance(node, TopologyMakers):
            raise TypeError(f"node must be a Topology, got {type(node).__name__}")
        return cls._build(cluster_of(node._as_node(), hosts, distances))


def _grid(sizes: Sequence[int], costs: Sequence[int] | None) -> tuple[list[int], list[int]]:
    dimensions = [
        as_integer(size, f"sizes[{i}]", 1, _MAX, TopologyError) for i, size in enumerate(sizes)
    ]
    return dimensions, [1] * len(sizes) if costs is None else as_numbers(costs, "costs")
