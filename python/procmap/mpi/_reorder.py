# SPDX-License-Identifier: MIT
"""Communicators whose rank order is a mapping."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from procmap._util.arrays import as_integer, as_integers, first
from procmap._util.errors import ConfigError, GraphError
from procmap._util.ranks import Ranks
from procmap.mapping._api import evaluate
from procmap.mapping._reorder import reorder_ranks
from procmap.mpi._layout import locate
from procmap.traffic._inputs import as_traffic
from procmap.traffic._traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from procmap.config._config import Config
    from procmap.config._fields import Preset
    from procmap.mpi._layout import Layout
    from procmap.mpi._places import Place
    from procmap.topology._topology import Topology
    from procmap.traffic._inputs import TrafficLike

    # Sources, their weights, destinations and theirs.
    _Neighbours: TypeAlias = tuple[list[int], list[int] | None, list[int], list[int] | None]


def reorder(
    comm: Any,
    traffic: TrafficLike | None,
    *,
    root: int = 0,
    place: Place | Sequence[Hashable] | None = None,
    machine: Topology | None = None,
    distances: Sequence[int] | None = None,
    preset: Preset = "default",
    config: Config | None = None,
    seed: int = 0,
    threads: int | None = None,
    time_limit: float | None = None,
) -> Any:
    """Return a communicator of the same processes in which those that talk much are near.

    All processes of `comm` must call. What each does must follow from its rank in the communicator
    returned: row i of `traffic` says what rank i of that one will send.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm
        The processes.
    traffic : array_like, SciPy sparse matrix or array, Traffic, or path-like, shape (n, n)
        At `root`: what every rank will send to every other one, see `procmap.reorder_ranks`; n is
        the size of `comm`. Ignored elsewhere.
    root : int
        The rank that maps.
    place, machine, distances
        Where the processes run; see `locate`.
    preset, config, seed, threads, time_limit
        Of the mapping; see `procmap.reorder_ranks`.

    Returns
    -------
    mpi4py.MPI.Intracomm
        In the order of `comm` if no other costs less.

    Raises
    ------
    GraphError, FileError, ConfigError, TopologyError
        At all processes, if an argument is wrong at `root`.

    Examples
    --------
    ``comm = procmap.mpi.reorder(MPI.COMM_WORLD, traffic)``
    """
    layout = locate(comm, place=place, machine=machine, distances=distances)
    options = {
        "preset": preset,
        "config": config,
        "seed": seed,
        "threads": threads,
        "time_limit": time_limit,
    }

    def ranks() -> NDArray[np.int32]:
        if traffic is None:
            raise ConfigError(f"traffic must be given at rank {root}, got None")
        return new_ranks(as_traffic(traffic), layout, options)

    order = _of_root(comm, root, ranks)
    return comm.Split(0, int(order[comm.Get_rank()]))


def dist_graph_create_adjacent(
    comm: Any,
    sources: Sequence[int],
    sourceweights: Sequence[int] | None,
    destinations: Sequence[int],
    destweights: Sequence[int] | None,
    reorder: bool = True,
    *,
    place: Place | Sequence[Hashable] | None = None,
    machine: Topology | None = None,
    distances: Sequence[int] | None = None,
    preset: Preset = "default",
    seed: int = 0,
) -> Any:
    """Do as MPI_Dist_graph_create_adjacent, and reorder ranks if asked.

    All processes of `comm` must call, each with the neighbours of its rank there. In the
    communicator returned, rank i has the neighbours that rank i named, but may be another
    process: ask it for its rank and its neighbours (``Get_rank``, ``Get_dist_neighbors``).

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm
        The processes.
    sources, destinations : sequence of int
        Ranks from which this one receives, and to which it sends.
    sourceweights, destweights : sequence of int, optional
        How much; None (MPI.UNWEIGHTED) for 1 each. What counts are those of destinations.
    reorder : bool
        False: nothing but MPI's own function.
    place, machine, distances, preset, seed
        As in `procmap.mpi.reorder`.

    Returns
    -------
    mpi4py.MPI.Distgraphcomm

    Raises
    ------
    GraphError
        At all processes, if a neighbour is no rank, lists have different lengths, or weights are
        no integers.
    ConfigError, TopologyError
        As `procmap.mpi.reorder`.
    """
    n = comm.Get_size()
    with Ranks(comm):
        lists: _Neighbours = (
            *_neighbours("source", sources, sourceweights, n),
            *_neighbours("dest", destinations, destweights, n),
        )
    if not reorder:
        return _with_graph(comm, lists)
    layout = locate(comm, place=place, machine=machine, distances=distances)
    everyone = comm.gather(lists, 0)

    def ranks() -> NDArray[np.int32]:
        return new_ranks(_traffic_of(everyone), layout, {"preset": preset, "seed": seed})

    order = _of_root(comm, 0, ranks)
    ordered = comm.Split(0, int(order[comm.Get_rank()]))
    try:
        own = ordered.scatter(everyone, int(order[0]))  # what rank i of `comm` said goes to rank i
        return _with_graph(ordered, own)
    finally:
        ordered.Free()


def new_ranks(traffic: Traffic, layout: Layout, options: dict[str, Any]) -> NDArray[np.int32]:
    """Return the new rank of every process, the old one if no order is better."""
    n = len(layout.pe_of_rank)
    if traffic.num_ranks != n:
        raise GraphError(f"traffic has {traffic.num_ranks} ranks, but there are {n} processes")
    mapping = reorder_ranks(traffic, layout.machine, **options)
    if mapping.cost >= evaluate(traffic, layout.pe_of_rank, layout.machine).cost:
        return np.arange(n, dtype=np.int32)
    return mapping.rank_of_pe[layout.pe_of_rank]


def _of_root(comm: Any, root: int, compute: Callable[[], NDArray[np.int32]]) -> NDArray[np.int32]:
    """Return at all processes what one computes, or raise its error at all."""
    with Ranks(comm) as ranks:
        at = as_integer(root, "root", 0, ranks.size - 1, ConfigError)
        if (ranks.ints(at) != at).any():
            raise ConfigError("root must be equal at all ranks")
        order = compute() if ranks.rank == at else None
        shared: NDArray[np.int32] = ranks.share(order, at)
        return shared


def _neighbours(
    kind: str, others: ArrayLike, weights: ArrayLike | None, n: int
) -> tuple[list[int], list[int] | None]:
    """Return ranks and their weights as lists; None for no weights and MPI.UNWEIGHTED."""
    name = {"source": "sources", "dest": "destinations"}[kind]
    numbers = as_integers(others, np.int32, name, GraphError)
    bad = (numbers < 0) | (numbers >= n)
    if bad.any():
        raise GraphError(f"{first(bad, numbers, name)} is not in [0, {n})")
    if weights is None or _is_constant(weights):
        return numbers.tolist(), None
    given = f"{kind}weights"
    amounts = as_integers(weights, np.int32, given, GraphError)
    if len(amounts) != len(numbers):
        raise GraphError(f"{given} has {len(amounts)} entries, but {name} has {len(numbers)}")
    if (amounts < 0).any():
        raise GraphError(f"{first(amounts < 0, amounts, given)} is negative")
    return numbers.tolist(), amounts.tolist()


def _is_constant(weights: Any) -> bool:
    """Whether these are MPI.UNWEIGHTED or MPI.WEIGHTS_EMPTY, which are numbers in mpi4py."""
    if not isinstance(weights, int):
        return False
    from mpi4py import MPI  # noqa: PLC0415 - mpi4py is optional, and starts MPI

    return weights in (MPI.UNWEIGHTED, MPI.WEIGHTS_EMPTY)


def _traffic_of(everyone: list[_Neighbours]) -> Traffic:
    """Return what all ranks send to the destinations they named."""
    messages = []
    for rank, (_, _, destinations, sent) in enumerate(everyone):
        volumes = sent or [1] * len(destinations)
        messages += [(rank, *pair) for pair in zip(destinations, volumes, strict=True)]
    senders, receivers, amounts = np.array(messages, np.int64).reshape(-1, 3).T
    return Traffic.from_messages(senders, receivers, amounts, len(everyone))


def _with_graph(comm: Any, neighbours: _Neighbours) -> Any:
    sources, received, destinations, sent = neighbours
    weights = {}
    if received is not None or sent is not None:  # MPI wants both or none
        weights["sourceweights"] = received or [1] * len(sources)
        weights["destweights"] = sent or [1] * len(destinations)
    return comm.Create_dist_graph_adjacent(sources, destinations, **weights, reorder=False)
