# SPDX-License-Identifier: MIT
"""Functions that take and return what those of pymetis, SciPy and SharedMap do.

Change the import of a program and keep the rest:

>>> from procmap.compat import part_graph  # instead of pymetis
>>> part_graph(2, [[1], [0, 2], [1, 3], [2]]).edge_cuts
1
"""

from procmap.compat._metis import GraphPartition, MeshPartition, part_graph, part_mesh
from procmap.compat._scipy import quadratic_assignment
from procmap.compat._sharedmap import ProcessMappingResult, process_map

__all__ = [
    "GraphPartition",
    "MeshPartition",
    "ProcessMappingResult",
    "part_graph",
    "part_mesh",
    "process_map",
    "quadratic_assignment",
]
