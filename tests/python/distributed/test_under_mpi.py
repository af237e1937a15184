# SPDX-License-Identifier: MIT
"""procmap.distributed under Open MPI and MPICH."""

import functools
import json
from pathlib import Path

import pytest

from under_mpi import KINDS, start

PROGRAM = Path(__file__).with_name("program.py")


@functools.cache
def result_of(kind, ranks):
    done = start(kind, ranks, PROGRAM, "mapping", "errors")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_ranks_makes_the_same_mapping(kind):
    # Ranks of MPICH do not give way to each other: more of them than processors take long.
    sizes = (1, 2, 3, 4) if kind == "openmpi" else (1, 3)
    found = [result_of(kind, ranks)["mapping"] for ranks in sizes]

    assert len({one["blocks"] for one in found}) == 1
    assert {one["cost"] for one in found} == {one["again"] for one in found}
    assert all(one["feasible"] for one in found)
    assert found[0]["messages"] == 0 < found[1]["messages"]


@pytest.mark.parametrize("kind", KINDS)
def test_all_ranks_get_the_error_of_one(kind):
    messages = result_of(kind, 3)["errors"]

    assert messages == [messages[0]] * 3
    assert messages[0].startswith("rank 2: arc 399->400: heads[")


@pytest.mark.parametrize("kind", KINDS)
def test_the_death_of_a_rank_ends_the_others(kind):
    assert start(kind, 2, PROGRAM, "death").returncode != 0
