# SPDX-License-Identifier: MIT
"""Road networks of tens of millions of vertices, made in seconds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

THERE = 0.7  # share of the streets of a grid
LONGEST = 32  # vertices of a street


def streets(side: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return offsets and heads of a graph like europe_osm, of two arcs per vertex.

    side^2 crossings lie in a grid; between two neighbours there is a street or none. A street is a
    chain of 1 to 32 vertices, so that there are about 24 side^2 vertices.
    """
    rng = np.random.default_rng(3700 + side)
    crossings = side * side
    tails, heads = _streets_of_a_grid(side, rng)
    length = rng.integers(1, LONGEST + 1, len(tails))
    first = crossings + np.cumsum(length) - length
    last = first + length - 1
    ends = np.concatenate([tails, heads])
    inner = np.arange(crossings, crossings + int(length.sum()), dtype=np.int64)
    degrees = np.concatenate([np.bincount(ends, minlength=crossings), np.full(len(inner), 2)])
    offsets = np.concatenate([[0], np.cumsum(degrees)])
    arcs = np.empty(offsets[-1], np.int32)
    streets_of_ends = np.concatenate([first, last])
    arcs[: len(ends)] = streets_of_ends[np.lexsort((streets_of_ends, ends))]
    arcs[offsets[inner]] = inner - 1
    arcs[offsets[inner] + 1] = inner + 1
    arcs[offsets[last]] = heads
    arcs[offsets[last] + 1] = last - 1
    arcs[offsets[first[length > 1]]] = tails[length > 1]
    arcs[offsets[first[length > 1]] + 1] = first[length > 1] + 1
    arcs[offsets[first[length == 1]]] = tails[length == 1]
    arcs[offsets[first[length == 1]] + 1] = heads[length == 1]
    return offsets, arcs


def _streets_of_a_grid(
    side: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the two crossings of every street, the one of lower number first."""
    number = np.arange(side * side, dtype=np.int64).reshape(side, side)
    tails = np.concatenate([number[:, :-1].ravel(), number[:-1].ravel()])
    heads = np.concatenate([number[:, 1:].ravel(), number[1:].ravel()])
    there = rng.random(len(tails)) < THERE
    return tails[there], heads[there]
