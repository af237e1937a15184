# SPDX-License-Identifier: MIT
"""The communicator of a program that mpiexec started."""

from __future__ import annotations

import sys

from mpi4py import MPI


def world_of(ranks: int) -> MPI.Intracomm:
    """Return the communicator of all ranks; end the program if there are more or fewer.

    Under the mpiexec of another MPI than mpi4py loads, every process is alone and would be
    measured as if it held everything.
    """
    comm = MPI.COMM_WORLD
    if comm.size != ranks:
        library = " ".join(MPI.Get_library_version().split()[:3])
        sys.exit(
            f"{comm.size} rank(s) where {ranks} were started: mpi4py loads {library}; "
            "MPI4PY_MPIABI=openmpi or mpich chooses the MPI of mpiexec"
        )
    return comm
