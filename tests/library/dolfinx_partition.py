# SPDX-License-Identifier: MIT
"""DOLFINx distributes a cube's cells as METIS says: mpiexec -n PARTS python3 dolfinx_partition.py.

Its partitioner is a callback, here one that collects the graph at one rank and calls METIS there.
"""

import ctypes

import dolfinx
import numpy as np
from mpi4py import MPI

METIS = ctypes.CDLL("libmetis.so.5", ctypes.RTLD_GLOBAL)
METIS_PartGraphKway = ctypes.CDLL(None).METIS_PartGraphKway  # of what was preloaded, if anything


def parts_of(offsets, heads, count):
    """Return METIS's parts of a graph."""
    part = np.empty(len(offsets) - 1, np.int32)
    cut, one = ctypes.c_int32(0), ctypes.c_int32(1)
    n, k = ctypes.c_int32(len(part)), ctypes.c_int32(count)
    arrays = [np.ascontiguousarray(array, np.int32) for array in (offsets, heads)]
    xadj, adjncy, out = (array.ctypes.data_as(ctypes.c_void_p) for array in (*arrays, part))
    refs = [ctypes.byref(value) for value in (n, one, k, cut)]
    code = METIS_PartGraphKway(
        refs[0], refs[1], xadj, adjncy, None, None, None, refs[2], None, None, None, refs[3], out
    )
    assert code == 1, code
    return part


def partitioner(comm, count, graph, ghosts):  # noqa: ARG001
    """Return where the cells of this rank go."""
    rows = comm.gather((np.diff(graph.offsets), graph.array))
    pieces = None
    if comm.rank == 0:
        degrees, heads = (np.concatenate(arrays) for arrays in zip(*rows, strict=True))
        part = parts_of(np.concatenate([[0], np.cumsum(degrees)]), heads, count)
        pieces = np.split(part, np.cumsum([len(own) for own, _ in rows])[:-1])
    return dolfinx.graph.create_adjacencylist(comm.scatter(pieces).reshape(-1, 1))


world = MPI.COMM_WORLD
mesh = dolfinx.mesh.create_box(
    world, [[0, 0, 0], [1, 1, 1]], [18, 18, 18],
    partitioner=dolfinx.cpp.mesh.create_cell_partitioner(partitioner),
)  # fmt: skip
cells = world.allgather(mesh.topology.index_map(3).size_local)
if world.rank == 0:
    print(cells, sum(cells))
