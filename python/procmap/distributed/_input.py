# SPDX-License-Identifier: MIT
"""The rows of every rank, checked like a graph of one machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from procmap import _core
from procmap._util.arrays import as_integers, exact_sum
from procmap._util.errors import ConfigError, GraphError
from procmap._util.limits import MAX_VERTICES, WEIGHT_LIMIT
from procmap._util.scaling import UNSCALED
from procmap._util.storage import Storage
from procmap.distributed._level import GlobalRows, GrowingRows, Level, pieces, starts_of
from procmap.distributed._scales import scaled
from procmap.graph._csr import check_offsets
from procmap.graph._device import to_numpy
from procmap.graph._opened import OpenedGraph
from procmap.graph._self_loops import self_loops_of_rows, without_self_loops
from procmap.mapping._sums import Totals, check_totals

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from procmap._util.ranks import Ranks
    from procmap._util.scaling import Scale
    from procmap.topology._topology import Topology

    RowsLike: TypeAlias = "Rows | tuple[ArrayLike, ...] | OpenedGraph"


class Rows(NamedTuple):
    """A rank's consecutive rows of a graph; the first row of rank r follows the last of rank r - 1.

    Arrays lie in host memory or on a GPU.

    Attributes
    ----------
    offsets : array_like of int, shape (rows + 1,)
        Row u of this rank holds the arcs ``offsets[u]`` to ``offsets[u + 1] - 1``; from 0 on. A
        rank without rows has ``[0]``.
    heads : array_like of int
        Head of every arc: a vertex of the whole graph, counted from 0 over all ranks.
    arc_weights : array_like of int or float, optional
        Traffic of every arc, equal in both directions; 1 if None.
    vertex_weights : array_like of int or float, shape (rows,), optional
        Load of every row; 1 if None.
    """

    offsets: ArrayLike
    heads: ArrayLike
    arc_weights: ArrayLike | None = None
    vertex_weights: ArrayLike | None = None


@dataclass(frozen=True)
class Given:
    """A graph that all ranks have checked.

    Attributes
    ----------
    level : Level
        Its rows.
    traffic, load : Scale
        What its weights are counted in.
    total_load, total_traffic : int
        Sums over all ranks; traffic in both directions.
    unit_loads : bool
        Whether every load is 1.
    """

    level: Level
    traffic: Scale
    load: Scale
    total_load: int
    total_traffic: int
    unit_loads: bool


def checked(ranks: Ranks, rows: RowsLike, fixed: ArrayLike | None, topology: Topology) -> Given:
    """Return the graph of all ranks.

    Raises
    ------
    GraphError
        At all ranks; the message begins "rank R: ".
    """
    if isinstance(rows, OpenedGraph):
        return _of_opened(ranks, rows, fixed, topology)
    given = _in_host_memory(_as_rows(rows))
    offsets = as_integers(given.offsets, np.int64, "offsets", GraphError)
    heads = _as_heads(given.heads)
    check_offsets(offsets, len(heads))
    _check_one_weight(given.vertex_weights)
    n = len(offsets) - 1
    starts = starts_of(ranks, n)
    counted = _without_self_loops(given.arc_weights, offsets, heads, int(starts[ranks.rank]))
    weights, traffic = scaled(ranks, counted, "arc_weights")
    loads, load = scaled(ranks, given.vertex_weights, "vertex_weights")
    weights = _filled(weights, len(heads), traffic, "arc_weights", "arcs (heads)")
    units = loads is None and load.digits == 0
    loads = (
        np.broadcast_to(np.int64(1), n)
        if units
        else _filled(loads, n, load, "vertex_weights", "vertices")
    )
    if n and loads.min() < 0:
        i = int(np.argmin(loads))
        raise GraphError(f"vertex_weights[{i}] = {loads[i]} is negative")
    if n > MAX_VERTICES:
        raise GraphError(f"{n} rows at one rank; at most 2**31 - 1 are possible")
    tidy = _tidy(ranks, starts, GlobalRows(offsets, heads, weights))
    total = sum(ranks.ints(_sum(loads, "vertex weights")).tolist())
    in_all = _sum(tidy.arc_weights, "arc weights") if len(tidy.arc_weights) else len(tidy.heads)
    arcs = sum(ranks.ints(in_all).tolist())
    unit_loads = not ranks.largest(int(not units and bool((loads != 1).any())))
    _check_totals(total, load, arcs, traffic, topology)
    held = _as_fixed(ranks, fixed, n, topology.num_pes)
    level = Level(ranks, starts, tidy, None if unit_loads else loads, held, Storage())
    return Given(level, traffic, load, total, arcs, unit_loads)


def _of_opened(
    ranks: Ranks, graph: OpenedGraph, fixed: ArrayLike | None, topology: Topology
) -> Given:
    """Return a graph that was checked when it was opened."""
    if ranks.size > 1:
        raise GraphError("an opened graph is for one process; ranks `read` their own rows")
    rows = GlobalRows(graph.offsets, graph.heads, graph.arc_weights)
    n, loads = graph.num_vertices, graph.vertex_weights
    total = n if loads is None else _sum(loads, "vertex weights")
    arcs = _sum(rows.arc_weights, "arc weights") if len(rows.arc_weights) else len(rows.heads)
    _check_totals(total, UNSCALED, arcs, UNSCALED, topology)
    held = _as_fixed(ranks, fixed, n, topology.num_pes)
    level = Level(ranks, starts_of(ranks, n), rows, loads, held, graph.storage)
    return Given(level, UNSCALED, UNSCALED, total, arcs, loads is None)


def _as_rows(rows: Any) -> Rows:
    if hasattr(rows, "indptr") and hasattr(rows, "indices"):  # a SciPy matrix of so many rows
        return Rows(rows.indptr, rows.indices, getattr(rows, "data", None))
    if not isinstance(rows, (tuple, list)) or not 2 <= len(rows) <= 4:
        raise TypeError(
            "local_graph must be Rows(offsets, heads, arc_weights, vertex_weights), got "
            f"{type(rows).__name__}"
        )
    return Rows(*rows)


def _in_host_memory(rows: Rows) -> Rows:
    return Rows(*(to_numpy(values, name) for name, values in rows._asdict().items()))


def _without_self_loops(
    weights: ArrayLike | None, offsets: NDArray[np.int64], heads: NDArray[Any], first: int
) -> ArrayLike | None:
    if weights is None:
        return None
    return without_self_loops(
        weights, "arc_weights", lambda: self_loops_of_rows(offsets, heads, first)
    )


def _check_one_weight(weights: Any) -> None:
    shape = () if isinstance(weights, dict) else np.shape(weights)
    if isinstance(weights, dict) or len(shape) > 1:
        what = f"a dict of {len(weights)}" if isinstance(weights, dict) else f"shape {shape}"
        raise GraphError(
            "vertex_weights must be one weight per vertex where ranks hold the graph together, "
            f"got {what}; several per vertex are for procmap.map, on one machine"
        )


def _filled(
    weights: NDArray[np.int64] | None, count: int, scale: Scale, name: str, of: str
) -> NDArray[np.int64]:
    if weights is None:
        one = 1 if scale.digits == 0 else scale.base**scale.digits
        if one == 1 and name == "arc_weights":
            return np.zeros(0, np.int64)
        return np.full(count, int(one), np.int64)
    if len(weights) != count:
        raise GraphError(f"{name} has {len(weights)} entries, but there are {count} {of}")
    return weights


def _as_heads(values: ArrayLike) -> NDArray[Any]:
    """Return integers of 32 or 64 bits, not copied if they are: there may be no room for that."""
    array = np.asarray(values)
    if array.ndim == 1 and array.dtype in (np.int32, np.int64):
        return np.ascontiguousarray(array)
    return as_integers(values, np.int64, "heads", GraphError)


def _tidy(ranks: Ranks, starts: NDArray[np.int64], rows: GlobalRows) -> GlobalRows:
    """Return sorted rows without loops and parallel arcs; refuse arcs without a reverse arc."""
    first, n = int(starts[ranks.rank]), int(starts[-1])
    made = GrowingRows(Storage(), np.int32 if n < 2**31 else np.int64)
    balance = np.zeros(2, np.uint64)
    for begin, end in pieces(rows.offsets):
        tidy = _core.tidy_rows(
            first + begin, n, rows.offsets[begin : end + 1], rows.heads, rows.arc_weights
        )
        balance += _core.arc_balance(first + begin, n, *tidy)
        made.append(*tidy)
    checked = made.finish()
    if ranks.sum(balance.view(np.int64)).any():
        _refuse(ranks, starts, checked)
    return checked


def _refuse(ranks: Ranks, starts: NDArray[np.int64], rows: GlobalRows) -> None:
    """Raise GraphError with the arc that has no reverse arc."""
    where = int(starts[ranks.rank]), int(starts[-1])
    tidy = rows._replace(arc_weights=rows.arc_weights.astype(np.int64))
    tails, heads, weights = _core.reverse_arcs(*where, *tidy)
    order = np.argsort(tails, kind="stable")
    counts = np.diff(np.searchsorted(tails[order], starts))
    _, expected = ranks.exchange(counts, tails[order], heads[order], weights[order])
    _core.check_reverse(*where, *tidy, *expected)
    ranks.objects(None)  # the rank that knows the culprit raises here, on all
    raise GraphError("the arrays changed while they were checked")


def _sum(values: NDArray[np.int64], name: str) -> int:
    total = exact_sum(values)
    if total >= WEIGHT_LIMIT:
        raise OverflowError(f"the {name} of a rank add up to 2^62 or more")
    return total


def _check_totals(
    load: int, load_scale: Scale, traffic: int, traffic_scale: Scale, topology: Topology
) -> None:
    if load >= WEIGHT_LIMIT:
        raise GraphError(f"the vertex weights add up to {load}, which is 2^62 or more")
    farthest, distance = topology._native.max_distance, topology.distance_scale
    loads = (("load", load_scale, load),)
    check_totals(Totals(traffic, traffic_scale, farthest, distance, loads))


def _as_fixed(ranks: Ranks, fixed: ArrayLike | None, n: int, k: int) -> NDArray[np.int32] | None:
    if not ranks.largest(int(fixed is not None)):
        return None
    if fixed is None:
        return np.full(n, -1, np.int32)
    array = as_integers(to_numpy(fixed, "fixed"), np.int32, "fixed", ConfigError)
    if len(array) != n:
        raise ConfigError(f"fixed has {len(array)} entries, but this rank has {n} rows")
    bad = (array < -1) | (array >= k)
    if bad.any():
        i = int(np.argmax(bad))
        raise ConfigError(f"fixed[{i}] = {array[i]} is not in [-1, {k})")
    return array
