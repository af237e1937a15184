# SPDX-License-Identifier: MIT
"""Graph files: one module per format.

- "metis" (all other names): header ``n m [fmt [ncon]]``, then a line per vertex
- "matrix-market" (.mtx): coordinate or array, real, integer or pattern
- "parhip" (.bgf, .parhip): ParHIP's binary format, as KaHIP, KaMinPar and KaGen write it
- "edges" (.el, .edges, .csv, .tsv): lines ``u v [weight]``, vertices from 0, blanks or commas
  between, comments that begin with # or %; ``num_vertices=`` if the last ones have no edge
- "npz" (.npz): a SciPy sparse matrix (``save_npz``)

An edge list may have every edge once, or every edge in both directions. Where the name says
nothing, the content decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from procmap._util.errors import FileError
from procmap._util.formats import Format, named, of_content, of_suffix
from procmap.graph.io import edge_list, matrix_market, npz, parhip

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from procmap._util.source import Source
    from procmap.graph._arcs import Symmetrize, Tasks

    Read: TypeAlias = Callable[..., Tasks]

FileFormat: TypeAlias = Literal["metis", "matrix-market", "parhip", "edges", "npz"]

METIS: Format[Read | None] = Format("metis", None, (".graph", ".metis"))  # the core reads it
FORMATS: tuple[Format[Read | None], ...] = (
    METIS, matrix_market.FORMAT, parhip.FORMAT, edge_list.FORMAT, npz.FORMAT,
)  # fmt: skip


def format_of(path: Source, name: str | None) -> Format[Read | None]:
    """Return the format of this name; if None that of the file's name, or else of its content."""
    if name is not None:
        return named(FORMATS, name)
    known = of_suffix(FORMATS, path)
    if known is not None:
        return known
    return of_content(FORMATS, path.start(24)) or METIS


def read_tasks(path: Source, read: Read, symmetrize: Symmetrize, num_vertices: int | None) -> Tasks:
    """Read a file; raise FileError with its path if it is malformed."""
    options = {} if num_vertices is None else {"num_vertices": num_vertices}
    try:
        return read(path, symmetrize, **options)
    except FileError:
        raise
    except ValueError as exc:
        raise FileError(f"{path}: {exc}") from None
