# SPDX-License-Identifier: MIT
"""Meshes as lists of elements: METIS's ``.mesh``, and whatever meshio reads.

Sources: METIS 5.1.0, manual, section 4.1.2 (``n [ncon]``, then a line per element: its weights and
its nodes, which count from 1); the documentation of meshio for names of cells.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.columns import data_lines
from procmap._util.errors import ConfigError, FileError
from procmap._util.formats import plain_name, suffix_of
from procmap._util.limits import WEIGHT_LIMIT
from procmap._util.messages import is_in, shortened, shown
from procmap._util.text import error_at
from procmap.graph._loads import MOST_WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from procmap._util.source import Source

# Ends of names that are those of meshes and of nothing else that procmap reads.
SUFFIXES = (
    ".mesh", ".msh", ".vtk", ".vtu", ".xdmf", ".xmf", ".med", ".exo", ".inp", ".bdf", ".nas",
    ".cgns", ".su2", ".e",
)  # fmt: skip

_INTEGERS = re.compile(r"\d{1,100}(\s+\d{1,100})*", re.ASCII)  # int() takes 1_0 and -0 too

# Of every kind of cell: dimension, number of corners (0: all nodes), and how many of these two
# neighbours share at least. Further nodes, of curved cells, come behind the corners.
_CELLS = {
    "line": (1, 2, 1),
    "triangle": (2, 3, 2),
    "quad": (2, 4, 2),
    "polygon": (2, 0, 2),
    "tetra": (3, 4, 3),
    "pyramid": (3, 5, 3),
    "wedge": (3, 6, 3),
    "hexahedron": (3, 8, 4),
}


@dataclass(frozen=True)
class Elements:
    """Nodes of elements as compressed rows.

    Attributes
    ----------
    offsets : numpy.ndarray of int64, shape (m + 1,)
        Element i has nodes ``offsets[i]`` to ``offsets[i + 1] - 1``.
    nodes : numpy.ndarray of int64
        Any numbers >= 0.
    common : int, optional
        How many nodes neighbours share, if the file says what elements are.
    loads : numpy.ndarray of int64, shape (m, weights), optional
        Weights of the elements.
    """

    offsets: NDArray[np.int64]
    nodes: NDArray[np.int64]
    common: int | None = None
    loads: NDArray[np.int64] | None = None


def says_mesh(source: Source) -> bool:
    """Whether the name of a file is that of a mesh."""
    return suffix_of(source) in SUFFIXES


def read_mesh(source: Source, format: str | None) -> Elements:
    """Read a mesh; "metis" or a format of meshio, by name and content if None."""
    if format is None and suffix_of(source) == ".mesh":
        words = source.start(64).split()
        format = "medit" if words[:1] == [b"MeshVersionFormatted"] else "metis"
    return _of_metis(source) if is_in(format, ("metis",)) else _of_meshio(source, format)


def _of_metis(source: Source) -> Elements:
    lines = data_lines(source)
    number, head = next(lines, (1, ""))
    words = head.split()
    if len(words) not in (1, 2) or not all(re.fullmatch(r"\d{1,18}", word) for word in words):
        raise error_at(source, number, f"expected 'n' or 'n ncon', found '{shortened(head)}'")
    count, weights = int(words[0]), int(words[1]) if len(words) == 2 else 0
    if weights > MOST_WEIGHTS:
        raise error_at(
            source, number, f"an element can have {MOST_WEIGHTS} weights at most, not {weights}"
        )
    rows = [_numbers(source, number, text) for number, text in lines]
    if len(rows) != count:
        raise FileError(f"{source}: {count} elements expected, found {len(rows)}")
    lengths = np.array([len(row) for row in rows], np.int64) - weights
    flat = np.array([value for row in rows for value in row[weights:]], np.int64)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    if (flat.size and flat.min() < 1) or (lengths < 0).any():
        _raise_for_the_culprit(source, weights)
    loads = np.array([row[:weights] for row in rows], np.int64) if weights else None
    return Elements(offsets, flat - 1, None, loads)


def _numbers(source: Source, number: int, text: str) -> list[int]:
    if _INTEGERS.fullmatch(text):
        values = [int(word) for word in text.split()]
        if max(values) < WEIGHT_LIMIT:
            return values
    raise error_at(source, number, f"expected integers >= 0, found '{shortened(text)}'")


def _raise_for_the_culprit(source: Source, weights: int) -> None:
    for number, text in list(data_lines(source))[1:]:
        nodes = text.split()[weights:]
        if any(int(node) == 0 for node in nodes):
            raise error_at(source, number, "nodes count from 1, found 0")
        if len(text.split()) < weights:
            raise error_at(source, number, "expected a weight and nodes")


def _of_meshio(source: Source, format: str | None) -> Elements:
    cells = _cells(source, format)
    kinds = [_kind(source, block.type) for block in cells]
    highest = max((kind[0] for kind in kinds if kind), default=0)
    if highest == 0:
        raise FileError(f"{source}: the mesh has no cells of which a graph could be made")
    sizes, nodes, shared = [], [], []
    for block, kind in zip(cells, kinds, strict=True):
        if kind is None or kind[0] < highest:
            continue
        for rows in _corners(block.data, kind[1]):
            sizes.append(np.full(len(rows), rows.shape[1], np.int64))
            nodes.append(rows.ravel().astype(np.int64))
        shared.append(kind[2])
    offsets, flat = np.concatenate([[0], np.cumsum(np.concatenate(sizes))]), np.concatenate(nodes)
    if flat.min(initial=0) < 0:
        raise FileError(f"{source}: a cell has node {flat.min()}, which is negative")
    return Elements(offsets, flat, min(shared))


def _corners(data: Any, corners: int) -> list[NDArray[Any]]:
    """Return the corners of cells, in runs of cells with equally many."""
    if corners and isinstance(data, np.ndarray):
        return [data[:, :corners]]
    return [np.asarray(row)[None, : corners or None] for row in data]


def _kind(source: Source, name: str) -> tuple[int, int, int] | None:
    """Return dimension, corners and nodes in common of a kind of cell; None if it is a point."""
    plain = re.sub(r"\d+$", "", name)
    if plain == "vertex":
        return None
    if plain not in _CELLS:
        raise FileError(f"{source}: cells of the kind {shown(name)} are not supported")
    return _CELLS[plain]


def _cells(source: Source, format: str | None) -> list[Any]:
    """Let meshio read a file; it prints what is wrong and ends the process."""
    try:
        meshio = importlib.import_module("meshio")
    except ImportError as exc:
        raise ImportError(
            "reading meshes other than METIS's needs meshio: pip install 'procmap[meshio]'"
        ) from exc
    known = meshio.extension_to_filetypes.values()
    if format is not None and not any(is_in(format, names) for names in known):
        raise ConfigError(f"format must be metis or one of meshio's, got {shown(format)}")
    source.start(1)  # a file that cannot be opened is told as always
    with _decompressed(source) as path:
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                mesh = meshio.read(path, file_format=format)
        except MemoryError:
            raise
        except (Exception, SystemExit) as exc:
            text = said.getvalue() or str(exc) or type(exc).__name__
            reason = " ".join(text.replace(path, source.path).split())
            raise FileError(f"{source}: meshio: {shortened(reason, 300)}") from None
        return list(mesh.cells)


@contextlib.contextmanager
def _decompressed(source: Source) -> Iterator[str]:
    """Give a path with the name that meshio goes by; it reads no compressed files."""
    name = plain_name(source)
    if name == Path(source).name:
        yield source.path
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(source.data)
        yield str(path)
