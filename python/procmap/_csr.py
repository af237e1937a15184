# SPDX-License-Identifier: MIT
"""Graphs as arrays, before the core checks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from procmap._arrays import as_integer, as_integers
from procmap._errors import GraphError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

MAX_VERTICES = 2**31 - 1


class SparseMatrix(Protocol):
    """What is needed of a SciPy sparse matrix or array."""

    shape: Any

    def tocsr(self) -> Any:
        """Return the same in CSR form."""


class NetworkXGraph(Protocol):
    """What is needed of a NetworkX graph."""

    nodes: Any
    edges: Any

    def is_directed(self) -> bool:
        """Whether (u, v) and (v, u) are two edges."""


def optional_integers(values: ArrayLike | None, name: str, copy: bool) -> NDArray[np.int64] | None:
    """Return `values` as int64, or None if there are none."""
    if values is None:
        return None
    return as_integers(values, np.int64, name, GraphError, copy=copy)


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


def edges_to_csr(
    edges: ArrayLike, num_vertices: int | None, weights: ArrayLike | None
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64] | None]:
    """Return offsets, heads and weights of both directions of every edge."""
    u, v = _ends(edges)
    if num_vertices is None:
        num_vertices = 1 + int(max(u.max(), v.max(), -1)) if u.size else 0
    n = as_integer(num_vertices, "num_vertices", 0, MAX_VERTICES, GraphError)
    _check_ends(u, v, n)
    traffic = optional_integers(weights, "weights", copy=False)
    if traffic is not None and len(traffic) != len(u):
        raise GraphError(f"weights has {len(traffic)} entries, but there are {len(u)} edges")
    tails = np.concatenate([u, v])
    order = np.argsort(tails, kind="stable")
    offsets = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(tails, minlength=n), out=offsets[1:])
    heads = np.concatenate([v, u])[order].astype(np.int32)
    if traffic is None:
        return offsets, heads, None
    return offsets, heads, np.concatenate([traffic, traffic])[order]


def _ends(edges: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    try:
        ends = np.asarray(edges)
    except ValueError as exc:
        raise GraphError(f"edges is not an array: {exc}") from exc
    if ends.size == 0:
        ends = np.zeros((0, 2), np.int64)
    if ends.ndim != 2 or ends.shape[1] != 2:
        raise GraphError(f"edges must have shape (m, 2), got {ends.shape}")
    u = as_integers(ends[:, 0], np.int64, "edges[:, 0]", GraphError)
    v = as_integers(ends[:, 1], np.int64, "edges[:, 1]", GraphError)
    return u, v


def _check_ends(u: NDArray[np.int64], v: NDArray[np.int64], n: int) -> None:
    bad = (u < 0) | (u >= n) | (v < 0) | (v >= n)
    if bad.any():
        i = int(np.argmax(bad))
        raise GraphError(f"edges[{i}] = ({u[i]}, {v[i]}) has an end that is not in [0, {n})")
