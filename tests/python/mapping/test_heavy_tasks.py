# SPDX-License-Identifier: MIT
"""Tasks about as heavy as the slack of a PE."""

import numpy as np

import procmap
import support


def test_overload_is_exchanged_before_it_is_refined():
    """Polynomial degrees of 1 to 8 on a mesh: splits leave PEs of full nodes overloaded."""
    side = 50
    diagonal = np.add.outer(np.arange(side), np.arange(side)).ravel()
    degree = np.minimum(1 + 7 * diagonal // (2 * side), 8)
    weights = (degree + 1) * (degree + 2) // 2
    machine = procmap.Topology.hierarchy([4, 4, 4], [1, 10, 100])

    mappings = [
        procmap.map(
            support.grid(side, side), machine, vertex_weights=weights, preset="fast", seed=seed
        )
        for seed in range(1, 7)
    ]

    assert all(mapping.feasible for mapping in mappings)
    assert sum(mapping.cost for mapping in mappings) < 158_500  # 159,598 where refinement is first
