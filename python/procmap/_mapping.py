# SPDX-License-Identifier: MIT
"""Results."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap import _core, launchers
from procmap._arrays import as_integers
from procmap._device import blocks_of_kind, to_numpy
from procmap._scaling import UNSCALED, Scale, in_user_unit
from procmap._stats import Stats
from procmap._text import write_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from procmap._evaluation import Evaluation
    from procmap._graph import Graph
    from procmap._inputs import GraphLike
    from procmap._topology import Topology


@dataclass(frozen=True)
class Units:
    """The units of a user's numbers, as scaled for the core; all exact 1 for integers.

    Attributes
    ----------
    traffic, load, distance : Scale
        Of edge weights, vertex weights and distances.
    """

    traffic: Scale = UNSCALED
    load: Scale = UNSCALED
    distance: Scale = UNSCALED

    @classmethod
    def of(cls, graph: Graph, topology: Topology) -> Units:
        """Return the units of a graph and a machine."""
        return cls(graph.traffic_scale, graph.load_scale, topology.distance_scale)


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """What a mapping costs and whether it is balanced.

    All figures are in the units of the weights and distances given: integers for integers, floats
    for fractions, of which `units` says how they were rounded.

    Attributes
    ----------
    cost : int or float
        J, the sum of traffic times distance over ordered pairs of tasks: every edge counts
        twice, as in KaHIP and SharedMap.
    edge_cut : int or float
        Traffic between different PEs, every edge once.
    level_traffic : numpy.ndarray of int64 or float64, shape (levels + 1,)
        Traffic inside a PE ([0]) and between PEs that first meet at level i ([i]), every edge
        once. On a machine that is no hierarchy, [i] is the traffic between PEs at distance
        ``level_distances[i - 1]``; only [0] if it has more than 64 different distances.
        Read-only.
    level_distances : numpy.ndarray of int64 or float64, shape (levels,)
        Distances of the levels of a hierarchy, otherwise all different distances, increasing.
        Read-only.
    block_weights : numpy.ndarray of int64 or float64, shape (k,)
        Load of every PE. Read-only.
    max_block_weight : int or float
        Load of the heaviest PE.
    capacities : numpy.ndarray of int64 or float64, shape (k,)
        What every PE may carry; 2**62 for all that is more, as no load is. Read-only.
    capacity : int or float
        The largest of these: ceil((1 + imbalance) c(V) / k) unless they were given, the imbalance
        being the allowed one.
    imbalance : float
        Heaviest PE over the average, minus 1.
    feasible : bool
        Whether no PE carries more than it may, and none is empty if that was asked for.
    units : Units
        What one step of the integers that were computed with is worth.
    """

    cost: int | float
    edge_cut: int | float
    level_traffic: NDArray[Any]
    level_distances: NDArray[Any]
    block_weights: NDArray[Any]
    max_block_weight: int | float
    capacities: NDArray[Any]
    capacity: int | float
    imbalance: float
    feasible: bool
    units: Units

    @classmethod
    def _from_core(cls, core: _core.Report, units: Units) -> Report:
        return Report(**_figures(core, units))

    @property
    def num_blocks(self) -> int:
        """Number of PEs or blocks, k."""
        return len(self.block_weights)

    def __repr__(self) -> str:
        return f"Report({self._describe()})"

    def _describe(self) -> str:
        state = "feasible" if self.feasible else "INFEASIBLE"
        return (
            f"{self.num_blocks} blocks, cost={self.cost}, edge_cut={self.edge_cut}, "
            f"imbalance={self.imbalance:.4f}, {state}"
        )


def _figures(core: _core.Report, units: Units) -> dict[str, Any]:
    """Return the fields of `Report`."""
    return {
        "cost": in_user_unit(core.cost, units.traffic, units.distance),
        "edge_cut": in_user_unit(core.edge_cut, units.traffic),
        "level_traffic": units.traffic.restore(core.level_traffic),
        "level_distances": units.distance.restore(core.level_distances),
        "block_weights": units.load.restore(core.block_weights),
        "max_block_weight": in_user_unit(core.max_block_weight, units.load),
        "capacities": units.load.restore(core.capacities),
        "capacity": in_user_unit(core.capacity, units.load),
        "imbalance": core.imbalance,
        "feasible": core.feasible,
        "units": units,
    }


@dataclass(frozen=True, eq=False, repr=False)
class Mapping(Report):
    """Where every task goes, what that costs, and how it was found.

    Attributes
    ----------
    blocks : numpy.ndarray of int32, shape (n,)
        PE of every task, in [0, k). Read-only. For a graph of CuPy or PyTorch arrays on a GPU, an
        array of the same package there; for arrays of others a `DeviceArray`.
    stats : Stats
        Times per phase and level.
    topology : Topology
        The machine.
    graph : Graph, optional
        The tasks, if they were given as a `Graph`; pickles leave it out.
    empty_blocks : int
        PEs without a task that are not forbidden.
    migrated_tasks : int
        Tasks that are not on the PE of the given initial mapping.
    migrated_weight : int
        Their size. What that costs is not part of `cost`.
    """

    blocks: NDArray[np.int32]
    stats: Stats
    topology: Topology
    graph: Graph | None = None
    empty_blocks: int = 0
    migrated_tasks: int = 0
    migrated_weight: int = 0

    @classmethod
    def _from_result(
        cls, core: _core.Mapping, topology: Topology, tasks: Graph, kept: Graph | None
    ) -> Mapping:
        figures = _figures(core.report, Units.of(tasks, topology))
        stats = Stats._from_core(core.stats)
        blocks = core.blocks
        if tasks._kind is not None:
            blocks = blocks_of_kind(blocks, tasks._kind, tasks._native.device)
        report = core.report
        return cls(
            **figures,
            blocks=blocks,
            stats=stats,
            topology=topology,
            graph=kept,
            empty_blocks=report.empty_blocks,
            migrated_tasks=report.migrated_vertices,
            migrated_weight=report.migrated_weight,
        )

    def report(self, graph: GraphLike | None = None) -> Evaluation:
        """Explain the mapping: traffic per level, volume, contiguity, beside other orders.

        Parameters
        ----------
        graph : graph_like, optional
            The tasks. Not needed if they were given as a `Graph`.

        Returns
        -------
        Evaluation
            Print it for a table.

        Raises
        ------
        ValueError
            If the graph is needed or is another one.
        """
        from procmap import _evaluation, _inputs  # noqa: PLC0415 - these need this module

        tasks = self.graph if graph is None else _inputs.as_graph(graph)
        if tasks is None:
            raise ValueError("the tasks were not given as a procmap.Graph; use report(graph)")
        blocks = as_blocks(self, tasks.num_vertices, self.num_blocks)
        core = _core.evaluate(tasks._native, self.topology._native, blocks, 0.0, "auto", 0)
        again = Report._from_core(core, Units.of(tasks, self.topology))
        if again.cost != self.cost:
            raise ValueError(f"not the graph that was mapped: J is {again.cost}, not {self.cost}")
        return _evaluation.explain(self, tasks, self.topology, blocks, 0)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "graph": None}

    @property
    def _host_blocks(self) -> NDArray[np.int32]:
        blocks: NDArray[np.int32] = to_numpy(self.blocks, "blocks")
        return blocks

    @property
    def permutation(self) -> NDArray[np.int32]:
        """PE of every rank, shape (n,), if no PE has more than one: TopoMatch's sigma.

        Raises
        ------
        ValueError
            If a PE has several tasks.
        """
        tasks = np.bincount(self._host_blocks, minlength=self.num_blocks)
        if (tasks > 1).any():
            pe = int(np.argmax(tasks > 1))
            raise ValueError(f"not a permutation: PE {pe} has {tasks[pe]} tasks")
        return self._host_blocks

    @property
    def rank_of_pe(self) -> NDArray[np.int32]:
        """Rank on every PE, shape (k,), or -1: the inverse of `permutation`.

        The process that starts on PE p gets this rank from ``MPI_Comm_split`` with it as the key.

        Raises
        ------
        ValueError
            If a PE has several tasks.
        """
        ranks = np.full(self.num_blocks, -1, np.int32)
        ranks[self.permutation] = np.arange(len(self.blocks), dtype=np.int32)
        return ranks

    def write(
        self,
        path: str | os.PathLike[str],
        format: str = "blocks",
        *,
        hosts: str | Iterable[str] | None = None,
    ) -> None:
        """Write the mapping for people, partitioners or the launcher of an MPI.

        `launch_command` returns the command line that goes with a launcher's file.

        Parameters
        ----------
        path : path-like
            The file; an existing one is replaced.
        format : str
            One PE per task: "blocks" or "metis" (one per line, as METIS's ``.part.K``),
            "permutation" (all on one line, as TopoMatch prints it), "comm-split" (the rank of
            every PE, keys for ``MPI_Comm_split``), "json".
            Launchers: "rankfile" and "rankfile-relative" (Open MPI), "slurm" (SLURM_HOSTFILE),
            "mpich" and "intelmpi" (machine files), "cray" (MPICH_RANK_ORDER), "lsf" (host file of
            bsub), "erf" (jsrun), "cpus" (CPUs or GPU of every rank, see `launch_command`).
        hosts : str or iterable of str, optional
            Names of the hosts, such as ``"node[01-16]"``; the PEs are dealt out to them evenly
            and in order. Not needed if the topology knows them.

        Raises
        ------
        FileError
            If the file cannot be written.
        ConfigError, TopologyError
            If the format is unknown, or hosts are missing or do not fit.
        ValueError
            If the format needs at most one task per PE and there are more.
        """
        if format in ("blocks", "metis"):
            _core.write_mapping(
                np.require(self._host_blocks, np.int32, ["C", "A"]), os.fspath(path)
            )
        else:
            write_text(path, launchers.file_text(self, format, hosts))

    def launch_command(
        self,
        path: str | os.PathLike[str],
        format: str,
        *,
        hosts: str | Iterable[str] | None = None,
        cpu_file: str | os.PathLike[str] | None = None,
        bind: bool = True,
    ) -> str:
        """Return the command line, up to the program, that uses a launcher's file.

        Parameters
        ----------
        path, format, hosts
            What was given to `write`; the format is that of a launcher.
        cpu_file : path-like, optional
            A file of the format "cpus", to which every process binds itself (of GPUs by
            CUDA_VISIBLE_DEVICES). Needed if `format` chooses only hosts and the ranks of
            different hosts use different CPUs or GPUs.
        bind : bool
            False if processes need not be bound to cores.

        Raises
        ------
        ConfigError, TopologyError
            As `write`, and if the launcher cannot bind the processes as the mapping says.

        Examples
        --------
        ``SLURM_HOSTFILE=hosts.txt srun --distribution=arbitrary --ntasks=4
        --cpu-bind=map_cpu:0,1``
        """
        cpus = None if cpu_file is None else os.fspath(cpu_file)
        return launchers.command(self, format, os.fspath(path), hosts, cpus, bind)

    def __repr__(self) -> str:
        return f"Mapping({len(self.blocks)} tasks on {self._describe()})"


def read_mapping(path: str | os.PathLike[str]) -> NDArray[np.int32]:
    """Read a mapping file: one PE per line, in the order of the vertices.

    Parameters
    ----------
    path : path-like
        As written by `Mapping.write`, KaHIP, METIS and others.

    Returns
    -------
    numpy.ndarray of int32, shape (n,)

    Raises
    ------
    FileError
        If the file cannot be read or is malformed; the message is "PATH:LINE: ...".
    """
    return _core.read_mapping(os.fspath(path))


def as_blocks(blocks: ArrayLike | Mapping, num_vertices: int, k: int) -> NDArray[np.int32]:
    """Return `blocks` as the core takes them: one in [0, k) per vertex."""
    values = to_numpy(blocks.blocks if isinstance(blocks, Mapping) else blocks, "blocks")
    array = as_integers(values, np.int32, "blocks", ValueError)
    if len(array) != num_vertices:
        raise ValueError(f"blocks has {len(array)} entries, but there are {num_vertices} vertices")
    bad = (array < 0) | (array >= k)
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(f"blocks[{i}] = {array[i]} is not in [0, {k})")
    return array
