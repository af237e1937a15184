# SPDX-License-Identifier: MIT
"""How a call becomes mappings: arguments checked and normalised, then the C++ core or workers."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from procmap import _core
from procmap._util.arrays import thread_count
from procmap._util.errors import ConfigError, FileError, GraphError
from procmap.graph._graph import Graph
from procmap.graph._opened import OpenedGraph
from procmap.mapping._helpers import Devices, Workers, has_large_populations
from procmap.mapping._infeasible import InfeasibleError, finish
from procmap.mapping._jobs import checked_executor
from procmap.mapping._larger import map_opened
from procmap.mapping._options import Options, checked_progress, chosen_config
from procmap.mapping._report import Units
from procmap.mapping._result import Mapping
from procmap.mapping._spread import Request, checked_devices, on_devices, shared_out, spread
from procmap.mapping._tasks import as_tasks
from procmap.topology._check import require_topology
from procmap.topology._topology import Topology
from procmap.traffic._traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from procmap.config._fields import Preset
    from procmap.mapping._spread import Answer
    from procmap.mapping._tasks import TasksLike

_log = logging.getLogger("procmap")
_log.addHandler(logging.NullHandler())


def mapped(graph: TasksLike, topology: Topology, given: Options) -> Mapping:
    """Map one graph; called by what the user called, which a warning names."""
    require_topology(topology)
    devices = checked_devices(given.devices, given.device)
    if devices:
        given = replace(given, device=devices[0], devices=None)
    options = given.to_core()
    if isinstance(graph, OpenedGraph):
        made: Mapping = map_opened(graph, topology, given)
        return made
    checked_executor(given.executor, given.retries)
    if devices and given.executor is not None:
        raise ConfigError("give either executor or devices: one mapping has either")
    tasks = as_tasks(
        graph,
        given.vertex_weights,
        symmetrize=given.symmetrize,
        stream=given.stream,
        threads=given.threads,
    )
    units = Units.of(tasks, topology)
    given.complete(options, tasks, topology.num_pes, units)
    if _are_attempts_spread(given, devices):
        told = replace(given, progress=_listener(given.progress))
        request = Request(tasks, told, options.migration_cost, tuple(devices))
        workers = given.executor or partial(ThreadPoolExecutor, len(devices))
        (made,) = spread([request], topology, _attempt, workers, retries=given.retries)
        mapping = _own(made, graph, tasks, topology, given)
    else:
        with _helped(given, devices) as helpers:
            core = _core.map(
                tasks._native, topology._native, options, _listener(given.progress), helpers
            )
        mapping = _result(core, graph, tasks, topology, given)
    return finish(mapping, _allowed(options), given.strict)


def _are_attempts_spread(given: Options, devices: list[str]) -> bool:
    """Whether whole mappings are made elsewhere, and not members of populations."""
    if devices:
        return (given.repeats or 1) > 1 and given.time_limit is None
    if given.executor is None:
        return False
    alone = given.repeats in (None, 1) and given.time_limit is None
    return not alone or not has_large_populations(chosen_config(given.preset, given.config))


@contextmanager
def _helped(given: Options, devices: list[str]) -> Iterator[Workers | None]:
    """Have somebody make members of populations; nobody if the time decides what is made."""
    threads = 1 if given.threads is None else given.threads
    helpers: Workers | None = None
    if devices[1:] and given.time_limit is None:
        helpers = Devices(devices[1:], threads)
    elif given.executor is not None:
        where = "cpu" if given.device == "auto" else given.device
        helpers = Workers(given.executor, given.retries, where, threads)
    try:
        yield helpers
    finally:
        if helpers is not None:
            helpers.close()


def all_mapped(
    graphs: Iterable[TasksLike], topology: Topology, given: Options, devices: list[str]
) -> list[Mapping]:
    """Map several graphs; called by what the user called, which a warning names."""
    require_topology(topology)
    given.to_core()  # what is wrong with all is not the first graph's fault
    retries = checked_executor(given.executor, given.retries)
    requests = [_request(i, graph, topology, given) for i, graph in enumerate(_listed(graphs))]
    if given.executor is not None or devices:
        asked = [Request(tasks, given, 0.0) for _, tasks, _ in requests]
        made = _spread_out(asked, topology, given, devices, retries)
        mappings = [
            _own(mapping, graph, tasks, topology, given)
            for mapping, (graph, tasks, _) in zip(made, requests, strict=True)
        ]
    else:
        results = _core.map_many(
            [tasks._native for _, tasks, _ in requests],
            topology._native,
            [options for *_, options in requests],
            thread_count(given.threads),
        )
        mappings = [
            _result(core, graph, tasks, topology, given)
            for core, (graph, tasks, _) in zip(results, requests, strict=True)
        ]
    return [
        finish(mapping, _allowed(options), given.strict, f"graphs[{i}]: ")
        for i, (mapping, (*_, options)) in enumerate(zip(mappings, requests, strict=True))
    ]


def _spread_out(
    requests: list[Request], topology: Topology, given: Options, devices: list[str], retries: int
) -> list[Mapping]:
    """Return the mappings that the workers of an executor make, or one thread per device."""
    if devices:
        requests = on_devices(requests, devices)
    if given.executor is None:
        return shared_out(requests, topology, _attempt, devices)
    return spread(requests, topology, _attempt, given.executor, retries=retries, numbered=True)


def _attempt(tasks: Graph, topology: Topology, given: Options) -> Answer:
    """Do what a worker does: an error is an answer, for the caller to raise."""
    try:
        return mapped(tasks, topology, given)
    except InfeasibleError as exc:
        return exc.mapping
    except Exception as exc:  # noqa: BLE001, RUF100 - the caller raises it
        return exc


def _own(
    made: Mapping, graph: TasksLike, tasks: Graph, topology: Topology, given: Options
) -> Mapping:
    """Return a worker's mapping with what pickles leave out."""
    kept, again, by_preset = _origin(graph, tasks, topology, given)
    return replace(made, topology=topology, graph=kept, _again=again, _by_preset=by_preset)


def _listed(graphs: Iterable[TasksLike]) -> list[TasksLike]:
    one = isinstance(graphs, (Graph, str, os.PathLike)) or not isinstance(graphs, Iterable)
    if one or isinstance(graphs, dict) or len(getattr(graphs, "shape", (0, 0, 0))) < 3:
        raise TypeError(f"graphs must be several graphs, got {type(graphs).__name__}")
    return list(graphs)


def _request(
    number: int, graph: TasksLike, topology: Topology, given: Options
) -> tuple[TasksLike, Graph, _core.Options]:
    """Return a graph, what it becomes, and its options; what is wrong with it names it."""
    try:
        tasks = as_tasks(graph, symmetrize=given.symmetrize, stream=given.stream)
        options = given.to_core()
        given.complete(options, tasks, topology.num_pes, Units.of(tasks, topology))
    except (GraphError, FileError, ConfigError, OverflowError, TypeError) as error:
        raise type(error)(f"graphs[{number}]: {error}") from error
    return graph, tasks, options


def _result(
    core: _core.Mapping, graph: TasksLike, tasks: Graph, topology: Topology, given: Options
) -> Mapping:
    """Return a mapping that knows what it was made of, as far as that is kept."""
    kept, again, by_preset = _origin(graph, tasks, topology, given)
    return Mapping._from_result(core, topology, tasks, kept, again, by_preset)


def _origin(
    graph: TasksLike, tasks: Graph, topology: Topology, given: Options
) -> tuple[Graph | None, Callable[[], Graph] | None, Callable[[Preset], Mapping] | None]:
    """Return what a mapping keeps of its tasks, see `_kept`, and how to map them by a preset."""
    kept, again = _kept(graph, tasks, given)
    is_kept = kept is not None or again is not None
    return kept, again, partial(_by_preset, graph, topology, given) if is_kept else None


def _by_preset(graph: TasksLike, topology: Topology, given: Options, preset: Preset) -> Mapping:
    """Map the same once more by a preset, balanced or not."""
    asked = replace(given, preset=preset, config=None, progress=None, strict=True)
    try:
        return mapped(graph, topology, asked)
    except InfeasibleError as exc:
        return exc.mapping


def _kept(
    graph: TasksLike, tasks: Graph, given: Options
) -> tuple[Graph | None, Callable[[], Graph] | None]:
    """Return what a mapping keeps of its tasks: their graph, or how to make it again.

    Graphs may have borrowed arrays that the user changes later, so they are not kept, but made
    and checked again of the same input. Arrays on a GPU would keep its memory.
    """
    if isinstance(graph, (Graph, Traffic)):
        return tasks, None
    if tasks.device != "cpu":
        return None, None
    loads, how, threads = given.vertex_weights, given.symmetrize, given.threads
    return None, lambda: as_tasks(graph, loads, symmetrize=how, threads=threads)


def _listener(progress: Callable[[str], None] | None) -> Callable[[str], None] | None:
    """Return what the core tells its progress to: the callback, the log, both or nobody."""
    checked_progress(progress)
    if not _log.isEnabledFor(logging.INFO):
        return progress
    if progress is None:
        return _log.info

    def tell_both(line: str) -> None:
        _log.info(line)
        progress(line)

    return tell_both


def _allowed(options: _core.Options) -> float | tuple[float, ...] | None:
    """Return the imbalance that is allowed; None if capacities say what is."""
    if options.capacities.size:
        return None
    return tuple(options.imbalances) or options.imbalance
