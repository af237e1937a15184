# SPDX-License-Identifier: MIT
"""Every example runs, within a minute, and gains what makes it worth reading."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"
LEAST_GAIN = {  # in per cent, of what the last line of the example says
    "fem_mesh": 30,
    "gnn_partition": 50,
    "moe_placement": 80,
    "mpi_stencil": 60,
    "pipeline_stages": 30,
    "repartition": 70,
    "torchrun_order": 60,
}
FILES = {
    "fem_mesh": ["mesh.part.128"],
    "mpi_stencil": ["stencil.rankfile"],
    "torchrun_order": ["start.sh"],
}


def test_every_example_is_run():
    elsewhere = {"first_mapping", "mpi_reorder"}  # test_readme.py, test_mpi.py
    elsewhere |= {"eplb_greedy"}  # what moe_placement compares with

    assert {path.stem for path in EXAMPLES.glob("*.py")} == {*LEAST_GAIN, *elsewhere}


@pytest.mark.parametrize("name", sorted(LEAST_GAIN))
def test_example_gains(name, tmp_path):
    command = [sys.executable, "-W", "error", str(EXAMPLES / f"{name}.py")]

    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 0, done.stderr
    gain = re.search(r"^gain: (\d+)%", done.stdout.splitlines()[-1])
    assert gain, done.stdout
    assert int(gain[1]) >= LEAST_GAIN[name]
    assert [path.name for path in tmp_path.iterdir()] == FILES.get(name, [])


def test_an_example_without_its_package_says_what_to_install(tmp_path):
    without = "import sys, runpy; sys.modules['scipy'] = None; runpy.run_path(sys.argv[1])"

    done = subprocess.run(
        [sys.executable, "-c", without, str(EXAMPLES / "fem_mesh.py")],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert done.returncode == 1
    assert done.stderr == "this example makes its mesh with SciPy: pip install scipy\n"
