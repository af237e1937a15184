# SPDX-License-Identifier: MIT
"""`as_graph`: a `Graph` of anything that may stand for one."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from procmap._util.errors import GraphError
from procmap.graph._arcs import check_symmetrize
from procmap.graph._foreign import of_object
from procmap.graph._graph import Graph

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import ArrayLike, NDArray

    from procmap.graph._arcs import Symmetrize
    from procmap.graph._foreign import DGLGraph, IGraph, NetworkXGraph, PyGData, SparseMatrix
    from procmap.graph._loads import LoadsLike

    GraphLike: TypeAlias = (
        Graph
        | SparseMatrix
        | NetworkXGraph
        | IGraph
        | DGLGraph
        | PyGData
        | NDArray[Any]
        | tuple[ArrayLike, ArrayLike]
        | tuple[ArrayLike, ArrayLike, ArrayLike | None]
        | str
        | os.PathLike[str]
    )


def as_graph(
    graph: GraphLike,
    vertex_weights: LoadsLike | None = None,
    *,
    symmetrize: Symmetrize = "error",
    stream: object = None,
    threads: int | None = None,
) -> Graph:
    """Make a `Graph` of anything that `map`, `partition` and `evaluate` take.

    Parameters
    ----------
    graph : graph_like
        One of

        - a `Graph`,
        - a SciPy sparse matrix or array of any format, as in `Graph.from_scipy`,
        - a tuple ``(offsets, heads)`` or ``(offsets, heads, weights)``, as in `Graph.from_csr`,
          also of arrays on a GPU,
        - a NetworkX or igraph graph, traffic in the edge attribute "weight" if there is one,
        - a PyTorch Geometric ``Data`` (traffic in ``edge_weight``), or its ``edge_index`` or any
          other integer array of shape (2, m), m != 2, as in `Graph.from_edge_index`,
        - a homogeneous DGL graph, traffic in ``edata["weight"]`` if it is there,
        - the path of a file, as in `Graph.read`.

        Arrays of the right type are borrowed and must not change while the graph exists.
    vertex_weights : array_like of int or float, shape (n,) or (n, c), or dict, optional
        Load of every task, instead of what `graph` says; or several weights of every task, see
        `Graph.from_csr`.
    symmetrize : {"error", "sum", "max"}
        What to make of traffic u->v and v->u that differ; see `Graph.from_csr`.
    stream : int or object, optional
        The CUDA stream that writes arrays on a GPU, see `Graph.from_csr`.
    threads : int, optional
        Threads for the check; all if None.

    Returns
    -------
    Graph

    Raises
    ------
    GraphError, FileError
        If the graph is malformed; the message names the first culprit.
    TypeError
        If it is none of these.
    """
    check_symmetrize(symmetrize)
    if isinstance(graph, Graph):
        return graph if vertex_weights is None else graph.with_vertex_weights(vertex_weights)
    if isinstance(graph, (str, os.PathLike)):
        read = Graph.read(graph, symmetrize=symmetrize, threads=threads)
        return read if vertex_weights is None else read.with_vertex_weights(vertex_weights)
    if isinstance(graph, tuple):
        return _of_tuple(graph, vertex_weights, symmetrize, stream, threads)
    sparse = sys.modules.get("scipy.sparse")  # whoever has such a matrix has imported it
    if sparse is not None and sparse.issparse(graph):
        return Graph.from_scipy(
            graph,  # type: ignore[arg-type]
            vertex_weights,
            symmetrize=symmetrize,
            copy=False,
            threads=threads,
        )
    tasks = of_object(graph, symmetrize)
    if tasks is not None:
        loads = tasks.loads if vertex_weights is None else vertex_weights
        return Graph._from_arcs(tasks.arcs, loads, threads)
    if _is_edge_index(graph):
        return Graph.from_edge_index(
            graph,  # type: ignore[arg-type]
            vertex_weights=vertex_weights,
            symmetrize=symmetrize,
            threads=threads,
        )
    raise TypeError(_no_graph(graph))


def _no_graph(graph: object) -> str:
    """Say what would be a graph, and what was given instead."""
    shape, dtype = getattr(graph, "shape", None), getattr(graph, "dtype", None)
    if shape == (2, 2):
        return (
            "graph must be a matrix of traffic or an edge index, but an array of shape (2, 2) may "
            "be either: give Traffic.from_matrix(graph).to_graph() or Graph.from_edge_index(graph)"
        )
    given = type(graph).__name__
    if shape is not None and dtype is not None:
        given += f" of shape {tuple(shape)}, dtype {dtype}"
    return (
        "graph must be a procmap.Graph or Traffic, a SciPy sparse matrix, (offsets, heads[, "
        "weights]), a NetworkX, igraph, DGL or PyTorch Geometric graph, an edge index of integers, "
        "shape (2, m), a square NumPy array of traffic, which only map, partition and evaluate "
        f"take, or the path of a graph file, got {given}"
    )


def _is_edge_index(graph: object) -> bool:
    """Whether this can only be tails and heads: two rows of integers, and no 2 x 2 matrix."""
    shape: tuple[int, ...] = getattr(graph, "shape", ())
    dtype = str(getattr(graph, "dtype", ""))
    return len(shape) == 2 and shape[0] == 2 != shape[1] and "int" in dtype


def _of_tuple(
    arrays: tuple[ArrayLike | None, ...],
    vertex_weights: LoadsLike | None,
    symmetrize: Symmetrize,
    stream: object,
    threads: int | None,
) -> Graph:
    if len(arrays) not in (2, 3):
        raise GraphError(f"a graph is (offsets, heads[, weights]), got {len(arrays)} arrays")
    offsets, heads, weights = (*arrays, None)[:3]
    if offsets is None or heads is None:
        raise GraphError("a graph is (offsets, heads[, weights]), got None instead of an array")
    return Graph.from_csr(
        offsets,
        heads,
        weights,
        vertex_weights,
        symmetrize=symmetrize,
        copy=False,
        stream=stream,
        threads=threads,
    )
