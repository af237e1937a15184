# SPDX-License-Identifier: MIT
"""`reorder_ranks`: one task per PE."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap._util.arrays import as_integer, as_integers
from procmap._util.errors import ConfigError
from procmap.mapping._api import map as map_graph
from procmap.mapping._infeasible import InfeasibleError
from procmap.topology._check import require_topology
from procmap.topology._topology import Topology
from procmap.traffic._inputs import as_traffic

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from procmap.config._config import Config
    from procmap.config._fields import Preset
    from procmap.mapping._result import Mapping
    from procmap.traffic._inputs import TrafficLike


def reorder_ranks(
    traffic: TrafficLike,
    topology: Topology,
    *,
    slots_per_pe: int = 1,
    allow_empty: bool = False,
    fixed: ArrayLike | None = None,
    initial: ArrayLike | Mapping | None = None,
    preset: Preset = "default",
    config: Config | None = None,
    seed: int = 0,
    device: str = "auto",
    threads: int | None = None,
    repeats: int | None = None,
    time_limit: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> Mapping:
    """Give every rank a PE of its own such that traffic times distance is small.

    The same input, options and seed give the same mapping on any number of threads.

    Parameters
    ----------
    traffic : array_like, SciPy sparse matrix or array, Traffic, or path-like, shape (n, n)
        Entry [i, j] is what rank i sends to rank j, an integer or float >= 0 in any unit. It may
        be directed, and a triangle will do. The diagonal does not count. Files are those of
        `read_traffic`.
    topology : Topology
        The machine, with at least ``n / slots_per_pe`` PEs.
    slots_per_pe : int
        Ranks that a PE may take, at least 1.
    allow_empty : bool
        Whether PEs may stay empty although there is a rank for each. With several slots that puts
        ranks that talk much onto few PEs, where they are at distance 0, and leaves others idle.
    fixed : array_like of int, shape (n,), optional
        PE of every rank that must be there, -1 for the others.
    initial : array_like of int, shape (n,), or Mapping, optional
        An order to improve instead of making a new one.
    preset, config, seed, device, threads, repeats, time_limit, progress
        As in `map`.

    Returns
    -------
    Mapping
        ``mapping.blocks[i]`` is the PE of rank i, and with one slot per PE also
        ``mapping.permutation[i]``. Its `cost` is the sum over all i and j of C[i, j] times the
        distance of their PEs, as `evaluate` counts too. `Mapping.write` makes a file for the
        launcher of your MPI.

    Raises
    ------
    GraphError, FileError
        If `traffic` is malformed; the message names the entry.
    ConfigError
        If an option is out of range, the machine has too few slots, or `fixed` puts more ranks
        on a PE than it may take.
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
    38
    """
    require_topology(topology)
    slots = as_integer(slots_per_pe, "slots_per_pe", 1, np.iinfo(np.int32).max, ConfigError)
    graph = as_traffic(traffic).to_graph()
    n, k = graph.num_vertices, topology.num_pes
    if n > slots * k:
        raise ConfigError(
            f"there are {n} ranks, but {k} PEs with slots_per_pe={slots} take only {slots * k}"
        )
    _check_fixed(fixed, slots)
    try:
        mapping = map_graph(
            graph,
            topology,
            imbalance=_imbalance(n, k, slots),
            fixed=fixed,
            initial=initial,
            allow_empty=allow_empty,
            preset=preset,
            config=config,
            seed=seed,
            device=device,
            threads=threads,
            repeats=repeats,
            time_limit=time_limit,
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


def _check_fixed(fixed: ArrayLike | None, slots: int) -> None:
    """Refuse fixed ranks that cannot all be where they must; the core checks the rest."""
    if fixed is None:
        return
    pes = as_integers(fixed, np.int32, "fixed", ConfigError)
    used, ranks = np.unique(pes[pes >= 0], return_counts=True)
    if (ranks > slots).any():
        i = int(np.argmax(ranks > slots))
        raise ConfigError(
            f"fixed puts {ranks[i]} ranks on PE {used[i]}, which takes slots_per_pe={slots}"
        )


def _check_slots(mapping: Mapping, slots: int) -> None:
    ranks = np.bincount(mapping._host_blocks, minlength=mapping.num_blocks)
    if ranks.max() > slots:
        raise InfeasibleError(
            f"found no mapping with at most {slots} ranks per PE: PE {int(np.argmax(ranks))} has "
            f"{ranks.max()}; try another seed or preset",
            mapping,
        )
