# SPDX-License-Identifier: MIT
"""Machines of every model, by name."""

import numpy as np

from fingerprint.random_integers import below_of
from procmap import Topology


def _symmetric(k, bound, seed):
    """Return a matrix of distances in [1, bound], without any groups."""
    a, b = np.indices((k, k))
    matrix = 1 + below_of(bound, seed, np.minimum(a, b) * k + np.maximum(a, b))
    np.fill_diagonal(matrix, 0)
    return matrix


def _grouped(k, group):
    """Return small distances within groups and large ones between them, none of them equal."""
    pe = np.arange(k)
    matrix = _symmetric(k, 3, 2)
    apart = pe[:, None] // group != pe // group
    return matrix + np.where(apart, 40 + 2 * _symmetric(k, 3, 3), 0)


def _half_steps(k):
    """Return distances that are no integers, but exact."""
    pe = np.arange(k)
    return np.abs(pe[:, None] - pe) * 0.5


MACHINES = {
    "1": lambda: Topology.hierarchy("1", "1"),
    "flat2": lambda: Topology.flat(2),
    "flat7": lambda: Topology.flat(7),
    "flat32": lambda: Topology.flat(32),
    "2:3": lambda: Topology.hierarchy("2:3", "1:10"),
    "4:4:2": lambda: Topology.hierarchy("4:4:2", "1:10:100"),
    "3:5:2": lambda: Topology.hierarchy("3:5:2", "0:7:7"),
    "4:8equal": lambda: Topology.hierarchy("4:8", "10:10"),
    "1:4:1:3": lambda: Topology.hierarchy("1:4:1:3", "1:2:50:51"),
    "5:1": lambda: Topology.hierarchy("5:1", "4:9"),
    "deep": lambda: Topology.hierarchy("2:2:2:2:2:1:1:2", "1:2:3:5:8:13:21:34"),
    "4:8:6": lambda: Topology.hierarchy("4:8:6", "1:10:100"),
    "ring13": lambda: Topology.torus(13),
    "torus4x4x2": lambda: Topology.torus(4, 4, 2),
    "torus4x3x5": lambda: Topology.torus(4, 3, 5, costs=[1, 10, 3]),
    "mesh4x6": lambda: Topology.mesh(4, 6),
    "mesh3x2x4": lambda: Topology.mesh(3, 2, 4, costs=[5, 1, 2]),
    "hypercube4": lambda: Topology.hypercube(4),
    "fat_tree4": lambda: Topology.fat_tree(4, 2),
    "dragonfly4x3x2": lambda: Topology.dragonfly(4, 3, 2),
    "dragonfly3x4x1": lambda: Topology.dragonfly(3, 4, 1, costs=(1, 3, 9)),
    "matrix11": lambda: Topology.from_distance_matrix(_symmetric(11, 20, 1)),
    "matrix_groups": lambda: Topology.from_distance_matrix(_grouped(18, 6)),
    "matrix_line": lambda: Topology.from_distance_matrix(_half_steps(10)),
    "part_of_torus": lambda: Topology.torus(4, 3, 5, costs=[1, 10, 3]).sub(
        [59, 3, 17, 4, 21, 0, 30]
    ),
    "part_of_dragonfly": lambda: Topology.dragonfly(4, 3, 2).sub([23, 1, 8, 0, 9, 13]),
    "part_of_hierarchy": lambda: Topology.hierarchy("3:4:2", "1:10:100").sub([0, 1, 20, 12, 5]),
    "half_of_hierarchy": lambda: Topology.hierarchy("4:4:2", "1:10:100").sub(range(16)),
}
