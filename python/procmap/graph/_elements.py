# SPDX-License-Identifier: MIT
"""The dual graph of a mesh: elements that share enough nodes are neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.arrays import as_integer, as_integers
from procmap._util.errors import GraphError
from procmap._util.messages import shown
from procmap.graph._arcs import Arcs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_PAIRS = 2**24  # that are looked at together


def connectivity(
    elements: NDArray[Any] | Sequence[Iterable[int]],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the nodes of elements as compressed rows, checked."""
    if isinstance(elements, np.ndarray):
        if elements.ndim != 2:
            raise GraphError(f"elements must have shape (m, nodes), got {elements.shape}")
        rows, width = elements.shape
        nodes = as_integers(elements, np.int64, "elements", GraphError, ndim=2).ravel()
        offsets = np.arange(rows + 1, dtype=np.int64) * width
    else:
        listed = [_listed(i, element) for i, element in enumerate(_rows(elements))]
        offsets = np.cumsum([0, *map(len, listed)], dtype=np.int64)
        flat = list(chain.from_iterable(listed))
        try:
            nodes = as_integers(flat, np.int64, "elements", GraphError)
        except GraphError as exc:
            raise _of_element(listed) or exc from None
    if nodes.size and nodes.min() < 0:
        element = element_of(offsets, int(np.argmin(nodes)))
        raise GraphError(f"elements[{element}] has node {nodes.min()}, which is negative")
    return offsets, nodes


def _rows(elements: object) -> Iterable[object]:
    if isinstance(elements, (str, bytes)) or not isinstance(elements, Iterable):
        raise GraphError(f"elements must be sequences of nodes, got {shown(elements)}")
    return elements


def _listed(number: int, element: object) -> list[Any]:
    if isinstance(element, (str, bytes)) or not isinstance(element, Iterable):
        raise GraphError(f"elements[{number}] must be a sequence of nodes, got {shown(element)}")
    return list(element)


def _of_element(listed: list[list[Any]]) -> GraphError | None:
    """Return what is wrong with the nodes of the first element of which something is."""
    for i, element in enumerate(listed):
        try:
            as_integers(element, np.int64, f"elements[{i}]", GraphError)
        except GraphError as exc:
            return exc
    return None


def element_of(offsets: NDArray[np.int64], position: int) -> int:
    """Return the element that has the node at a position of all nodes."""
    return int(np.searchsorted(offsets, position, "right")) - 1


def dual_arcs(offsets: NDArray[np.int64], nodes: NDArray[np.int64], common: object) -> Arcs:
    """Return an arc in both directions for every two elements with `common` nodes in common.

    Of an element with no more nodes than that, all but one are enough, as in METIS. Elements are
    taken in portions, so that pairs with a common node need little memory.
    """
    least = min(as_integer(common, "common", 1, None, GraphError), len(nodes) + 1)
    count = len(offsets) - 1
    element, node = _incidence(offsets, nodes)
    by_node = np.argsort(node, kind="stable")
    members, first = element[by_node], np.searchsorted(node[by_node], node)
    last = np.searchsorted(node[by_node], node, "right")
    needed = np.maximum(np.minimum(least, np.bincount(element, minlength=count) - 1), 1)
    ends = np.cumsum(last - first)
    tails, heads = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    start = 0
    while start < len(element):
        stop = _portion(element, ends, start)
        a, b = _neighbours(element, members, first, last, start, stop, needed, count)
        tails.append(a)
        heads.append(b)
        start = stop
    return Arcs(count, np.concatenate(tails), np.concatenate(heads))


def _incidence(
    offsets: NDArray[np.int64], nodes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return every pair of element and node once, in the order of elements."""
    element = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    number = np.unique(nodes, return_inverse=True)[1].reshape(-1).astype(np.int64)
    span = int(number.max(initial=0)) + 1
    once = np.unique(element * span + number)
    return once // span, once % span


def _portion(element: NDArray[np.int64], ends: NDArray[np.int64], start: int) -> int:
    """Return where whole elements end that have about `_PAIRS` pairs from `start` on."""
    before = int(ends[start - 1]) if start else 0
    stop = max(int(np.searchsorted(ends, before + _PAIRS)), start + 1)
    return int(np.searchsorted(element, element[min(stop, len(element)) - 1], "right"))


def _neighbours(
    element: NDArray[np.int64],
    members: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    start: int,
    stop: int,
    needed: NDArray[np.int64],
    count: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    lengths = last[start:stop] - first[start:stop]
    shift = np.repeat(first[start:stop] - np.cumsum(lengths) + lengths, lengths)
    others = members[np.arange(lengths.sum()) + shift]
    keys, shared = np.unique(
        np.repeat(element[start:stop], lengths) * count + others, return_counts=True
    )
    a, b = keys // count, keys % count
    near = (a != b) & (shared >= np.minimum(needed[a], needed[b]))
    return a[near], b[near]
