# SPDX-License-Identifier: MIT
"""The GPU in a process with threads, children and other users of CUDA."""

import re
import subprocess
import sys
import threading

import numpy as np
import pytest

import procmap
from support import MACHINE, grid, random_weighted

FORK = """
import os, sys
import procmap
from support import MACHINE, grid
{before}
child = os.fork()
if child == 0:
    try:
        {inside}
    except procmap.DeviceError as error:
        print(error, flush=True)
    os._exit(0)
os.waitpid(child, 0)
procmap.map(grid(20, 20), MACHINE, device="cuda")
print("parent works", flush=True)
"""


def run(code):
    path = [p for p in sys.path if p]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}\n{code}"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_does_not_touch_cuda_so_that_a_child_may_use_it():
    use = 'mapping = procmap.map(grid(20, 20), MACHINE, device="cuda")'

    answer = run(FORK.format(before="", inside=use + "; print(mapping.stats.device, flush=True)"))

    assert answer == "cuda:0\nparent works\n"


def test_fork_after_use_is_an_error_in_the_child_and_not_a_hang():
    use = 'procmap.map(grid(20, 20), MACHINE, device="cuda")'

    answer = run(FORK.format(before=use, inside=use))

    assert answer.startswith('device = "cuda" cannot be used: this process was forked')
    assert answer.endswith("parent works\n")


def test_graph_of_the_parent_may_die_in_the_child():
    answer = run(
        FORK.format(
            before='graph = grid(20, 20).to_device("cuda")',
            inside='del graph; print("gone", flush=True)',
        )
    )

    assert answer == "gone\nparent works\n"


def test_threads_may_call_at_once(package):
    graphs = [grid(60, 60), random_weighted(3000, 12000, seed=1)]
    arrays = [
        tuple(package.put(np.array(a)) for a in (g.offsets, g.heads, g.arc_weights)) for g in graphs
    ]
    loads = [None, package.put(np.array(graphs[1].vertex_weights))]
    expected = [procmap.map(g, MACHINE, preset="fast", device="cpu").blocks for g in graphs]
    results = [[], []]

    def work(i):
        stream = package.make_stream()
        with package.use(stream):
            for _ in range(5):
                mapping = procmap.map(
                    arrays[i], MACHINE, vertex_weights=loads[i], preset="fast", stream=stream
                )
                results[i].append(package.fetch(mapping.blocks))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for found, blocks in zip(results, expected, strict=True):
        assert len(found) == 5
        assert all((f == blocks).all() for f in found)


def test_every_gpu_gives_the_same():
    graph = random_weighted(3000, 12000, seed=1)
    expected = procmap.map(graph, MACHINE, device="cpu").blocks
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=True).stdout

    for ordinal in range(len(listed.splitlines())):
        mapping = procmap.map(graph, MACHINE, device=f"cuda:{ordinal}")
        assert mapping.stats.device == f"cuda:{ordinal}"
        assert (mapping.blocks == expected).all()
    with pytest.raises(procmap.DeviceError, match=r"there (is|are) only"):
        procmap.map(graph, MACHINE, device="cuda:99")


def test_large_arrays_are_uploaded_whole():
    """More than one piece per lane of the staged copy, and a last piece that is not full."""
    n = 3_000_017
    path = np.arange(n - 1)
    graph = procmap.Graph.from_edges(np.stack([path, path + 1], 1), weights=path % 1000 + 1)

    copy = graph.to_device("cuda")

    assert copy.device == "cuda:0"
    for name in ("offsets", "heads", "arc_weights"):
        assert np.array_equal(getattr(copy, name), getattr(graph, name)), name


@pytest.mark.parametrize("preset", ["fast", "default", "im", "hm"])
def test_memory_is_estimated(preset):
    graph = grid(1500, 1500)

    stats = procmap.map(graph, MACHINE, preset=preset, device="cuda").stats

    estimate = procmap.estimate_memory(
        graph.num_vertices, graph.num_edges, MACHINE.num_pes, preset=preset
    )
    assert estimate == pytest.approx(stats.device_memory, rel=0.2)


@pytest.mark.parametrize("preset", ["fast", "default", "im", "hm"])
@pytest.mark.parametrize("shape", ["star", "grid"])
def test_phases_never_take_longer_than_the_call(shape, preset):
    """Phases inside kernels have times of their own, which the host does not count as waiting."""
    leaves = np.arange(1, 200_000)
    star = procmap.Graph.from_edges(np.stack([0 * leaves, leaves], 1))
    graph = star if shape == "star" else grid(500, 500)
    procmap.map(grid(20, 20), MACHINE, preset=preset, device="cuda")  # warms up

    stats = procmap.map(graph, MACHINE, preset=preset, imbalance=0.1, device="cuda").stats

    assert 0 < sum(phase.seconds for phase in stats.phases) <= stats.seconds


OUT_OF_MEMORY = """
import cupy, procmap
from support import MACHINE, grid
graph = grid(1000, 1000)
procmap.map(grid(20, 20), MACHINE, device="cuda")  # makes the context
hoard = cupy.cuda.alloc(cupy.cuda.runtime.memGetInfo()[0] - (64 << 20))
print(procmap.map(graph, MACHINE, preset="fast").stats.device_reason)
try:
    procmap.map(graph, MACHINE, preset="fast", device="cuda")
except MemoryError as error:
    print(error)
del hoard
cupy.get_default_memory_pool().free_all_blocks()
print(procmap.map(graph, MACHINE, preset="fast", device="cuda").feasible)
"""


def test_out_of_memory_says_how_much_and_the_next_call_works():
    pytest.importorskip("cupy")

    automatic, message, after = run(OUT_OF_MEMORY).splitlines()

    assert re.fullmatch(r"auto: the GPU has \d+ MB free, but about \d+ MB are needed", automatic)
    assert re.search(r"out of GPU memory: .* MB were free; the mapping needs about \d+ MB", message)
    assert after == "True"


# Any library of the process can do these two to the GPU.
HARM = """
import ctypes
import procmap
from support import MACHINE, grid

driver = ctypes.CDLL("libcuda.so.1")

def reset():
    assert driver.cuDevicePrimaryCtxReset_v2(0) == 0

def write_where_nothing_is():
    ptx = b'''.version 7.0
.target sm_80
.address_size 64
.visible .entry harm() { .reg .u64 %p; mov.u64 %p, 16; st.global.u32 [%p], 1; ret; }'''
    context, module, function = (ctypes.c_void_p() for _ in range(3))
    assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert driver.cuCtxSetCurrent(context) == 0
    assert driver.cuModuleLoadData(ctypes.byref(module), ptx) == 0
    assert driver.cuModuleGetFunction(ctypes.byref(function), module, b"harm") == 0
    assert driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, None, None) == 0
    assert driver.cuCtxSynchronize() == 700

def attempt(what):
    try:
        print(what(), flush=True)
    except procmap.DeviceError as error:
        print("DeviceError:", error, flush=True)

small, large = grid(20, 20), grid(700, 700)
expected = procmap.map(small, MACHINE, device="cuda").blocks
def right(graph, device):
    return (procmap.map(graph, MACHINE, device=device).blocks == expected).all()
there, large_there = small.to_device("cuda"), large.to_device("cuda")
"""


def test_reset_by_another_library_loses_what_lay_there_and_nothing_else():
    lines = run(
        HARM
        + """
reset()
attempt(lambda: right(small, "cuda"))
attempt(lambda: right(there, "cuda"))
attempt(lambda: len(large_there.heads))
del there, large_there
again = large.to_device("cuda")
attempt(lambda: (again.heads == large.heads).all())
attempt(lambda: right(small.to_device("cuda"), "cuda"))
reset()
attempt(lambda: right(small, "cuda"))
"""
    ).splitlines()

    lost = "DeviceError: the arrays on cuda:0 are lost: some library reset the device"
    assert [line[: len(lost)] for line in lines] == [
        "True", lost, lost, "True", "True", "True"
    ]  # fmt: skip


def test_kernel_of_another_library_that_failed_is_named_and_the_cpu_still_works():
    lines = run(
        HARM
        + """
write_where_nothing_is()
attempt(lambda: right(small, "cuda"))
attempt(lambda: right(there, "auto"))
attempt(lambda: procmap.map(large, MACHINE, preset="fast", device="auto").stats.device)
attempt(lambda: right(small, "cpu"))
del there, large_there
"""
    ).splitlines()

    named = "cudaErrorIllegalAddress: an illegal memory access was encountered"
    for line in lines[:2]:
        assert line.startswith("DeviceError: ")
        assert named in line
        assert line.endswith("CUDA lets the process use this GPU no more")
    assert lines[2:] == ["cpu", "True"]
