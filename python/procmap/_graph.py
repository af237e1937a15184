# SPDX-License-Identifier: MIT
"""The task graph and the ways to make one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from procmap import _core
from procmap._arrays import as_integers, thread_count
from procmap._csr import check_lengths, edges_to_csr, optional_integers
from procmap._errors import GraphError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from procmap._csr import NetworkXGraph, SparseMatrix


class Graph:
    """An immutable, undirected task graph, checked completely when it is made.

    Vertices are tasks with a load (vertex weight), edges are traffic between two tasks (edge
    weight); both are integers >= 0 and 1 if not given. Self-loops are dropped and parallel edges
    added up. Make one with `from_csr`, `from_scipy`, `from_networkx`, `from_edges` or `read`.

    Raises
    ------
    GraphError
        From all of these if the graph is malformed; the message names the first culprit.
    """

    __slots__ = ("_native",)

    _native: _core.Graph

    def __init__(self) -> None:
        raise TypeError("use Graph.from_csr, from_scipy, from_networkx, from_edges or read")

    @classmethod
    def _wrap(cls, core: _core.Graph) -> Graph:
        self = object.__new__(cls)
        self._native = core
        return self

    @classmethod
    def from_csr(
        cls,
        offsets: ArrayLike,
        heads: ArrayLike,
        arc_weights: ArrayLike | None = None,
        vertex_weights: ArrayLike | None = None,
        *,
        copy: bool = True,
        threads: int | None = None,
    ) -> Graph:
        """Make a graph from compressed rows (``indptr, indices, data``; METIS: ``xadj, adjncy``).

        Parameters
        ----------
        offsets : array_like of int, shape (n + 1,)
            Row u holds the arcs ``offsets[u]`` to ``offsets[u + 1] - 1``.
        heads : array_like of int, shape (2m,)
            Head of every arc, in [0, n). Both directions of every edge are there.
        arc_weights : array_like of int, shape (2m,), optional
            Traffic of every arc, equal in both directions.
        vertex_weights : array_like of int, shape (n,), optional
            Load of every vertex.
        copy : bool
            With False, arrays that already are C-contiguous int64 (`heads`: int32) are borrowed
            and must not change while the graph exists: it is checked only now.
        threads : int, optional
            Threads for the check; all if None.

        Returns
        -------
        Graph
        """
        arrays = (
            as_integers(offsets, np.int64, "offsets", GraphError, copy=copy),
            as_integers(heads, np.int32, "heads", GraphError, copy=copy),
            optional_integers(arc_weights, "arc_weights", copy),
            optional_integers(vertex_weights, "vertex_weights", copy),
        )
        check_lengths(*arrays)
        return cls._wrap(_core.Graph.from_csr(*arrays, thread_count(threads)))

    @classmethod
    def from_scipy(
        cls,
        matrix: SparseMatrix,
        vertex_weights: ArrayLike | None = None,
        *,
        copy: bool = True,
        threads: int | None = None,
    ) -> Graph:
        """Make a graph from a symmetric SciPy sparse matrix or array of any format.

        Parameters
        ----------
        matrix : scipy.sparse matrix or array, shape (n, n)
            Entry (u, v) is the traffic between u and v. The diagonal is ignored; stored zeros
            are edges of weight 0.
        vertex_weights, copy, threads
            As in `from_csr`.

        Returns
        -------
        Graph
        """
        if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
            raise GraphError(f"the matrix must be square, got shape {tuple(matrix.shape)}")
        csr = matrix.tocsr()
        weights = as_integers(csr.data, np.int64, "matrix.data", GraphError, copy=copy)
        return cls.from_csr(
            csr.indptr, csr.indices, weights, vertex_weights, copy=copy, threads=threads
        )

    @classmethod
    def from_networkx(
        cls,
        graph: NetworkXGraph,
        vertex_weights: ArrayLike | None = None,
        *,
        weight: str | None = "weight",
        load: str | None = None,
        threads: int | None = None,
    ) -> Graph:
        """Make a graph from an undirected NetworkX graph.

        Vertex i is the i-th node of ``list(graph.nodes)``.

        Parameters
        ----------
        graph : networkx.Graph or networkx.MultiGraph
            Nodes may be any objects.
        vertex_weights : array_like of int, shape (n,), optional
            Load of every node, in the order of ``graph.nodes``.
        weight : str, optional
            Edge attribute with the traffic; edges without it weigh 1.
        load : str, optional
            Node attribute with the load, instead of `vertex_weights`; 1 if a node lacks it.
        threads
            As in `from_csr`.

        Returns
        -------
        Graph
        """
        if graph.is_directed():
            raise GraphError("the NetworkX graph is directed; use graph.to_undirected() first")
        number = {node: i for i, node in enumerate(graph.nodes)}
        edges = [(number[u], number[v]) for u, v in graph.edges()]
        weights: ArrayLike | None = None
        if weight is not None:
            weights = [w for _, _, w in graph.edges(data=weight, default=1)]
        if load is not None:
            if vertex_weights is not None:
                raise GraphError("give either vertex_weights or load, not both")
            vertex_weights = [w for _, w in graph.nodes(data=load, default=1)]
        return cls.from_edges(edges, len(number), weights, vertex_weights, threads=threads)

    @classmethod
    def from_edges(
        cls,
        edges: ArrayLike,
        num_vertices: int | None = None,
        weights: ArrayLike | None = None,
        vertex_weights: ArrayLike | None = None,
        *,
        threads: int | None = None,
    ) -> Graph:
        """Make a graph from a list of edges, each given once.

        Parameters
        ----------
        edges : array_like of int, shape (m, 2)
            The two ends of every edge. An edge given twice counts twice.
        num_vertices : int, optional
            n; one more than the largest end if None.
        weights : array_like of int, shape (m,), optional
            Traffic of every edge.
        vertex_weights, threads
            As in `from_csr`.

        Returns
        -------
        Graph
        """
        offsets, heads, arc_weights = edges_to_csr(edges, num_vertices, weights)
        return cls.from_csr(
            offsets, heads, arc_weights, vertex_weights, copy=False, threads=threads
        )

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, threads: int | None = None) -> Graph:
        """Read a METIS graph file.

        Parameters
        ----------
        path : path-like
            Header ``n m [fmt [ncon]]``, then one line per vertex, counting from 1.
        threads
            As in `from_csr`.

        Returns
        -------
        Graph

        Raises
        ------
        FileError
            If the file cannot be read or is malformed; the message is "PATH:LINE: ...".
        """
        return cls._wrap(_core.read_metis(os.fspath(path), thread_count(threads)))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the graph as a METIS file; raise FileError if that fails."""
        _core.write_metis(self._native, os.fspath(path))

    @property
    def num_vertices(self) -> int:
        """Number of vertices n."""
        return self._native.num_vertices

    @property
    def num_edges(self) -> int:
        """Number of undirected edges m."""
        return self._native.num_edges

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Row u holds the arcs offsets[u] to offsets[u + 1] - 1; shape (n + 1,), read-only."""
        return self._native.offsets

    @property
    def heads(self) -> NDArray[np.int32]:
        """Head of every arc; shape (2m,), read-only."""
        return self._native.heads

    @property
    def arc_weights(self) -> NDArray[np.int64]:
        """Traffic of every arc; shape (2m,), read-only. All-1 weights take no memory."""
        return _or_ones(self._native.arc_weights, self._native.num_arcs)

    @property
    def vertex_weights(self) -> NDArray[np.int64]:
        """Load of every vertex; shape (n,), read-only. All-1 weights take no memory."""
        return _or_ones(self._native.vertex_weights, self._native.num_vertices)

    @property
    def total_vertex_weight(self) -> int:
        """Sum of all loads."""
        return self._native.total_vertex_weight

    @property
    def max_degree(self) -> int:
        """Most neighbours of any vertex."""
        return self._native.max_degree

    @property
    def has_edge_weights(self) -> bool:
        """Whether edges carry weights; False means that every edge weighs 1."""
        return self._native.arc_weights.size > 0

    @property
    def has_vertex_weights(self) -> bool:
        """Whether vertices carry weights; False means that every vertex weighs 1."""
        return self._native.vertex_weights.size > 0

    def with_vertex_weights(self, vertex_weights: ArrayLike) -> Graph:
        """Return the same graph with other loads; the arcs are shared.

        Parameters
        ----------
        vertex_weights : array_like of int, shape (n,)
            Load of every vertex.
        """
        loads = as_integers(vertex_weights, np.int64, "vertex_weights", GraphError, copy=True)
        arc_weights = self._native.arc_weights if self.has_edge_weights else None
        return Graph.from_csr(self.offsets, self.heads, arc_weights, loads, copy=False)

    def __repr__(self) -> str:
        edges = "weighted" if self.has_edge_weights else "unit"
        loads = "weighted" if self.has_vertex_weights else "unit"
        return f"Graph({self.num_vertices} {loads} vertices, {self.num_edges} {edges} edges)"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the arrays; the copy is checked again."""
        weights = self._native.arc_weights if self.has_edge_weights else None
        loads = self._native.vertex_weights if self.has_vertex_weights else None
        return Graph.from_csr, (self.offsets, self.heads, weights, loads)


def _or_ones(weights: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    return weights if weights.size == count else np.broadcast_to(np.int64(1), count)
