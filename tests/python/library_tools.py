# SPDX-License-Identifier: MIT
"""What the tests of the C++ library share: its sources, compilers, commands."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from library import metis_conformance

EXAMPLES = Path(__file__).parents[2] / "examples" / "library"
SOURCES = Path(metis_conformance.__file__).parent
METIS = Path("/usr/lib/x86_64-linux-gnu/libmetis.so.5")
# 8 tasks, 2 nodes of 4 PEs: 6 edges of distance 1, 2 of 10, both ways
RING = "J = 52, edge cut 8\n"

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
needs_fortran = pytest.mark.skipif(shutil.which("gfortran") is None, reason="there is no gfortran")


def run(command, **settings):
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env=os.environ | settings, timeout=120
    )
    return done.stdout


def link(library, folder):
    """Return what makes a compiler link this file: wheels know no links named libNAME.so."""
    return [library, f"-Wl,-rpath,{library.parent}", "-o", folder / "program"]


def soname_file(libraries, name):
    (found,) = libraries.glob(f"{name}.so.*")
    return found
