# SPDX-License-Identifier: MIT
"""`reorder_ranks`: one task per PE."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap._util.arrays import as_integer
from procmap._util.errors import ConfigError
from procmap.mapping._api import map as map_graph
from procmap.mapping._infeasible import InfeasibleError
from procmap.topology._topology import Topology
from procmap.traffic._inputs import as_traffic

if TYPE_CHECKING:
    from collections.abc import Callable

    from procmap.config._config import Config
    from procmap.mapping._result import Mapping
    from procmap.traffic._inputs import TrafficLike


def reorder_ranks(
    traffic: TrafficLike,
    topology: Topology,
    *,
    slots_per_pe: int = 1,
    preset: str = "default",
    config: Config | None = None,
    seed: int = 0,
    device: str = "auto",
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Mapping:
    """Give every rank a PE of its own such that traffic times distance is small.

    The same input, options and seed give the same mapping on any number of threads.

    Parameters
    ----------
    traffic : array_like, SciPy sparse matrix or array, Traffic, or path-like, shape (n, n)
        Entry [i, j] is what rank i sends to rank j, an integer or float >= 0 in any unit. It may
        be directed: what counts is C + C^T. The diagonal does not count. Files are those of
        `read_traffic`.
    topology : Topology
        The machine, with at least ``n / slots_per_pe`` PEs.
    slots_per_pe : int
        Ranks that a PE may take, at least 1.
    preset, config, seed, device, threads, progress
        As in `map`.

    Returns
    -------
    Mapping
        ``mapping.blocks[i]`` is the PE of rank i, and with one slot per PE also
        ``mapping.permutation[i]``. Its `cost` is twice the sum of traffic times distance over
        all messages. `Mapping.write` makes a file for the launcher of your MPI.

    Raises
    ------
    GraphError, FileError
        If `traffic` is malformed; the message names the entry.
    ConfigError
        If an option is out of range, or the machine has too few slots.
    OverflowError
        If the cost could exceed 64 bits.
    InfeasibleError
        If no mapping with so few ranks on every PE was found.
    KeyboardInterrupt
        After Ctrl-C.

    Examples
    --------
    >>> traffic = [[0, 1, 9, 0], [0, 0, 0, 9], [0, 0, 0, 1], [0, 0, 0, 0]]
    >>> machine = Topology.hierarchy("2:2", "1:10")
    >>> reorder_ranks(traffic, machine).cost  # 0 and 2 share a processor, and so do 1 and 3
    76
    """
    if not isinstance(topology, Topology):
        raise TypeError(f"topology must be a Topology, got {type(topology).__name__}")
    slots = as_integer(slots_per_pe, "slots_per_pe", 1, np.iinfo(np.int32).max, ConfigError)
    graph = as_traffic(traffic).to_graph()
    n, k = graph.num_vertices, topology.num_pes
    if n > slots * k:
        raise ConfigError(
            f"there are {n} ranks, but {k} PEs with slots_per_pe={slots} take only {slots * k}"
        )
    try:
        mapping = map_graph(
            graph,
            topology,
            imbalance=_imbalance(n, k, slots),
            preset=preset,
            config=config,
            seed=seed,
            device=device,
            threads=threads,
            strict=True,
            progress=progress,
        )
    except InfeasibleError as exc:
        mapping = exc.mapping  # an error in the words of ranks, see below
    _check_slots(mapping, slots)
    return mapping


def _imbalance(n: int, k: int, slots: int) -> float:
    """Return an imbalance whose capacity ceil((1 + imbalance) n / k) is exactly `slots`.

    The argument of the ceiling lies half a rank below `slots` and so bears rounding; where even
    perfect balance is closer than that, 0 gives the same.
    """
    return max(0.0, (slots - 0.5) * k / n - 1) if n else 0.0


def _check_slots(mapping: Mapping, slots: int) -> None:
    ranks = np.bincount(mapping._host_blocks, minlength=mapping.num_blocks)
    if ranks.max() > slots:
        raise InfeasibleError(
            f"found no mapping with at most {slots} ranks per PE: PE {int(np.argmax(ranks))} has "
            f"{ranks.max()}; try another seed or preset",
            mapping,
        )
