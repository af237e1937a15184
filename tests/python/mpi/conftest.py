# SPDX-License-Identifier: MIT
"""What programs under MPI need."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def mpich_by_the_name_that_mpi4py_looks_for(tmp_path_factory):
    """Debian calls MPICH's library libmpich.so.12, which the wheels of mpi4py do not know."""
    folder = tmp_path_factory.mktemp("lib")
    for found in Path("/usr/lib").glob("*/libmpich.so.12"):
        (folder / "libmpi.so.12").symlink_to(found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LD_LIBRARY_PATH", str(folder), prepend=os.pathsep)
        yield
