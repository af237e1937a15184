# SPDX-License-Identifier: MIT
"""PEs that stayed empty get a vertex, whoever has it."""

import numpy as np
import pytest

import procmap
import procmap.distributed as pd
from procmap import Topology
from thread_ranks import mapped

MACHINE = Topology.hierarchy("4:4", "1:10")


def few_tasks(seed, count, loads=None):
    """A random graph of `count` vertices and about twice as many edges."""
    rng = np.random.default_rng(seed)
    edges = rng.integers(0, count, (2 * count, 2))
    edges = np.unique(np.sort(edges[edges[:, 0] != edges[:, 1]], axis=1), axis=0)
    return procmap.Graph.from_edges(edges, count, vertex_weights=loads)


def blocks_of(graph, size, **options):
    """The same mapping at all ranks, whole."""
    found = mapped(graph, size, call=pd.map, preset="fast", **options)
    for one in found:
        assert not isinstance(one, Exception), one
    return np.concatenate([np.asarray(one.blocks) for one in found]), found[0]


@pytest.mark.parametrize(("count", "seed"), [(20, 0), (20, 3), (20, 6), (32, 1), (32, 4)])
def test_few_tasks_leave_no_pe_empty(count, seed):
    graph = few_tasks(seed, count)

    blocks, report = blocks_of(graph, 1, machine=MACHINE, gather_arcs=10)

    assert len(set(blocks.tolist())) == 16
    assert report.feasible
    assert report.cost == procmap.evaluate(graph, blocks, MACHINE).cost
    for size in (2, 4):
        assert (blocks_of(graph, size, machine=MACHINE, gather_arcs=10)[0] == blocks).all(), size


@pytest.mark.parametrize("seed", range(2))
def test_light_tasks_go_where_heavy_ones_do_not_fit(seed):
    loads = np.array([1] * 8 + [9] * 24)
    capacities = [40] * 8 + [1] * 8
    fixed = np.full(32, -1)
    fixed[8:12] = 0

    options = {"machine": MACHINE, "gather_arcs": 10, "capacities": capacities}
    blocks, report = blocks_of(few_tasks(seed, 32, loads), 2, per_row={"fixed": fixed}, **options)

    assert len(set(blocks.tolist())) == 16
    assert (blocks[8:12] == 0).all()
    assert report.feasible


def test_pes_may_be_empty_where_that_is_allowed():
    options = {"machine": MACHINE, "gather_arcs": 10, "allow_empty": True, "imbalance": 1}

    blocks, report = blocks_of(few_tasks(1, 20), 2, **options)

    assert len(set(blocks.tolist())) < 16
    assert report.feasible
