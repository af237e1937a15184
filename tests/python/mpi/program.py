# SPDX-License-Identifier: MIT
"""What test_mpi.py runs on every process: prints a line of JSON of what came of it."""

import json
import sys

import numpy as np
from mpi4py import MPI

import procmap
from procmap import mpi

WORLD = MPI.COMM_WORLD
RANK, SIZE = WORLD.rank, WORLD.size
RING = np.roll(np.arange(SIZE), -1)  # rank i sends to i + 1

# Two hosts of two packages, dealt out in turn: neighbours in the ring are on different hosts.
PLACE = (f"host{RANK % 2}", RANK // 2 % 2)


def ring():
    traffic = np.zeros((SIZE, SIZE))
    traffic[np.arange(SIZE), RING] = 100
    return traffic


def rank_order():
    comm = mpi.reorder(WORLD, ring() if RANK == 0 else None, place=PLACE, seed=1)
    return {"new": comm.rank, "place": PLACE}


def good_order():
    """Nothing is better than the order that there is: all stay."""
    comm = mpi.reorder(WORLD, ring(), place=(f"host{RANK // 4}", RANK // 2 % 2), root=SIZE - 1)
    return {"new": comm.rank}


def on_a_machine():
    machine = procmap.Topology.hierarchy("2:3:2", "1:5:50").with_hosts("host[0-1]")
    layout = mpi.locate(WORLD, place=PLACE, machine=machine)
    comm = mpi.reorder(WORLD, ring(), place=PLACE, machine=machine)
    return {"new": comm.rank, "pe": int(layout.pe_of_rank[RANK]), "pes": layout.machine.num_pes}


def here():
    """All real processes run on this host."""
    layout = mpi.locate(WORLD)
    return {"pes": layout.machine.num_pes, "place": mpi.find_place().host}


def graph_neighbours():
    left, right = (RANK - 1) % SIZE, (RANK + 1) % SIZE
    comm = mpi.dist_graph_create_adjacent(WORLD, [left], [7], [right], [7], place=PLACE)
    received = np.zeros(1, int)
    comm.Neighbor_alltoall(np.array([comm.rank]), received)
    return {
        "new": comm.rank,
        "in": list(comm.Get_dist_neighbors()[0]),
        "out": list(comm.Get_dist_neighbors()[1]),
        "got": int(received[0]),
    }


def graph_as_it_is():
    right = (RANK + 1) % SIZE
    comm = mpi.dist_graph_create_adjacent(
        WORLD, [right], MPI.UNWEIGHTED, [right], MPI.UNWEIGHTED, reorder=False, place=PLACE
    )
    return {"new": comm.rank, "out": list(comm.Get_dist_neighbors()[1])}


def errors():
    """All processes get what was wrong at one."""
    calls = [
        lambda: mpi.reorder(WORLD, np.ones((3, 3)), place=PLACE),
        lambda: mpi.reorder(WORLD, None, place=PLACE),
        lambda: mpi.reorder(WORLD, ring(), place=PLACE, distances=[1]),
        lambda: mpi.reorder(WORLD, ring(), place=("a",) * (1 + RANK % 2)),
        lambda: mpi.dist_graph_create_adjacent(WORLD, [], [], [SIZE], [1], place=PLACE),
        lambda: mpi.dist_graph_create_adjacent(WORLD, [], None, [0], [1, 2], place=PLACE),
        # At one process only, while the others wait.
        lambda: mpi.locate(WORLD, place=PLACE if RANK != 1 else "a"),
        lambda: mpi.locate(WORLD, place=PLACE if RANK != 1 else 3),
        lambda: mpi.reorder(WORLD, ring(), place=PLACE, root=SIZE if RANK == 1 else 0),
        lambda: mpi.reorder(WORLD, ring(), place=PLACE, root=RANK),
        lambda: mpi.dist_graph_create_adjacent(WORLD, ["a"] if RANK == 1 else [], None, [], None),
        lambda: mpi.dist_graph_create_adjacent(
            WORLD, [], None, [0], [1.5 if RANK == 1 else 1], reorder=False
        ),
        lambda: mpi.dist_graph_create_adjacent(WORLD, [0], [-1 if RANK == 1 else 1], [], None),
        lambda: mpi.dist_graph_create_adjacent(WORLD, [0], 2**20 if RANK == 1 else None, [], None),
    ]
    messages = []
    for call in calls:
        try:
            call()
        except ValueError as exc:
            messages.append(str(exc))
    return {"messages": messages}


found = {name: globals()[name]() for name in sys.argv[1:]}
lines = WORLD.gather(found)
if RANK == 0:
    print(json.dumps(lines))
