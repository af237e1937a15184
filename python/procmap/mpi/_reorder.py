# SPDX-License-Identifier: MIT
"""Communicators whose rank order is a mapping."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from procmap._util.errors import ConfigError, GraphError
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
        At all processes, if a neighbour is no rank, or lists have different lengths.
    ConfigError, TopologyError
        As `procmap.mpi.reorder`.
    """
    lists: _Neighbours = (
        _list(sources) or [],
        _list(sourceweights),
        _list(destinations) or [],
        _list(destweights),
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
    found: tuple[NDArray[np.int32] | None, Exception | None] = (None, None)
    if comm.Get_rank() == root:
        try:
            found = (compute(), None)
        except Exception as exc:
            found = (None, exc)
    order, error = comm.bcast(found, root)
    if error is not None:
        raise error
    return order  # type: ignore[no-any-return]


def _list(values: ArrayLike | None) -> list[int] | None:
    """Return a list; None for None and for MPI.UNWEIGHTED, which is a number in mpi4py."""
    if values is None or isinstance(values, int):
        return None
    return [int(value) for value in np.asarray(values).tolist()]


def _traffic_of(everyone: list[_Neighbours]) -> Traffic:
    """Return what all ranks send to the destinations they named."""
    n = len(everyone)
    messages = []
    for rank, (sources, received, destinations, sent) in enumerate(everyone):
        _check(rank, n, "sources", sources, received)
        _check(rank, n, "destinations", destinations, sent)
        volumes = sent or [1] * len(destinations)
        messages += [(rank, *pair) for pair in zip(destinations, volumes, strict=True)]
    senders, receivers, amounts = np.array(messages, np.int64).reshape(-1, 3).T
    return Traffic.from_messages(senders, receivers, amounts, n)


def _check(rank: int, n: int, name: str, others: list[int], weights: list[int] | None) -> None:
    """Raise GraphError if a rank names others that are none, or too few weights."""
    if weights is not None and len(weights) != len(others):
        raise GraphError(f"rank {rank} names {len(others)} {name}, but {len(weights)} weights")
    bad = [other for other in others if not 0 <= other < n]
    if bad:
        raise GraphError(
            f"rank {rank} names {bad[0]} as one of its {name}, but there are {n} ranks"
        )


def _with_graph(comm: Any, neighbours: _Neighbours) -> Any:
    sources, received, destinations, sent = neighbours
    weights = {}
    if received is not None or sent is not None:  # MPI wants both or none
        weights["sourceweights"] = received or [1] * len(sources)
        weights["destweights"] = sent or [1] * len(destinations)
    return comm.Create_dist_graph_adjacent(sources, destinations, **weights, reorder=False)
