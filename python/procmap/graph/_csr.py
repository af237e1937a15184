# SPDX-License-Identifier: MIT
"""Compressed rows, as far as they are checked before the core does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap._util.errors import GraphError
from procmap._util.limits import MAX_VERTICES

if TYPE_CHECKING:
    from numpy.typing import NDArray


def check_lengths(
    offsets: NDArray[np.int64],
    heads: NDArray[np.int32],
    arc_weights: NDArray[np.int64] | None,
    vertex_weights: NDArray[np.int64] | None,
) -> None:
    """Raise GraphError unless the arrays fit together; the core checks what is in them."""
    n = len(offsets) - 1
    if n < 0:
        raise GraphError("offsets is empty; it must have one entry more than there are vertices")
    if n > MAX_VERTICES:
        raise GraphError(f"offsets has {n + 1} entries; at most 2**31 - 1 vertices are possible")
    if arc_weights is not None and len(arc_weights) != len(heads):
        raise GraphError(
            f"arc_weights has {len(arc_weights)} entries, but there are {len(heads)} arcs (heads)"
        )
    if vertex_weights is not None and len(vertex_weights) != n:
        raise GraphError(
            f"vertex_weights has {len(vertex_weights)} entries, but there are {n} vertices"
        )


def check_offsets(offsets: NDArray[np.int64], num_arcs: int) -> None:
    """Raise GraphError unless these are the starts of rows of `num_arcs` arcs."""
    if len(offsets) == 0:
        raise GraphError("offsets is empty; it must have one entry more than there are vertices")
    if offsets[0] != 0:
        raise GraphError(f"offsets[0] = {offsets[0]}, expected 0")
    falls = offsets[1:] < offsets[:-1]
    if falls.any():
        i = int(np.argmax(falls))
        raise GraphError(f"offsets[{i + 1}] = {offsets[i + 1]} < offsets[{i}] = {offsets[i]}")
    if offsets[-1] != num_arcs:
        last = len(offsets) - 1
        raise GraphError(f"offsets[{last}] = {offsets[-1]}, but heads has {num_arcs} entries")
