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


def test_weights_are_written_behind_their_heads(tmp_path):
    arrays = np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], np.int32), np.array([7, 7, 5, 5])

    generate.write_metis(tmp_path / "path.graph", arrays)

    assert (tmp_path / "path.graph").read_text() == "3 2 001\n2 7\n1 7 3 5\n2 5\n"
