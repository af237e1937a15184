# SPDX-License-Identifier: MIT
"""`initial=`: a mapping that is given is never made worse."""

import numpy as np
import pytest

import procmap
from procmap import Topology

MACHINES = [Topology.hierarchy("4:2", "1:10"), Topology.hierarchy("4:4", "1:10"), Topology.flat(8)]


@pytest.mark.parametrize("machine", MACHINES, ids=str)
@pytest.mark.parametrize("preset", ["fast", "default"])
def test_with_much_room_a_mapping_is_not_worse_than_the_given_one(machine, preset):
    # PEs empty out then, and filling them in the end may cost more than was won.
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(20, 80))
        edges = rng.integers(0, n, (2 * n, 2))
        graph = procmap.Graph.from_edges(edges, n, rng.integers(1, 100, 2 * n))
        fixed = np.where(rng.random(n) < rng.choice([0, 0.1]), rng.integers(0, 8, n), -1)
        options = {"preset": preset, "imbalance": float(rng.choice([0.5, 1, 2])), "fixed": fixed}
        price = float(rng.choice([0, 1, 5]))

        before = procmap.map(graph, machine, **options)
        after = procmap.map(graph, machine, seed=3, initial=before, migration_cost=price, **options)

        moved = np.count_nonzero(np.asarray(before.blocks) != np.asarray(after.blocks))
        assert after.cost + price * moved <= before.cost, seed
        assert after.feasible
        assert (after.blocks[fixed >= 0] == fixed[fixed >= 0]).all()
