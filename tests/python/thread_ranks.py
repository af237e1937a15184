# SPDX-License-Identifier: MIT
"""Ranks that are threads: the part of mpi4py that procmap.distributed uses, without MPI."""

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import procmap.distributed as pd
from support import MACHINE


class World:
    """What the ranks share."""

    def __init__(self, size):
        self.size = size
        self.slots = [[None] * size, [None] * size]
        self.barrier = threading.Barrier(size, timeout=120)


class ThreadComm:
    """A communicator whose messages are copies."""

    def __init__(self, world, rank):
        self._world, self._rank = world, rank
        self._calls = 0

    def Get_rank(self):
        return self._rank

    def Get_size(self):
        return self._world.size

    def _shown_by_all(self, value):
        """What every rank shows. Calls take turns with two rows of slots, so who writes into one
        again has waited until all had read it."""
        slots = self._world.slots[self._calls % 2]
        self._calls += 1
        slots[self._rank] = value
        self._world.barrier.wait()
        return slots

    def allgather(self, value):
        """What every rank gives, as bytes: nothing is shared."""
        return [pickle.loads(data) for data in self._shown_by_all(pickle.dumps(value))]

    def bcast(self, value, root):
        sent = pickle.dumps(value) if self._rank == root else None
        return pickle.loads(self._shown_by_all(sent)[root])

    def Allgather(self, sent, received):
        received[...] = np.stack(self._shown_by_all(np.array(sent))).reshape(received.shape)

    def Alltoall(self, sent, received):
        received[...] = [row[self._rank] for row in self._shown_by_all(np.array(sent))]

    def Allreduce(self, sent, received):
        received[...] = sum(self._shown_by_all(np.array(sent)))

    def Alltoallv(self, sent, received):
        data, (counts, starts) = sent
        cut = [data[s : s + c].copy() for c, s in zip(counts, starts, strict=True)]
        came = [pieces[self._rank] for pieces in self._shown_by_all(cut)]
        into, (expected, places) = received
        for piece, count, place in zip(came, expected, places, strict=True):
            assert len(piece) == count
            assert piece.dtype == into.dtype
            into[place : place + count] = piece


def on_ranks(size, program):
    """What ``program(comm)`` returns at every rank, or the exceptions that it raised."""
    world = World(size)

    def run(rank):
        try:
            return program(ThreadComm(world, rank))
        except Exception as exc:
            return exc

    with ThreadPoolExecutor(size) as pool:
        return list(pool.map(run, range(size)))


def dealt_out(graph, cuts):
    """Consecutive rows of a graph for ranks that begin at these vertices: arrays as users have."""
    offsets, heads = np.asarray(graph.offsets), np.asarray(graph.heads).astype(np.int64)
    weights, loads = np.asarray(graph.arc_weights), np.asarray(graph.vertex_weights)
    ends = [*cuts[1:], graph.num_vertices]
    return [
        (
            offsets[first : end + 1] - offsets[first],
            heads[offsets[first] : offsets[end]],
            weights[offsets[first] : offsets[end]],
            loads[first:end],
        )
        for first, end in zip(cuts, ends, strict=True)
    ]


def even_cuts(num_vertices, size):
    return [num_vertices * rank // size for rank in range(size)]


def cuts_of(num_vertices, size):
    """Where ranks begin; of four ranks the first and the third have no rows."""
    if size == 4:
        return [0, 0, num_vertices // 3, num_vertices // 3]
    return even_cuts(num_vertices, size)


def mapped(graph, size, call=pd.map, machine=MACHINE, per_row=None, cuts=None, **options):
    """What every rank gets; `per_row` are arrays of all rows that are dealt out too."""
    cuts = cuts or cuts_of(graph.num_vertices, size)
    rows = dealt_out(graph, cuts)
    ends = [*cuts[1:], graph.num_vertices]

    def program(comm):
        rank = comm.Get_rank()
        own = {name: values[cuts[rank] : ends[rank]] for name, values in (per_row or {}).items()}
        return call(comm, rows[rank], machine, **options, **own)

    return on_ranks(size, program)
