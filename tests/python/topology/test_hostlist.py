# SPDX-License-Identifier: MIT
"""Node list expressions."""

import pytest

from procmap import TopologyError
from procmap.topology._hostlist import expand_hosts


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("a", ["a"]),
        ("a,b", ["a", "b"]),
        (["a", "b"], ["a", "b"]),
        ("tux[0-3,12,18-20]", [f"tux{i}" for i in (0, 1, 2, 3, 12, 18, 19, 20)]),
        ("n[08-11]", ["n08", "n09", "n10", "n11"]),
        ("n[0-8/4],m", ["n0", "n4", "n8", "m"]),
        ("n[1,003]", ["n1", "n003"]),
        ("r[1-2]n[1-2]", ["r1n1", "r1n2", "r2n1", "r2n2"]),
        ("r[1-2]-ib.cluster", ["r1-ib.cluster", "r2-ib.cluster"]),
        ("n[5]", ["n5"]),
        (" a , b ", ["a", "b"]),
        ([], []),
    ],
)
def test_expressions_mean_what_they_mean_to_slurm(expression, names):
    assert expand_hosts(expression) == names


@pytest.mark.parametrize(
    ("expression", "culprit"),
    [
        ("", "empty host name"),
        ("a,,b", "empty host name"),
        ("a[1-3", "unbalanced"),
        ("a1-3]", "unbalanced"),
        ("a[[1]]", "unbalanced"),
        ("a[3-1]", "empty range"),
        ("a[1-3/0]", "empty range"),
        ("a[]", "not a number"),
        ("a[1-]", "not a number"),
        ("a[x]", "not a number"),
        ("a[-1]", "not a number"),
        ("a[\u0661]", "not a number"),  # a digit, but not one of ours
        ("a b", "not a host name"),
        ("a,b,a", "'a' is listed more than once"),
        ("n[1-3],n2", "'n2' is listed more than once"),
        ("n[0-99999999999]", "more than"),
        ("n[0-99999999999]m[0-99999999999]", "more than"),
        ("n[1-" + "9" * 5000 + "]", "not a number"),
        ([1, 2], "must be strings"),
    ],
)
def test_nonsense_is_a_topology_error(expression, culprit):
    with pytest.raises(TopologyError, match=culprit):
        expand_hosts(expression)
