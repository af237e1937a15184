# SPDX-License-Identifier: MIT
"""Memory of a mapping: on a GPU the estimate (gpu/test_process.py checks it), on a CPU the peak."""

import subprocess
import sys
from pathlib import Path

import pytest

import procmap
from support import grid


def test_estimate_counts_the_graph_unless_it_lies_there():
    n, m = 10**6, 3 * 10**6
    plain = procmap.estimate_memory(n, m, 192)

    with_weights = procmap.estimate_memory(n, m, 192, edge_weights=True, preset="fast")

    assert plain - procmap.estimate_memory(n, m, 192, on_device=True) == 8 * (n + 1) + 8 * m
    # Eight bytes of every arc, and four more of its weight in the first coarse graph.
    assert with_weights - procmap.estimate_memory(n, m, 192, preset="fast") == (16 + 8) * m


def test_estimate_counts_several_weights():
    n, m = 10**6, 3 * 10**6
    none, one, three = (
        procmap.estimate_memory(n, m, 192, vertex_weights=count) for count in (0, 1, 3)
    )

    assert none == procmap.estimate_memory(n, m, 192)
    assert one == procmap.estimate_memory(n, m, 192, vertex_weights=True)
    assert (one - none, three - one) == (8 * n, 3 * 16 * n)


def test_estimate_of_the_largest_graphs_does_not_overflow():
    assert procmap.estimate_memory(2**31 - 1, 2**40, 2**22) > 2**44


@pytest.mark.parametrize("options", [{}, {"ranks": 2}, {"opened": True}])
def test_machines_that_there_cannot_be_are_refused(options):
    with pytest.raises(procmap.ConfigError, match=r"k must be an integer in \[1, 4194304\]"):
        procmap.estimate_memory(10, 10, 2**22 + 1, **options)


@pytest.mark.parametrize("name", ["edge_weights", "on_device", "opened"])
def test_estimate_takes_no_word_for_a_flag(name):
    with pytest.raises(procmap.ConfigError, match=f"{name} must be True or False, got 'no'"):
        procmap.estimate_memory(10, 10, 4, **{name: "no"})


def test_ranks_share_the_graph_but_not_what_is_gathered():
    n, m = 10**9, 10**10
    few, many = (procmap.estimate_memory(n, m, 192, ranks=ranks) for ranks in (64, 128))

    assert many < few < 2 * many
    assert procmap.estimate_memory(n, m, 192, ranks=64, gather_arcs=0) < few
    with pytest.raises(procmap.ConfigError, match="ranks must be"):
        procmap.estimate_memory(n, m, 192, ranks=0)


def test_an_opened_graph_takes_memory_by_its_vertices():
    n, m = 28 * 10**6, 5 * 10**8
    options = {"opened": True, "gather_arcs": 2**24}

    assert procmap.estimate_memory(n, m, 192, **options) < 4e9
    weighted = procmap.estimate_memory(n, m, 192, vertex_weights=True, **options)
    assert weighted - procmap.estimate_memory(n, m, 192, **options) == 8 * n
    assert procmap.estimate_memory(n, 2 * m, 192, **options) < 4e9
    with pytest.raises(procmap.ConfigError, match="exclude each other"):
        procmap.estimate_memory(n, m, 192, opened=True, ranks=2)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [((-1, 0, 1), "num_vertices"), ((1, 2.5, 1), "num_edges"), ((1, 1, 0), "k")],
)
def test_bad_sizes_are_named(arguments, name):
    with pytest.raises(procmap.ConfigError, match=f"{name} must be an integer"):
        procmap.estimate_memory(*arguments)


PEAK = """
import sys
import procmap
from support import MACHINE, grid

def memory(field):
    lines = open("/proc/self/status").read().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(field + ":"))

procmap.map(grid(10, 10), MACHINE, preset=sys.argv[1], threads=1, device="cpu")
base = memory("VmRSS")
graph = procmap.Graph.read(sys.argv[2])
procmap.map(graph, MACHINE, preset=sys.argv[1], threads=1, device="cpu")
size = graph.offsets.nbytes + graph.heads.nbytes
print((memory("VmHWM") - base) / size)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize(("preset", "most"), [("fast", 5), ("default", 6.3)])
def test_a_mapping_takes_few_times_the_memory_of_its_graph(preset, most, tmp_path):
    graph = grid(560, 500)  # a million arcs, of low degree
    graph.write(tmp_path / "grid.graph")

    done = subprocess.run(
        [sys.executable, "-c", PEAK, preset, str(tmp_path / "grid.graph")],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )

    assert 1 < float(done.stdout) <= most
