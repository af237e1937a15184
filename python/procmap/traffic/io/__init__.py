# SPDX-License-Identifier: MIT
"""Files that say how much every rank sends to every other one: one module per kind.

- "matrix": n lines of n numbers, blanks or commas between, as CSV and the ``.mat`` of TopoMatch and
  TreeMatch
- "messages": lines ``sender receiver volume``, ranks from 0, with or without a line of titles
- "matrix-market": coordinate or array; real, integer or pattern
- "npy", "npz": a dense array of NumPy, or a sparse matrix of SciPy
- "mpisee": the SQLite database of the profiler mpisee

In text, lines that begin with # or % are comments. Only three lines of three numbers could be
either of the first two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from procmap._util.errors import FileError
from procmap._util.formats import Format, named, of_content, of_suffix
from procmap.traffic.io import arrays, mpisee, tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from procmap._util.source import Source
    from procmap.traffic._traffic import Traffic

    Read: TypeAlias = Callable[..., Traffic]

TrafficFormat: TypeAlias = Literal["matrix", "messages", "matrix-market", "npy", "npz", "mpisee"]

FORMATS: tuple[Format[Read], ...] = (*tables.FORMATS, *arrays.FORMATS, mpisee.FORMAT)


def says_traffic(path: Source) -> bool:
    """Whether a file can only be traffic, and no graph, by its name or its first bytes."""
    only_traffic = (named(FORMATS, "npy"), mpisee.FORMAT)
    return bool(of_content(only_traffic, path.start(32)) or of_suffix(FORMATS, path))


def format_of(path: Source, name: str | None) -> Format[Read]:
    """Return the format of this name; if None that of the file's content."""
    if name is not None:
        return named(FORMATS, name)
    start = path.start(32)
    if start.startswith(b"MATLAB"):
        raise FileError(f"{path}: a file of MATLAB; use scipy.io.loadmat and Traffic.from_matrix")
    return of_content(FORMATS, start) or of_suffix(FORMATS, path) or tables.format_of(path)
