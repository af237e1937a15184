# SPDX-License-Identifier: MIT
"""Reorder the ranks of a running MPI program: mpiexec -n 8 python mpi_reorder.py

A periodic stencil on a grid of ranks. What MPI_Cart_create promises with ``reorder=True``, and MPI
libraries hardly do, procmap.mpi does: it finds out where the processes run and returns a
communicator whose order fits. Needs mpi4py.

On one machine, ``two_hosts.sh -n 8 python mpi_reorder.py`` plays two hosts with a slow network
between them, so that the exchange really becomes faster. Where that is not permitted, FAKE_HOSTS=2
says that the processes run on so many hosts in turn: then J changes and times do not.
"""

import os

import numpy as np

try:
    from mpi4py import MPI
except ImportError:
    raise SystemExit("this example needs MPI: pip install mpi4py") from None

import procmap
import procmap.mpi

HALO = 1 << 17  # numbers that go to every neighbour
world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
fake_hosts = int(os.environ.get("FAKE_HOSTS", "0"))
place = (f"host{rank % fake_hosts}",) if fake_hosts else None


def neighbours(grid, rank):
    """Ranks to the right, left, below and above on the periodic grid."""
    row, column = divmod(rank, grid[1])
    steps = ((0, 1), (0, -1), (1, 0), (-1, 0))
    return [(row + i) % grid[0] * grid[1] + (column + j) % grid[1] for i, j in steps]


def seconds_of(comm):
    """Time of an exchange of halos with all neighbours, the best of several."""
    near, mine, theirs = neighbours(grid, comm.Get_rank()), np.ones(HALO), np.empty((4, HALO))
    best = float("inf")
    for _ in range(5):
        comm.Barrier()
        start = MPI.Wtime()
        requests = [comm.Irecv(theirs[i], near[i], tag=i ^ 1) for i in range(4)]
        requests += [comm.Isend(mine, near[i], tag=i) for i in range(4)]
        MPI.Request.Waitall(requests)
        best = min(best, comm.allreduce(MPI.Wtime() - start, MPI.MAX))
    return best


grid = MPI.Compute_dims(size, 2)
traffic = np.zeros((size, size))  # what rank i sends to rank j, in bytes
for i in range(size):
    np.add.at(traffic[i], neighbours(grid, i), 8 * HALO)
np.fill_diagonal(traffic, 0)

comm = procmap.mpi.reorder(world, traffic, place=place)

layout = procmap.mpi.locate(world, place=place)
new_pes = comm.allgather(int(layout.pe_of_rank[rank]))
before = procmap.evaluate(traffic, layout.pe_of_rank, layout.machine)
after = procmap.evaluate(traffic, new_pes, layout.machine)
times = seconds_of(world), seconds_of(comm)
if rank == 0:
    print(f"{size} ranks as a grid of {grid[0]} x {grid[1]} on {layout.machine}")
    for name, report, seconds in zip(("before", "after"), (before, after), times, strict=True):
        print(f"{name:<7} J {report.cost:>12,.0f}, an exchange of halos {1e3 * seconds:.1f} ms")
    saved = 1 - after.cost / before.cost if before.cost else 0
    print(f"gain: {saved:.0%} less cost, {1 - times[1] / times[0]:.0%} less time")
