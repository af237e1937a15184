# SPDX-License-Identifier: MIT
"""The ways to make a Graph from arrays and from what other packages hold.

A class of its own, below Graph, because documentation makes both of them long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from procmap import _core
from procmap._util.arrays import as_integers, thread_count
from procmap._util.errors import GraphError
from procmap._util.scaling import UNSCALED, Scale, scale_to_integers
from procmap.graph._arcs import Arcs, check_symmetrize
from procmap.graph._csr import check_lengths
from procmap.graph._device import borrow_rows, kind_of, on_gpu
from procmap.graph._foreign import check_attribute, of_networkx, two_columns, two_rows
from procmap.graph._loads import as_loads, is_several
from procmap.graph._self_loops import self_loops_of_rows, without_self_loops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Self

    from procmap.graph._arcs import Rows, Symmetrize
    from procmap.graph._foreign import NetworkXGraph, SparseMatrix
    from procmap.graph._loads import LoadsLike


class GraphMakers:
    """What a Graph holds, and class methods that make one."""

    __slots__ = ("_kind", "_load_scales", "_messages", "_native", "_traffic_scale", "_weight_names")

    _native: _core.Graph
    _traffic_scale: Scale
    _load_scales: tuple[Scale, ...]  # of every weight of a vertex
    _weight_names: tuple[str, ...]  # empty: nobody named them
    _kind: str | None  # package of the arrays on a GPU that it was made of
    _messages: bool  # an edge holds the messages of both directions, see `counts_messages`

    @classmethod
    def _wrap(
        cls,
        core: _core.Graph,
        traffic_scale: Scale = UNSCALED,
        load_scales: tuple[Scale, ...] | None = None,
        kind: str | None = None,
        messages: bool = False,
        weight_names: tuple[str, ...] = (),
    ) -> Self:
        self = object.__new__(cls)
        self._native = core
        self._traffic_scale = traffic_scale
        self._load_scales = load_scales or (UNSCALED,) * core.num_weights
        self._weight_names = weight_names
        self._kind = kind
        self._messages = messages
        return self

    def to_device(self, device: str) -> Self:
        """Return the same graph on a GPU."""
        raise NotImplementedError

    def with_vertex_weights(self, vertex_weights: LoadsLike) -> Self:
        """Return the same graph with other loads."""
        raise NotImplementedError

    @classmethod
    def _from_arcs(
        cls, arcs: Arcs, vertex_weights: LoadsLike | None = None, threads: int | None = None
    ) -> Self:
        return cls._from_rows(arcs.rows(), arcs.scale, vertex_weights, threads=threads)

    @classmethod
    def _from_rows(
        cls,
        rows: Rows,
        traffic_scale: Scale,
        vertex_weights: LoadsLike | None,
        *,
        copy: bool = False,
        threads: int | None,
    ) -> Self:
        loads = as_loads(vertex_weights, copy=copy)
        check_lengths(*rows, loads.first)
        further = len(loads.scales) - 1
        try:
            core = _core.Graph.from_csr(
                *rows, loads.first, loads.further, further, thread_count(threads)
            )
        except GraphError as exc:
            if all(scale == UNSCALED for scale in (traffic_scale, *loads.scales)):
                raise
            units = ", ".join(map(str, loads.scales))
            scales = f"traffic in units of {traffic_scale}, load in units of {units}"
            raise GraphError(f"{exc} ({scales})") from None
        return cls._wrap(core, traffic_scale, loads.scales, weight_names=loads.names)

    @classmethod
    def from_csr(
        cls,
        offsets: ArrayLike,
        heads: ArrayLike,
        weights: ArrayLike | None = None,
        vertex_weights: LoadsLike | None = None,
        *,
        arc_weights: ArrayLike | None = None,
        symmetrize: Symmetrize = "error",
        copy: bool = True,
        stream: object = None,
        threads: int | None = None,
    ) -> Self:
        """Make a graph from compressed rows (``indptr, indices, data``; METIS: ``xadj, adjncy``).

        Parameters
        ----------
        offsets : array_like of int, shape (n + 1,)
            Row u holds the arcs ``offsets[u]`` to ``offsets[u + 1] - 1``.
        heads : array_like of int, shape (2m,)
            Head of every arc, in [0, n). Both directions of every edge are there.
        weights : array_like of int or float, shape (2m,), optional
            Traffic of every arc, equal in both directions; `Graph.arc_weights`.
        vertex_weights : array_like of int or float, shape (n,) or (n, c), or dict, optional
            Load of every vertex, or c <= 8 weights of every vertex: a row each, or a dict of
            arrays of shape (n,) by name. With several a mapping is feasible if every PE is in
            every weight.
        arc_weights : array_like of int or float, optional
            Another name of `weights`.
        symmetrize : {"error", "sum", "max"}
            What to make of arcs u->v and v->u that differ, or of which one is missing: refuse
            them, or give the edge their sum or the larger one. With "sum", symmetric input
            counts twice too.
        copy : bool
            With False, arrays that already are C-contiguous int64 (`heads`: int32) are borrowed
            and must not change while the graph exists: it is checked only now.
        stream : int or object, optional
            The CUDA stream that writes arrays on a GPU: its handle, or a stream of CuPy or
            PyTorch. The legacy default stream if None.
        threads : int, optional
            Threads for the check; all if None.

        Returns
        -------
        Graph
            On a GPU if the arrays are: those of CuPy, PyTorch or anything else with
            ``__dlpack__`` or ``__cuda_array_interface__`` are checked and stay there. Only
            malformed graphs, self-loops, parallel arcs and fractions take the way through the
            host.
        """
        check_symmetrize(symmetrize)
        arc_weights = _the_one_given(weights, arc_weights)
        if any(on_gpu(array) for array in (offsets, heads, arc_weights, vertex_weights)):
            several = vertex_weights if is_several(vertex_weights) else None
            arrays = {
                "offsets": offsets,
                "heads": heads,
                "arc_weights": arc_weights,
                "vertex_weights": vertex_weights if several is None else None,
            }
            made = cls._from_gpu(arrays, symmetrize, copy=copy, stream=stream, threads=threads)
            return made if several is None else made.with_vertex_weights(several)
        if symmetrize != "error":
            arcs = Arcs.of_rows(offsets, heads, arc_weights).symmetrized(symmetrize)
            return cls._from_arcs(arcs, vertex_weights, threads)
        starts = as_integers(offsets, np.int64, "offsets", GraphError, copy=copy)
        ends = as_integers(heads, np.int32, "heads", GraphError, copy=copy)
        traffic, scale = _scaled(arc_weights, starts, ends, copy)
        rows = (starts, ends, traffic)
        return cls._from_rows(rows, scale, vertex_weights, copy=copy, threads=threads)

    @classmethod
    def _from_gpu(
        cls,
        arrays: dict[str, Any],
        symmetrize: Symmetrize,
        *,
        copy: bool,
        stream: object,
        threads: int | None,
    ) -> Self:
        (offsets, heads, weights, loads), streams = borrow_rows(arrays, stream)
        if offsets is None or heads is None:
            raise GraphError("a graph needs offsets and heads, got None")
        core = None
        if symmetrize == "error":
            core = _core.Graph.from_device(offsets, heads, weights, loads, streams, copy)
        if core is not None:
            graph = cls._wrap(core)
        else:  # for the host to name the culprit, or to clean or scale
            rows = [None if a is None else a.to_numpy(streams) for a in (weights, loads)]
            host = cls.from_csr(
                offsets.to_numpy(streams),
                heads.to_numpy(streams),
                *rows,
                symmetrize=symmetrize,
                copy=False,
                threads=threads,
            )
            graph = host.to_device(offsets.device)
        graph._kind = kind_of(arrays["offsets"])
        return graph

    @classmethod
    def from_scipy(
        cls,
        matrix: SparseMatrix,
        vertex_weights: LoadsLike | None = None,
        *,
        symmetrize: Symmetrize = "error",
        copy: bool = True,
        threads: int | None = None,
    ) -> Self:
        """Make a graph from a SciPy sparse matrix or array of any format.

        Parameters
        ----------
        matrix : scipy.sparse matrix or array, shape (n, n)
            Entry (u, v) is the traffic between u and v. The diagonal is ignored; stored zeros
            are edges of weight 0. Entries of the same place add up, in 64 bits.
        vertex_weights, symmetrize, copy, threads
            As in `from_csr`.

        Returns
        -------
        Graph
        """
        if not hasattr(matrix, "tocsr"):
            raise TypeError(f"matrix must be a SciPy sparse matrix, got {type(matrix).__name__}")
        if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
            raise GraphError(f"the matrix must be square, got shape {tuple(matrix.shape)}")
        csr = matrix.tocsr()
        if matrix.format in ("coo", "bsr") and csr.nnz < matrix.nnz:
            # SciPy added up entries of the same place, in the type of the matrix.
            check_symmetrize(symmetrize)
            coo = matrix.tocoo()
            arcs = Arcs.checked(coo.row, coo.col, coo.data, coo.shape[0], "entries")
            return cls._from_arcs(arcs.symmetrized(symmetrize), vertex_weights, threads)
        return cls.from_csr(
            csr.indptr,
            csr.indices,
            csr.data,
            vertex_weights,
            symmetrize=symmetrize,
            copy=copy,
            threads=threads,
        )

    @classmethod
    def from_networkx(
        cls,
        graph: NetworkXGraph,
        vertex_weights: LoadsLike | None = None,
        *,
        weight: str | None = "weight",
        load: str | Sequence[str] | None = None,
        symmetrize: Symmetrize = "error",
        threads: int | None = None,
    ) -> Self:
        """Make a graph from a NetworkX graph.

        Vertex i is the i-th node of ``list(graph.nodes)``.

        Parameters
        ----------
        graph : networkx.Graph
            Of any of its classes; a directed one needs `symmetrize`. Nodes may be any objects.
        vertex_weights : array_like of int or float, shape (n,) or (n, c), or dict, optional
            Load of every node, in the order of ``graph.nodes``, as in `from_csr`.
        weight : str, optional
            Edge attribute with the traffic; edges without it weigh 1.
        load : str or list of str, optional
            Node attribute with the load, instead of `vertex_weights`; 1 if a node lacks it.
            Several are several weights with these names.
        symmetrize, threads
            As in `from_csr`.

        Returns
        -------
        Graph
        """
        if load is not None and vertex_weights is not None:
            raise GraphError("give either vertex_weights or load, not both")
        names = list(load) if isinstance(load, (list, tuple)) else []
        one: Any = None if names else load
        tasks = of_networkx(graph, weight, one, symmetrize)
        loads = tasks.loads if vertex_weights is None else vertex_weights
        for i, name in enumerate(names):
            check_attribute(f"load[{i}]", name)
        if names:
            loads = {name: [w for _, w in graph.nodes(data=name, default=1)] for name in names}
        return cls._from_arcs(tasks.arcs, loads, threads)

    @classmethod
    def from_edges(
        cls,
        edges: ArrayLike,
        num_vertices: int | None = None,
        weights: ArrayLike | None = None,
        vertex_weights: LoadsLike | None = None,
        *,
        arc_weights: ArrayLike | None = None,
        threads: int | None = None,
    ) -> Self:
        """Make a graph from a list of edges, each given once.

        Parameters
        ----------
        edges : array_like of int, shape (m, 2)
            The two ends of every edge. An edge given twice counts twice.
        num_vertices : int, optional
            n; one more than the largest end if None.
        weights : array_like of int or float, shape (m,), optional
            Traffic of every edge.
        vertex_weights, arc_weights, threads
            As in `from_csr`.

        Returns
        -------
        Graph
        """
        traffic = _the_one_given(weights, arc_weights)
        arcs = Arcs.checked(*two_columns(edges), traffic, num_vertices).mirrored()
        return cls._from_arcs(arcs, vertex_weights, threads)

    @classmethod
    def from_edge_index(
        cls,
        edge_index: ArrayLike,
        num_vertices: int | None = None,
        weights: ArrayLike | None = None,
        vertex_weights: LoadsLike | None = None,
        *,
        arc_weights: ArrayLike | None = None,
        symmetrize: Symmetrize = "error",
        threads: int | None = None,
    ) -> Self:
        """Make a graph from tails and heads, as in PyTorch Geometric and the COO format.

        Parameters
        ----------
        edge_index : array_like of int, shape (2, 2m)
            Tail and head of every arc; a torch tensor will do. Both directions of every edge are
            there, unless `symmetrize` says what to do without.
        num_vertices : int, optional
            n; one more than the largest end if None.
        weights : array_like of int or float, shape (2m,), optional
            Traffic of every arc.
        vertex_weights, arc_weights, symmetrize, threads
            As in `from_csr`.

        Returns
        -------
        Graph
        """
        check_symmetrize(symmetrize)
        traffic = _the_one_given(weights, arc_weights)
        arcs = Arcs.checked(*two_rows(edge_index), traffic, num_vertices, "arcs")
        return cls._from_arcs(arcs.symmetrized(symmetrize), vertex_weights, threads)


def _the_one_given(weights: ArrayLike | None, arc_weights: ArrayLike | None) -> ArrayLike | None:
    """Return the traffic, whichever of its two names it was given by."""
    if weights is not None and arc_weights is not None:
        raise GraphError("weights and arc_weights are the same; give one of them")
    return arc_weights if weights is None else weights


def _scaled(
    weights: ArrayLike | None, offsets: NDArray[np.int64], heads: NDArray[np.int32], copy: bool
) -> tuple[NDArray[np.int64] | None, Scale]:
    if weights is None:
        return None, UNSCALED
    counted = without_self_loops(weights, "arc_weights", lambda: self_loops_of_rows(offsets, heads))
    return scale_to_integers(counted, "arc_weights", GraphError, copy=copy)
