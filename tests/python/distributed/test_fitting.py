# SPDX-License-Identifier: MIT
"""Moves that fit: the best of every block, whoever offers them; and none is left at the end."""

import numpy as np
import pytest

import procmap
import procmap.distributed as pd
from procmap._util.ranks import Ranks
from procmap.distributed._fitting import fitting
from support import random_geometric, tails
from thread_ranks import dealt_out, even_cuts, on_ranks


def chosen(size, load, gain, target, room, of_rank):
    """Who may move where, if so many ranks offer; `of_rank` says who has which vertex."""

    def program(comm):
        own = np.flatnonzero(of_rank == comm.Get_rank())
        with Ranks(comm) as ranks:
            vertex, to = fitting(ranks, own, load[own], gain[own], target[own], room)
        return sorted(zip(vertex.tolist(), to.tolist(), strict=True))

    found = on_ranks(size, program)
    assert all(one == found[0] for one in found)
    return found[0]


def test_the_best_moves_into_a_block_fit():
    load, gain = np.array([3, 2, 2, 1]), np.array([5, 9, 7, 1])
    target = np.array([0, 0, 0, 1], np.int32)

    moves = chosen(1, load, gain, target, np.array([4, 0]), np.zeros(4, int))

    assert moves == [(1, 0), (2, 0)]


@pytest.mark.parametrize("seed", range(20))
def test_who_fits_does_not_depend_on_who_offers(seed):
    rng = np.random.default_rng(seed)
    load, gain = rng.integers(0, 4, 60), rng.integers(1, 5, 60)
    target, room = rng.integers(0, 5, 60).astype(np.int32), rng.integers(0, 20, 5)

    expected = chosen(1, load, gain, target, room, np.zeros(60, int))

    sums = np.zeros(5, int)
    for vertex, block in expected:
        assert block == target[vertex]
        sums[block] += load[vertex]
    assert (sums <= room).all(), seed
    for size in (2, 5):
        assert chosen(size, load, gain, target, room, rng.integers(0, size, 60)) == expected, seed


def moves_left(graph, blocks, k, capacity):
    """How many vertices could move alone to a block where there is room, and lower the cut."""
    blocks = np.asarray(blocks)
    to_block = np.zeros((graph.num_vertices, k), np.int64)
    np.add.at(to_block, (tails(graph), blocks[np.asarray(graph.heads)]), 1)
    gain = to_block - to_block[np.arange(graph.num_vertices), blocks][:, None]
    has_room = np.bincount(blocks, minlength=k) < capacity
    return int((gain * has_room).max(axis=1).astype(bool).sum())


@pytest.mark.parametrize("size", [1, 3])
def test_no_move_is_left_undone_after_migration_is_weighed(size):
    """A given mapping is refined by rounds alone if moving costs a little."""
    graph, k = random_geometric(600, 8, seed=4), 6
    initial = np.random.default_rng(2).integers(0, k, 600)
    cuts = even_cuts(600, size)
    rows, ends = dealt_out(graph, cuts), [*cuts[1:], 600]

    def program(comm):
        rank = comm.Get_rank()
        own = initial[cuts[rank] : ends[rank]]
        return pd.partition(
            comm, rows[rank], k, initial=own, migration_cost=1e-9, gather_arcs=0, threads=1
        )

    found = on_ranks(size, program)

    blocks = np.concatenate([one.blocks for one in found])
    assert found[0].feasible
    assert moves_left(graph, blocks, k, found[0].capacity) == 0
    assert found[0].edge_cut < procmap.evaluate(graph, initial, procmap.Topology.flat(k)).edge_cut
