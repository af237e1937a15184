# SPDX-License-Identifier: MIT
"""`Graph.open`: graphs whose arcs stay in a file, for those that do not fit into memory."""

from __future__ import annotations

import os
import tempfile
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from procmap import _core
from procmap._util.arrays import as_integer, exact_sum
from procmap._util.errors import ConfigError, FileError, GraphError
from procmap._util.limits import MAX_ARCS, MAX_VERTICES, WEIGHT_LIMIT
from procmap._util.npy import ZIP_MAGIC, Archive, mapped_members
from procmap._util.source import Source, files_named, path_text
from procmap._util.storage import GrowingWeights, Storage
from procmap.graph._portions import Part, Portion, portions
from procmap.graph.io import parhip
from procmap.graph.io.shard import rows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


class OpenedGraph:
    """An undirected task graph whose arcs lie in a file, see `Graph.open`.

    `procmap.map`, `partition` and `evaluate` take it. It is checked completely.

    Attributes
    ----------
    num_vertices, num_edges : int
        Its size; every edge counts once.
    offsets : numpy.ndarray of int64, shape (n + 1,)
        Row u holds the arcs ``offsets[u]`` to ``offsets[u + 1] - 1``; mapped from a file.
    heads : numpy.ndarray of int32, shape (2m,)
        Head of every arc; mapped from a file.
    arc_weights : numpy.ndarray of uint32 or int64, shape (2m,) or (0,)
        Traffic of every arc, mapped from a file; nothing if all are 1.
    vertex_weights : numpy.ndarray of int64, shape (n,), or None
        Load of every vertex, in memory; None if all are 1.
    gather_arcs : int
        A graph of at most so many arcs is mapped in memory.
    storage : Storage
        Where coarser graphs lie.
    """

    def __init__(
        self,
        rows: _Checked,
        vertex_weights: NDArray[np.int64] | None,
        gather_arcs: int,
        storage: Storage,
    ) -> None:
        self.offsets, self.heads, self.arc_weights = rows
        self.vertex_weights = vertex_weights
        self.gather_arcs, self.storage = gather_arcs, storage

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return len(self.offsets) - 1

    @property
    def num_edges(self) -> int:
        """Number of edges; every one counts once."""
        return len(self.heads) // 2

    def __repr__(self) -> str:
        return f"OpenedGraph({self.num_vertices} vertices, {self.num_edges} edges)"


class _Checked(NamedTuple):
    """Rows without loops and parallel arcs, heads in order."""

    offsets: NDArray[np.int64]
    heads: NDArray[np.int32]
    arc_weights: NDArray[Any]


def open_graph(
    path: str | os.PathLike[str], gather_arcs: int, scratch: str | os.PathLike[str] | None
) -> OpenedGraph:
    """Return the graph of a file, checked; see `Graph.open`."""
    arcs = as_integer(gather_arcs, "gather_arcs", 0, MAX_ARCS, ConfigError)
    given = tempfile.gettempdir() if scratch is None else scratch
    folder = path_text(given, "scratch", "folder")
    if not Path(folder).is_dir():
        raise FileError(f"{folder}: there is no such folder")
    storage = Storage(folder)
    names = files_named(path_text(path))
    parts = [_part(name) for name in names]
    n = sum(len(part.offsets) - 1 for part in parts)
    if n > MAX_VERTICES:
        raise FileError(f"{path}: n = {n}, but at most 2**31 - 1 vertices are possible")
    return OpenedGraph(_checked(parts, n, storage, _direct(parts)), _loads(parts), arcs, storage)


def _part(name: str) -> Part:
    try:
        with Path(name).open("rb") as file:
            header = file.read(parhip.HEADER)
            size = os.fstat(file.fileno()).st_size
    except OSError as exc:
        raise FileError(f"{name}: {exc.strerror}") from None
    part = _shard(name) if header.startswith(ZIP_MAGIC) else _of_parhip(name, header, size)
    for what, values in (("heads", part.heads), ("weights", part.weights), ("loads", part.loads)):
        if values is not None and (values.ndim != 1 or values.dtype.kind not in "iu"):
            raise FileError(f"{name}: {what} must be integers, got {values.dtype}")
    for what, values, count in (
        ("arcs", part.weights, len(part.heads)),
        ("vertices", part.loads, len(part.offsets) - 1),
    ):
        if values is not None and len(values) != count:
            raise FileError(f"{name}: {len(values)} weights of {count} {what}")
    return part


def _of_parhip(name: str, header: bytes, size: int) -> Part:
    layout = parhip.Layout.of_header(name, header)
    layout.check_size(name, size)
    sections, places = layout.sections(), layout.places()
    data = np.memmap(name, np.uint8, "r")

    def section(of: str, kind: str) -> NDArray[Any]:
        count, width = sections[of]
        begin = places[of][0]
        return np.frombuffer(data, f"<{kind}{width}", count, begin)

    return Part(
        name,
        section("offsets", "u"),
        section("heads", "i"),
        section("arc_weights", "i") if layout.has_arc_weights else None,
        section("vertex_weights", "i") if layout.has_vertex_weights else None,
        *places["heads"],
    )


def _shard(name: str) -> Part:
    arrays = mapped_members(name) or Archive(Source.of(name))
    return Part(name, *rows_of(name, arrays))


def _loads(parts: list[Part]) -> NDArray[np.int64] | None:
    if all(part.loads is None for part in parts):
        return None
    loads = np.ones(sum(len(part.offsets) - 1 for part in parts), np.int64)
    begin = 0
    for part in parts:
        end = begin + len(part.offsets) - 1
        if part.loads is not None:
            loads[begin:end] = part.loads
        begin = end
    if len(loads) and loads.min() < 0:
        v = int(np.argmin(loads))
        raise GraphError(f"vertex_weights[{v}] = {loads[v]} is negative")
    total = begin = 0
    for part in parts:
        end = begin + len(part.offsets) - 1
        total = _with_loads(total, part, loads[begin:end])
        begin = end
    return loads


def _with_loads(total: int, part: Part, loads: NDArray[np.int64]) -> int:
    """Return the sum of loads with those of a part."""
    more = total + exact_sum(loads)
    if more >= WEIGHT_LIMIT:
        v = _first_beyond(total, loads)
        raise GraphError(
            f"{part.name}: with vertex_weights[{v}] = {loads[v]} they add up to 2^62 or more"
        )
    return more


def _with_traffic(total: int, portion: Portion) -> int:
    """Return the sum of traffic with that of some rows."""
    offsets, heads, weights = portion.rows
    more = total + exact_sum(weights)
    if more >= WEIGHT_LIMIT:
        i = _first_beyond(total, weights)
        tail = portion.vertex + int(np.searchsorted(offsets, i, "right")) - 1
        raise GraphError(
            f"{portion.part.name}: with arc {tail}->{heads[i]}: arc_weights[{portion.arc + i}] = "
            f"{weights[i]} they add up to 2^62 or more"
        )
    return more


def _first_beyond(total: int, values: NDArray[Any]) -> int:
    """Return which of these values makes a sum 2^62 or more, as all of them do."""
    sums = accumulate(values.tolist(), initial=total)
    return next(i for i, so_far in enumerate(sums, start=-1) if so_far >= WEIGHT_LIMIT)


def _checked(
    parts: list[Part],
    n: int,
    storage: Storage,
    as_it_is: tuple[NDArray[np.int32], NDArray[Any]] | None,
) -> _Checked:
    """Return rows in order: heads and weights `as_it_is` if these are, else in files anew."""
    heads, weights = storage.growing(np.int32), GrowingWeights(storage)
    offsets = storage.growing(np.int64)
    offsets.append(np.zeros(1, np.int64))
    balance = np.zeros(2, np.uint64)
    arcs = traffic = 0
    for portion in portions(parts):
        first, given = portion.vertex, portion.rows
        traffic = _with_traffic(traffic, portion)
        tidy = _core.tidy_rows(first, n, *given)
        if as_it_is and not np.array_equal(given[1], tidy[1]):
            return _checked(parts, n, storage, None)
        balance += _core.arc_balance(first, n, *tidy)
        offsets.append(tidy[0][1:] + arcs)
        arcs += len(tidy[1])
        if not as_it_is:
            heads.append(tidy[1])
            weights.append(tidy[2], len(tidy[1]))
    found = offsets.finish()
    if as_it_is:
        rows = _Checked(found, *as_it_is)
    else:
        rows = _Checked(found, heads.finish(), weights.finish())
    if balance.any():
        _refuse(rows)
    return rows


def _direct(parts: list[Part]) -> tuple[NDArray[np.int32], NDArray[Any]] | None:
    """Return heads and weights of a file if they can be used where they lie."""
    if len(parts) != 1:
        return None
    heads, weights = parts[0].heads, parts[0].weights
    if heads.dtype.itemsize != 4 or not _is_plain(heads):
        return None
    if weights is None:
        return heads.view(np.int32), np.zeros(0, np.int64)
    if weights.dtype.itemsize not in (4, 8) or not _is_plain(weights):
        return None
    return heads.view(np.int32), weights.view(np.uint32 if weights.itemsize == 4 else np.int64)


def _is_plain(array: NDArray[Any]) -> bool:
    """Whether its numbers lie as this machine has them."""
    return bool(array.flags.aligned and array.dtype.isnative)


def _refuse(rows: _Checked) -> None:
    """Raise GraphError with the arc that has no reverse arc."""
    nothing = np.zeros(0, np.int64)
    n = len(rows.offsets) - 1
    weights = rows.arc_weights.astype(np.int64)
    _core.check_reverse(0, n, rows.offsets, rows.heads, weights, nothing, nothing, nothing)
    raise GraphError("the file changed while it was checked")
