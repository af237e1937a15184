# SPDX-License-Identifier: MIT
"""How many vertices a file may have that does not list them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from procmap._util.errors import FileError

if TYPE_CHECKING:
    import os

# A dozen bytes can name the vertex 2147483646, or a header say so many: 16 GB for nothing.
_LEAST, _PER_ENTRY = 2**20, 64


def most_vertices(entries: int) -> int:
    """Return how many vertices so many entries may name."""
    return max(_LEAST, _PER_ENTRY * entries)


def check_order(
    path: str | os.PathLike[str],
    n: int,
    entries: int,
    who: str,
    what: str = "vertices",
    advice: str = "number the vertices without gaps, or make the graph from arrays",
) -> None:
    """Refuse a number of vertices out of all proportion to what the file says of them.

    `who` is where n comes from.
    """
    limit = most_vertices(entries)
    if n > limit:
        raise FileError(
            f"{path}: {who} makes {n} {what} for {entries} entries, but the limit is {limit} "
            f"({_PER_ENTRY} per entry, at least {_LEAST}); {advice}"
        )
