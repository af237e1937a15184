# SPDX-License-Identifier: MIT
"""Limits that Python knows are those of the core: its headers and its answers say them."""

import re
from pathlib import Path

import numpy as np
import pytest

from procmap import Graph, GraphError, Topology, TopologyError
from procmap._util import limits

CPP = Path(__file__).parents[3] / "cpp"


@pytest.mark.parametrize(
    ("file", "text", "limit"),
    [
        ("include/procmap/topology.hpp", r"max_pes = 1 << (\d+);", limits.MAX_PES),
        ("src/graph/check.hpp", r"weight_limit = Weight\{1\} << (\d+);", limits.WEIGHT_LIMIT),
    ],
)
def test_powers_of_two_are_those_of_headers(file, text, limit):
    (exponent,) = re.findall(text, (CPP / file).read_text())

    assert 2 ** int(exponent) == limit


def test_tables_have_as_many_rows_as_the_header_says():
    (rows,) = re.findall(
        r"max_nodes = ([\d']+);", (CPP / "include/procmap/topology.hpp").read_text()
    )

    assert int(rows.replace("'", "")) == limits.MAX_TABLE


def test_vertices_are_numbered_by_what_the_core_takes():
    heads = Graph.from_edges([[0, 1]]).heads

    assert np.iinfo(heads.dtype).max == limits.MAX_VERTICES


def test_the_core_takes_as_many_pes_and_no_more():
    assert Topology.flat(limits.MAX_PES).num_pes == limits.MAX_PES
    with pytest.raises(TopologyError):
        Topology.flat(limits.MAX_PES + 1)


def test_the_core_takes_distances_as_large_and_no_larger():
    farthest = np.array([[0, limits.MAX_DISTANCE], [limits.MAX_DISTANCE, 0]])

    assert Topology.from_distance_matrix(farthest).distance(0, 1) == limits.MAX_DISTANCE
    with pytest.raises(TopologyError):
        Topology.from_distance_matrix(farthest + (farthest > 0))


def test_the_core_takes_loads_below_the_limit():
    largest = limits.WEIGHT_LIMIT - 1

    assert Graph.from_csr([0, 0], [], vertex_weights=[largest]).total_weights[0] == largest
    with pytest.raises(GraphError):
        Graph.from_csr([0, 0], [], vertex_weights=[largest + 1])
