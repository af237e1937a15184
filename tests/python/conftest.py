# SPDX-License-Identifier: MIT
"""Fixtures, and the folder's helper modules on the path."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import support


@pytest.fixture
def run_cli(tmp_path):
    """Run ``python -m procmap`` in an empty folder; no text may come out in bytes beyond UTF-8."""

    def run(*arguments, timeout=60):
        command = [sys.executable, "-m", "procmap", *map(str, arguments)]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=timeout, check=False
        )

    return run


@pytest.fixture
def grid_file(tmp_path):
    """A METIS file of the 20 x 20 grid."""
    path = tmp_path / "grid.graph"
    support.grid(20, 20).write(path)
    return path
