# SPDX-License-Identifier: MIT
"""METIS files as the benchmarks see them, read without procmap.

The reader is a second, independent one on purpose: a mapping is judged on the graph
that the file describes, not on the graph that procmap understood.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
CHUNK_BYTES = 1 << 25
NEWLINE = ord("\n")


@dataclass(frozen=True)
class Header:
    """The first line of a METIS file."""

    num_vertices: int
    num_edges: int
    has_vertex_sizes: bool
    has_edge_weights: bool
    num_vertex_weights: int

    @property
    def num_arcs(self) -> int:
        """Arcs of the graph: every undirected edge in both directions."""
        return 2 * self.num_edges

    @property
    def csr_bytes(self) -> int:
        """Size of the input as 64-bit offsets and 32-bit heads, without weights."""
        return 8 * (self.num_vertices + 1) + 4 * self.num_arcs


@dataclass(frozen=True)
class Instance:
    """A graph in CSR form; `edge_weights` is None when all of them are 1."""

    offsets: Ints
    heads: NDArray[np.int32]
    edge_weights: Ints | None
    vertex_weights: Ints


def find_graphs(folder: Path, names: list[str] | None) -> list[Path]:
    """Return the graph files to use, smallest first: the named ones, or all of the folder."""
    if names:
        paths = [folder / f"{name}.graph" for name in names]
        missing = [path.stem for path in paths if not path.is_file()]
        if missing:
            raise FileNotFoundError(f"not in {folder}: {', '.join(missing)}")
    else:
        paths = list(folder.glob("*.graph"))
        if not paths:
            raise FileNotFoundError(f"no *.graph in {folder}")
    return sorted(paths, key=lambda path: (path.stat().st_size, path.name))


def read_header(path: Path) -> Header:
    """Return the header of a METIS file; comment lines before it are skipped."""
    with path.open("rb") as file:
        return _parse_header(_first_line(file))


def read_instance(path: Path) -> Instance:
    """Read a METIS file with NumPy; raises ValueError when it contradicts its header."""
    with path.open("rb") as file:
        header = _parse_header(_first_line(file))
        parts = list(_parse_rows(file))
    lengths = np.concatenate([length for length, _ in parts] or [np.empty(0, np.int64)])
    values = np.concatenate([value for _, value in parts] or [np.empty(0, np.int64)])
    extra, surplus = lengths[header.num_vertices :], header.num_vertices - len(lengths)
    if surplus > 0 or extra.any():
        raise ValueError(f"{path.name}: {len(lengths)} rows, header says {header.num_vertices}")
    return _split_rows(header, lengths[: header.num_vertices], values, path.name)


def _first_line(lines: Iterator[bytes]) -> list[bytes]:
    for line in lines:
        if not line.lstrip().startswith(b"%"):
            return line.split()
    raise ValueError("no header line")


def _parse_header(fields: list[bytes]) -> Header:
    flags = fields[2].decode().zfill(3) if len(fields) > 2 else "000"
    constraints = int(fields[3]) if len(fields) > 3 else 1
    return Header(
        num_vertices=int(fields[0]),
        num_edges=int(fields[1]),
        has_vertex_sizes=flags[0] == "1",
        has_edge_weights=flags[2] == "1",
        num_vertex_weights=constraints if flags[1] == "1" else 0,
    )


def _parse_rows(file: Iterator[bytes]) -> Iterator[tuple[Ints, Ints]]:
    """Yield (numbers per line, numbers) for chunks of whole lines."""
    for chunk in _line_chunks(file):
        text = np.frombuffer(chunk, dtype=np.uint8)
        blank = text <= ord(" ")
        starts = np.flatnonzero(~blank & np.concatenate(([True], blank[:-1])))
        ends = np.flatnonzero(text == NEWLINE)
        per_line = np.diff(np.searchsorted(starts, ends), prepend=0)
        values = np.fromstring(chunk, dtype=np.int64, sep=" ")
        if len(values) != len(starts):
            raise ValueError("not a number in a row")
        yield per_line.astype(np.int64), values


def _line_chunks(file: Iterator[bytes]) -> Iterator[bytes]:
    """Yield about CHUNK_BYTES of lines at a time, comments dropped, newline at the end."""
    lines: list[bytes] = []
    size = 0
    for line in file:
        if line.startswith(b"%"):
            continue
        lines.append(line if line.endswith(b"\n") else line + b"\n")
        size += len(line)
        if size >= CHUNK_BYTES:
            yield b"".join(lines)
            lines, size = [], 0
    if lines:
        yield b"".join(lines)


def _split_rows(header: Header, lengths: Ints, values: Ints, name: str) -> Instance:
    """Take vertex sizes and weights off the front of every row, split heads from weights."""
    n = header.num_vertices
    lead = int(header.has_vertex_sizes) + header.num_vertex_weights
    stride = 2 if header.has_edge_weights else 1
    row_begin = np.concatenate(([0], np.cumsum(lengths)))
    first_weight = row_begin[:-1] + int(header.has_vertex_sizes)
    weighted = header.num_vertex_weights > 0
    vertex_weights = values[first_weight] if weighted else np.ones(n, np.int64)
    if lead:
        keep = np.ones(len(values), dtype=bool)
        for position in range(lead):
            keep[row_begin[:-1] + position] = False
        values = values[keep]
    offsets = np.concatenate(([0], np.cumsum((lengths - lead) // stride)))
    heads = values[::stride] - 1
    if len(heads) != header.num_arcs or offsets[-1] != header.num_arcs:
        raise ValueError(f"{name}: {len(heads)} arcs, header says {header.num_arcs}")
    if len(heads) and not (heads.min() >= 0 and heads.max() < n):
        raise ValueError(f"{name}: neighbour out of range")
    edge_weights = values[1::2].copy() if header.has_edge_weights else None
    return Instance(offsets, heads.astype(np.int32), edge_weights, vertex_weights)
