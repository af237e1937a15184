# SPDX-License-Identifier: MIT
"""The estimate of GPU memory; whether it is right is for a GPU to say (gpu/test_process.py)."""

import pytest

import procmap


def test_estimate_counts_the_graph_unless_it_lies_there():
    n, m = 10**6, 3 * 10**6
    plain = procmap.estimate_memory(n, m, 192)

    with_weights = procmap.estimate_memory(n, m, 192, edge_weights=True, preset="fast")

    assert plain - procmap.estimate_memory(n, m, 192, on_device=True) == 8 * (n + 1) + 8 * m
    # Eight bytes of every arc, and four more of its weight in the first coarse graph.
    assert with_weights - procmap.estimate_memory(n, m, 192, preset="fast") == (16 + 8) * m


def test_estimate_of_the_largest_graphs_does_not_overflow():
    assert procmap.estimate_memory(2**31 - 1, 2**40, 2**22) > 2**44


def test_ranks_share_the_graph_but_not_what_is_gathered():
    n, m = 10**9, 10**10
    few, many = (procmap.estimate_memory(n, m, 192, ranks=ranks) for ranks in (64, 128))

    assert many < few < 2 * many
    assert procmap.estimate_memory(n, m, 192, ranks=64, gather_arcs=0) < few
    with pytest.raises(procmap.ConfigError, match="ranks must be"):
        procmap.estimate_memory(n, m, 192, ranks=0)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [((-1, 0, 1), "num_vertices"), ((1, 2.5, 1), "num_edges"), ((1, 1, 0), "k")],
)
def test_bad_sizes_are_named(arguments, name):
    with pytest.raises(procmap.ConfigError, match=f"{name} must be an integer"):
        procmap.estimate_memory(*arguments)
