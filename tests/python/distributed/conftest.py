# SPDX-License-Identifier: MIT
"""What programs under MPI need."""

from under_mpi import mpich_by_the_name_that_mpi4py_looks_for  # noqa: F401
