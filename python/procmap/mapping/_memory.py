# SPDX-License-Identifier: MIT
"""`estimate_memory`: what a mapping takes on a GPU, each of many ranks, or of an opened graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from procmap import _core
from procmap._util.arrays import as_flag, as_integer
from procmap._util.errors import ConfigError
from procmap._util.limits import GATHER_ARCS, MAX_ARCS, MAX_PES, MAX_VERTICES, PIECE
from procmap.graph._loads import MOST_WEIGHTS
from procmap.mapping._options import chosen_config

if TYPE_CHECKING:
    from procmap.config._config import Config
    from procmap.config._fields import Preset

# Bytes at the peak of a rank, beside the rows given (measured, docs/design/distributed.md).
_PER_ROW, _PER_ARC, _PER_WEIGHT, _PER_GATHERED_ARC = 120, 12, 16, 96
_PER_OPENED_ROW, _PER_PIECE_ARC, _PER_PIECE_WEIGHT = 80, 16, 10  # of the piece looked at


def estimate_memory(
    num_vertices: int,
    num_edges: int,
    k: int,
    *,
    edge_weights: bool = False,
    vertex_weights: bool | int = False,
    on_device: bool = False,
    ranks: int | None = None,
    opened: bool = False,
    gather_arcs: int = GATHER_ARCS,
    preset: Preset = "default",
    config: Config | None = None,
) -> int:
    """Estimate the memory of a mapping at its peak: on a GPU, on every rank of MPI, or out of core.

    Graphs whose arcs hardly merge when vertices do, such as random ones of high degree, may take
    twice as much: every level keeps nearly all of them. On a GPU where 512 bytes per edge and
    member of a population are free, all members are made at once: ``strong``, which has up to five
    of them, then takes up to five times as much.

    Parameters
    ----------
    num_vertices, num_edges : int
        Size of the graph; every edge counts once.
    k : int
        Number of PEs or blocks, in [1, 2**22].
    edge_weights : bool
        Whether edges carry weights.
    vertex_weights : bool or int
        Whether vertices do, or how many each of them carries, at most 8.
    on_device : bool
        Whether the arrays of the graph lie on the GPU anyway and are not counted.
    ranks : int, optional
        Estimate instead what each of so many ranks takes in `procmap.distributed.map`, beside the
        rows that it is given, if they are dealt out evenly.
    opened : bool
        Estimate instead what a graph takes that `Graph.open` opened, beside the pages of files,
        which the system drops when it needs their memory.
    gather_arcs : int
        With `ranks` or `opened`: as there; `Graph.open` has a default of its own, 2**24.
    preset, config
        As in `map`.

    Returns
    -------
    int
        Bytes. What a call had is ``mapping.stats.device_memory``.

    Raises
    ------
    ConfigError
        If a number is out of range, or there are `ranks` and the graph is `opened`.
    """
    as_flag(opened, "opened")
    if ranks is not None and opened:
        raise ConfigError("ranks and opened exclude each other")
    most = MAX_VERTICES if ranks is None else MAX_ARCS
    n = as_integer(num_vertices, "num_vertices", 0, most, ConfigError)
    arcs = 2 * as_integer(num_edges, "num_edges", 0, MAX_ARCS // 2, ConfigError)
    blocks = as_integer(k, "k", 1, MAX_PES, ConfigError)
    has_weights = as_flag(edge_weights, "edge_weights")
    weights = (
        int(vertex_weights)
        if isinstance(vertex_weights, bool)
        else as_integer(vertex_weights, "vertex_weights", 0, MOST_WEIGHTS, ConfigError)
    )
    gathered = as_integer(gather_arcs, "gather_arcs", 0, MAX_ARCS, ConfigError)
    if opened:
        rows = (_PER_OPENED_ROW + (8 if vertex_weights else 0)) * n
        piece = (_PER_PIECE_ARC + (_PER_PIECE_WEIGHT if has_weights else 0)) * min(arcs, PIECE)
        return rows + piece + _of_gathered(n, arcs, gathered) + 64 * blocks
    if ranks is not None:
        count = as_integer(ranks, "ranks", 1, 2**31 - 1, ConfigError)
        per_arc = _PER_ARC + (_PER_WEIGHT if has_weights else 0)
        own = (_PER_ROW * n + per_arc * arcs) // count
        return own + _of_gathered(n, arcs, gathered) + 64 * blocks
    return _core.estimate_device_memory(
        n,
        arcs,
        blocks,
        has_weights,
        weights,
        as_flag(on_device, "on_device"),
        chosen_config(preset, config)._native,
    )


def _of_gathered(n: int, arcs: int, gather_arcs: int) -> int:
    """Return bytes of one gathered graph: it has at most as many vertices per arc as the whole."""
    gathered = min(arcs, gather_arcs)
    return _PER_GATHERED_ARC * gathered + _PER_ROW * (n * gathered // max(arcs, 1))
