# SPDX-License-Identifier: MIT
"""What the environment tells METIS's functions, and programs that know METIS alone."""

import json
import os
import subprocess
from pathlib import Path

import pytest

import procmap
from library_tools import METIS, link, needs_compiler, run


def refused(program, **settings):
    done = subprocess.run(
        [program],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | settings,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr


@needs_compiler
def test_the_environment_chooses_preset_and_machine(program, tmp_path):
    log = tmp_path / "log"

    assert run([program], PROCMAP_METIS_LOG=str(log), PROCMAP_TOPOLOGY="2/1") == "edge cut 2\n"
    assert "fastest" in refused(program, PROCMAP_PRESET="fastest")
    assert "PROCMAP_TOPOLOGY=4:8/1:10 has 32 PEs, but nparts = 2" in refused(
        program, PROCMAP_TOPOLOGY="4:8/1:10", PROCMAP_METIS_LOG=str(log)
    )
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["code"] for line in lines] == [1, -2]
    assert lines[0] | {"seconds": 0} == {
        "function": "METIS_PartGraphKway", "code": 1, "vertices": 8, "arcs": 16, "parts": 2,
        "cut": 2, "heaviest": 1.0, "seconds": 0, "message": "",
    }  # fmt: skip


@needs_compiler
def test_takes_the_place_of_libmetis(metis, tmp_path, program):
    """As a library of METIS's name in a folder that the loader searches first."""
    if not METIS.exists():
        pytest.skip("there is no libmetis5")
    include = Path(procmap.get_include(), "procmap", "metis")
    source = tmp_path / "order.c"
    source.write_text(
        "#include <metis.h>\n#include <stdio.h>\n"
        "int main(void) { idx_t n = 3, x[] = {0, 1, 3, 4}, a[] = {1, 0, 2, 1}, p[3], q[3];\n"
        'printf("%d", METIS_NodeND(&n, x, a, NULL, NULL, p, q)); return 0; }\n'
    )
    run(["cc", f"-I{include}", source, *link(metis, tmp_path)])
    (tmp_path / "libmetis.so.5").symlink_to(metis)

    assert run([program], PROCMAP_METIS_ORIGINAL="/nowhere.so") == "-4"
    # Found although this library has taken its name.
    assert run([program], LD_LIBRARY_PATH=str(tmp_path)) == "1"
