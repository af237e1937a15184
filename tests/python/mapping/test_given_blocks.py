# SPDX-License-Identifier: MIT
"""A given mapping whose blocks are good and lie on the wrong PEs."""

import numpy as np
import pytest

import procmap
from procmap import Topology
from support import grid

MACHINES = {
    "hierarchy": Topology.hierarchy("4:4", "1:10"),
    "torus": Topology.torus(4, 4),
    "dragonfly": Topology.dragonfly(4, 2, 2),
}


def tiles(seed):
    """A grid of 32 x 32 tasks in 4 x 4 tiles, whose numbers are shuffled."""
    row, column = np.divmod(np.arange(1024), 32)
    return np.random.default_rng(seed).permutation(16)[row // 8 * 4 + column // 8]


@pytest.mark.parametrize("preset", ["fast", "default"])
@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_blocks_find_their_places(machine, preset):
    graph = grid(32, 32)
    new = procmap.map(graph, machine, preset=preset, imbalance=0.1)
    improved = procmap.map(graph, machine, preset=preset, imbalance=0.1, initial=tiles(1))
    assert improved.cost <= 1.1 * new.cost


def test_blocks_go_where_that_is_worth_what_it_costs():
    graph, machine, start = grid(32, 32), MACHINES["hierarchy"], tiles(2)
    before = procmap.evaluate(graph, start, machine).cost
    moved = []
    for price in (0, 1, 100):
        mapping = procmap.map(graph, machine, initial=start, migration_cost=price)
        moved.append(int((mapping.blocks != start).sum()))
        assert mapping.cost + price * moved[-1] <= before
    assert moved[0] > 0
    assert moved[2] == 0


def test_a_block_with_a_fixed_task_stays():
    graph, machine, start = grid(32, 32), MACHINES["torus"], tiles(3)
    fixed = np.full(1024, -1)
    fixed[::100] = start[::100]
    before = procmap.evaluate(graph, start, machine).cost
    mapping = procmap.map(graph, machine, initial=start, fixed=fixed)
    assert (mapping.blocks[::100] == start[::100]).all()
    assert mapping.cost <= before
