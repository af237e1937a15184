# SPDX-License-Identifier: MIT
"""`repeats=` and `time_limit=`: which mapping is kept, and what is said about it."""

import json
import math

import numpy as np
import pytest

import procmap
from support import MACHINE, grid, random_geometric


def test_repeats_keep_the_best_of_consecutive_seeds():
    graph = random_geometric(500, 8, seed=1)
    single = [procmap.map(graph, MACHINE, seed=seed) for seed in range(3, 7)]

    best = procmap.map(graph, MACHINE, seed=3, repeats=4)

    expected = min(single, key=lambda mapping: mapping.cost)
    np.testing.assert_array_equal(best.blocks, expected.blocks)
    attempts = best.stats.attempts
    assert [a.seed for a in attempts] == [3, 4, 5, 6]
    assert [a.cost for a in attempts] == [mapping.cost for mapping in single]
    assert [a.kept for a in attempts].index(True) == single.index(expected)
    assert all(a.finished and not a.quick and a.seconds >= 0 for a in attempts)


def test_partition_repeats_too():
    graph = random_geometric(500, 8, seed=2)
    best = procmap.partition(graph, 6, repeats=3)
    assert best.edge_cut == min(procmap.partition(graph, 6, seed=s).edge_cut for s in range(3))


def test_without_them_there_is_one_attempt():
    assert len(procmap.map(grid(8, 8), MACHINE).stats.attempts) == 1


def test_a_time_limit_returns_the_best_found_so_far():
    graph = random_geometric(3000, 8, seed=3)

    mapping = procmap.map(graph, MACHINE, time_limit=0.3)

    attempts = mapping.stats.attempts
    assert attempts[0].quick
    assert attempts[0].finished
    assert not attempts[-1].finished
    assert [a.kept for a in attempts].count(True) == 1
    assert mapping.cost == min(a.cost for a in attempts if a.finished)
    assert mapping.cost <= procmap.map(graph, MACHINE, preset="fast").cost


@pytest.mark.parametrize("value", [0, -1, 1.5, "3", True])
def test_wrong_repeats_are_refused(value):
    with pytest.raises(procmap.ConfigError, match="repeats"):
        procmap.map(grid(4, 4), MACHINE, repeats=value)


@pytest.mark.parametrize("value", [0, -0.5, math.nan, math.inf, "3"])
def test_wrong_time_limits_are_refused(value):
    with pytest.raises(procmap.ConfigError, match="time_limit"):
        procmap.map(grid(4, 4), MACHINE, time_limit=value)


def test_command_line_has_both(run_cli, grid_file):
    machine = ("-H", "2:2:3", "-D", "1:10:100")

    repeated = run_cli("map", grid_file, *machine, "--repeats", "3", "--json")
    limited = run_cli("partition", grid_file, "-k", "4", "--time-limit", "0.2", "--json")

    best = procmap.map(grid(20, 20), MACHINE, repeats=3)
    assert json.loads(repeated.stdout)["cost"] == best.cost
    assert limited.returncode == 0
    refused = run_cli("map", grid_file, *machine, "--repeats", "0")
    assert refused.returncode == 2
    assert "repeats" in refused.stderr
