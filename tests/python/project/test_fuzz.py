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


def test_thousands_of_cases_find_nothing():
    """A dozen seconds of one processor; a case that crashes or hangs ends only its own process."""
    done = subprocess.run(
        [sys.executable, str(RUN), "--cases", "4000", "--seed", "1"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    assert "4000 cases" in done.stdout
