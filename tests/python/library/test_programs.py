# SPDX-License-Identifier: MIT
"""Programs in C, C++ and Fortran are compiled with the library, and run."""

from pathlib import Path

import procmap
from library_tools import (
    EXAMPLES,
    RING,
    SOURCES,
    link,
    needs_compiler,
    needs_fortran,
    run,
    soname_file,
)


@needs_compiler
def test_c99(libraries, tmp_path):
    options = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", f"-I{procmap.get_include()}"]
    run(["cc", *options, EXAMPLES / "map.c", *link(soname_file(libraries, "libprocmap"), tmp_path)])

    assert run([tmp_path / "program"]) == RING


@needs_fortran
def test_fortran(libraries, tmp_path):
    module = Path(procmap.get_include(), "procmap", "procmap.f90")
    sources = [f"-J{tmp_path}", "-std=f2008", "-Wall", module, EXAMPLES / "map.f90"]
    run(["gfortran", *sources, *link(soname_file(libraries, "libprocmap"), tmp_path)])

    assert run([tmp_path / "program"]) == RING


@needs_fortran
def test_several_weights_in_fortran(libraries, tmp_path):
    module = Path(procmap.get_include(), "procmap", "procmap.f90")
    sources = [f"-J{tmp_path}", "-std=f2008", "-Wall", module, SOURCES / "several_weights.f90"]
    run(["gfortran", *sources, *link(soname_file(libraries, "libprocmap"), tmp_path)])

    assert run([tmp_path / "program"]).splitlines() == [
        "num_weights = 9 is not in [1, 8]",
        "2 weights of 8 and 16",
        *("edge cut 2", "4 of 4, 0.00", "8 of 10, 0.00", "0 of 0, 0.00", "in block 0: 4 and 8"),
        *("edge cut 2", "4 of 4, 0.00", "12 of 12, 0.50", "0 of 0, 0.00", "in block 0: 4 and 4"),
    ]


@needs_compiler
def test_cmake_finds_everything(libraries, tmp_path):  # noqa: ARG001
    """C, C++, METIS's interface, and Fortran if there is a compiler."""
    run(["cmake", "-S", EXAMPLES, "-B", tmp_path, f"-Dprocmap_DIR={procmap.get_cmake_dir()}"])
    run(["cmake", "--build", tmp_path])

    assert run([tmp_path / "map_c"]) == RING
    assert run([tmp_path / "map_cpp"]).startswith("J = ")
    assert run([tmp_path / "partition_metis"]) == "edge cut 2\n"
