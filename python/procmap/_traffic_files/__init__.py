# SPDX-License-Identifier: MIT
"""Files that say how much every rank sends to every other one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from procmap._errors import ConfigError, FileError
from procmap._graph_files import matrix_market
from procmap._graph_files.text import open_file
from procmap._traffic import Traffic
from procmap._traffic_files import arrays, mpisee, tables

TrafficFormat: TypeAlias = Literal["matrix", "messages", "matrix-market", "npy", "npz", "mpisee"]

_MAGIC: dict[bytes, TrafficFormat] = {
    b"%%MatrixMarket": "matrix-market",
    b"SQLite format 3": "mpisee",
    b"\x93NUMPY": "npy",
    b"PK\x03\x04": "npz",
}


def read_traffic(
    path: str | os.PathLike[str],
    *,
    format: TrafficFormat | None = None,
    num_ranks: int | None = None,
) -> Traffic:
    """Read a communication matrix.

    Parameters
    ----------
    path : path-like
        The file.
    format : {"matrix", "messages", "matrix-market", "npy", "npz", "mpisee"}, optional
        If None, the content decides:

        =================  ==========================================================
        "matrix"           n lines of n numbers, blanks or commas between: TopoMatch's
                           and TreeMatch's ``.mat``, CSV
        "messages"         lines ``sender receiver volume``, ranks from 0, with or
                           without a line of titles
        "matrix-market"    coordinate or array; real, integer or pattern
        "npy", "npz"       a dense array of NumPy, or a sparse matrix of SciPy
        "mpisee"           the SQLite database of the profiler mpisee
        =================  ==========================================================

        In text, lines that begin with # or % are comments. Only three lines of three numbers
        could be either of the first two.
    num_ranks : int, optional
        n for "messages", in which the last ranks may be silent.

    Returns
    -------
    Traffic

    Raises
    ------
    FileError
        If the file cannot be read or is malformed; the message is "PATH:LINE: ..." for text.
    ConfigError
        If an option does not fit the format.

    Notes
    -----
    mpisee counts bytes per rank and communicator, not per pair of ranks. What a rank sends in a
    communicator is divided evenly among its other members. Communicators of all ranks say nothing
    about who should be near whom, and are left out.
    """
    name = os.fspath(path)
    if format is not None and format not in get_args(TrafficFormat):
        known = ", ".join(get_args(TrafficFormat))
        raise ConfigError(f"format must be one of {known}, got {format!r}")
    kind = format or _format(name)
    if num_ranks is not None and kind != "messages":
        raise ConfigError(f"num_ranks is for messages, but {name} is of the format {kind}")
    try:
        return _read(name, kind, num_ranks)
    except (FileError, ConfigError):
        raise
    except ValueError as exc:
        raise FileError(f"{name}: {exc}") from None


def _format(path: str) -> TrafficFormat:
    with open_file(path) as file:
        start = file.read(32)
    for magic, kind in _MAGIC.items():
        if start.startswith(magic):
            return kind
    if start.startswith(b"MATLAB"):
        raise FileError(f"{path}: a file of MATLAB; use scipy.io.loadmat and Traffic.from_matrix")
    if Path(path).suffix.lower() == ".mat":
        return "matrix"
    return tables.kind_of(path)


def _read(path: str, kind: TrafficFormat, num_ranks: int | None) -> Traffic:
    if kind == "matrix-market":
        return arrays.of_arcs(matrix_market.read_arcs(path, scaled=False))
    if kind == "messages":
        return tables.read_messages(path, num_ranks)
    if kind == "matrix":
        return tables.read_matrix(path)
    return {"npy": arrays.read_npy, "npz": arrays.read_npz, "mpisee": mpisee.read}[kind](path)
