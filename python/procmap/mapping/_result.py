# SPDX-License-Identifier: MIT
"""Mappings: where every task goes."""

from __future__ import annotations

import os
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from procmap import _core, launchers
from procmap._util.arrays import as_flag, as_integers
from procmap._util.columns import data_lines
from procmap._util.errors import ConfigError
from procmap._util.formats import suffix_of
from procmap._util.messages import is_in, shown
from procmap._util.source import Source, path_text
from procmap._util.text import writable, write_text
from procmap.config._config import Config
from procmap.graph._device import blocks_of_kind, to_numpy
from procmap.launchers.placement import Placement
from procmap.mapping._evaluation import explain
from procmap.mapping._files import FORMATS, file_text, of_scotch, permutation, rank_of_pe
from procmap.mapping._report import Report, Units, check_loads, figures
from procmap.mapping._stats import Stats
from procmap.mapping._tasks import as_tasks
from procmap.mapping.page.page import html_page, html_panel
from procmap.topology._places import Places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from procmap.config._fields import Preset
    from procmap.graph._graph import Graph
    from procmap.launchers import StartFormat
    from procmap.mapping._evaluation import Evaluation
    from procmap.mapping._files import MappingFormat
    from procmap.mapping._tasks import TasksLike
    from procmap.topology._topology import Topology


_PAGES = (".html", ".htm")
_MANY_EDGES = 2_000_000  # of a graph whose partition, to compare with, takes seconds


@dataclass(frozen=True, eq=False, repr=False)
class Mapping(Report):
    """Where every task goes, what that costs, and how it was found.

    NumPy takes it for its `blocks`: ``np.asarray(mapping)``.

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
        The tasks, if they were given as a `Graph` or `Traffic`; pickles leave it out.
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
    _again: Callable[[], Graph] | None = None  # makes the tasks of what the user gave
    _by_preset: Callable[[Preset], Mapping] | None = None  # maps them by another preset

    @classmethod
    def _from_result(
        cls,
        core: _core.Mapping,
        topology: Topology,
        tasks: Graph,
        kept: Graph | None,
        again: Callable[[], Graph] | None,
        by_preset: Callable[[Preset], Mapping] | None,
    ) -> Mapping:
        stats = Stats._from_core(core.stats)
        blocks = core.blocks
        if tasks._kind is not None:
            blocks = blocks_of_kind(blocks, tasks._kind, tasks._native.device)
        report = core.report
        return cls(
            **figures(core.report, Units.of(tasks, topology)),
            blocks=blocks,
            stats=stats,
            topology=topology,
            graph=kept,
            empty_blocks=report.empty_blocks,
            migrated_tasks=report.migrated_vertices,
            migrated_weight=report.migrated_weight,
            _again=again,
            _by_preset=by_preset,
        )

    def report(self, graph: TasksLike | None = None) -> Evaluation:
        """Explain the mapping: traffic per level, volume, contiguity, beside other orders.

        Parameters
        ----------
        graph : graph_like, optional
            The tasks, with the loads that were mapped. Needed only if they lie on a GPU and are no
            `Graph`, or if this mapping comes from a pickle; otherwise they are what was given to
            `map`, read again.

        Returns
        -------
        Evaluation
            Print it for a table.

        Raises
        ------
        ValueError
            If the graph is needed, is another one, or has changed since it was mapped.
        """
        tasks = self._tasks() if graph is None else as_tasks(graph)
        blocks = as_blocks(self, tasks.num_vertices, self.num_blocks)
        core = _core.evaluate(
            tasks._native, self.topology._native, blocks, imbalance=0.0, threads=0, device="auto"
        )
        again = Report._from_core(core, Units.of(tasks, self.topology))
        if again.cost != self.cost:
            raise ValueError(f"not the graph that was mapped: J is {again.cost}, not {self.cost}")
        check_loads(again, self)
        return explain(self, tasks, self.topology, blocks, 0)

    def _tasks(self) -> Graph:
        if self.graph is not None:
            return self.graph
        if self._again is None:
            raise ValueError(
                "the mapping does not hold its tasks, as they lie on a GPU or it comes from a "
                "pickle; use report(graph)"
            )
        return self._again()

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "graph": None, "_again": None, "_by_preset": None}

    def __copy__(self) -> Mapping:
        """Return one of the same arrays and tasks."""
        return self._with(dict(vars(self)))

    def __deepcopy__(self, memo: dict[int, Any]) -> Mapping:
        """Return one of its own arrays and the same tasks."""
        kept = {name: vars(self)[name] for name in ("graph", "_again", "_by_preset")}
        others = {name: value for name, value in vars(self).items() if name not in kept}
        return self._with({**deepcopy(others, memo), **kept})

    def _with(self, members: dict[str, Any]) -> Mapping:
        copy = object.__new__(type(self))
        vars(copy).update(members)
        return copy

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return `blocks` as NumPy asks for them; those on a GPU are copied to the host."""
        blocks: NDArray[Any] = np.asarray(self._host_blocks, dtype)
        if copy is False and not np.may_share_memory(blocks, self._host_blocks):
            raise ValueError(f"blocks are no {np.dtype(dtype)} on the host without a copy")
        return blocks.copy() if copy else blocks

    def __len__(self) -> int:
        """Return the number of tasks."""
        return len(self.blocks)

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
        return permutation(self._host_blocks, self.num_blocks)

    @property
    def rank_of_pe(self) -> NDArray[np.int32]:
        """Rank on every PE, shape (k,), or -1: the inverse of `permutation`.

        The process that starts on PE p gets this rank from ``MPI_Comm_split`` with it as the key.

        Raises
        ------
        ValueError
            If a PE has several tasks.
        """
        return rank_of_pe(self._host_blocks, self.num_blocks)

    def write(
        self,
        path: str | os.PathLike[str],
        format: MappingFormat | None = None,
        *,
        hosts: str | Iterable[str] | None = None,
        presets: Sequence[Preset] = (),
    ) -> None:
        """Write the mapping for people, partitioners or the launcher of an MPI.

        `launch_command` returns the command line that goes with a launcher's file.

        Parameters
        ----------
        path : path-like
            The file. An existing one is replaced when the new one is whole, and stays as it was if
            that fails; pipes and the like, such as ``/dev/stdout``, are written directly.
        format : str, optional
            "html" is a page to look at: machine, traffic before and after, loads, levels. It asks
            nothing of a network. It is the default for names that end in ".html", and "blocks"
            for all others. One PE per task: "blocks" or "metis" (one per line, as METIS's
            ``.part.K``), "permutation" (all on one line, as TopoMatch prints it), "comm-split"
            (the rank of every PE, keys for ``MPI_Comm_split``), "json", "openfoam"
            (``cellDecomposition``), "scotch" (``.map``). For launchers one of
            those that ``help(procmap.launchers)`` lists, such as "rankfile" or "slurm"; "cpus"
            are the CPUs or GPU of every rank, see `launch_command`.
        hosts : str or iterable of str, optional
            Names of the hosts, such as ``"node[01-16]"``; the PEs are dealt out to them evenly
            and in order. Not needed if the topology knows them.
        presets : sequence of str
            Presets that a page compares with, such as ``("fast", "strong")``; the tasks are
            mapped once more by each.

        Raises
        ------
        FileError
            If the file cannot be written.
        ConfigError, TopologyError
            If the format is unknown, or hosts are missing or do not fit.
        ValueError
            If the format needs at most one task per PE and there are more.
        """
        if format is None:
            format = "html" if Path(path_text(path)).suffix.lower() in _PAGES else "blocks"
        if not is_in(format, FORMATS):
            raise ConfigError(f"format must be one of {', '.join(FORMATS)}, got {shown(format)}")
        if presets and format != "html":
            raise ConfigError(f"presets are for pages, format 'html', not {shown(format)}")
        if format == "html":
            places = None if hosts is None else Places.evenly(hosts, self.num_blocks)
            named = self if places is None else replace(self, topology=self.topology._with(places))
            write_text(path, named._page(presets))
        elif format in ("blocks", "metis"):
            _core.write_mapping(np.require(self._host_blocks, np.int32, ["C", "A"]), writable(path))
        else:
            write_text(path, self._text(format, hosts))

    def _text(self, format: str, hosts: str | Iterable[str] | None = None) -> str:
        """Return what a file of `file_text`'s formats says."""
        return file_text(self, self._host_blocks, self.topology, format, hosts)

    def _page(self, presets: Sequence[Preset]) -> str:
        for preset in presets:
            Config.preset(preset)  # refuses unknown ones before any work
        evaluation = self.report()
        others: dict[str, Report] = {}
        if self._by_preset is not None:
            others = {preset: self._by_preset(preset) for preset in presets}
        return html_page(evaluation, others)

    def _repr_html_(self) -> str | None:
        """Return the first panel of the page for a notebook; None if it would take long."""
        if self.graph is None and self._again is None:
            return None
        tasks = self._tasks()
        return None if tasks.num_edges > _MANY_EDGES else html_panel(self.report(tasks))

    def launch_command(
        self,
        path: str | os.PathLike[str],
        format: StartFormat,
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
            different hosts use different CPUs or GPUs, or if PEs are GPUs and it chooses none.
        bind : bool
            False if processes need not be bound to cores or GPUs.

        Raises
        ------
        ConfigError, TopologyError
            As `write`, and if the launcher cannot bind the processes as the mapping says.

        Examples
        --------
        ``SLURM_HOSTFILE=hosts.txt srun --distribution=arbitrary --ntasks=4
        --cpu-bind=map_cpu:0,1``
        """
        binds = as_flag(bind, "bind")
        cpus = None if cpu_file is None else path_text(cpu_file)
        launcher = launchers.starter(format)
        placement = Placement.of(self._host_blocks, self.topology, hosts)
        return launcher.command_line(placement, path_text(path), cpus, binds)

    def __repr__(self) -> str:
        return f"Mapping({len(self.blocks)} tasks on {self._describe()})"


def read_mapping(
    path: str | os.PathLike[str], format: Literal["blocks", "scotch"] | None = None
) -> NDArray[np.int32]:
    """Read a mapping file: one PE per line, in the order of the vertices.

    Parameters
    ----------
    path : path-like
        As written by `Mapping.write`, KaHIP, METIS and others, or by Scotch.
    format : {"blocks", "scotch"}, optional
        "scotch" if None and the name ends in ".map" and the second line has two columns, else
        "blocks".

    Returns
    -------
    numpy.ndarray of int32, shape (n,)

    Raises
    ------
    FileError
        If the file cannot be read or is malformed; the message is "PATH:LINE: ...".
    """
    source = Source.of(path)
    if format is not None and not is_in(format, ("blocks", "scotch")):
        raise ConfigError(f"format must be blocks or scotch, got {shown(format)}")
    if format is None and suffix_of(source) == ".map":
        second = list(islice(data_lines(source), 2))[1:]
        format = "scotch" if second and len(second[0][1].split()) == 2 else "blocks"
    if format == "scotch":
        return of_scotch(source)
    with source.as_file() as name:
        return _core.read_mapping(name)


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
