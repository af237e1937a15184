# SPDX-License-Identifier: MIT
"""Reorder the ranks of a 3-D stencil code and write the file that starts them so.

A job of 384 ranks on 6 nodes exchanges halos on a periodic 4 x 8 x 12 grid. The launcher fills one
node after the other, so that the largest halos, those along the first dimension, leave the node.
"""

import numpy as np

import procmap

GRID = (4, 8, 12)
CELLS = (32, 64, 128)  # of one rank; 8 bytes each go through a face of its box
NUM_RANKS = int(np.prod(GRID))

# traffic[i, j] is what rank i sends to rank j in a time step, in bytes. If you do not know yours,
# a profiler does: procmap.read_traffic takes the matrices of TAU, mpisee and others.
rank = np.arange(NUM_RANKS).reshape(GRID)
traffic = np.zeros((NUM_RANKS, NUM_RANKS))
for axis in range(3):
    face = 8 * np.prod(CELLS) // CELLS[axis]
    for step in (-1, 1):
        traffic[rank.ravel(), np.roll(rank, step, axis).ravel()] += face

# Innermost first: 32 cores per socket, 2 sockets per node, 6 nodes. Only the ratios of the
# distances matter: a byte between nodes costs ten times as much as one inside a socket.
machine = procmap.Topology.hierarchy("32:2:6", "1:3:10").with_hosts("node[01-06]")

mapping = procmap.reorder_ranks(traffic, machine)

# Every rank has a core of its own; what remains is to tell the launcher.
mapping.write("stencil.rankfile", format="rankfile")
print(mapping.launch_command("stencil.rankfile", "rankfile"), "./stencil\n")

# Beside the orders that srun and mpirun would use.
report = mapping.report()
print(report)
print(f"gain: {report.saving('block', level=3):.0%} less traffic between nodes than in block order")
