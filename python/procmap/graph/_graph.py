# SPDX-License-Identifier: MIT
"""The task graph and the ways to make one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap import _core
from procmap._util.arrays import as_integer, as_integers, thread_count
from procmap._util.errors import ConfigError, FileError, GraphError
from procmap._util.messages import shown
from procmap._util.scaling import UNSCALED, Scale, scale_to_integers
from procmap._util.source import Source
from procmap._util.text import writable
from procmap.graph._arcs import Arcs, check_symmetrize
from procmap.graph._csr import MAX_VERTICES, check_lengths
from procmap.graph._device import GPU_NAMES, borrow_rows, is_gpu_name, kind_of, on_gpu, to_numpy
from procmap.graph._elements import connectivity, dual_arcs
from procmap.graph._foreign import of_networkx, two_columns, two_rows
from procmap.graph._loads import as_loads, default_names, is_several
from procmap.graph._opened import OpenedGraph, open_graph
from procmap.graph._self_loops import self_loops_of_rows, without_self_loops
from procmap.graph.io import format_of, openfoam, read_tasks
from procmap.graph.io.mesh import read_mesh

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from procmap.graph._arcs import Rows, Symmetrize
    from procmap.graph._foreign import NetworkXGraph, SparseMatrix
    from procmap.graph._loads import LoadsLike
    from procmap.graph.io import FileFormat

_GATHER_ARCS = 2**24  # take less than 2 GB


class Graph:
    """An immutable, undirected task graph, checked completely when it is made.

    Vertices are tasks with a load (vertex weight), edges are traffic between two tasks (edge
    weight); both are numbers >= 0 and 1 if not given. Fractions are scaled to integers, see
    `traffic_scale` and `load_scale`. Self-loops are dropped, whatever they weigh, and parallel
    edges added up. Make one with `from_csr`, `from_scipy`, `from_networkx`, `from_edges`,
    `from_edge_index` or `read`, or of anything else that `procmap.map` takes with
    `procmap.as_graph`.

    Raises
    ------
    GraphError
        From all of these if the graph is malformed; the message names the first culprit.
    """

    __slots__ = ("_kind", "_load_scales", "_messages", "_native", "_traffic_scale", "_weight_names")

    _native: _core.Graph
    _traffic_scale: Scale
    _load_scales: tuple[Scale, ...]  # of every weight of a vertex
    _weight_names: tuple[str, ...]  # empty: nobody named them
    _kind: str | None  # package of the arrays on a GPU that it was made of
    _messages: bool  # an edge holds the messages of both directions, see `counts_messages`

    def __init__(self) -> None:
        raise TypeError(
            "use Graph.from_csr, from_scipy, from_networkx, from_edges, from_edge_index or read"
        )

    @classmethod
    def _wrap(
        cls,
        core: _core.Graph,
        traffic_scale: Scale = UNSCALED,
        load_scales: tuple[Scale, ...] | None = None,
        kind: str | None = None,
        messages: bool = False,
        weight_names: tuple[str, ...] = (),
    ) -> Graph:
        self = object.__new__(cls)
        self._native = core
        self._traffic_scale = traffic_scale
        self._load_scales = load_scales or (UNSCALED,) * core.num_weights
        self._weight_names = weight_names
        self._kind = kind
        self._messages = messages
        return self

    def _like(
        self, core: _core.Graph, load_scales: tuple[Scale, ...], weight_names: tuple[str, ...]
    ) -> Graph:
        """Return a graph of the same edges."""
        traffic, kind, messages = self._traffic_scale, self._kind, self._messages
        return Graph._wrap(core, traffic, load_scales, kind, messages, weight_names)

    @classmethod
    def _from_arcs(
        cls, arcs: Arcs, vertex_weights: LoadsLike | None = None, threads: int | None = None
    ) -> Graph:
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
    ) -> Graph:
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
    ) -> Graph:
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
    ) -> Graph:
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

    def to_device(self, device: str) -> Graph:
        """Return the same graph with its arrays on a GPU, for several calls that use it there.

        Parameters
        ----------
        device : str
            "cuda" or "cuda:N".

        Raises
        ------
        ConfigError, DeviceError
            If `device` names no GPU, or one that cannot be used.
        MemoryError
            If it has no room.
        """
        if not is_gpu_name(str(device)):
            raise ConfigError(f"device must be {GPU_NAMES}, got {shown(device)}")
        core = self._native.to_device(str(device))
        return self._like(core, self._load_scales, self._weight_names)

    @property
    def device(self) -> str:
        """Where the arrays lie: "cpu" or "cuda:N". Those of a GPU are copied if asked for."""
        return self._native.device

    @classmethod
    def from_scipy(
        cls,
        matrix: SparseMatrix,
        vertex_weights: LoadsLike | None = None,
        *,
        symmetrize: Symmetrize = "error",
        copy: bool = True,
        threads: int | None = None,
    ) -> Graph:
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
    ) -> Graph:
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
        one = load if isinstance(load, str) else None
        tasks = of_networkx(graph, weight, one, symmetrize)
        loads = tasks.loads if vertex_weights is None else vertex_weights
        if load is not None and one is None:
            loads = {name: [w for _, w in graph.nodes(data=name, default=1)] for name in load}
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
    ) -> Graph:
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
    ) -> Graph:
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

    @classmethod
    def from_elements(
        cls,
        elements: NDArray[Any] | Sequence[Iterable[int]],
        vertex_weights: LoadsLike | None = None,
        *,
        common: int,
        threads: int | None = None,
    ) -> Graph:
        """Make the dual graph of a mesh: a vertex per element, an edge where two share a face.

        Parameters
        ----------
        elements : numpy.ndarray of int, shape (m, nodes), or sequence of iterables of int
            Nodes of every element, any numbers >= 0; elements of a sequence may be of different
            kinds. Those of ``meshio.read(path).cells_dict["tetra"]`` will do.
        vertex_weights, threads
            As in `from_csr`.
        common : int
            So many nodes in common make neighbours: 2 for triangles and quadrilaterals, 3 for
            tetrahedra, 4 for hexahedra, as METIS's ``ncommon``.

        Returns
        -------
        Graph
        """
        arcs = dual_arcs(*connectivity(elements), common)
        return cls._from_arcs(arcs, vertex_weights, threads)

    @classmethod
    def from_mesh(
        cls,
        path: str | os.PathLike[str],
        vertex_weights: LoadsLike | None = None,
        *,
        common: int | None = None,
        format: str | None = None,
        threads: int | None = None,
    ) -> Graph:
        """Make the dual graph of a mesh in a file, see `from_elements`.

        Parameters
        ----------
        path : path-like
            METIS's ``.mesh``; or, with meshio (``pip install "procmap[meshio]"``), a file of Gmsh
            (``.msh``), VTK (``.vtk``, ``.vtu``), XDMF, Exodus, Abaqus, Nastran, MED, CGNS and
            others. Elements are the cells of the highest dimension, in the order of the file;
            points that are there twice are two.
        vertex_weights, threads
            As in `from_csr`; without `vertex_weights` those that a file of METIS has.
        common : int, optional
            So many nodes in common make neighbours; if None those of a side of the cells (the
            fewest if there are several kinds). Files of METIS do not say what elements are, so that
            it must be given for them.
        format : str, optional
            "metis" or one of meshio's; if None name and content decide.

        Returns
        -------
        Graph

        Raises
        ------
        FileError
            If the file cannot be read or is malformed.
        ConfigError
            If `common` is needed or `format` is none.
        GraphError
            If `common` or `vertex_weights` are malformed.
        ImportError
            If meshio is missing.
        """
        source = Source.of(path)
        mesh = read_mesh(source, format)
        if common is None and mesh.common is None:
            raise ConfigError(
                f"common must be given for {source}: its format does not say what elements are (2 "
                "for triangles and quadrilaterals, 3 for tetrahedra, 4 for hexahedra)"
            )
        arcs = dual_arcs(mesh.offsets, mesh.nodes, mesh.common if common is None else common)
        if vertex_weights is not None:
            return cls._from_arcs(arcs, vertex_weights, threads)
        try:
            return cls._from_arcs(arcs, mesh.loads, threads)
        except GraphError as exc:
            raise FileError(f"{source}: {exc}") from None

    @classmethod
    def from_openfoam(
        cls,
        folder: str | os.PathLike[str],
        vertex_weights: LoadsLike | None = None,
        *,
        threads: int | None = None,
    ) -> Graph:
        """Make the graph of the cells of an OpenFOAM mesh: an edge per internal face.

        ``mapping.write("constant/cellDecomposition", "openfoam")`` is for decomposePar's method
        "manual".

        Parameters
        ----------
        folder : path-like
            With ``owner`` and ``neighbour`` in ASCII, such as ``constant/polyMesh``.
        vertex_weights, threads
            As in `from_csr`.

        Returns
        -------
        Graph

        Raises
        ------
        FileError
            If a file cannot be read or is malformed.
        """
        try:
            return cls._from_arcs(openfoam.read_mesh(folder).mirrored(), vertex_weights, threads)
        except GraphError as exc:
            raise FileError(f"{os.fspath(folder)}: {exc}") from None

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        format: FileFormat | None = None,
        num_vertices: int | None = None,
        symmetrize: Symmetrize = "error",
        threads: int | None = None,
    ) -> Graph:
        """Read a graph file.

        Parameters
        ----------
        path : path-like
            The file.
        format : str, optional
            One of those that ``help(procmap.graph.io)`` lists, such as "metis" or
            "matrix-market". If None, the end of the name decides, and for names that say nothing
            the content.
        num_vertices : int, optional
            n of an edge list, whose last vertices may have no edge; the largest vertex plus 1 if
            None.
        symmetrize, threads
            As in `from_csr`.

        Returns
        -------
        Graph

        Raises
        ------
        FileError
            If the file cannot be read or is malformed; the message is "PATH:LINE: ..." for text.
        ConfigError
            If an option is out of range or does not fit the format.
        """
        check_symmetrize(symmetrize)
        source = Source.of(path)
        kind = format_of(source, format)
        if num_vertices is not None:
            num_vertices = as_integer(num_vertices, "num_vertices", 0, MAX_VERTICES, ConfigError)
            if "num_vertices" not in kind.options:
                raise ConfigError(
                    f"num_vertices is for edge lists, but {source} is of the format {kind.name}"
                )
        if kind.read is None:
            count = thread_count(threads)
            with source.as_file() as name:
                return cls._wrap(_core.read_metis(name, count))
        tasks = read_tasks(source, kind.read, symmetrize, num_vertices)
        try:
            return cls._from_arcs(tasks.arcs, tasks.loads, threads)
        except GraphError as exc:
            raise FileError(f"{source}: {exc}") from None

    @staticmethod
    def open(
        path: str | os.PathLike[str],
        *,
        gather_arcs: int = _GATHER_ARCS,
        scratch: str | os.PathLike[str] | None = None,
    ) -> OpenedGraph:
        """Open a graph that is larger than memory: its arcs stay in the file.

        It is checked completely, which reads the file once. To map it, it is coarsened as
        `procmap.distributed.map` does, some rows at a time, and coarser graphs lie in `scratch`;
        the mapping is that of any number of ranks with the same `gather_arcs`. What stays in
        memory is up to 80 bytes per vertex and 96 per arc gathered, see `estimate_memory`.

        Parameters
        ----------
        path : path-like
            A ParHIP binary file; or an ``.npz`` file, or a pattern such as ``"mesh-*.npz"`` of
            consecutive rows in the order of names, as in `procmap.distributed.read`, with integer
            weights. Compressed ones are held in memory. With 32-bit heads in increasing order, no
            loops and no parallel arcs a single file is used as it is; otherwise a copy that is,
            of 4 bytes per arc and 4 or 8 for its weight if there are any, goes to `scratch`.
        gather_arcs : int
            Coarsen until there are at most so many arcs (every edge is two), which are mapped in
            memory. The mapping depends on it.
        scratch : path-like, optional
            Folder of temporary files, which have no names there and vanish with the graph:
            ``tempfile.gettempdir()`` if None. It should be on a disk, not in memory.

        Returns
        -------
        OpenedGraph

        Raises
        ------
        FileError
            If a file cannot be read or is malformed.
        GraphError
            If the graph is; the message names the culprit.
        """
        return open_graph(path, gather_arcs, scratch)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the graph as a METIS file, scaled weights as the integers that they are.

        An existing file is replaced when the new one is whole, and stays as it was if that fails.

        Raises
        ------
        FileError
            If the file cannot be written.
        """
        _core.write_metis(self._native, writable(path))

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
        """Traffic of every arc in units of `traffic_scale`; shape (2m,), read-only.

        All-1 weights take no memory.
        """
        return _or_ones(self._native.arc_weights, self._native.num_arcs)

    @property
    def vertex_weights(self) -> NDArray[np.int64]:
        """Load of every vertex in units of `load_scale`; shape (n,), read-only.

        All-1 weights take no memory. Of several weights per vertex shape (n, c), in units of
        `load_scales`, a copy.
        """
        first = _or_ones(self._native.vertex_weights, self._native.num_vertices)
        if self.num_weights == 1:
            return first
        further = self._native.further_weights.reshape(-1, self.num_weights - 1)
        weights: NDArray[np.int64] = np.column_stack([first, further])
        weights.flags.writeable = False
        return weights

    @property
    def num_weights(self) -> int:
        """Weights of a vertex, c: 1 unless several were given."""
        return self._native.num_weights

    @property
    def weight_names(self) -> tuple[str, ...]:
        """What the weights of a vertex are called in reports."""
        return self._weight_names or default_names(self.num_weights)

    @property
    def traffic_scale(self) -> Scale:
        """What one step of `arc_weights` is worth in the user's unit."""
        return self._traffic_scale

    @property
    def load_scale(self) -> Scale:
        """What one step of `vertex_weights` is worth in the user's unit; of the first weight."""
        return self._load_scales[0]

    @property
    def load_scales(self) -> tuple[Scale, ...]:
        """The same of every weight of a vertex."""
        return self._load_scales

    @property
    def total_vertex_weight(self) -> int:
        """Sum of `vertex_weights`, of the first weight if there are several."""
        return self._native.total_vertex_weight

    @property
    def total_weights(self) -> tuple[int, ...]:
        """Sum of every weight over all vertices."""
        return tuple(self._native.total_weight(i) for i in range(self.num_weights))

    @property
    def max_degree(self) -> int:
        """Most neighbours of any vertex."""
        return self._native.max_degree

    @property
    def counts_messages(self) -> bool:
        """Whether this is `Traffic.to_graph`: J is the sum of messages times distance.

        An edge then weighs what its ends send to each other, both directions together, and J
        counts it once. Of all other graphs an edge says what goes in either direction, and J
        counts it twice.
        """
        return self._messages

    @property
    def has_edge_weights(self) -> bool:
        """Whether edges carry weights; False means that every edge weighs 1."""
        return self._native.has_arc_weights

    @property
    def has_vertex_weights(self) -> bool:
        """Whether vertices carry weights; False means that every vertex weighs 1."""
        return self.num_weights > 1 or self._native.has_vertex_weights

    def with_vertex_weights(self, vertex_weights: LoadsLike) -> Graph:
        """Return the same graph with other loads; the arcs are shared, on a GPU as well.

        Parameters
        ----------
        vertex_weights : array_like of int or float, shape (n,) or (n, c), or dict
            As in `from_csr`; also an array on a GPU. Of several weights the second and further ones
            lie in host memory.
        """
        loads: Any = vertex_weights
        if not isinstance(loads, Mapping):
            loads = to_numpy(loads, "vertex_weights")
        if self._native.device != "cpu":
            made = self._with_loads_on_gpu(loads)
            if made is not None:
                return made
        rows = (self.offsets, self.heads, self._stored_arc_weights())
        made = Graph._from_rows(rows, self._traffic_scale, loads, copy=True, threads=None)
        return self._like(made._native, made._load_scales, made._weight_names)

    def _with_loads_on_gpu(self, vertex_weights: LoadsLike) -> Graph | None:
        """Return the same where this graph lies; None if the host is to say what is wrong."""
        loads = as_loads(vertex_weights)
        place, device = _core.DeviceArray.from_weights, self._native.device
        placed = None if loads.first is None else place(loads.first, device)
        core = _core.Graph.from_device(*self._native.device_arrays(), placed, [], False)
        if core is not None and loads.further is not None:
            core = core.with_further_weights(loads.further, len(loads.scales) - 1)
        return None if core is None else self._like(core, loads.scales, loads.names)

    def _stored_arc_weights(self) -> NDArray[np.int64] | None:
        return self._native.arc_weights if self.has_edge_weights else None

    def __repr__(self) -> str:
        edges = "weighted" if self.has_edge_weights else "unit"
        loads = "weighted" if self.has_vertex_weights else "unit"
        if self.num_weights > 1:
            loads = f"{self.num_weights}-weighted"
        return f"Graph({self.num_vertices} {loads} vertices, {self.num_edges} {edges} edges)"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the arrays; the copy is checked again."""
        loads = self.vertex_weights if self.has_vertex_weights else None
        rows = (self.offsets, self.heads, self._stored_arc_weights())
        scales = (self._traffic_scale, self._load_scales)
        return _restore, (rows, loads, *scales, self._messages, self._weight_names)


def _restore(
    rows: Rows,
    loads: NDArray[np.int64] | None,
    traffic_scale: Scale,
    load_scales: tuple[Scale, ...],
    messages: bool = False,
    weight_names: tuple[str, ...] = (),
) -> Graph:
    graph = Graph._from_rows(rows, traffic_scale, loads, threads=None)
    return Graph._wrap(
        graph._native, traffic_scale, load_scales, messages=messages, weight_names=weight_names
    )


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


def _or_ones(weights: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    return weights if weights.size == count else np.broadcast_to(np.int64(1), count)
