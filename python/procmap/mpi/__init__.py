# SPDX-License-Identifier: MIT
"""Rank reordering inside a program, on mpi4py: what ``reorder`` of MPI's topologies promises.

`reorder` and `dist_graph_create_adjacent` find out where the processes run, map the ranks, and
return a communicator in which every process has the rank that belongs where it is. `locate` says
what they found. The program starts as usual and needs no file for its launcher.

Needs mpi4py (``pip install "procmap[mpi]"``).
"""

from procmap.mpi._layout import Layout, locate
from procmap.mpi._places import Place, find_place
from procmap.mpi._reorder import dist_graph_create_adjacent, reorder

__all__ = ["Layout", "Place", "dist_graph_create_adjacent", "find_place", "locate", "reorder"]
