# SPDX-License-Identifier: MIT
"""`map`, `partition` and `evaluate` of a graph that the ranks of a communicator hold together."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap import _core
from procmap._util.arrays import as_flag, as_integer, as_real, thread_count
from procmap._util.errors import ConfigError
from procmap._util.limits import GATHER_ARCS, MAX_ARCS, MAX_PES
from procmap._util.messages import shown
from procmap._util.ranks import Ranks
from procmap.distributed._deadline import Deadline
from procmap.distributed._filling import filled
from procmap.distributed._host import share_of_host
from procmap.distributed._input import checked
from procmap.distributed._parts import enough
from procmap.distributed._previous import previous_of
from procmap.distributed._refine import Goal
from procmap.distributed._report import LocalMapping, lacks_vertices, report_figures
from procmap.distributed._room import capacities_of, check_room_of
from procmap.distributed._solve import Method, Solver
from procmap.mapping._infeasible import InfeasibleError, InfeasibleWarning, infeasibility
from procmap.mapping._options import (
    attempts,
    check_one_answer,
    checked_progress,
    chosen_config,
    device_name,
)
from procmap.mapping._report import Report, Units
from procmap.mapping._result import as_blocks
from procmap.mapping._spread import checked_devices
from procmap.topology._check import require_topology
from procmap.topology._topology import Topology

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from procmap.config._config import Config
    from procmap.config._fields import Preset
    from procmap.distributed._input import Given, RowsLike


@dataclass(frozen=True)
class _Asked:
    """Options of a call, checked."""

    imbalance: float | None
    capacities: ArrayLike | None
    allow_empty: bool
    config: Config
    seed: int
    repeats: int | None
    migration_cost: float
    time_limit: float | None
    device: str
    devices: list[str]
    gather_arcs: int
    threads: int | None
    strict: bool
    progress: Callable[[str], None] | None


@dataclass(frozen=True)
class _ByRow:
    """What a rank says of its rows."""

    fixed: ArrayLike | None
    initial: ArrayLike | None
    vertex_sizes: ArrayLike | None


def map(
    comm: Any,
    local_graph: RowsLike,
    topology: Topology,
    *,
    imbalance: float | None = None,
    capacities: ArrayLike | None = None,
    fixed: ArrayLike | None = None,
    initial: ArrayLike | None = None,
    migration_cost: float = 0.0,
    vertex_sizes: ArrayLike | None = None,
    allow_empty: bool = False,
    preset: Preset = "default",
    config: Config | None = None,
    seed: int = 0,
    device: str = "auto",
    devices: Sequence[int | str] | None = None,
    threads: int | None = None,
    repeats: int | None = None,
    time_limit: float | None = None,
    gather_arcs: int = GATHER_ARCS,
    strict: bool = False,
    progress: Callable[[str], None] | None = None,
) -> LocalMapping:
    """Map a graph that the ranks of a communicator hold together onto the PEs of `topology`.

    All ranks call, with equal options. The graph is coarsened where it lies until one rank can
    hold it; `procmap.map` maps that, and the mapping is refined where the graph lies. The same
    graph, options and seed give the same mapping on any number of ranks, however the rows are
    dealt out to them.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm
        The communicator.
    local_graph : Rows or tuple
        ``(offsets, heads)`` or ``(offsets, heads, arc_weights, vertex_weights)`` of this rank's
        rows, see `Rows`; or a SciPy CSR matrix of these rows and all columns. A rank may have no
        rows. Arrays may be NumPy's or lie on a GPU (CuPy, PyTorch ...), from where they are copied
        to the host, as may those below; MPI need not know of GPUs.
    topology : Topology
        The machine.
    imbalance, capacities, allow_empty, preset, config, seed, device
        As in `procmap.map`.
    fixed : array_like of int, shape (rows,), optional
        PE of every row of this rank that must be there, -1 for the others.
    initial : array_like of int, shape (rows,), optional
        PE of every row of this rank in a mapping to improve instead of making a new one; all
        ranks give it, or none. It may be out of balance.
    migration_cost : float
        As in `procmap.map`.
    vertex_sizes : array_like of int, shape (rows,), optional
        Size of every row of this rank for `migration_cost`; all 1 if None.
    devices : sequence of int or str, optional
        Instead of `device`: GPUs of every host, such as ``[0, 1]``, with which its ranks take
        turns; "cpu" may be one. So parts of the graph, and attempts, are mapped on several GPUs at
        the same time. The mapping does not depend on it.
    threads : int, optional
        Of every rank; if None an even share of the processors on which the ranks of its host may
        run.
    repeats : int, optional
        Map or split the coarsest graph this often, with consecutive seeds, shared out over the
        ranks, and go on with the best. Every rank that does so holds the coarsest graph. If None
        4 times; once if one rank can hold the whole graph.
    time_limit : float, optional
        Seconds, > 0, after which nothing is improved any more. A mapping is always finished, which
        of a graph that no rank can hold takes as long as to coarsen it. The result depends on the
        speed of the machines.
    gather_arcs : int
        Coarsen until there are at most so many arcs (every edge is two); one with fewer is mapped
        as `procmap.map` does. The mapping depends on it.
    strict : bool
        Raise instead of warn if the result is not balanced.
    progress : callable, optional
        Called at rank 0 with a line of text about every level.

    Returns
    -------
    LocalMapping
        The PEs of this rank's rows, and figures of the whole mapping.

    Raises
    ------
    GraphError, ConfigError, DeviceError, OverflowError, InfeasibleError
        As `procmap.map`, at all ranks, whichever is to blame; the message of one of several ranks
        begins "rank R: ".

    Warns
    -----
    InfeasibleWarning
        At rank 0, if a PE carries more than allowed.
    """
    with Ranks(comm) as ranks:
        asked = _Asked(
            imbalance=_one_imbalance(imbalance, capacities),
            capacities=capacities,
            allow_empty=as_flag(allow_empty, "allow_empty"),
            config=chosen_config(preset, config),
            seed=as_integer(seed, "seed", 0, 2**64 - 1, ConfigError),
            repeats=attempts(repeats, time_limit)[0] or None,
            migration_cost=as_real(migration_cost, "migration_cost", ConfigError),
            time_limit=attempts(repeats, time_limit)[1] or None,
            device=device_name(device),
            devices=checked_devices(devices, device),
            gather_arcs=as_integer(gather_arcs, "gather_arcs", 0, MAX_ARCS, ConfigError),
            threads=None if threads is None else thread_count(threads),
            strict=as_flag(strict, "strict"),
            progress=checked_progress(progress),
        )
        rows = _ByRow(fixed, initial, vertex_sizes)
        mapping, allowed = _mapped(ranks, local_graph, topology, rows, asked)
    return _finish(mapping, allowed, asked.strict, ranks.rank, getattr(comm, "frames", 0))


def partition(
    comm: Any,
    local_graph: RowsLike,
    k: int,
    *,
    imbalance: float | None = None,
    capacities: ArrayLike | None = None,
    fixed: ArrayLike | None = None,
    initial: ArrayLike | None = None,
    migration_cost: float = 0.0,
    vertex_sizes: ArrayLike | None = None,
    allow_empty: bool = False,
    preset: Preset = "default",
    config: Config | None = None,
    seed: int = 0,
    device: str = "auto",
    devices: Sequence[int | str] | None = None,
    threads: int | None = None,
    repeats: int | None = None,
    time_limit: float | None = None,
    gather_arcs: int = GATHER_ARCS,
    strict: bool = False,
    progress: Callable[[str], None] | None = None,
) -> LocalMapping:
    """Split a graph that the ranks of a communicator hold together into `k` blocks.

    Parameters
    ----------
    comm, local_graph, imbalance, capacities, fixed, initial, migration_cost, vertex_sizes,
    allow_empty, preset, config, seed, device, devices, threads, repeats, time_limit, gather_arcs,
    strict, progress
        As in `map`.
    k : int
        Number of blocks, in [1, 2**22].

    Returns
    -------
    LocalMapping
        Its `cost` is twice its `edge_cut`.

    Raises
    ------
    GraphError, ConfigError, DeviceError, OverflowError, InfeasibleError
        As `map`.

    Warns
    -----
    InfeasibleWarning
        As `map`.
    """
    given = locals()
    del given["comm"], given["local_graph"], given["k"]
    with Ranks(comm):
        flat = Topology.flat(as_integer(k, "k", 1, MAX_PES, ConfigError))
    return map(comm, local_graph, flat, **given)


def evaluate(
    comm: Any,
    local_graph: RowsLike,
    blocks: ArrayLike,
    topology: Topology,
    *,
    imbalance: float | None = None,
    capacities: ArrayLike | None = None,
    threads: int | None = None,
) -> Report:
    """Say what a mapping of a graph costs that the ranks of a communicator hold together.

    Parameters
    ----------
    comm, local_graph, topology, imbalance, capacities, threads
        As in `map`.
    blocks : array_like of int, shape (rows,)
        PE of every row of this rank, in [0, k).

    Returns
    -------
    Report
        Of the whole mapping, the same at all ranks.

    Raises
    ------
    GraphError, ConfigError, OverflowError
        As `map`.
    ValueError
        If `blocks` has the wrong length or names a PE that is not there; at all ranks.
    """
    with Ranks(comm) as ranks:
        require_topology(topology)
        allowed = _one_imbalance(imbalance, capacities)
        given = checked(ranks, local_graph, None, topology)
        values = as_blocks(blocks, given.level.num_rows, topology.num_pes)
        units = _units(given, topology)
        room, _ = capacities_of(given, topology, capacities, allowed)
        wanted = None if threads is None else thread_count(threads)
        goal = Goal(topology, room, True, share_of_host(ranks, wanted, (), "cpu")[0])
        return Report(**report_figures(given, goal, room, values, units))


def _mapped(
    ranks: Ranks,
    local_graph: RowsLike,
    topology: Topology,
    rows: _ByRow,
    asked: _Asked,
) -> tuple[LocalMapping, float | None]:
    """Return the mapping and the imbalance that was allowed; None if capacities say what is."""
    started = time.perf_counter()
    deadline = Deadline(ranks, asked.time_limit)
    require_topology(topology)
    _check_alike(ranks, topology, asked)
    given = checked(ranks, local_graph, rows.fixed, topology)
    units = _units(given, topology)
    previous = previous_of(
        ranks, rows.initial, rows.vertex_sizes, asked.migration_cost, units,
        given.level.num_rows, topology.num_pes,
    )  # fmt: skip
    room, allowed = capacities_of(given, topology, asked.capacities, asked.imbalance)
    check_room_of(given, room, forbids=asked.capacities is not None)
    threads, device = share_of_host(ranks, asked.threads, asked.devices, asked.device)
    # Nothing is forbidden where nothing weighs anything.
    goal = Goal(topology, enough(room, 0), asked.allow_empty, threads)
    options: dict[str, Any] = {
        "imbalance": allowed,
        "allow_empty": goal.allow_empty,
        "config": asked.config,
        "seed": asked.seed,
        "device": device,
        "threads": goal.threads,
    }
    if asked.capacities is not None:
        options["capacities"] = goal.capacities
        del options["imbalance"]
    method = Method(asked.config, asked.seed, asked.repeats, asked.gather_arcs, options, deadline)
    solver = Solver(ranks, method, asked.progress)
    if previous is None:
        blocks = solver.map(given.level, goal)
    else:
        blocks = solver.improve(given.level, goal, previous)
    if lacks_vertices(given.level, goal, blocks):
        blocks = filled(given.level, goal.capacities, blocks)
    figures = report_figures(given, goal, room, blocks, units)
    mapping = LocalMapping(
        **figures,
        blocks=blocks,
        first=given.level.first,
        num_vertices=given.level.num_vertices,
        num_edges=given.level.num_arcs // 2,
        topology=topology,
        levels=tuple(solver.reports),
        seconds=time.perf_counter() - started,
        migrated_weight=0 if previous is None else previous.migrated(ranks, blocks),
    )
    return mapping, None if asked.capacities is not None else allowed


def _finish(
    mapping: LocalMapping, allowed: float | None, strict: bool, rank: int, frames: int
) -> LocalMapping:
    """Say of a mapping that is not balanced what all ranks know by now."""
    if mapping.feasible:
        return mapping
    message = infeasibility(mapping, allowed)
    if strict:
        raise InfeasibleError(message, mapping)  # type: ignore[arg-type]
    if rank == 0:
        warnings.warn(message, InfeasibleWarning, stacklevel=3 + frames)  # who called
    return mapping


def _check_alike(ranks: Ranks, topology: Topology, asked: _Asked) -> None:
    """Refuse options that differ from rank to rank: nobody could say what is asked for."""
    room = None if asked.capacities is None else np.asarray(asked.capacities).tolist()
    own = {
        "topology": repr(topology),
        # Words do not tell all machines apart: two tables of distances, two parts of a torus.
        "the digest of topology": _core.digest_of(topology._native),
        "imbalance": asked.imbalance,
        "capacities": room,
        "allow_empty": asked.allow_empty,
        "config": repr(asked.config),
        "seed": asked.seed,
        "repeats": asked.repeats,
        "migration_cost": asked.migration_cost,
        "time_limit": asked.time_limit,
        "gather_arcs": asked.gather_arcs,
    }
    everyone = ranks.objects(own)
    for rank, other in enumerate(everyone):
        for name, value in everyone[0].items():
            if other[name] != value and repr(other[name]) != repr(value):  # NaN differs from itself
                raise ConfigError(
                    f"{name} must be equal at all ranks, but is {shown(value)} at rank 0 and "
                    f"{shown(other[name])} at rank {rank}"
                )


def _one_imbalance(imbalance: float | None, capacities: ArrayLike | None) -> float | None:
    check_one_answer(imbalance, capacities)
    return None if imbalance is None else as_real(imbalance, "imbalance", ConfigError)


def _units(given: Given, topology: Topology) -> Units:
    return Units(given.traffic, given.load, topology.distance_scale)
