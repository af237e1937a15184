# SPDX-License-Identifier: MIT
"""Graphs of other libraries, recognised without importing them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from procmap._util.arrays import as_array
from procmap._util.errors import GraphError
from procmap._util.messages import form_of, shown
from procmap.graph._arcs import Arcs, Tasks, check_symmetrize

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from procmap.graph._arcs import Symmetrize

_WEIGHT = "weight"  # the attribute with the traffic, in all of them


class SparseMatrix(Protocol):
    """What is needed of a SciPy sparse matrix or array."""

    shape: Any
    format: str
    nnz: int

    def tocsr(self) -> Any:
        """Return the same in CSR form."""

    def tocoo(self) -> Any:
        """Return the same in COO form."""


class NetworkXGraph(Protocol):
    """What is needed of a NetworkX graph."""

    nodes: Any
    edges: Any

    def is_directed(self) -> bool:
        """Whether (u, v) and (v, u) are two edges."""


class IGraph(Protocol):
    """What is needed of an igraph graph."""

    es: Any

    def is_directed(self) -> bool:
        """Whether (u, v) and (v, u) are two edges."""

    def vcount(self) -> int:
        """Return the number of vertices."""

    def get_edgelist(self) -> list[tuple[int, int]]:
        """Return the ends of every edge."""


class DGLGraph(Protocol):
    """What is needed of a DGL graph."""

    edata: Any

    def num_nodes(self) -> int:
        """Return the number of nodes."""

    def edges(self) -> tuple[Any, Any]:
        """Return tails and heads of all edges as tensors."""


class PyGData(Protocol):
    """What is needed of a PyTorch Geometric ``Data``."""

    edge_index: Any
    num_nodes: int | None


def of_object(graph: object, symmetrize: Symmetrize) -> Tasks | None:
    """Return the tasks of a graph of some other library, or None if it is none that is known."""
    networkx, igraph = sys.modules.get("networkx"), sys.modules.get("igraph")
    if networkx is not None and isinstance(graph, networkx.Graph):
        return of_networkx(graph, _WEIGHT, None, symmetrize)
    if igraph is not None and isinstance(graph, igraph.Graph):
        return _of_igraph(graph, symmetrize)
    if all(hasattr(graph, name) for name in ("num_nodes", "edges", "edata")):
        return _of_dgl(graph, symmetrize)  # type: ignore[arg-type]
    if hasattr(graph, "edge_index") and hasattr(graph, "num_nodes"):
        return _of_pyg(graph, symmetrize)
    return None


def of_networkx(
    graph: NetworkXGraph, weight: str | None, load: str | None, symmetrize: Symmetrize
) -> Tasks:
    """Return the tasks of a NetworkX graph; vertex i is the i-th of its nodes."""
    if not all(hasattr(graph, name) for name in ("nodes", "edges", "is_directed")):
        raise TypeError(f"graph must be a NetworkX graph, got {type(graph).__name__}")
    for option, name in (("weight", weight), ("load", load)):
        check_attribute(option, name)
    _check_direction(graph, "NetworkX graph", "graph.to_undirected()", symmetrize)
    number = {node: i for i, node in enumerate(graph.nodes)}
    edges = [(number[u], number[v]) for u, v in graph.edges()]
    weights: ArrayLike | None = None
    if weight is not None:
        weights = [w for _, _, w in graph.edges(data=weight, default=1)]
    loads = None if load is None else [w for _, w in graph.nodes(data=load, default=1)]
    arcs = Arcs.checked(*two_columns(edges), weights, len(number))
    return Tasks(_both_ways(arcs, graph.is_directed(), symmetrize), loads)


def check_attribute(option: str, name: object) -> None:
    """Refuse what names no attribute: NetworkX would find it nowhere, and everything weigh 1."""
    if name is not None and not isinstance(name, str):
        raise GraphError(f"{option} must be the name of an attribute, got {shown(name)}")


def _of_igraph(graph: IGraph, symmetrize: Symmetrize) -> Tasks:
    _check_direction(graph, "igraph graph", "graph.as_undirected()", symmetrize)
    weights = graph.es[_WEIGHT] if _WEIGHT in graph.es.attributes() else None
    arcs = Arcs.checked(*two_columns(graph.get_edgelist()), weights, graph.vcount())
    return Tasks(_both_ways(arcs, graph.is_directed(), symmetrize))


def _of_dgl(graph: DGLGraph, symmetrize: Symmetrize) -> Tasks:
    if not getattr(graph, "is_homogeneous", True):
        raise GraphError("the DGL graph has nodes of several types; use dgl.to_homogeneous first")
    weights = graph.edata.get(_WEIGHT)
    arcs = Arcs.checked(*graph.edges(), weights, graph.num_nodes(), "arcs")
    return Tasks(arcs.symmetrized(symmetrize))


def _of_pyg(data: PyGData, symmetrize: Symmetrize) -> Tasks:
    weights = getattr(data, "edge_weight", None)
    arcs = Arcs.checked(*two_rows(data.edge_index), weights, data.num_nodes, "arcs")
    return Tasks(arcs.symmetrized(symmetrize))


def two_columns(edges: ArrayLike) -> tuple[ArrayLike, ArrayLike]:
    """Return the ends of edges of shape (m, 2)."""
    ends = as_array(edges, "edges", GraphError)
    if ends.size == 0:
        ends = np.zeros((0, 2), np.int64)
    if ends.ndim != 2 or ends.shape[1] != 2:
        raise GraphError(f"edges must have shape (m, 2), got {_form(edges, ends)}")
    return ends[:, 0], ends[:, 1]


def two_rows(edge_index: ArrayLike) -> tuple[ArrayLike, ArrayLike]:
    """Return tails and heads of an edge index of shape (2, m)."""
    ends = as_array(edge_index, "edge_index", GraphError)
    if ends.ndim != 2 or ends.shape[0] != 2:
        raise GraphError(f"edge_index must have shape (2, m), got {_form(edge_index, ends)}")
    if ends.size == 0:
        ends = np.zeros((2, 0), np.int64)
    return ends[0], ends[1]


def _form(values: object, array: NDArray[Any]) -> str:
    return form_of(values, array.shape).removeprefix("shape ")


def _check_direction(
    graph: NetworkXGraph | IGraph, name: str, remedy: str, symmetrize: Symmetrize
) -> None:
    check_symmetrize(symmetrize)
    if graph.is_directed() and symmetrize == "error":
        raise GraphError(
            f"the {name} is directed; use symmetrize='sum' or 'max', or {remedy} first"
        )


def _both_ways(arcs: Arcs, directed: bool, symmetrize: Symmetrize) -> Arcs:
    return arcs.symmetrized(symmetrize) if directed else arcs.mirrored()
