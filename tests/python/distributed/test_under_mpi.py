# SPDX-License-Identifier: MIT
"""procmap.distributed under Open MPI and MPICH."""

import functools
import json
from pathlib import Path

import pytest

from under_mpi import KINDS, start

SIZES = {"openmpi": (1, 2, 3, 4), "mpich": (1, 2, 3)}  # ranks of mpich wait awake
FEW = (1, 3)
PROGRAM = Path(__file__).with_name("program.py")


@functools.cache
def result_of(kind, ranks):
    further = ["constraints", "errors"] if ranks in FEW else []
    done = start(kind, ranks, PROGRAM, "mapping", *further)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_ranks_makes_the_same_mapping(kind):
    results = [result_of(kind, ranks) for ranks in SIZES[kind]]
    found = [result["mapping"] for result in results]

    assert len({one["blocks"] for one in found}) == 1
    assert {one["cost"] for one in found} == {one["again"] for one in found}
    assert all(one["feasible"] for one in found)
    assert found[0]["messages"] == 0 < found[1]["messages"]


@pytest.mark.parametrize("kind", KINDS)
def test_capacities_fixed_and_given_mappings_hold_on_any_number_of_ranks(kind):
    found = [result_of(kind, ranks)["constraints"] for ranks in FEW]

    assert len({one["blocks"] for one in found}) == 1
    for one in found:
        assert one["first"] == [4, 5, 6]
        assert one["feasible"]
        assert one["cost"] == one["again"]
        assert one["loads"][11] == 0
        assert one["loads"][10] <= 40


@pytest.mark.parametrize("kind", KINDS)
def test_all_ranks_get_the_error_of_one(kind):
    messages = result_of(kind, 3)["errors"]

    assert messages == [messages[0]] * 3
    assert messages[0].startswith("rank 2: arc 399->415: heads[")


@pytest.mark.parametrize("kind", KINDS)
def test_the_death_of_a_rank_ends_the_others(kind):
    assert start(kind, 2, PROGRAM, "death").returncode != 0
