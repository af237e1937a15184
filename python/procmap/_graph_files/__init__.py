# SPDX-License-Identifier: MIT
"""Graph files other than METIS ones, which the core reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from procmap._errors import ConfigError, FileError
from procmap._graph_files import edge_list, matrix_market, npz, parhip
from procmap._graph_files.text import open_file

if TYPE_CHECKING:
    from typing import TypeAlias

    from procmap._arcs import Symmetrize
    from procmap._objects import Tasks

FileFormat: TypeAlias = Literal["metis", "matrix-market", "parhip", "edges", "npz"]

_READERS = {
    "matrix-market": matrix_market.read,
    "parhip": parhip.read,
    "edges": edge_list.read,
    "npz": npz.read,
}
_SUFFIXES: dict[str, FileFormat] = {
    ".mtx": "matrix-market",
    ".bgf": "parhip",
    ".parhip": "parhip",
    ".npz": "npz",
    ".el": "edges",
    ".edges": "edges",
    ".csv": "edges",
    ".tsv": "edges",
    ".graph": "metis",
    ".metis": "metis",
}


def known_format(name: str) -> FileFormat:
    """Return `name` if it is a format."""
    for known in get_args(FileFormat):
        if name == known:
            return known  # type: ignore[no-any-return]
    raise ConfigError(f"format must be one of {', '.join(get_args(FileFormat))}, got {name!r}")


def file_format(path: str) -> FileFormat:
    """Return the format that the name of a file says, or else its first bytes."""
    suffix = Path(path).suffix.lower()
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    with open_file(path) as file:
        start = file.read(24)
    if start.startswith(b"%%MatrixMarket"):
        return "matrix-market"
    if start.startswith(b"PK\x03\x04"):
        return "npz"
    return "parhip" if parhip.is_header(start) else "metis"


def read_tasks(path: str, kind: FileFormat, symmetrize: Symmetrize) -> Tasks:
    """Read a file that is no METIS file; raise FileError with its path if it is malformed."""
    try:
        return _READERS[kind](path, symmetrize)
    except FileError:
        raise
    except ValueError as exc:
        raise FileError(f"{path}: {exc}") from None
