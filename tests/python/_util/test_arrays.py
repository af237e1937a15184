# SPDX-License-Identifier: MIT
"""Messages about arrays name the argument, the entry and its value."""

import re

import numpy as np
import pytest

from procmap import ConfigError, Graph, Topology, partition
from procmap._util.arrays import as_integers

RING = Graph.from_edges([[0, 1], [1, 2], [2, 0]])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (None, "pes must be one-dimensional, got None"),
        ("node1", "pes must be one-dimensional, got 'node1'"),
        ({3, 4}, "pes must be one-dimensional, got {3, 4}"),
        (np.array(3), "pes must be one-dimensional, got 3"),
        ([[0, 1]], "pes must be one-dimensional, got shape (1, 2)"),
        ([[0], [1, 2]], "pes is not an array: its rows differ in length"),
        ([0, 0.5], "pes[1] = 0.5 is not an integer"),
        ([0, np.nan], "pes[1] = nan is not a finite number"),
        ([0, 2**31], "pes[1] = 2147483648 does not fit int32"),
        ([0, None], "pes must hold integers, got dtype object: pes[1] is None"),
        (
            [0, 2**64],
            f"pes must hold integers, got dtype object: pes[1] is {2**64}, beyond 64 bits",
        ),
        (["a", "b"], "pes must hold integers, got dtype <U1: pes[0] is 'a'"),
        ([1j], "pes must hold integers, got dtype complex128"),
        (
            [True],
            "pes must hold integers, got dtype bool; use .astype(numpy.int64) if True means 1",
        ),
    ],
)
def test_what_holds_no_integers_is_named(values, message):
    with pytest.raises(ConfigError, match=f"^{re.escape(message)}$"):
        as_integers(values, np.int32, "pes", ConfigError)


def test_entries_of_columns_and_matrices_are_named():
    with pytest.raises(ConfigError, match=re.escape("edges[2, 1] = 0.5 is not an integer")):
        as_integers([0, 1, 0.5], np.int64, "edges[:, 1]", ConfigError)
    with pytest.raises(ConfigError, match=re.escape("loads['a:b'][1] = 0.5 is not an integer")):
        as_integers([0, 0.5], np.int64, "loads['a:b']", ConfigError)
    with pytest.raises(ConfigError, match=re.escape("nodes[1, 0] = 0.5 is not an integer")):
        as_integers([[0, 1], [0.5, 1]], np.int64, "nodes", ConfigError, ndim=2)
    assert as_integers(np.zeros((0, 3)), np.int64, "nodes", ConfigError, ndim=2).shape == (0, 3)


def test_only_amounts_are_to_be_scaled():
    advice = "; scale the values first, for example numpy.rint("
    with pytest.raises(
        ConfigError, match=re.escape(f"vertex_sizes[0] = 0.5 is not an integer{advice}")
    ):
        partition(RING, 2, initial=[0, 1, 1], vertex_sizes=[0.5, 1, 1])
    with pytest.raises(
        ValueError, match=re.escape(f"distances[0] = 0.5 is not an integer{advice}")
    ):
        Topology.hierarchy([2, 2], [0.5, 1])
    with pytest.raises(ValueError, match=r"sizes\[0\] = 2.5 is not an integer$"):
        Topology.hierarchy([2.5, 2], [1, 2])
    with pytest.raises(ConfigError, match=r"fixed\[0\] = 0.5 is not an integer$"):
        partition(RING, 2, fixed=[0.5, 1, 1])
