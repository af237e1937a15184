# SPDX-License-Identifier: MIT
"""Graphs that the ranks of an MPI program hold together: `map`, `partition`, `evaluate`.

Every rank holds consecutive rows. The mapping is the same for any number of ranks. Communicators
are those of mpi4py (``pip install "procmap[mpi]"``).
"""

from procmap.distributed._api import evaluate, map, partition
from procmap.distributed._files import read, write
from procmap.distributed._input import Rows
from procmap.distributed._report import LevelReport, LocalMapping

__all__ = ["LevelReport", "LocalMapping", "Rows", "evaluate", "map", "partition", "read", "write"]
