# SPDX-License-Identifier: MIT
"""NetworkX finds the backend and gets what its own function would return."""

import random
from importlib.metadata import entry_points

import networkx as nx
import numpy as np
import pytest

import procmap

bisection = nx.community.kernighan_lin_bisection


@pytest.fixture(autouse=True, scope="module")
def _installed():
    if not any(entry.name == "procmap" for entry in entry_points(group="networkx.backends")):
        pytest.skip("procmap is not installed, only importable")


def cut(graph, halves):
    return nx.cut_size(graph, *halves, weight="weight")


@pytest.mark.parametrize("n", [7, 8])
def test_bisection_is_balanced_and_no_worse(n):
    graph = nx.grid_2d_graph(n, n)

    ours, theirs = bisection(graph, backend="procmap"), bisection(graph, seed=1)

    assert isinstance(ours, tuple)
    assert ours[0] | ours[1] == set(graph)
    assert sorted(map(len, ours)) == [n * n // 2, (n * n + 1) // 2]
    assert cut(graph, ours) <= cut(graph, theirs)


def test_bisection_obeys_weights_and_defaults():
    graph = nx.cycle_graph("abcdef")
    nx.set_edge_attributes(graph, {("a", "b"): 0.25, ("d", "e"): 0.25}, "weight")

    halves = bisection(graph, backend="procmap")
    with pytest.warns(UserWarning, match="cached graph is being used"):
        unit = bisection(graph, weight=None, backend="procmap", seed=3)

    assert set(map(frozenset, halves)) == {frozenset("bcd"), frozenset("efa")}
    assert cut(graph, halves) == 0.5
    assert nx.cut_size(graph, *unit) == 2


@pytest.mark.parametrize("kind", [int, random.Random, np.random.RandomState, np.random.default_rng])
def test_bisection_obeys_the_seed(kind):
    def halves(seed):
        graph = nx.cycle_graph(40)  # which has 20 best cuts
        return frozenset(map(frozenset, bisection(graph, seed=seed, backend="procmap")))

    assert halves(kind(7)) == halves(kind(7))
    assert len({halves(kind(seed)) for seed in range(8)}) > 1
    assert halves(None) == halves(None)


def test_what_the_backend_cannot_do_is_refused():
    graph = nx.path_graph(4)

    with pytest.raises(NotImplementedError):
        bisection(graph, partition=({0, 1}, {2, 3}), backend="procmap")
    with pytest.raises(NotImplementedError):
        bisection(nx.path_graph(4), weight=lambda *_: 2, backend="procmap")
    graph = nx.path_graph(4)
    nx.set_edge_attributes(graph, -1, "weight")
    with pytest.raises(procmap.GraphError, match="negative"):
        bisection(graph, backend="procmap")
