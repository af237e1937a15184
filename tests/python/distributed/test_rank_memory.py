# SPDX-License-Identifier: MIT
"""What a rank, or a graph that is opened, takes is at most what `estimate_memory` says."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import procmap

N, REACH, GATHER = 400_000, 6, 100_000

PEAK = """
import sys
import numpy as np
import procmap
import procmap.distributed as pd
from support import MACHINE, grid
from thread_ranks import on_ranks

def memory(field):
    lines = open("/proc/self/status").read().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(field + ":"))

options = {"gather_arcs": int(sys.argv[2]), "threads": 1, "preset": "fast", "device": "cpu"}
small = grid(50, 50)
first = (np.asarray(small.offsets), np.asarray(small.heads))
on_ranks(1, lambda comm: pd.partition(comm, first, 4, **{**options, "gather_arcs": 1000}))
arrays = np.load(sys.argv[1])
rows = arrays["offsets"], arrays["heads"]
before = memory("VmRSS")
found = on_ranks(1, lambda comm: pd.partition(comm, rows, 4, **options))[0]
print(memory("VmHWM") - before, found.num_vertices)
"""


OPENED_PEAK = """
import sys
import threading
import procmap

def memory():
    lines = open("/proc/self/status").read().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("RssAnon:"))

before = peak = memory()
is_open = threading.Event()
def watch():
    global peak
    while not is_open.wait(0.002):
        peak = max(peak, memory())
watcher = threading.Thread(target=watch)
watcher.start()
graph = procmap.Graph.open(sys.argv[1], scratch=sys.argv[2])
is_open.set()
watcher.join()
print(peak - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_opening_a_graph_takes_at_most_what_is_estimated(tmp_path):
    """Which files with weights did not: millions of arcs are checked at a time."""
    offsets, heads = ring()
    weights = np.ones(len(heads), np.int64)
    np.savez(tmp_path / "ring.npz", offsets=offsets, heads=heads, arc_weights=weights)

    done = subprocess.run(
        [sys.executable, "-c", OPENED_PEAK, str(tmp_path / "ring.npz"), str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )

    options = {"edge_weights": True, "opened": True, "gather_arcs": GATHER}
    estimated = procmap.estimate_memory(N, N * REACH, 4, **options)
    assert estimated / 8 < int(done.stdout) <= estimated


def ring():
    """Return offsets and heads of vertices in a circle, each with the next ones on both sides."""
    steps = np.concatenate([np.arange(-REACH, 0), np.arange(1, REACH + 1)])
    heads = np.sort((np.arange(N)[:, None] + steps) % N, axis=1).astype(np.int32).ravel()
    return np.arange(N + 1) * 2 * REACH, heads


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_rank_takes_at_most_what_is_estimated(tmp_path):
    """Which is less than 8 times its rows and a gathered graph."""
    offsets, heads = ring()
    np.savez(tmp_path / "ring.npz", offsets=offsets, heads=heads)

    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(tmp_path / "ring.npz"), str(GATHER)],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )

    taken, n = map(int, done.stdout.split())
    estimated = procmap.estimate_memory(N, N * REACH, 4, ranks=1, gather_arcs=GATHER)
    assert n == N
    assert estimated / 4 < taken <= estimated
    assert estimated < 8 * (offsets.nbytes + heads.nbytes) + 128 * GATHER
