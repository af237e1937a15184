# SPDX-License-Identifier: MIT
"""A slice of the fuzz run (tests/README.md), the same every time."""

import pytest

from fuzz import TARGETS
from fuzz.run import run_case

CASES = 60


@pytest.mark.parametrize("number", range(len(TARGETS)), ids=TARGETS)
def test_every_input_is_refused_or_answered_right(number):
    cases = range(number, CASES * len(TARGETS), len(TARGETS))

    outcomes = {run_case("pytest", case)[1] for case in cases}

    assert outcomes == {"accepted", "refused"}
