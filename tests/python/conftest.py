# SPDX-License-Identifier: MIT
"""Fixtures that the tests share."""

import subprocess
import sys

import pytest

import support
from procmap.cli import main


@pytest.fixture
def run_cli(tmp_path, monkeypatch, capfd):
    """Run the command line in an empty folder, without the time that a process of its own takes."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        capfd.readouterr()
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as exc:  # of argparse
            code = exc.code
        return subprocess.CompletedProcess(arguments, code, *capfd.readouterr())

    return run


@pytest.fixture
def run_process(tmp_path):
    """Run ``python -m procmap`` in an empty folder; no text may come out in bytes beyond UTF-8."""

    def run(*arguments):
        command = [sys.executable, "-m", "procmap", *map(str, arguments)]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )

    return run


@pytest.fixture
def grid_file(tmp_path):
    """A METIS file of the 20 x 20 grid."""
    path = tmp_path / "grid.graph"
    support.grid(20, 20).write(path)
    return path
