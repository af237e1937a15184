# SPDX-License-Identifier: MIT
"""The libraries that the package brings along, and a program that calls METIS's functions."""

from pathlib import Path

import pytest

import procmap
from library_tools import EXAMPLES, link, run, soname_file


@pytest.fixture(scope="module")
def libraries():
    try:
        return Path(procmap.get_library_dir())
    except FileNotFoundError as exc:
        pytest.skip(str(exc))


@pytest.fixture
def metis(libraries):
    return soname_file(libraries, "libprocmap_metis")


@pytest.fixture
def program(metis, tmp_path):
    include = Path(procmap.get_include(), "procmap", "metis")
    run(["cc", f"-I{include}", EXAMPLES / "partition_metis.c", *link(metis, tmp_path)])
    return tmp_path / "program"
