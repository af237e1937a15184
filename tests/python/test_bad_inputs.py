# SPDX-License-Identifier: MIT
"""Malformed input raises an exception that names the culprit; odd input gives a right answer."""

import warnings

import pytest

import bad_inputs
import procmap
from support import assert_report_is_true


def test_there_are_thirty_five_cases():
    cases = [*bad_inputs.LEGAL, *bad_inputs.BAD_GRAPHS, *bad_inputs.BAD_OPTIONS]

    assert len(set(cases)) == 35


@pytest.mark.parametrize("name", bad_inputs.BAD_GRAPHS)
def test_malformed_graph_is_refused_with_its_culprit(name):
    bad, culprit = bad_inputs.BAD_GRAPHS[name]
    machine = procmap.Topology.flat(4)

    with pytest.raises(procmap.GraphError) as from_graph:
        procmap.Graph.from_csr(*bad.graph(), bad.loads)
    with pytest.raises(procmap.GraphError) as from_map:
        procmap.map(bad.graph(), machine, vertex_weights=bad.loads)
    with pytest.raises(procmap.GraphError) as from_partition:
        procmap.partition(bad.graph(), 4, vertex_weights=bad.loads)

    assert culprit in str(from_graph.value)
    assert str(from_graph.value) == str(from_map.value) == str(from_partition.value)


@pytest.mark.parametrize("name", bad_inputs.BAD_OPTIONS)
def test_bad_option_is_refused_by_name(name):
    bad, culprit = bad_inputs.BAD_OPTIONS[name]

    with pytest.raises(procmap.ConfigError) as from_partition:
        procmap.partition(bad.graph(), bad.k, imbalance=bad.imbalance)

    assert culprit in str(from_partition.value)


@pytest.mark.parametrize("name", bad_inputs.LEGAL)
def test_odd_input_gives_a_true_report(name):
    odd = bad_inputs.LEGAL[name]
    machine = procmap.Topology.flat(odd.k)
    graph = procmap.Graph.from_csr(*odd.graph(), odd.loads)
    options = {"imbalance": odd.imbalance, "vertex_weights": odd.loads}

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mapping = procmap.partition(odd.graph(), odd.k, **options)
        mapped = procmap.map(odd.graph(), machine, **options)

    assert_report_is_true(graph, mapping.blocks, machine, mapping, odd.imbalance)
    assert (mapped.blocks == mapping.blocks).all()
    assert mapping.feasible == (name != "huge_vertex")
    expected = [] if mapping.feasible else [procmap.InfeasibleWarning] * 2
    assert [w.category for w in caught] == expected
