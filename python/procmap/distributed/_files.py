# SPDX-License-Identifier: MIT
"""Files of which every rank reads and writes its own part."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap import _core
from procmap._util.errors import FileError
from procmap._util.npy import ZIP_MAGIC, Archive
from procmap._util.ranks import Ranks
from procmap._util.source import Source, files_named, path_text
from procmap._util.text import check_writable, is_of_a_descriptor, writable
from procmap.distributed._input import Rows
from procmap.graph._portions import RowStarts
from procmap.graph.io import parhip
from procmap.graph.io.shard import rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


def read(comm: Any, path: str | os.PathLike[str]) -> Rows:
    """Read this rank's rows of a graph; all ranks call, and see the same files.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm
        The communicator.
    path : path-like
        A ParHIP binary file, of which every rank reads rows with about as many arcs; or an npz
        file, or a pattern such as ``"mesh-*.npz"``, files of consecutive rows in the order of their
        names, which are dealt out to the ranks. Each holds the arrays ``offsets``, ``heads`` and,
        if there are weights, ``arc_weights`` and ``vertex_weights``, see `Rows`; or a SciPy CSR
        matrix of so many rows and all columns (``scipy.sparse.save_npz``).

    Returns
    -------
    Rows

    Raises
    ------
    FileError
        At all ranks, if a file cannot be read or is malformed.
    """
    with Ranks(comm) as ranks:
        text = path_text(path)
        names = ranks.share(_shards(text) if ranks.rank == 0 else None, 0)
        return _of_shards(ranks, names) if names else _of_parhip(ranks, text)


def _shards(text: str) -> list[str]:
    """Return the npz files of this name or pattern; none if it is another file."""
    names = files_named(text)
    is_npz = names != [text] or Source.of(text).start(len(ZIP_MAGIC)) == ZIP_MAGIC
    return names if is_npz else []


def _of_shards(ranks: Ranks, names: list[str]) -> Rows:
    first, last = (len(names) * rank // ranks.size for rank in (ranks.rank, ranks.rank + 1))
    parts = [_shard(name) for name in names[first:last]]
    has = [ranks.largest(int(any(len(part[i]) > 0 for part in parts))) for i in (2, 3)]
    offsets, heads = [np.zeros(1, np.int64)], []
    weights: list[NDArray[Any]] = []
    loads: list[NDArray[Any]] = []
    arcs = 0
    for own, to, arc_weights, vertex_weights in parts:
        offsets.append(arcs + own[1:])
        arcs += len(to)
        heads.append(to)
        weights.append(arc_weights if len(arc_weights) else np.ones(len(to), np.int64))
        loads.append(vertex_weights if len(vertex_weights) else np.ones(len(own) - 1, np.int64))
    return Rows(
        np.concatenate(offsets),
        _joined(heads),
        _joined(weights) if has[0] else None,
        _joined(loads) if has[1] else None,
    )


def _joined(arrays: list[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(arrays) if arrays else np.zeros(0, np.int64)


def _shard(name: str) -> tuple[NDArray[Any], ...]:
    arrays = Archive(Source.of(name))
    offsets, heads, *weights = rows_of(name, arrays)
    of = "indptr" if "indptr" in arrays else "offsets"
    if offsets[0] != 0:
        raise FileError(f"{name}: {of} begins at {offsets[0]}, expected 0")
    if heads.shape[:1] != (int(offsets[-1]),):
        raise FileError(f"{name}: {of} ends at {offsets[-1]}, but there are {heads.size} arcs")
    _check_weights(name, weights, (len(heads), len(offsets) - 1))
    nothing = np.zeros(0, np.int64)
    return offsets.astype(np.int64), heads, *(nothing if w is None else w for w in weights)


def _check_weights(name: str, weights: list[NDArray[Any] | None], counts: tuple[int, int]) -> None:
    """Refuse weights of arcs or vertices that are not one each: others would get those left."""
    for values, count, what in zip(weights, counts, ("arcs", "vertices"), strict=True):
        if values is not None and values.shape[:1] != (count,):
            raise FileError(f"{name}: {values.size} weights of {count} {what}")


def _of_parhip(ranks: Ranks, path: str) -> Rows:
    try:
        with Path(path).open("rb") as file:
            header = file.read(parhip.HEADER)
            size = os.fstat(file.fileno()).st_size
    except OSError as exc:
        raise FileError(f"{path}: {exc.strerror}") from None
    layout = parhip.Layout.of_header(path, header)
    layout.check_size(path, size)
    places = layout.places()
    n, arcs = layout.num_vertices, layout.num_arcs

    def part(name: str, first: int, count: int) -> NDArray[Any]:
        begin, width = places[name]
        kind = "u" if name in ("offsets", "heads") else "i"
        return np.fromfile(path, f"<{kind}{width}", count, offset=begin + first * width)

    first, last = (
        _row_at(part, places, arcs * rank // ranks.size, n, rank == ranks.size)
        for rank in (ranks.rank, ranks.rank + 1)
    )
    if ranks.rank == 0:
        first = 0
    positions = part("offsets", first, last - first + 1).astype(np.int64)
    starts = RowStarts(path, n, arcs, *places["heads"])
    offsets = starts.offsets(first, positions, None if first else 0)
    begin, count = int(offsets[0]), int(offsets[-1] - offsets[0])
    weights = part("arc_weights", begin, count) if layout.has_arc_weights else None
    loads = part("vertex_weights", first, last - first) if layout.has_vertex_weights else None
    return Rows(offsets - begin, part("heads", begin, count).astype(np.int64), weights, loads)


def _row_at(part: Any, places: Any, arc: int, n: int, end: bool) -> int:
    """Return the first row that begins at `arc` or behind it: all ranks find it alike."""
    if end:
        return n
    begin, width = places["heads"]
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if int(part("offsets", middle, 1)[0]) < begin + arc * width:
            low = middle + 1
        else:
            high = middle
    return low


def write(comm: Any, blocks: Any, path: str | os.PathLike[str]) -> None:
    """Write one PE per line, in the order of the vertices; every rank writes its own lines.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm
        The communicator.
    blocks : LocalMapping or array_like of int, shape (rows,)
        What `map` returned.
    path : path-like
        A file that all ranks see. An existing one is replaced when the new one is whole, and keeps
        its mode and the links to it; pipes and the like, such as ``/dev/stdout``, are written by
        rank 0, which gathers all lines for that.

    Raises
    ------
    FileError
        At all ranks, if it cannot be written.
    """
    with Ranks(comm) as ranks:
        lines = "".join(f"{pe}\n" for pe in np.asarray(blocks).tolist()).encode()
        name = writable(path)
        target = ranks.share(_replaced(name) if ranks.rank == 0 else None, 0)
        if target is None:
            whole = ranks.gather_to(0, np.frombuffer(lines, np.uint8))
            if ranks.rank == 0:
                _core.write_text(whole.tobytes(), name)
            return
        try:
            _write_together(ranks, lines, Path(target))
        except OSError as exc:
            raise FileError(f"{name}: {exc.strerror}") from None


def _replaced(name: str) -> str | None:
    """Return the file that a new one takes the place of; None if one must not be replaced.

    That is what is no file, has a name of a descriptor, or lies where this process may make none.
    """
    check_writable(name)
    target = os.path.realpath(name)
    kept = os.path.exists(target) and not (  # noqa: PTH110
        os.path.isfile(target) and os.access(os.path.dirname(target), os.W_OK)  # noqa: PTH113, PTH120
    )
    return None if kept or is_of_a_descriptor(name) else target


def _write_together(ranks: Ranks, lines: bytes, target: Path) -> None:
    before = ranks.before(len(lines))
    unfinished = Path(ranks.share(f"{target}.{os.getpid()}.unfinished", 0))
    with _removed_on_error(unfinished if ranks.rank == 0 else None):
        if ranks.rank == 0:
            unfinished.touch(exist_ok=False)
            if target.exists():
                unfinished.chmod(stat.S_IMODE(target.stat().st_mode))
        ranks.largest(0)
        with unfinished.open("r+b") as file:
            file.seek(before)
            file.write(lines)
        ranks.largest(0)
        if ranks.rank == 0:
            unfinished.replace(target)


@contextlib.contextmanager
def _removed_on_error(path: Path | None) -> Iterator[None]:
    """Leave no file behind whose writing failed, at whichever rank."""
    try:
        yield
    except BaseException:
        if path is not None:
            with contextlib.suppress(OSError):
                path.unlink()
        raise
