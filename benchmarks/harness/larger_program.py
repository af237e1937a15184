# SPDX-License-Identifier: MIT
"""What `larger` starts, alone or under mpiexec: maps a box of cells, prints a line of JSON."""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import procmap
import procmap.distributed
from harness.boxes import box_planes


def resident(name: str) -> int:
    """Return bytes of this process; those of "RssAnon" are no pages of files."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(name))


class Watch:
    """The most memory that is no page of a file, looked at every now and then."""

    def __init__(self) -> None:
        self.before = self.most = resident("RssAnon")
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while True:
            self.most = max(self.most, resident("RssAnon"))
            time.sleep(0.02)


def write(side: int, path: Path) -> None:
    """Write a box as ParHIP's binary format, plane by plane: 32-bit heads, no weights."""
    n, arcs = side**3, (3 * side - 2) ** 3 - side**3
    position = 24 + 8 * (n + 1)
    with path.open("wb") as file:
        np.array([1 + 2 + 8, n, arcs], "<u8").tofile(file)
        np.array([position], "<u8").tofile(file)
        for z in range(side):
            offsets = box_planes(side, z, z + 1)[0]
            (position + 4 * offsets[1:]).astype("<u8").tofile(file)
            position += 4 * int(offsets[-1])
        for z in range(side):
            box_planes(side, z, z + 1)[1].tofile(file)


def opened(side: int, k: int, gather_arcs: int, folder: str) -> dict:
    """Map a box whose arcs stay in a file."""
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        path = Path(scratch) / "box.parhip"
        write(side, path)
        watch = Watch()
        began = time.perf_counter(), time.process_time()
        graph = procmap.Graph.open(path, gather_arcs=gather_arcs, scratch=scratch)
        mapping = procmap.partition(graph, k, threads=1)
        took = time.perf_counter() - began[0], time.process_time() - began[1]
    return figures(mapping, took, [watch.most - watch.before], [mapping.levels], mapping.blocks)


def on_ranks(side: int, k: int, gather_arcs: int, ranks: int) -> dict | None:
    """Map a box of which every rank makes its planes; what rank 0 returns is of all."""
    from harness.world import world_of

    comm = world_of(ranks)
    first, last = (side * rank // comm.size for rank in (comm.rank, comm.rank + 1))
    watch = Watch()
    rows = box_planes(side, first, last)
    comm.Barrier()
    began = time.perf_counter(), time.process_time()
    mapping = procmap.distributed.partition(comm, rows, k, gather_arcs=gather_arcs, threads=1)
    took = time.perf_counter() - began[0], time.process_time() - began[1]
    cpu = comm.allreduce(took[1])
    most = comm.gather(watch.most - watch.before)
    levels, blocks = comm.gather(mapping.levels), comm.gather(mapping.blocks)
    if comm.rank:
        return None
    return figures(mapping, (took[0], cpu), most, levels, np.concatenate(blocks))


def figures(mapping, took, most, levels, blocks) -> dict:
    """Return what is printed: memory, messages and bytes are of all ranks, the rows given too."""
    arcs = 2 * mapping.num_edges
    own = levels[0]
    messages = [sum(rank[i].messages for rank in levels) for i in range(len(own))]
    sent = [sum(rank[i].bytes for rank in levels) for i in range(len(own))]
    return {
        "ranks": len(most),
        "arcs": arcs,
        "seconds": round(took[0], 2),
        "cpu_seconds": round(took[1], 2),
        "ns_per_arc": round(1e9 * took[0] / arcs, 1),
        "bytes": sum(most),
        "bytes_per_arc": round(sum(most) / arcs, 2),
        "sent_per_arc": round(sum(sent) / arcs, 2),
        "cost": mapping.cost,
        "blocks": hashlib.sha256(np.ascontiguousarray(blocks).tobytes()).hexdigest()[:12],
        "levels": [
            [one.stage, one.level, one.vertices, one.arcs, one.rounds, round(one.seconds, 2),
             messages[i], sent[i]]
            for i, one in enumerate(own)
        ],
    }  # fmt: skip


if __name__ == "__main__":
    side, k, gather_arcs, ranks = (int(word) for word in sys.argv[1:5])
    box = side, k, gather_arcs
    found = on_ranks(*box, ranks) if ranks else opened(*box, *sys.argv[5:])
    if found is not None:
        print(json.dumps(found))
