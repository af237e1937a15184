# SPDX-License-Identifier: MIT
"""Many graphs in one call that names a GPU."""

import numpy as np

import procmap
from support import MACHINE, grid


def test_small_graphs_are_left_to_threads_of_the_host_and_large_ones_are_not():
    graphs = [grid(4 + i % 7, 5 + i) for i in range(40)]
    graphs.insert(7, grid(300, 300))

    many = procmap.map_many(graphs, MACHINE, preset="fast", seed=2, device="cuda", threads=4)

    for i, (graph, found) in enumerate(zip(graphs, many, strict=True)):
        alone = procmap.map(graph, MACHINE, preset="fast", seed=2, device="cuda")
        assert np.array_equal(found.blocks, alone.blocks)
        assert found.stats.device == ("cuda:0" if i == 7 else "cpu")
        reason = "asked for" if i == 7 else "one of many graphs, and it has fewer than 131072 arcs"
        assert found.stats.device_reason == reason
