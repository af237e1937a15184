# SPDX-License-Identifier: MIT
"""What test_pool.py runs under ``mpiexec -n 3 python -m mpi4py.futures``: ranks as workers."""

import numpy as np
from mpi4py.futures import MPIPoolExecutor

import procmap

MACHINE = procmap.Topology.hierarchy("2:2:3", "1:10:100")
GRAPHS = [
    procmap.Graph.from_edges([(v, (v + step) % n) for v in range(n) for step in (1, 5)], n)
    for n in range(20, 26)
]

if __name__ == "__main__":
    expected = procmap.map_many(GRAPHS, MACHINE, repeats=2)
    with MPIPoolExecutor() as pool:
        found = procmap.map_many(GRAPHS, MACHINE, repeats=2, executor=pool)
        strong = procmap.map(GRAPHS[-1], MACHINE, preset="strong", executor=pool)
        workers = pool.num_workers
    found.append(strong)
    expected.append(procmap.map(GRAPHS[-1], MACHINE, preset="strong"))
    same = all(np.array_equal(a.blocks, b.blocks) for a, b in zip(found, expected, strict=True))
    print(workers, "same" if same else "other")
