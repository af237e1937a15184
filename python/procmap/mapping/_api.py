# SPDX-License-Identifier: MIT
"""`map`, `map_many`, `partition` and `evaluate`: what users call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from procmap import _core
from procmap._util.arrays import as_integer, thread_count
from procmap._util.errors import ConfigError
from procmap._util.limits import MAX_PES
from procmap.graph._opened import OpenedGraph
from procmap.mapping._calls import all_mapped, mapped
from procmap.mapping._constraints import as_capacities
from procmap.mapping._evaluation import explain
from procmap.mapping._larger import evaluate_opened
from procmap.mapping._options import (
    Options,
    allowed_imbalance,
    as_imbalance,
    core_imbalance,
    device_name,
)
from procmap.mapping._report import Report, Units
from procmap.mapping._result import Mapping, as_blocks
from procmap.mapping._spread import checked_devices
from procmap.mapping._tasks import as_tasks
from procmap.topology._check import require_topology
from procmap.topology._topology import Topology

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import ArrayLike

    from procmap.config._config import Config
    from procmap.config._fields import Preset
    from procmap.graph._arcs import Symmetrize
    from procmap.graph._loads import LoadsLike
    from procmap.mapping._evaluation import Evaluation
    from procmap.mapping._jobs import ExecutorLike
    from procmap.mapping._tasks import TasksLike


def map(
    graph: TasksLike,
    topology: Topology,
    *,
    vertex_weights: LoadsLike | None = None,
    symmetrize: Symmetrize = "error",
    imbalance: float | Sequence[float] | None = None,
    capacities: ArrayLike | None = None,
    fixed: ArrayLike | None = None,
    initial: ArrayLike | Mapping | None = None,
    migration_cost: float = 0.0,
    vertex_sizes: ArrayLike | None = None,
    allow_empty: bool = False,
    preset: Preset = "default",
    config: Config | None = None,
    seed: int = 0,
    device: str = "auto",
    stream: object = None,
    threads: int | None = None,
    repeats: int | None = None,
    time_limit: float | None = None,
    executor: ExecutorLike | None = None,
    retries: int = 0,
    devices: Sequence[int | str] | None = None,
    strict: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Mapping:
    """Map the tasks of `graph` onto the PEs of `topology`.

    Every PE gets about the same load, and the traffic times distance is made small. The same
    input, options and seed give the same mapping on any number of threads.

    Parameters
    ----------
    graph : graph_like
        The tasks and their traffic: a `Graph`, a SciPy sparse matrix, arrays, a graph of NetworkX,
        igraph, DGL or PyTorch Geometric, or the path of a file; see `as_graph`. Arrays of the
        right type are not copied and must not change during the call. Or a traffic matrix: a
        `Traffic`, a square NumPy array (not 2 x 2, which may be an edge index), or a file that only
        `read_traffic` reads (``.npy``, ``.mat``, mpisee). It may be directed, and J is the sum of
        C[i, j] times distance.
    topology : Topology
        The machine.
    vertex_weights : array_like of int or float, shape (n,) or (n, c), or dict, optional
        Load of every task, instead of what `graph` says. Or c <= 8 weights of every task, such as
        ``{"time": t, "memory": m}``: no PE may exceed its capacity in any of them. Such tasks are
        mapped on the CPU.
    symmetrize : {"error", "sum", "max"}
        What to make of arcs u->v and v->u of a graph that differ: refuse them, or give the edge
        their sum or the larger one. Of a traffic matrix both count, and "max" is refused.
    imbalance : float or sequence of c floats, optional
        A PE may carry ``ceil((1 + imbalance) * total / k)``; finite, >= 0. If None 0.03, but 0 if
        all tasks have load 1 and can have a PE each. Of several weights one for all, or one each.
    capacities : array_like of int or float, shape (k,) or (k, c), optional
        What every PE may carry, instead of `imbalance`; 0 forbids a PE. Of several weights 0 of
        one forbids everything that has any of it, 0 of all forbids the PE. PEs are filled in
        proportion.
    fixed : array_like of int, shape (n,), optional
        PE of every task that must be there, -1 for the others.
    initial : array_like of int, shape (n,), or Mapping, optional
        A mapping to improve instead of making a new one, which is much faster. It may be out of
        balance. If most tasks leave their PEs, a new one is made, too, and the better one kept.
    migration_cost : float
        With `initial`: what it costs to move one unit of size to another PE, in units of J. The
        sum of J and all migration is made small.
    vertex_sizes : array_like of int, shape (n,), optional
        Size of every task for `migration_cost`; all 1 if None.
    allow_empty : bool
        False: no PE stays without a task if there is one for each: as many free tasks, and light
        enough, as PEs that are neither forbidden nor have fixed tasks. True: PEs may stay idle
        where that makes J smaller.
    preset : str
        "fast", "default", "strong" or another of `Config.preset_names`.
    config : Config, optional
        All parameters, instead of `preset`.
    seed : int
        In [0, 2**64).
    device : str
        Where to compute: "cpu", "cuda", "cuda:1" etc., or "auto", which takes the first GPU if it
        can be used and the graph is large, or the one where the graph lies. `Mapping.stats` says
        which it was and why. The mapping is the same everywhere.
    stream : int or object, optional
        The CUDA stream that writes arrays on a GPU, see `Graph.from_csr`. What comes back is
        ready in every stream.
    threads : int, optional
        At least 1; if None OMP_NUM_THREADS, else one per core of the process (affinity, quota),
        fewer if the graph is small. More than 64 and than there are cores are never used.
    repeats : int, optional
        Map this often, with the seeds `seed`, ``seed + 1``, ..., and keep the best mapping: the
        best balanced, then the cheapest, then the first. None: once, or as often as fits into
        `time_limit`, at most 1000 times. `Stats.attempts` says which was kept.
    time_limit : float, optional
        Seconds, > 0, after which the best mapping found so far is returned. The one option with
        which the result depends on the speed of the machine. At least one mapping is always
        finished: unless the method is "integrated", one of the preset "fast" is made first, which
        does without annealing and exchanges once the time is over.
    executor : concurrent.futures.Executor or callable, optional
        Its workers make the attempts of `repeats`, one each: a pool of threads or processes,
        ``dask.distributed.Client.get_executor()``, ``mpi4py.futures.MPIPoolExecutor``, ... The
        mapping is the one that a call without it returns; every attempt has one thread unless
        `threads` says more. A function that makes an executor is called before any work, and
        once more for every retry; what it makes is shut down at the end. A single mapping by a
        preset of large populations, such as "strong", is made by the caller, and its workers make
        the members of each population but one: on `device` if that names one, or else on the CPU.
    retries : int
        With `executor`: how often an attempt is made again whose worker has died, or a member of a
        population. A pool of processes is broken then, so `executor` must be a function; before
        Python 3.11.5 it may hang instead (python/cpython#94777).
    devices : sequence of int or str, optional
        Instead of `device`: GPUs of this host, such as ``[0, 1]`` or ``["cuda:0", "cuda:1"]``;
        "cpu" may be one. They take turns with the attempts of `repeats`; otherwise the first one
        maps, and the others make members of populations. The mapping is that of one device.
    strict : bool
        Raise instead of warn if the result is not balanced.
    progress : callable, optional
        Called with a line of text about every step, many times a second, from the calling thread;
        of steps made at the same time once all have ended. Where workers of `executor` or
        `devices` make the attempts of `repeats`, with one about every attempt, in their order.
        What it raises ends the call, of attempts once those that have begun have ended. The
        logger "procmap" gets the same lines at level INFO.

    Returns
    -------
    Mapping

    Raises
    ------
    GraphError, FileError
        If the graph is malformed.
    ConfigError
        If an option is out of range, or `capacities` sum up to less than the total load.
    DeviceError
        If a GPU is asked for that cannot be used.
    OverflowError
        If the cost could exceed 64 bits.
    WorkerError
        If a worker of `executor` died and there are no more retries; it names the job and holds
        the mappings of the others.
    InfeasibleError
        With ``strict=True``, if a PE carries more than allowed or is empty against `allow_empty`.
    KeyboardInterrupt
        After Ctrl-C.

    Warns
    -----
    InfeasibleWarning
        If a PE carries more than allowed or is empty against `allow_empty`.
    """
    given = locals()
    del given["graph"], given["topology"]
    return mapped(graph, topology, Options(**given))


def map_many(
    graphs: Iterable[TasksLike],
    topology: Topology,
    *,
    symmetrize: Symmetrize = "error",
    imbalance: float | Sequence[float] | None = None,
    capacities: ArrayLike | None = None,
    allow_empty: bool = False,
    preset: Preset = "default",
    config: Config | None = None,
    seed: int = 0,
    device: str = "auto",
    stream: object = None,
    threads: int | None = None,
    repeats: int | None = None,
    time_limit: float | None = None,
    executor: ExecutorLike | None = None,
    retries: int = 0,
    devices: Sequence[int | str] | None = None,
    strict: bool = False,
) -> list[Mapping]:
    """Map many graphs onto the same machine, each as `map` does, all in one call.

    On a CPU every thread maps a graph of its own from start to end, large ones first; only a graph
    that is more than a thread's share of all work gets all threads. That takes much less time than
    to map one after the other, and gives the same mappings. A GPU maps one after the other; small
    graphs (fewer than 131,072 arcs) that lie in the memory of the host and are not more than a
    thread's share are left to its threads: `Stats.device_reason` says so, and it takes less time.

    Parameters
    ----------
    graphs : iterable of graph_like
        As in `map`.
    topology : Topology
        The machine.
    symmetrize, imbalance, capacities, allow_empty, preset, config, seed, device, stream, repeats,
    time_limit, strict
        As in `map`, for every graph alike.
    threads : int, optional
        For all graphs together; all if None. With `executor` or `devices` for each of them; 1 if
        None.
    executor : concurrent.futures.Executor or callable, optional
        Its workers map the graphs, each a job of its own, and with `repeats` every attempt; see
        `map`. The graphs are read and checked by the caller.
    retries : int
        With `executor`: how often a graph is mapped again whose worker has died.
    devices : sequence of int or str, optional
        GPUs, such as ``[0, 1]`` or ``["cuda:0", "cuda:1"]``, that share the graphs; "cpu" may be
        one. Every one maps one graph after the other, large ones first, unless there is an
        `executor` whose workers do; all of these must see them.

    Returns
    -------
    list of Mapping
        In the order of `graphs`. `Stats.threads` says how many threads each of them had.

    Raises
    ------
    GraphError, FileError, ConfigError, DeviceError, OverflowError, InfeasibleError,
    KeyboardInterrupt
        As `map`, before any mapping is made; the message begins with the culprit, "graphs[3]: ...".
    WorkerError
        As `map`.

    Warns
    -----
    InfeasibleWarning
        As `map`, once for every such graph.
    """
    given = locals()
    del given["graphs"], given["topology"], given["devices"]
    given.update(vertex_weights=None, fixed=None, initial=None, vertex_sizes=None)
    given.update(migration_cost=0.0, progress=None, devices=None)
    where = checked_devices(devices, device)
    return all_mapped(graphs, topology, Options(**given), where)


def partition(
    graph: TasksLike,
    k: int,
    *,
    vertex_weights: LoadsLike | None = None,
    symmetrize: Symmetrize = "error",
    imbalance: float | Sequence[float] | None = None,
    capacities: ArrayLike | None = None,
    fixed: ArrayLike | None = None,
    initial: ArrayLike | Mapping | None = None,
    migration_cost: float = 0.0,
    vertex_sizes: ArrayLike | None = None,
    allow_empty: bool = False,
    preset: Preset = "default",
    config: Config | None = None,
    seed: int = 0,
    device: str = "auto",
    stream: object = None,
    threads: int | None = None,
    repeats: int | None = None,
    time_limit: float | None = None,
    executor: ExecutorLike | None = None,
    retries: int = 0,
    devices: Sequence[int | str] | None = None,
    strict: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Mapping:
    """Split `graph` into `k` blocks of about the same weight with a small edge cut.

    Parameters
    ----------
    graph : graph_like
        As in `map`.
    k : int
        Number of blocks, in [1, 2**22]. There may be more blocks than vertices.
    vertex_weights, symmetrize, imbalance, capacities, fixed, initial, migration_cost,
    vertex_sizes, allow_empty, preset, config, seed, device, stream, threads, repeats, time_limit,
    executor, retries, devices, strict, progress
        As in `map`.

    Returns
    -------
    Mapping
        Its `cost` is twice its `edge_cut`.

    Raises
    ------
    GraphError, FileError, ConfigError, DeviceError, OverflowError, InfeasibleError, WorkerError,
    KeyboardInterrupt
        As `map`.

    Warns
    -----
    InfeasibleWarning
        As `map`.
    """
    given = locals()
    del given["graph"], given["k"]
    flat = Topology.flat(as_integer(k, "k", 1, MAX_PES, ConfigError))
    return mapped(graph, flat, Options(**given))


def evaluate(
    graph: TasksLike,
    blocks: ArrayLike | Mapping,
    topology: Topology,
    *,
    vertex_weights: LoadsLike | None = None,
    symmetrize: Symmetrize = "error",
    imbalance: float | Sequence[float] | None = None,
    capacities: ArrayLike | None = None,
    device: str = "auto",
    stream: object = None,
    threads: int | None = None,
) -> Evaluation:
    """Say what a mapping costs, where, how it compares, and whether it is balanced.

    Parameters
    ----------
    graph : graph_like
        As in `map`.
    blocks : array_like of int, shape (n,), or Mapping
        PE of every task, in [0, k); also an array on a GPU.
    topology : Topology
        The machine; ``Topology.flat(k)`` for a partition.
    vertex_weights, symmetrize, imbalance, capacities, stream, threads
        As in `map`.
    device : str
        As in `map`; "auto" is where the graph lies, for to copy it takes longer than to read it.

    Returns
    -------
    Evaluation
        Print it for a table.

    Raises
    ------
    GraphError, FileError, ConfigError, DeviceError, OverflowError
        As `map`.
    ValueError
        If `blocks` has the wrong length or names a PE that is not there.
    """
    require_topology(topology)
    where, count = device_name(device), thread_count(threads)
    if isinstance(graph, OpenedGraph):
        asked = {"imbalance": imbalance, "capacities": capacities, "threads": threads}
        refused = {"vertex_weights": vertex_weights, "symmetrize": symmetrize, "stream": stream}
        return evaluate_opened(graph, blocks, topology, asked, refused)  # type: ignore[return-value]
    wanted = as_imbalance(imbalance, capacities)
    checked = as_tasks(graph, vertex_weights, symmetrize=symmetrize, stream=stream, threads=threads)
    values = as_blocks(blocks, checked.num_vertices, topology.num_pes)
    units = Units.of(checked, topology)
    limits = as_capacities(capacities, units.loads)
    allowed, of_weights = core_imbalance(allowed_imbalance(wanted, checked, topology.num_pes))
    core = _core.evaluate(
        checked._native,
        topology._native,
        values,
        imbalance=allowed,
        threads=count,
        device=where,
        capacities=limits,
        imbalances=of_weights,
    )
    report = Report._from_core(core, units)
    return explain(report, checked, topology, values, count)
