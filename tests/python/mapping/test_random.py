# SPDX-License-Identifier: MIT
"""Hypothesis: whatever the graph and machine, the result is what it claims to be."""

import warnings

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import procmap
from support import assert_report_is_true, csr


@st.composite
def graphs(draw):
    n = draw(st.integers(0, 60))
    ends = st.integers(0, max(n - 1, 0))
    edges = draw(st.lists(st.tuples(ends, ends), max_size=150)) if n else []
    scale = draw(st.sampled_from([1, 10, 2**30, 2**40]))
    weights = draw(st.lists(st.integers(0, 9), min_size=len(edges), max_size=len(edges)))
    loads = draw(st.none() | st.lists(st.integers(0, scale), min_size=n, max_size=n))
    return procmap.Graph.from_edges(edges, n, np.array(weights, np.int64) * scale, loads)


@st.composite
def machines(draw):
    levels = draw(st.integers(1, 4))
    sizes = draw(st.lists(st.integers(1, 4), min_size=levels, max_size=levels))
    distances = draw(st.lists(st.integers(0, 1000), min_size=levels, max_size=levels))
    return procmap.Topology.hierarchy(sizes, sorted(distances))


@settings(max_examples=80, deadline=None)
@given(
    graphs(),
    machines(),
    st.sampled_from(["fast", "default", "im", "hm"]),
    st.sampled_from([0.0, -0.0, 0.03, 0.25, 3.0]),
    st.integers(0, 2**64 - 1),
)
def test_result_is_what_it_claims(graph, machine, preset, imbalance, seed):
    options = {"preset": preset, "imbalance": imbalance, "seed": seed}

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mapping = procmap.map(graph, machine, threads=2, **options)
        again = procmap.map(graph, machine, threads=1, **options)

    assert_report_is_true(graph, mapping.blocks, machine, mapping, imbalance)
    assert len(caught) == (0 if mapping.feasible else 2)
    assert (again.blocks == mapping.blocks).all()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_arrays_with_one_wrong_entry_are_refused(data):
    n = data.draw(st.integers(2, 12))
    ends = st.integers(0, n - 1)
    edges = data.draw(st.lists(st.tuples(ends, ends), min_size=1, max_size=30, unique=True))
    edges = [(u, v) for u, v in edges if u < v] or [(0, 1)]
    offsets, heads, weights = csr(n, np.array(edges))
    wrong = data.draw(st.integers(-(2**31), 2**31 - 1))
    place = data.draw(st.integers(0, len(heads) - 1))
    changed = heads.copy()
    changed[place] = wrong

    if wrong == heads[place]:
        return
    try:
        graph = procmap.Graph.from_csr(offsets, changed, weights)
    except procmap.GraphError:
        return
    # The only harmless changes make a self-loop or repeat an arc of which both directions agree.
    assert graph.num_edges < len(edges) or 0 <= wrong < n
