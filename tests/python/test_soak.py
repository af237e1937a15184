# SPDX-License-Identifier: MIT
"""A few seconds of tests/soak/run.py, whose hundred thousand calls take half an hour."""

import subprocess
import sys
from pathlib import Path

SOAK = Path(__file__).parents[1] / "soak" / "run.py"


def test_mixed_calls_from_threads_and_forked_processes_stay_the_same():
    command = [sys.executable, str(SOAK), "--calls", "480", "--rounds", "4"]

    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "480 calls" in done.stdout
    assert ": 0 other results" in done.stdout
