# SPDX-License-Identifier: MIT
"""METIS's functions with one weight per vertex."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import procmap
from library import metis_conformance
from library_tools import METIS, needs_compiler
from metis_calls import part_graph, pieces


@needs_compiler
def test_answers_as_metis_does(metis, tmp_path, monkeypatch):
    """A sample; tests/library/metis_conformance.py makes as many calls as one likes."""
    monkeypatch.setenv("PROCMAP_PRESET", "fast")
    monkeypatch.setenv("PROCMAP_THREADS", "1")
    original = METIS if METIS.exists() else None
    if original is None:
        program = metis_conformance.build(tmp_path)
        outcomes = {
            case.outcome.split()[0] for case in metis_conformance.run(program, metis, 0, 160)
        }
        assert outcomes == {"code"}
        return
    table, mistakes = metis_conformance.compare(metis, original, 0, 400)

    assert mistakes == []
    assert "| PartGraphKway | legal | code 1 | code 1 |" in table


def random_tree(n, seed):
    parents = [np.random.default_rng((seed, v)).integers(v) for v in range(1, n)]
    return procmap.Graph.from_edges(np.stack([np.arange(1, n), parents], axis=1))


@pytest.mark.parametrize("seed", range(3))
def test_contiguous_parts_are_in_one_piece(metis, seed):
    tree = random_tree(400, seed)
    scattered, together = (part_graph(metis, tree, 9, CONTIG=value) for value in (0, 1))

    assert (scattered[0], together[0]) == (1, 1)
    assert pieces(tree, scattered[1]) > 9  # else this tests nothing
    assert pieces(tree, together[1]) == len(np.unique(together[1])) == 9


@pytest.mark.parametrize(
    ("parts", "slack", "machine"),
    [
        (12, 1, "2:2:3/1:1:1"),
        (12, 30, "flat:12"),
        (4, 1, "flat:4"),
        (11, 1, "flat:11"),
        (1024, 1, "4:4:2:2:2:2:2:2/1:1:1:1:1:1:1:1"),
    ],
)
def test_many_parts_of_little_slack_are_split_step_by_step(
    metis, monkeypatch, parts, slack, machine
):
    tree = random_tree(1500, 0)

    def found():
        return part_graph(metis, tree, parts, "METIS_PartGraphRecursive", UFACTOR=slack)

    by_itself = found()
    monkeypatch.setenv("PROCMAP_TOPOLOGY", machine)

    assert by_itself[0] == found()[0] == 1
    np.testing.assert_array_equal(by_itself[1], found()[1])


def test_parts_of_a_graph_in_pieces_cannot_be_contiguous(metis):
    two_edges = procmap.Graph.from_edges([[0, 1], [2, 3]])

    assert part_graph(metis, two_edges, 2, CONTIG=1)[0] == -4
    assert part_graph(metis, two_edges, 2, CONTIG=0)[0] == 1


def test_metis_functions_may_be_called_by_many_threads(metis):
    tree = random_tree(2000, 0)

    def parts(seed):
        code, part = part_graph(metis, tree, 7, SEED=seed)
        assert code == 1
        return part.tobytes()

    seeds = [1, 2, 3, 4] * 3
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(parts, seeds))

    assert together == [parts(seed) for seed in seeds]
    assert len(set(together)) == 4
