# SPDX-License-Identifier: MIT
"""What the files of the library show, need and are called."""

import os
import re
import shutil
from pathlib import Path

import pytest

import procmap
from library_tools import needs_compiler, run, soname_file


def dynamic_symbols(library, *flags):
    return [line.split() for line in run(["nm", "-D", *flags, library]).splitlines()]


@needs_compiler
def test_only_the_interfaces_are_visible(libraries):
    """Nothing of the engine, and nothing of the standard library that could meet another's."""
    names = {
        words[-1]
        for words in dynamic_symbols(soname_file(libraries, "libprocmap"), "--defined-only")
    }

    assert {
        name
        for name in names
        if not re.match(r"procmap_|_ZT?[NISV]?N?K?7procmap|_ZNK?7procmap", name)
    } == set()
    for library in libraries.glob("libprocmap_metis*.so.*"):
        names = {words[-1] for words in dynamic_symbols(library, "--defined-only")}
        assert {
            name for name in names if not re.match(r"METIS_|metis_|procmap_metis_", name)
        } == set()
    (module,) = Path(procmap.__file__).parent.glob("_core*.so")
    assert [words[-1] for words in dynamic_symbols(module, "--defined-only")] == ["PyInit__core"]


def test_libraries_name_their_version(libraries):
    assert (
        soname_file(libraries, "libprocmap").name
        == f"libprocmap.so.{procmap.__version__.rsplit('.', 1)[0]}"
    )
    assert sorted(path.name for path in libraries.glob("libprocmap_metis*.so.*")) == [
        f"libprocmap_metis{widths}.so.5" for widths in ("", "_i32r64", "_i64r32", "_i64r64")
    ]


# Functions that glibc 2.28 has too, under an older version or in libdl and libpthread, or that a
# compiler for it would not call: a wheel is built where the oldest glibc is, and this finds what
# could not be built there.
MOVED_SINCE = {
    "__libc_single_threaded", "dladdr", "dlclose", "dlerror", "dlopen", "dlsym", "fstat", "lstat",
    "pthread_cond_clockwait", "pthread_create", "pthread_detach", "pthread_join",
    "pthread_key_create", "pthread_mutex_trylock", "pthread_once", "stat",
}  # fmt: skip


@needs_compiler
def test_runs_with_glibc_of_2018(libraries):
    """Nothing is called that glibc 2.28 (manylinux_2_28) has not got."""
    files = [*libraries.glob("*.so.*"), *Path(procmap.__file__).parent.glob("_core*.so")]
    for file in files:
        for words in dynamic_symbols(file, "--undefined-only"):
            found = re.fullmatch(r"(\w+)@+GLIBC_2\.(\d+)", words[-1].split(".so")[0])
            if found and int(found[2]) > 28:
                assert found[1] in MOVED_SINCE, f"{file.name} needs {words[-1]}"


def test_needs_no_avx(libraries):
    """No instruction that the first x86-64 processors had not got."""
    if shutil.which("objdump") is None or os.uname().machine != "x86_64":
        pytest.skip("needs objdump and x86-64")
    text = run(["objdump", "-d", "--no-show-raw-insn", soname_file(libraries, "libprocmap")])

    assert re.search(r"%[yz]mm\d|\tv(mov|add|p|broadcast)", text) is None
