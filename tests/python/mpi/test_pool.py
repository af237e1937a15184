# SPDX-License-Identifier: MIT
"""`executor=MPIPoolExecutor()` under Open MPI and MPICH."""

from pathlib import Path

import pytest

from under_mpi import KINDS, start


@pytest.mark.parametrize("kind", KINDS)
def test_ranks_as_workers_make_the_same_mappings(kind):
    done = start(kind, 3, "-m", "mpi4py.futures", Path(__file__).with_name("pool.py"))

    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["2", "same"]
