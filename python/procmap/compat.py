# SPDX-License-Identifier: MIT
"""Functions that take and return what those of pymetis, SciPy and SharedMap do.

Change the import of a program and keep the rest:

>>> from procmap.compat import part_graph  # instead of pymetis
>>> part_graph(2, [[1], [0, 2], [1, 3], [2]]).edge_cuts
1
"""

from __future__ import annotations

import math
import sys
from array import array
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from procmap._util.arrays import as_array, as_integer, as_integers
from procmap._util.errors import ConfigError, GraphError, TopologyError
from procmap._util.messages import shortened, shown
from procmap.graph._csr import LIMIT
from procmap.graph._elements import connectivity as rows_of_elements
from procmap.graph._elements import dual_arcs, element_of
from procmap.graph._inputs import as_graph
from procmap.graph.io.order import most_vertices
from procmap.mapping._api import map as map_graph
from procmap.mapping._api import partition
from procmap.mapping._reorder import reorder_ranks
from procmap.topology._topology import Topology

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from procmap.config._fields import Preset
    from procmap.graph._graph import Graph

__all__ = [
    "GraphPartition",
    "MeshPartition",
    "ProcessMappingResult",
    "part_graph",
    "part_mesh",
    "process_map",
    "quadratic_assignment",
]

_METIS_UFACTOR = 30  # parts per thousand, METIS's default for k-way partitioning
_GTYPES = {None: "nodal", "nodal": "nodal", "dual": "dual", "0": "dual", "1": "nodal"}  # METIS's
_SCIPY_OPTIONS = (
    "maximize", "partial_match", "rng",
    "P0", "shuffle_input", "maxiter", "tol", "partial_guess",  # of its methods
)  # fmt: skip
_SHAREDMAP_MODES: dict[str, Preset] = {"fast": "fast", "eco": "default", "strong": "strong"}


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


class ProcessMappingResult(NamedTuple):
    """Result of `process_map`, as of chszlablib.

    Attributes
    ----------
    comm_cost : int or float
        J, with every edge counted twice.
    assignment : numpy.ndarray of int32, shape (n,)
        PE of every vertex. Read-only.
    """

    comm_cost: int | float
    assignment: NDArray[np.int32]


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
        Share of every part of the total of every weight, >= 0, of sum 1; equal ones if None.
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
    if contiguous or getattr(options, "contig", -1) not in (-1, 0):
        raise ConfigError("contiguous=True is not supported: parts may be disconnected")
    ufactor, seed = (getattr(options, name, -1) for name in ("ufactor", "seed"))
    imbalance = (_METIS_UFACTOR if ufactor == -1 else ufactor) / 1000
    graph = as_graph((*_rows(adjacency, xadj, adjncy), eweights), vweights)
    result = partition(
        graph,
        nparts,
        imbalance=imbalance,
        capacities=None if tpwgts is None else _capacities(tpwgts, nparts, graph, imbalance),
        seed=0 if seed == -1 else seed,
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
        arcs = dual_arcs(offsets, nodes, ncommon)
    xadj, adjncy, _ = arcs.rows()
    parts = part_graph(n_parts, xadj=xadj, adjncy=adjncy, tpwgts=tpwgts, options=options)
    own = np.asarray(parts.vertex_part)
    if kind == "nodal":
        other = _most_common(elements, own[nodes], len(offsets) - 1, n_parts)
        return MeshPartition(int(parts.edge_cuts), array("q", other.tolist()), parts.vertex_part)
    other = _most_common(nodes, own[elements], num_nodes, n_parts)
    return MeshPartition(int(parts.edge_cuts), parts.vertex_part, array("q", other.tolist()))


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
    shares = _as_shares(tpwgts, nparts, graph.num_weights)
    if (shares == shares[0]).all() or not np.isfinite(imbalance):  # which is refused elsewhere
        return None
    units = [scale.unit for scale in graph.load_scales]
    columns = [
        _limits(shares[:, i if shares.shape[1] > 1 else 0], total * unit, imbalance)
        for i, (total, unit) in enumerate(zip(graph.total_weights, units, strict=True))
    ]
    exact = all(unit == 1 for unit in units)
    return np.array(columns, np.int64 if exact else np.float64).T


def _as_shares(tpwgts: Sequence[float], nparts: int, num_weights: int) -> NDArray[Any]:
    """Return the shares of every part, one of all weights or one of each; each column has sum 1."""
    given = as_array(tpwgts, "tpwgts", ConfigError)
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
    return [min(math.ceil(most * share), LIMIT) for share in exact]


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


def process_map(
    g: Any,
    hierarchy: Sequence[int],
    distance: Sequence[int],
    *,
    mode: str = "eco",
    strategy: str | None = None,  # noqa: ARG001 - of SharedMap's threads
    parallel_algorithm: str | None = None,  # noqa: ARG001
    serial_algorithm: str | None = None,  # noqa: ARG001
    imbalance: float = 0.03,
    threads: int = 1,
    seed: int = 0,
    verbose: bool = False,  # noqa: ARG001 - see the logger "procmap"
) -> ProcessMappingResult:
    """Map a graph as chszlablib's ``Decomposition.process_map`` (SharedMap) does.

    Parameters
    ----------
    g : chszlablib.Graph or graph_like
        The tasks.
    hierarchy, distance : sequence of int
        Sizes and distances of the levels, innermost first: ``[4, 8]`` is 8 groups of 4 PEs.
    mode : {"fast", "eco", "strong"}
        The presets "fast", "default" and "strong".
    strategy, parallel_algorithm, serial_algorithm, verbose
        Without effect: threads do not change the result, and progress goes to ``logging``.
    imbalance, threads, seed
        As in `procmap.map`.

    Returns
    -------
    ProcessMappingResult

    Raises
    ------
    GraphError, TopologyError, ConfigError
        If the graph, the machine or an option is malformed.
    """
    if mode not in _SHAREDMAP_MODES:
        raise ConfigError(f"mode must be one of {', '.join(_SHAREDMAP_MODES)}, got {shown(mode)}")
    tasks, loads = g, None
    if all(hasattr(g, name) for name in ("xadj", "adjncy", "edge_weights", "node_weights")):
        tasks, loads = (g.xadj, g.adjncy, g.edge_weights), g.node_weights
    result = map_graph(
        tasks,
        Topology.hierarchy(hierarchy, distance),
        vertex_weights=loads,
        imbalance=imbalance,
        preset=_SHAREDMAP_MODES[mode],
        seed=seed,
        threads=threads,
    )
    return ProcessMappingResult(result.cost, result.blocks)


def quadratic_assignment(
    A: ArrayLike,
    B: ArrayLike,
    method: str = "faq",
    options: dict[str, Any] | None = None,
) -> Any:
    """Minimise ``trace(A.T @ P @ B @ P.T)`` as ``scipy.optimize.quadratic_assignment`` does.

    It is rank reordering: A is traffic, B the distances between places, and row i of A goes to
    ``col_ind[i]``. Needs SciPy for the type of the result.

    Parameters
    ----------
    A, B : array_like, shape (n, n)
        n at most 10,000. At least one of them is symmetric, and at least one has a zero
        diagonal.
    method : {"faq", "2opt"}
        Without effect.
    options : dict, optional
        ``maximize`` as in SciPy; ``rng``, if an integer, is the seed. ``partial_match`` is not
        supported; SciPy's others are without effect.

    Returns
    -------
    scipy.optimize.OptimizeResult
        With ``col_ind`` (shape (n,)), ``fun`` and ``nit``, the number of refinement rounds.

    Raises
    ------
    GraphError, TopologyError
        If A or B is malformed, or holds integers of 2^62 or more.
    ConfigError
        If an option is unknown or not supported.
    OverflowError
        If the cost could exceed 64 bits.
    """
    from scipy.optimize import OptimizeResult  # noqa: PLC0415 - SciPy is optional

    sign, seed = _check_options(method, options or {})
    traffic, places = _square(A, "A", GraphError), _square(B, "B", TopologyError)
    if traffic.shape != places.shape:
        raise GraphError(f"A and B must be of one size, got {traffic.shape} and {places.shape}")
    n = len(traffic)
    if n == 0:
        return OptimizeResult(col_ind=np.zeros(0, np.int64), fun=0, nit=0)
    mapping = reorder_ranks(
        _nonnegative(_without_diagonal(traffic), "A", GraphError),
        Topology.from_distance_matrix(
            _nonnegative(sign * _as_distances(traffic, places), "B", TopologyError)
        ),
        seed=seed,
    )
    order = mapping.permutation.astype(np.int64)
    fun = _sum_of_products(traffic, places[np.ix_(order, order)])
    rounds = sum(level.rounds for level in mapping.stats.levels)
    return OptimizeResult(col_ind=order, fun=fun, nit=rounds)


def _check_options(method: str, options: dict[str, Any]) -> tuple[int, int]:
    """Return -1 to maximise or 1, and the seed."""
    if method not in ("faq", "2opt"):
        raise ConfigError(f"method must be 'faq' or '2opt', got {shown(method)}")
    unknown = [name for name in options if name not in _SCIPY_OPTIONS]
    if unknown:
        raise ConfigError(
            f"unknown option {shown(unknown[0])}; there are {', '.join(_SCIPY_OPTIONS)}"
        )
    partial = options.get("partial_match")
    if partial is not None and len(partial):
        raise ConfigError("partial_match is not supported")
    rng = options.get("rng")
    numbered = isinstance(rng, (int, np.integer))
    seed = as_integer(rng, "rng", 0, 2**64 - 1, ConfigError) if numbered else 0
    return -1 if options.get("maximize") else 1, seed


def _square(values: ArrayLike, name: str, error: type[ValueError]) -> NDArray[Any]:
    matrix = as_array(values, name, error)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise error(f"{name} must be a square matrix, got shape {matrix.shape}")
    if matrix.dtype.kind == "f":
        return matrix.astype(np.float64)
    flat = as_integers(matrix.ravel(), np.int64, f"{name}.ravel()", error)
    integers = flat.reshape(matrix.shape)
    beyond = (integers <= -LIMIT) | (integers >= LIMIT)
    np.fill_diagonal(beyond, False)  # that of A or B is 0, so that neither counts
    if beyond.any():
        i, j = divmod(int(np.argmax(beyond)), len(matrix))
        raise error(f"{name}[{i}, {j}] = {integers[i, j]} is not between -2^62 and 2^62")
    return integers


def _as_distances(traffic: NDArray[Any], places: NDArray[Any]) -> NDArray[Any]:
    """Return symmetric distances that give the same objective, up to a factor."""
    if np.diagonal(traffic).any() and np.diagonal(places).any():
        raise GraphError("A or B must have a zero diagonal: no task is at a distance from itself")
    distances = _without_diagonal(places)
    if np.array_equal(distances, distances.T):
        return distances
    if not np.array_equal(traffic, traffic.T):
        raise GraphError("A or B must be symmetric")
    with np.errstate(over="ignore"):  # what becomes infinite is refused
        doubled: NDArray[Any] = distances + distances.T
    return doubled


def _nonnegative(matrix: NDArray[Any], name: str, error: type[ValueError]) -> NDArray[Any]:
    """Return a matrix with the same best assignments: all pay alike for a constant added to it."""
    smallest, largest = matrix.min().item(), matrix.max().item()
    if not -np.inf < smallest < 0:
        return matrix
    if largest - smallest > (sys.float_info.max if matrix.dtype.kind == "f" else 2**63 - 1):
        raise error(f"the entries of {name} are too far apart: {smallest} to {largest}")
    return _without_diagonal(matrix - smallest)


def _sum_of_products(a: NDArray[Any], b: NDArray[Any]) -> int | float:
    """Return the sum of all products of entries at the same place; of integers exactly."""
    if "f" in (a.dtype.kind, b.dtype.kind):
        with np.errstate(over="ignore", invalid="ignore"):
            return float((a * b).sum())
    return sum(_exact_product(row, other) for row, other in zip(a, b, strict=True))


def _exact_product(a: NDArray[np.int64], b: NDArray[np.int64]) -> int:
    """Return the scalar product of integers, of Python's integers if 64 bits may be too few."""
    bound = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64))
    return int(a @ b) if bound < LIMIT else int(a.astype(object) @ b)


def _without_diagonal(matrix: NDArray[Any]) -> NDArray[Any]:
    copy: NDArray[Any] = matrix.copy()
    np.fill_diagonal(copy, 0)
    return copy
