# SPDX-License-Identifier: MIT
"""A slice of the fuzz run (tests/README.md), the same every time."""

import subprocess
import sys
from pathlib import Path

import pytest

from fuzz import TARGETS
from fuzz.run import run_case

CASES = 60
RUN = Path(__file__).parents[2] / "fuzz/run.py"


@pytest.mark.parametrize("number", range(len(TARGETS)), ids=TARGETS)
def test_every_input_is_refused_or_answered_right(number):
    cases = range(number, CASES * len(TARGETS), len(TARGETS))

    outcomes = {run_case("pytest", case)[1] for case in cases}

    assert outcomes == {"accepted", "refused"}


def test_half_a_minute_of_cases_finds_nothing():
    """Half a minute of one processor; a case that crashes or hangs ends only its own process."""
    done = subprocess.run(
        [sys.executable, str(RUN), "--cases", "10000", "--seed", "1"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    assert "10000 cases" in done.stdout
