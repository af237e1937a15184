# SPDX-License-Identifier: MIT
"""Ranks hand over rows that lie on a GPU, and map their parts on GPUs."""

import numpy as np
import pytest

import procmap
import procmap.distributed as pd
from support import MACHINE, random_weighted
from thread_ranks import dealt_out, even_cuts, on_ranks

GRAPH = random_weighted(2000, 8000, seed=3)
SIZE = 3
CUTS = even_cuts(GRAPH.num_vertices, SIZE)
ROWS = dealt_out(GRAPH, CUTS)
OPTIONS = {"gather_arcs": 2000, "seed": 4}


def mapped(put=np.asarray, by_row=None, **options):
    """Blocks of all rows, made of arrays that were ``put`` somewhere, and the cost."""

    def program(comm):
        rank = comm.Get_rank()
        rows = tuple(put(values) for values in ROWS[rank])
        own = {name: put(parts[rank]) for name, parts in (by_row or {}).items()}
        return pd.map(comm, rows, MACHINE, **OPTIONS, **options, **own)

    found = on_ranks(SIZE, program)
    for one in found:
        if isinstance(one, Exception):
            raise one
    return np.concatenate([one.blocks for one in found]), found[0].cost


@pytest.fixture(scope="module")
def expected():
    return mapped(device="cpu")


def same(found, expected):
    return (found[0] == expected[0]).all() and found[1] == expected[1]


@pytest.mark.parametrize(
    "where", [{"device": "cpu"}, {"device": "cuda"}, {"devices": [0]}, {"devices": ["cpu", 0]}]
)
def test_the_mapping_is_that_of_arrays_and_processors_of_the_host(package, where, expected):
    assert same(mapped(package.put, **where), expected)


def test_arrays_of_rows_and_blocks_to_judge(package, expected):
    parts = np.split(expected[0], CUTS[1:])
    by_row = {
        "initial": parts,
        "vertex_sizes": [np.arange(len(part)) % 3 for part in parts],
        "fixed": [np.where(np.arange(len(part)) % 9, -1, part) for part in parts],
    }
    here = mapped(by_row=by_row, migration_cost=2, device="cpu")
    assert same(mapped(package.put, by_row=by_row, migration_cost=2, device="cuda"), here)

    def program(comm):
        rank = comm.Get_rank()
        rows = tuple(package.put(values) for values in ROWS[rank])
        return pd.evaluate(comm, rows, package.put(parts[rank]), MACHINE)

    assert {report.cost for report in on_ranks(SIZE, program)} == {expected[1]}


def test_wrong_rows_on_a_gpu_are_an_error_at_all_ranks(package):
    def program(comm):
        rows = [package.put(values) for values in ROWS[comm.Get_rank()]]
        if comm.Get_rank() == 1:
            rows[1] = package.put(np.full(len(ROWS[1][1]), GRAPH.num_vertices))
        return pd.map(comm, tuple(rows), MACHINE)

    for one in on_ranks(SIZE, program):
        with pytest.raises(procmap.GraphError, match=r"^rank 1: .* is not in"):
            raise one
