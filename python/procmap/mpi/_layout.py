# SPDX-License-Identifier: MIT
"""The machine on which the processes of a communicator run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.errors import ConfigError, TopologyError
from procmap._util.messages import shown
from procmap._util.ranks import Ranks
from procmap.mpi._places import Place, find_place
from procmap.topology._description import Description
from procmap.topology._topology import Topology
from procmap.topology.io.tree import Tree, default_distances

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from procmap.topology._places import Places

# Of two processes that first meet in a NUMA node, a package, a host and the machine: orders of
# magnitude of latencies and inverse bandwidths inside nodes of today and between them.
_DISTANCES = {1: (1, 10), 2: (1, 3, 10), 3: (1, 2, 3, 10)}


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the ranks of a communicator run.

    Attributes
    ----------
    machine : Topology
        With as many PEs as there are ranks.
    pe_of_rank : numpy.ndarray of int32, shape (n,)
        On which of them every rank runs; none twice.
    """

    machine: Topology
    pe_of_rank: NDArray[np.int32]


def locate(
    comm: Any,
    *,
    place: Place | Sequence[Hashable] | None = None,
    machine: Topology | None = None,
    distances: Sequence[int] | None = None,
) -> Layout:
    """Find out where the ranks of a communicator run; all of them must call.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm
        The communicator.
    place : Place or sequence, optional
        Where the calling process runs: its host, package, ..., outermost first, equally many at
        all processes. What `find_place` finds if None.
    machine : Topology, optional
        The machine, if more is known than what processes see, such as switches: it knows the names
        of hosts (`Topology.with_hosts`, `Topology.from_slurm_conf`, ...). A process is on the PE
        of its GPU or of the CPUs to which it is bound, or, where that does not tell processes of
        a host apart, on the next one there.
    distances : sequence of int, optional
        Without `machine`: of two processes that first meet at every level of `place`, innermost
        first, so one more than it has entries. If None 1, 3, 10 of processes in the same package,
        host, and elsewhere, and 2 between NUMA nodes of a package.

    Returns
    -------
    Layout
        The same at all ranks.

    Raises
    ------
    ConfigError, TopologyError
        At all ranks, if a place is none, or places do not fit the machine or each other.
    """
    with Ranks(comm) as ranks:
        own = find_place() if place is None else _as_place(place)
        return layout_of(ranks.objects(own), machine, distances)


def _as_place(place: Place | Sequence[Hashable]) -> Place:
    if isinstance(place, Place):
        return place
    if isinstance(place, str) or not hasattr(place, "__getitem__") or len(place) == 0:
        raise ConfigError(f"place must be host, package, ..., got {shown(place)}")
    return Place(str(place[0]), tuple(place[1:]))


def layout_of(
    places: list[Place], machine: Topology | None = None, distances: Sequence[int] | None = None
) -> Layout:
    """Return the layout of processes at these places, in the order of ranks."""
    if machine is not None:
        if distances is not None:
            raise ConfigError("give either machine or distances, not both")
        return _on_machine(places, machine)
    depths = {len(place.path) for place in places}
    if len(depths) != 1:
        raise ConfigError(f"places have from {min(depths)} to {max(depths)} levels, not one number")
    depth = depths.pop()
    if distances is None:
        distances = _DISTANCES.get(depth) or default_distances(depth + 1)
    tree = Tree.of_paths([place.path for place in places])
    pe_of_rank = np.empty(len(places), np.int32)
    pe_of_rank[tree.order] = np.arange(len(places))
    return Layout(Topology._build(Description(tree.shape(distances))), pe_of_rank)


def _on_machine(places: list[Place], machine: Topology) -> Layout:
    """Return the part of a machine on which there are processes."""
    if machine.places is None:
        raise TopologyError("the machine does not know its hosts; use Topology.with_hosts")
    known = machine.places
    number_of = _numbers_of_hosts(dict.fromkeys(place.host for place in places), known.hosts)
    ranks_on: dict[int, list[int]] = {}
    for rank, place in enumerate(places):
        ranks_on.setdefault(number_of[place.host], []).append(rank)
    by_host = np.lexsort((known.slot_of, known.host_of))
    ends = np.cumsum(np.bincount(known.host_of, minlength=len(known.hosts)))
    pes_of = np.split(by_host, ends[:-1])
    pes = np.empty(len(places), np.int64)
    for host, ranks in ranks_on.items():
        there = pes_of[host].tolist()
        if len(ranks) > len(there):
            raise ConfigError(
                f"{len(ranks)} processes run on host '{known.hosts[host]}', which has "
                f"{len(there)} PEs"
            )
        pes[ranks] = _pes_on([places[rank] for rank in ranks], there, known)
    used = np.sort(pes)
    return Layout(machine.sub(used), np.searchsorted(used, pes).astype(np.int32))


def _numbers_of_hosts(wanted: Iterable[str], hosts: tuple[str, ...]) -> dict[str, int]:
    """Return the numbers of hosts, by their names, or by one of the two without a domain."""
    named = {name: i for i, name in enumerate(hosts)}
    shared = Counter(map(_short, hosts))
    shortened = {_short(name): i for i, name in enumerate(hosts) if shared[_short(name)] == 1}
    numbers = {}
    for host in wanted:
        number = named.get(host, named.get(_short(host), shortened.get(host)))
        if number is None:
            raise TopologyError(
                f"a process runs on host '{host[:80]}', which the machine does not have"
            )
        numbers[host] = number
    return numbers


def _short(host: str) -> str:
    return host.partition(".")[0]


def _pes_on(processes: list[Place], there: list[int], known: Places) -> list[int]:
    """Return a PE for each process of a host, which has those that are `there`."""
    bound = _bound_to(processes, there, known)
    if None not in bound and len(set(bound)) == len(bound):
        return [pe for pe in bound if pe is not None]
    return there[: len(processes)]


def _bound_to(processes: list[Place], there: list[int], known: Places) -> list[int | None]:
    """Return for each process the PE to which it is bound, if it is bound to one."""
    if known.kind == "node":
        return [there[0] if len(there) == 1 else None] * len(processes)
    own = {pe: frozenset(known.bound_to(pe)) for pe in there}
    having: dict[int, list[int]] = {}  # PEs by CPU or GPU: hosts have hundreds of both
    for pe, numbers in own.items():
        for number in numbers:
            having.setdefault(number, []).append(pe)
    bound: list[int | None] = []
    for process in processes:
        numbers = process.cpus
        if known.kind == "gpu":
            numbers = frozenset(() if process.gpu is None else (process.gpu,))
        candidates = having.get(min(numbers), []) if numbers else []
        fitting = [pe for pe in candidates if numbers <= own[pe]]
        bound.append(fitting[0] if len(fitting) == 1 else None)
    return bound
