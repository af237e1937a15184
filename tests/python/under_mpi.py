# SPDX-License-Identifier: MIT
"""Programs under the MPIs that are installed."""

import importlib.util
import os
import shutil
import subprocess
import sys

import pytest

LAUNCHERS = {
    "openmpi": ["mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe"],
    "mpich": ["mpiexec.mpich"],
}
HAS_MPI4PY = importlib.util.find_spec("mpi4py") is not None
KINDS = [
    pytest.param(
        kind,
        marks=pytest.mark.skipif(
            shutil.which(command[0]) is None or not HAS_MPI4PY,
            reason=f"{command[0]} or mpi4py is not installed",
        ),
    )
    for kind, command in LAUNCHERS.items()
]


def start(kind, ranks, program, *arguments, **variables):
    """Run a program of Python with so many ranks."""
    command = [*LAUNCHERS[kind], "-n", str(ranks), sys.executable]
    environment = {**os.environ, "MPI4PY_MPIABI": kind, "OMP_NUM_THREADS": "1", **variables}
    return subprocess.run(
        [*command, *map(str, (program, *arguments))],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
