# SPDX-License-Identifier: MIT
"""Programs under the MPIs that are installed."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LAUNCHERS = {
    "openmpi": ["mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe"],
    "mpich": ["mpiexec.mpich"],
}
HAS_MPI4PY = importlib.util.find_spec("mpi4py") is not None


def is_installed(kind):
    """Whether programs can be started with this MPI."""
    return HAS_MPI4PY and shutil.which(LAUNCHERS[kind][0]) is not None


KINDS = [
    pytest.param(
        kind,
        marks=pytest.mark.skipif(
            not is_installed(kind), reason=f"{command[0]} or mpi4py is not installed"
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


@pytest.fixture(scope="session", autouse=True)
def mpich_by_the_name_that_mpi4py_looks_for(tmp_path_factory):
    """Debian calls MPICH's library libmpich.so.12, which the wheels of mpi4py do not know."""
    folder = tmp_path_factory.mktemp("lib")
    for found in Path("/usr/lib").glob("*/libmpich.so.12"):
        (folder / "libmpi.so.12").symlink_to(found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LD_LIBRARY_PATH", str(folder), prepend=os.pathsep)
        yield
