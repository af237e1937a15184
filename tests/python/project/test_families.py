# SPDX-License-Identifier: MIT
"""The generated graphs of benchmarks/ are of the classes whose names they bear."""

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy")
sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))

import generate
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

SCALE = 10
NAMES = ("rmat", "pref", "netl", "del3d", "fem3d", "dual3d", "road", "streets")


@pytest.fixture(scope="module")
def degrees():
    """Return the degrees of every family, after a look at the arcs."""
    found = {}
    for name in NAMES:
        offsets, heads = generate.FAMILIES[name](SCALE)
        tails = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        assert not (tails == heads).any(), name
        arcs = tails * len(offsets) + heads
        assert len(np.unique(arcs)) == len(arcs), name
        assert np.array_equal(np.sort(heads.astype(np.int64) * len(offsets) + tails), arcs), name
        found[name] = np.diff(offsets)
    return found


def test_the_same_name_is_the_same_graph():
    for name in NAMES:
        for first, again in zip(*(generate.FAMILIES[name](7) for _ in range(2)), strict=True):
            assert np.array_equal(first, again), name


def test_power_laws_have_hubs(degrees):
    for name in ("rmat", "pref", "netl"):
        assert degrees[name].max() > 6 * degrees[name].mean(), name


def test_a_share_of_rmat_is_isolated(degrees):
    assert 0.1 < (degrees["rmat"] == 0).mean() < 0.5


def test_meshes_have_none(degrees):
    for name in ("del3d", "fem3d", "dual3d", "road"):
        assert degrees[name].max() < 6 * degrees[name].mean(), name
        assert degrees[name].min() > 0, name
    assert degrees["dual3d"].max() == 4
    assert 1.8 < degrees["road"].mean() < 2.5
    assert len(degrees["fem3d"]) == 3 * 2**SCALE


def test_streets_are_chains_between_crossings(degrees):
    assert len(degrees["streets"]) > 20 * SCALE**2
    assert degrees["streets"].max() <= 4
    assert (degrees["streets"][SCALE**2 :] == 2).all()


def test_jobs_are_many_small_programs_that_do_not_talk_to_each_other():
    offsets, heads = generate.FAMILIES["jobs"](SCALE)
    n = len(offsets) - 1
    tails = np.repeat(np.arange(n), np.diff(offsets))
    count, program = connected_components(coo_array((np.ones(len(heads)), (tails, heads)), (n, n)))

    assert 2**SCALE <= n < 2**SCALE + 64
    assert count > 2**SCALE / 64
    assert np.bincount(program).max() <= 64


def test_ranks_of_a_periodic_stencil_have_eight_neighbours():
    offsets, _ = generate.FAMILIES["stencil"](5)

    assert np.diff(offsets).tolist() == [8] * 25


def test_clusters_exchange_much_within_and_little_between():
    offsets, heads, weights = generate.FAMILIES["traffic"](SCALE)
    tails = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))

    forth = dict(zip(zip(tails.tolist(), heads.tolist(), strict=True), weights, strict=True))
    assert all(forth[head, tail] == weight for (tail, head), weight in forth.items())
    assert weights.min() > 0
    assert weights.max() > 5 * np.median(weights)


@pytest.fixture(scope="module")
def shapes():
    """Return every shape with a small size, after a look at its edges."""
    sizes = dict.fromkeys(generate.SHAPES, 6)
    sizes |= {"torus4d": 4, "halo": 4, "layers": 20, "strip": 30}
    found = {name: generate.SHAPES[name](size) for name, size in sizes.items()}
    for name, shape in found.items():
        ends = np.concatenate([shape.tails, shape.heads])
        assert ends.dtype == np.int64, name
        assert set(ends.tolist()) == set(range(shape.n)), name
    return found


def degrees_of(shape):
    """Return the number of neighbours of every vertex."""
    return np.diff(generate.graph_of_shape(shape)[0])


def test_the_same_name_is_the_same_shape(tmp_path):
    for name in ("torus3d_3", "heavytasks_5", "layers_9", "powerlaw_6"):
        first, again = (generate.generate(name, tmp_path).read_bytes() for _ in range(2))
        assert first == again, name


def test_shapes_without_a_border_are_regular(shapes):
    expected = {"torus2d": 4, "torus3d": 6, "torus4d": 8, "ring": 2, "hypercube": 6}
    for name, degree in expected.items():
        assert set(degrees_of(shapes[name]).tolist()) == {degree}, name
    assert degrees_of(shapes["regular"]).max() <= 6
    assert degrees_of(shapes["hexagons"]).max() == 3


def test_trees_have_one_edge_less_than_vertices(shapes):
    for name in ("bintree", "caterpillar"):
        shape = shapes[name]
        arcs = coo_array((np.ones(len(shape.tails)), (shape.tails, shape.heads)), (shape.n,) * 2)
        assert len(shape.tails) == shape.n - 1, name
        assert connected_components(arcs, directed=False)[0] == 1, name


def test_some_tasks_and_some_edges_are_heavy(shapes):
    weights = shapes["heavytasks"].vertex_weights
    assert weights.min() >= 3
    assert weights.max() > 5 * np.median(weights)
    for name in ("heavyedges", "halo", "layers"):
        weights = shapes[name].edge_weights
        assert weights.min() >= 1, name
        assert weights.max() > 2 * np.median(weights), name


def test_cavemen_are_cliques_in_a_ring():
    cliques = generate.SHAPES["caveman"](2)
    arcs = coo_array((np.ones(len(cliques.tails)), (cliques.tails, cliques.heads)), (80, 80))

    assert cliques.n == 80
    assert connected_components(arcs, directed=False)[0] == 1
    assert sorted(set(degrees_of(cliques).tolist())) == [19, 20]


def test_planted_communities_keep_most_edges():
    planted = generate.SHAPES["planted"](3)
    arcs = coo_array((np.ones(len(planted.tails)), (planted.tails, planted.heads)), (400, 400))
    common = (arcs + arcs.T).toarray() @ (arcs + arcs.T).toarray()
    # Ends of an edge within a community have more neighbours in common than any two vertices.
    both = common[planted.tails, planted.heads]

    assert np.mean(both > 2 * np.median(common)) > 0.6


def test_weights_of_vertices_are_written_first(tmp_path):
    path = generate.generate("heavytasks_2", tmp_path)
    weights = generate.SHAPES["heavytasks"](2).vertex_weights

    header, *rows = path.read_text().splitlines()

    assert header == "4 4 010"
    assert [int(row.split()[0]) for row in rows] == weights.tolist()


def test_weights_are_written_behind_their_heads(tmp_path):
    arrays = np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], np.int32), np.array([7, 7, 5, 5])

    generate.write_metis(tmp_path / "path.graph", arrays)

    assert (tmp_path / "path.graph").read_text() == "3 2 001\n2 7\n1 7 3 5\n2 5\n"


def test_of_ranks_that_all_talk_few_talk_much():
    offsets, heads, *weights = generate.FAMILIES["talk"](64)

    assert np.diff(offsets).tolist() == [63] * 64
    much = np.asarray(weights[0]).reshape(64, 63) > 200
    assert much.sum(axis=1).tolist() == [15] * 64
    assert len(heads) == 64 * 63
