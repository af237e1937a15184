# SPDX-License-Identifier: MIT
"""The ways to make a Graph from meshes and files.

A class of its own, below Graph, because documentation makes both of them long.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from procmap import _core
from procmap._util.arrays import as_integer, thread_count
from procmap._util.errors import ConfigError, FileError, GraphError
from procmap._util.limits import MAX_VERTICES
from procmap._util.source import Source
from procmap.graph._arcs import check_symmetrize
from procmap.graph._elements import connectivity, dual_arcs
from procmap.graph._makers import GraphMakers
from procmap.graph._opened import OpenedGraph, open_graph
from procmap.graph.io import format_of, openfoam, read_tasks
from procmap.graph.io.mesh import read_mesh

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from typing_extensions import Self

    from procmap.graph._arcs import Symmetrize
    from procmap.graph._loads import LoadsLike
    from procmap.graph.io import FileFormat

_GATHER_ARCS = 2**24  # take less than 2 GB


class GraphReaders(GraphMakers):
    """Class methods of Graph."""

    __slots__ = ()

    @classmethod
    def from_elements(
        cls,
        elements: NDArray[Any] | Sequence[Iterable[int]],
        vertex_weights: LoadsLike | None = None,
        *,
        common: int,
        threads: int | None = None,
    ) -> Self:
        """Make the dual graph of a mesh: a vertex per element, an edge where two meet.

        Parameters
        ----------
        elements : numpy.ndarray of int, shape (m, nodes), or sequence of iterables of int
            Nodes of every element, any numbers >= 0; elements of a sequence may be of different
            kinds. Those of ``meshio.read(path).cells_dict["tetra"]`` will do.
        vertex_weights, threads
            As in `from_csr`.
        common : int
            Two elements with at least so many nodes in common are neighbours: 2 for triangles and
            quadrilaterals, 3 for tetrahedra, 4 for hexahedra, those of a side; 1 if a corner is
            enough. Where one of the two has no more nodes than that, all of its nodes but one are
            enough, as with METIS's ``ncommon``. A node that an element names twice counts once.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError
            If `elements`, `vertex_weights` or `common` are malformed.

        Examples
        --------
        >>> triangles = [[0, 1, 2], [1, 2, 3], [3, 4, 5]]  # 0 and 1 have a side in common
        >>> Graph.from_elements(triangles, common=2).num_edges
        1
        >>> Graph.from_elements(triangles, common=1).num_edges  # 1 and 2 have a corner
        2
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
    ) -> Self:
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
            Nodes in common that make neighbours, see `from_elements`; if None those of a side of
            the cells (the fewest if there are several kinds). Files of METIS do not say what
            elements are, so that it must be given for them.
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
    ) -> Self:
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
    ) -> Self:
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
