# SPDX-License-Identifier: MIT
"""What the operating system refuses or interrupts: an exception, and the next call works."""

import os
import subprocess
import sys

import pytest

from support import OBEY_CTRL_C

CALLS = """
import resource, sys
import numpy as np, procmap
index = np.arange(10000).reshape(100, 100)
edges = np.concatenate([
    np.stack([index[:, :-1].ravel(), index[:, 1:].ravel()], 1),
    np.stack([index[:-1].ravel(), index[1:].ravel()], 1)])
graph = procmap.Graph.from_edges(edges)
machine = procmap.Topology.hierarchy("4:8", "1:10")
def call(threads):
    mapping = procmap.map(graph, machine, preset="fast", threads=threads)
    procmap.evaluate(graph, mapping, machine)
    procmap.Graph.from_csr(graph.offsets, graph.heads, threads=threads)
    return mapping
"""

NO_MEMORY = """
expected = call(1).cost
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
limit = used + int(sys.argv[1]) * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
outcomes = set()
for threads in (1, 16, 2, 64, 8):
    try:
        mapping = call(threads)
        assert mapping.cost == expected
        outcomes.add("done")
    except MemoryError:
        outcomes.add("MemoryError")
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert call(2).cost == expected
print("ended", *sorted(outcomes))
"""

NO_THREADS = """
import os
expected = call(1).cost
if os.getuid() == 0:
    os.setgroups([]); os.setgid(54321); os.setuid(54321)
resource.setrlimit(resource.RLIMIT_NPROC, (int(sys.argv[1]),) * 2)
used = set()
for threads in (16, 2, 12, 3):
    mapping = call(threads)
    assert mapping.cost == expected
    used.add(mapping.stats.threads)
print("ended", max(used))
"""

INTERRUPTED = """
import random, signal
expected = call(2).blocks.tolist()
random.seed(int(sys.argv[1]))
interrupted = 0
for i in range(40):
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-4, 0.08))
        call(2)
        graph.write(sys.argv[2])
        procmap.read_graph(sys.argv[2], threads=2)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        interrupted += 1
signal.setitimer(signal.ITIMER_REAL, 0)
assert call(2).blocks.tolist() == expected
print("ended", interrupted > 0)
"""


def run(code, *arguments):
    result = subprocess.run(
        [sys.executable, "-c", OBEY_CTRL_C + CALLS + code, *map(str, arguments)],
        capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.split()


# From no room at all to room for everything.
@pytest.mark.parametrize("megabytes", [0, 1, 3, 9, 20, 40, 100, 300])
def test_without_memory_for_threads_or_arrays_there_is_an_exception(megabytes):
    assert run(NO_MEMORY, megabytes)[0] == "ended"


@pytest.mark.parametrize("processes", [1, 2, 5])
def test_without_more_threads_there_are_fewer(processes):
    if os.getuid() != 0:
        pytest.skip("only root can become a user without other processes")

    ended, most = run(NO_THREADS, processes)

    assert ended == "ended"
    assert int(most) <= max(2, processes)


@pytest.mark.parametrize("seed", range(3))
def test_interrupts_at_random_moments_leave_nothing_behind(seed, tmp_path):
    path = tmp_path / "g.graph"

    assert run("import signal; signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
               + INTERRUPTED, seed, path) == ["ended", "True"]  # fmt: skip
    assert [file.name for file in tmp_path.iterdir()] in ([], ["g.graph"])
