# SPDX-License-Identifier: MIT
"""Maps on a cluster of Dask with two workers, one of which is killed: a program of its own.

Dask starts threads and an event loop that outlive a test.
"""

import os
import signal
from tempfile import TemporaryDirectory

import numpy as np

import procmap
from distributed import Client, LocalCluster

MACHINE = procmap.Topology.hierarchy("2:2:3", "1:10:100")
GRAPHS = [
    procmap.Graph.from_edges([(v, (v + step) % n) for v in range(n) for step in (1, 5)], n)
    for n in range(20, 26)
]


def same(found):
    expected = procmap.map_many(GRAPHS, MACHINE, seed=3)
    return all(np.array_equal(a.blocks, b.blocks) for a, b in zip(found, expected, strict=True))


if __name__ == "__main__":
    with (
        TemporaryDirectory() as folder,
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=folder
        ) as cluster,
        Client(cluster) as client,
    ):
        executor = client.get_executor()
        found = procmap.map_many(GRAPHS, MACHINE, seed=3, executor=executor)
        print("same" if same(found) else "other")

        strong = {"preset": "strong", "seed": 3}
        spread = procmap.map(GRAPHS[-1], MACHINE, executor=executor, **strong)
        alone = procmap.map(GRAPHS[-1], MACHINE, **strong)
        print("same" if np.array_equal(spread.blocks, alone.blocks) else "other")

        pids = client.run(os.getpid)
        os.kill(next(iter(pids.values())), signal.SIGKILL)  # its nanny starts another one
        found = procmap.map_many(GRAPHS, MACHINE, seed=3, executor=executor, retries=2)
        print("survived" if same(found) else "other")
