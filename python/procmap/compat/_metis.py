# SPDX-License-Identifier: MIT
"""`part_graph` and `part_mesh`, as in pymetis."""

from __future__ import annotations

import math
from array import array
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from procmap._util.arrays import as_array, as_flag, as_integer
from procmap._util.errors import ConfigError, GraphError
from procmap._util.limits import WEIGHT_LIMIT
from procmap._util.messages import shortened, shown
from procmap.graph._elements import connectivity as rows_of_elements
from procmap.graph._elements import dual_arcs, element_of
from procmap.graph._inputs import as_graph
from procmap.graph.io.order import most_vertices
from procmap.mapping._api import partition

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from procmap.graph._graph import Graph

__all__ = ["GraphPartition", "MeshPartition", "part_graph", "part_mesh"]

_METIS_UFACTOR = 30  # parts per thousand, METIS's default for k-way partitioning
_GTYPES = {None: "nodal", "nodal": "nodal", "dual": "dual", "0": "dual", "1": "nodal"}  # METIS's


class GraphPartition(NamedTuple):
    """Result of `part_graph`, as of pymetis.

    Attributes
    ----------
    edge_cuts : int or float
        Weight of the edges between different parts.
    vertex_part : array.array of int, length n
        Part of every vertex.
    """

    edge_cuts: int | float
    vertex_part: array[int]


class MeshPartition(NamedTuple):
    """Result of `part_mesh`, as of pymetis.

    Attributes
    ----------
    edge_cuts : int
        Edges of the dual or nodal graph between different parts.
    element_part : array.array of int, length m
        Part of every element.
    vertex_part : array.array of int, length n
        Part of every node.
    """

    edge_cuts: int
    element_part: array[int]
    vertex_part: array[int]


# Users and their pickles know these by the package.
GraphPartition.__module__ = "procmap.compat"
MeshPartition.__module__ = "procmap.compat"


def part_graph(
    nparts: int,
    adjacency: Any = None,
    xadj: ArrayLike | None = None,
    adjncy: ArrayLike | None = None,
    *,
    vweights: ArrayLike | None = None,
    eweights: ArrayLike | None = None,
    tpwgts: Sequence[float] | None = None,
    recursive: bool | None = None,  # noqa: ARG001 - of METIS's algorithm, not of the problem
    contiguous: bool | None = None,
    options: Any = None,
    warn_on_copies: bool = False,  # noqa: ARG001 - of pymetis's way to METIS
) -> GraphPartition:
    """Split a graph as ``pymetis.part_graph`` does, but checked, and balanced as it says.

    Parameters
    ----------
    nparts : int
        Number of parts.
    adjacency : sequence or mapping of iterables of int, or pymetis.CSRAdjacency, optional
        Neighbours of every vertex, both directions of every edge.
    xadj, adjncy : array_like of int, optional
        The same in compressed rows, instead of `adjacency`.
    vweights : array_like of int, shape (n,) or (n, ncon), optional
        Weights of vertices; several of each, up to 8, are all balanced.
    eweights : array_like of int, shape (2m,), optional
        Weights of arcs; 0 is allowed.
    tpwgts : sequence of float, shape (nparts,) or (nparts, ncon), optional
        Share of every part of the total of every weight, >= 0, of sum 1; equal ones if None or
        empty.
    recursive, warn_on_copies : bool, optional
        Without effect.
    contiguous : bool, optional
        Not supported if true: `procmap.evaluate` counts parts that are not connected.
    options : pymetis.Options, optional
        Its `ufactor` (imbalance in parts per thousand) and `seed` count.

    Returns
    -------
    GraphPartition

    Raises
    ------
    GraphError
        If the graph is malformed; the message names the first culprit.
    ConfigError
        If an option is out of range or asks for what is not supported.
    """
    asked = contiguous is not None and as_flag(contiguous, "contiguous")
    if asked or getattr(options, "contig", -1) not in (-1, 0):
        raise ConfigError("contiguous=True is not supported: parts may be disconnected")
    if getattr(options, "numbering", -1) not in (-1, 0):
        raise ConfigError("options.numbering must be 0 or the default: vertices count from 0")
    ufactor, seed = (getattr(options, name, -1) for name in ("ufactor", "seed"))
    imbalance = (_METIS_UFACTOR if ufactor == -1 else ufactor) / 1000
    graph = as_graph((*_rows(adjacency, xadj, adjncy), eweights), vweights)
    room = None if tpwgts is None else _capacities(tpwgts, nparts, graph, imbalance)
    result = partition(
        graph,
        nparts,
        imbalance=imbalance if room is None else None,
        capacities=room,
        seed=_as_seed(seed),
    )
    return GraphPartition(result.edge_cut, array("q", result.blocks.tolist()))


def part_mesh(
    n_parts: int,
    connectivity: Sequence[Iterable[int]] | NDArray[Any],
    options: Any = None,
    tpwgts: Sequence[float] | None = None,
    gtype: Any = None,
    ncommon: int = 1,
) -> MeshPartition:
    """Split a mesh as ``pymetis.part_mesh`` does.

    Parameters
    ----------
    n_parts : int
        Number of parts.
    connectivity : sequence of iterables of int, or array of int of shape (m, nodes)
        Nodes of every element, in [0, n).
    options, tpwgts
        As in `part_graph`.
    gtype : pymetis.GType or {"nodal", "dual"}, optional
        Which graph is partitioned, that of nodes in the same element or that of elements with
        `ncommon` nodes in common; "nodal" if None. The parts of the others follow: that of most
        nodes of an element, or of most elements of a node, of several the smallest one.
    ncommon : int
        2 for triangles and quadrilaterals, 3 for tetrahedra, 4 for hexahedra.

    Returns
    -------
    MeshPartition

    Raises
    ------
    GraphError, ConfigError
        As `part_graph`.
    """
    kind = _GTYPES.get(gtype if gtype is None else str(getattr(gtype, "name", gtype)).lower())
    if kind is None:
        raise ConfigError(f"gtype must be nodal or dual, got {shown(gtype)}")
    offsets, nodes = rows_of_elements(connectivity)
    elements = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    num_nodes = int(nodes.max(initial=-1)) + 1
    if num_nodes > most_vertices(len(nodes)):
        raise GraphError(
            f"elements[{element_of(offsets, int(np.argmax(nodes)))}] has node {num_nodes - 1}, but "
            f"the limit is {most_vertices(len(nodes))} nodes for {len(nodes)} entries; number the "
            "nodes without gaps"
        )
    if kind == "nodal":
        order = np.argsort(nodes, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(nodes, minlength=num_nodes))])
        arcs = dual_arcs(starts, elements[order], 1)
    else:
        least = as_integer(ncommon, "ncommon", 1, None, ConfigError)
        arcs = dual_arcs(offsets, nodes, least)
    xadj, adjncy, _ = arcs.rows()
    parts = part_graph(n_parts, xadj=xadj, adjncy=adjncy, tpwgts=tpwgts, options=options)
    own = np.asarray(parts.vertex_part)
    if kind == "nodal":
        other = _most_common(elements, own[nodes], len(offsets) - 1, n_parts)
        return MeshPartition(int(parts.edge_cuts), array("q", other.tolist()), parts.vertex_part)
    other = _most_common(nodes, own[elements], num_nodes, n_parts)
    return MeshPartition(int(parts.edge_cuts), parts.vertex_part, array("q", other.tolist()))


def _as_seed(seed: Any) -> Any:
    """Return a seed of METIS, which may be negative: -1 is its default."""
    if isinstance(seed, (int, np.integer)) and seed < 0:
        return 0 if seed == -1 else int(seed) + 2**64
    return seed


def _most_common(
    item: NDArray[np.int64], part: NDArray[np.int64], count: int, parts: int
) -> NDArray[np.int64]:
    """Return the part that most pairs of an item have; 0 without pairs.

    Of several parts it is the one with the fewest items, counted after the items with a clear
    majority and then item by item.
    """
    pairs, votes = np.unique(item * parts + part, return_counts=True)
    items, candidates = pairs // parts, pairs % parts
    most = np.zeros(count, np.int64)
    np.maximum.at(most, items, votes)
    is_best = votes == most[items]
    items, candidates = items[is_best], candidates[is_best]
    found = np.zeros(count, np.int64)
    found[items] = candidates
    rivals = np.bincount(items, minlength=count)
    sizes = np.bincount(found[rivals == 1], minlength=parts)
    first = np.cumsum(rivals) - rivals
    for i in np.flatnonzero(rivals > 1):
        tied = candidates[first[i] : first[i] + rivals[i]]
        found[i] = tied[np.argmin(sizes[tied])]
        sizes[found[i]] += 1
    return found


def _capacities(
    tpwgts: Sequence[float], nparts: int, graph: Graph, imbalance: float
) -> NDArray[Any] | None:
    """Return what every part may weigh; None if all the same."""
    given = as_array(tpwgts, "tpwgts", ConfigError)
    if given.shape == (0,):  # pymetis's own default for meshes
        return None
    shares = _as_shares(given, nparts, graph.num_weights)
    if (shares == shares[0]).all() or not 0 <= imbalance < np.inf:  # which is refused elsewhere
        return None
    units = [scale.unit for scale in graph.load_scales]
    columns = [
        _limits(shares[:, i if shares.shape[1] > 1 else 0], total * unit, imbalance)
        for i, (total, unit) in enumerate(zip(graph.total_weights, units, strict=True))
    ]
    exact = all(unit == 1 for unit in units)
    return np.array(columns, np.int64 if exact else np.float64).T


def _as_shares(given: NDArray[Any], nparts: int, num_weights: int) -> NDArray[Any]:
    """Return the shares of every part, one of all weights or one of each; each column has sum 1."""
    if given.shape not in ((nparts,), (nparts, num_weights)):
        rows = f" or rows of {num_weights}" if num_weights > 1 else ""
        raise ConfigError(f"tpwgts must be nparts = {nparts} numbers{rows}, got {given.shape}")
    if given.dtype.kind not in "iuf":
        raise ConfigError(f"tpwgts must hold numbers, got dtype {given.dtype}")
    shares: NDArray[Any] = given[:, None] if given.ndim == 1 else given
    wrong = ~(np.isfinite(shares) & (shares >= 0))
    if wrong.any():
        entry = np.unravel_index(int(np.argmax(wrong)), given.shape)
        place = ", ".join(map(str, entry))
        raise ConfigError(f"tpwgts[{place}] = {given[entry]} is not a finite number >= 0")
    for i, total in enumerate(shares.sum(axis=0, dtype=np.float64).tolist()):
        if abs(total - 1) > 1e-3:
            name = "tpwgts" if given.ndim == 1 else f"tpwgts[:, {i}]"
            raise ConfigError(f"{name} must be numbers >= 0 of sum 1, got a sum of {total:g}")
    return shares


def _limits(shares: NDArray[Any], total: Fraction, imbalance: float) -> list[int]:
    """Return how much of a total every part may weigh, rounded up.

    Numbers are the decimal fractions that they are written as: floats would hold less than the
    total where it is large, and more than a share of 0.2.
    """
    exact = [Fraction(str(share)) for share in shares]
    most = (1 + Fraction(str(imbalance))) * total / sum(exact)
    return [min(math.ceil(most * share), WEIGHT_LIMIT) for share in exact]


def _rows(
    adjacency: Any, xadj: ArrayLike | None, adjncy: ArrayLike | None
) -> tuple[ArrayLike, ArrayLike]:
    if adjacency is None:
        if xadj is None or adjncy is None:
            raise GraphError("give either adjacency, or xadj and adjncy")
        return xadj, adjncy
    if xadj is not None or adjncy is not None:
        raise GraphError("give either adjacency, or xadj and adjncy, not both")
    if hasattr(adjacency, "adj_starts"):
        return adjacency.adj_starts, adjacency.adjacent
    return _of_lists(adjacency)


def _of_lists(
    adjacency: Sequence[Iterable[int]] | Mapping[int, Iterable[int]],
) -> tuple[list[int], list[int]]:
    try:
        rows = [list(adjacency[v]) for v in range(len(adjacency))]
    except (KeyError, TypeError) as exc:
        raise GraphError(
            f"adjacency[v] must be the neighbours of v for every v: {shortened(repr(exc), 200)}"
        ) from None
    return [0, *np.cumsum([len(row) for row in rows]).tolist()], list(chain.from_iterable(rows))
