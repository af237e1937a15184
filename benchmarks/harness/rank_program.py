# SPDX-License-Identifier: MIT
"""One call of `procmap.distributed` under mpiexec; rank 0 prints one line of JSON.

Every rank reads the whole file and keeps its rows: reading is not what is measured.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np
from mpi4py import MPI

sys.path.insert(0, str(Path(__file__).parents[1]))

import procmap
import procmap.distributed
from harness.world import world_of


def own_rows(comm: MPI.Intracomm, path: str) -> procmap.distributed.Rows:
    """Return an even share of the rows."""
    graph = procmap.Graph.read(path)
    first, end = (graph.num_vertices * (comm.rank + i) // comm.size for i in (0, 1))
    offsets = np.asarray(graph.offsets)
    arcs = slice(offsets[first], offsets[end])
    return procmap.distributed.Rows(
        offsets[first : end + 1] - offsets[first],
        np.asarray(graph.heads)[arcs].astype(np.int64),
        np.asarray(graph.arc_weights)[arcs],
        np.asarray(graph.vertex_weights)[first:end],
    )


def main() -> None:
    """Map, save all blocks and print the seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graph")
    parser.add_argument("--ranks", type=int, required=True, help="that mpiexec was told to start")
    parser.add_argument("--hierarchy", required=True)
    parser.add_argument("--distance", required=True)
    parser.add_argument("--imbalance", type=float, required=True)
    parser.add_argument("--preset", default="default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=float, required=True, help="of the arcs, on one rank")
    parser.add_argument("--blocks", required=True, help="where to save the blocks (.npy)")
    args = parser.parse_args()
    comm = world_of(args.ranks)
    rows = own_rows(comm, args.graph)
    arcs = comm.allreduce(len(rows.heads))
    machine = procmap.Topology.hierarchy(args.hierarchy, args.distance)
    comm.Barrier()
    begin = time.perf_counter()
    found = procmap.distributed.map(
        comm,
        rows,
        machine,
        imbalance=args.imbalance,
        preset=args.preset,
        seed=args.seed,
        gather_arcs=int(args.share * arcs),
    )
    seconds = time.perf_counter() - begin
    blocks = comm.gather(found.blocks)
    if blocks is not None:
        np.save(args.blocks, np.concatenate(blocks))
        print(json.dumps({"seconds": seconds, "cost": found.cost}))


if __name__ == "__main__":
    main()
