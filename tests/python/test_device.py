# SPDX-License-Identifier: MIT
"""Where a call runs, on a machine with or without a GPU."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

import procmap
from support import MACHINE, grid


def usable_gpu():
    try:
        procmap.map(grid(2, 2), MACHINE, device="cuda")
    except procmap.DeviceError:
        return False
    return True


no_gpu = pytest.mark.skipif(usable_gpu(), reason="there is a GPU")


def test_stats_say_which_device_and_why():
    asked = procmap.map(grid(4, 4), MACHINE, device="cpu").stats
    small = procmap.map(grid(4, 4), MACHINE).stats

    assert (asked.device, asked.device_reason) == ("cpu", "asked for")
    assert small.device == "cpu"
    assert re.fullmatch(r"auto: the graph has 48 arcs, fewer than \d+", small.device_reason)


@no_gpu
def test_auto_says_why_a_large_graph_stays_on_the_cpu():
    offsets = np.arange(1026) * 1024  # everybody talks to everybody
    everybody = (offsets, np.nonzero(~np.eye(1025, dtype=bool))[1])

    mapping = procmap.map(everybody, procmap.Topology.flat(1), preset="fast")

    assert mapping.stats.device == "cpu"
    assert re.match(r"auto: .*(no CUDA backend|no GPU|driver)", mapping.stats.device_reason)


@no_gpu
@pytest.mark.parametrize("device", ["cuda", "cuda:1"])
def test_gpu_that_is_not_there_is_an_error(device):
    for call in (
        lambda: procmap.map(grid(2, 2), MACHINE, device=device),
        lambda: procmap.partition(grid(2, 2), 2, device=device),
        lambda: procmap.evaluate(grid(2, 2), [0] * 4, MACHINE, device=device),
    ):
        with pytest.raises(procmap.DeviceError, match=f'device = "{device}" cannot be used: '):
            call()


@no_gpu
def test_command_line_says_so_too(run_cli, grid_file):
    answer = run_cli("partition", grid_file, "-k", 2, "--device", "cuda")

    assert answer.returncode == 2
    assert re.fullmatch(r"procmap: error: device = \"cuda\" cannot be used: .*\n", answer.stderr)


def test_command_line_shows_the_device(run_cli, grid_file):
    text = run_cli("partition", grid_file, "-k", 2, "--device", "cpu").stdout
    values = json.loads(run_cli("partition", grid_file, "-k", 2, "--json").stdout)

    assert re.search(r"^device +cpu \(asked for\)$", text, re.MULTILINE)
    assert values["device_reason"].startswith("auto: ")


def test_evaluation_takes_a_device():
    graph = grid(4, 4)

    report = procmap.evaluate(graph, [0] * 16, MACHINE, device="cpu")

    assert report.cost == procmap.evaluate(graph, [0] * 16, MACHINE).cost == 0
    with pytest.raises(procmap.ConfigError, match="device must be"):
        procmap.evaluate(graph, [0] * 16, MACHINE, device="gpu")


@pytest.mark.skipif(sys.platform != "linux", reason="shared libraries as on Linux")
def test_module_needs_no_library_of_cuda():
    listed = subprocess.run(
        ["ldd", procmap._core.__file__], capture_output=True, text=True, check=True
    ).stdout

    assert "libcuda" not in listed
    assert "not found" not in listed
