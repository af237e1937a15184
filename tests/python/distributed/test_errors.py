# SPDX-License-Identifier: MIT
"""What one rank gets wrong is an error at all of them."""

import math

import numpy as np
import pytest

import procmap
import procmap.distributed as pd
from procmap import _core
from procmap._util.ranks import Ranks
from support import MACHINE, random_geometric
from thread_ranks import mapped, on_ranks

GEOMETRIC = random_geometric(400, 8, seed=1)
GOOD = ([0, 1, 2], [1, 0])


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        (([0, 1, 2], [3, 5]), procmap.GraphError, r"^rank 1: arc 3->5: heads\[1\] = 5 is not in"),
        (([0, 1, 2], [3, 2], [1, -1]), procmap.GraphError, r"^rank 1: arc 3->2: .* negative"),
        (([0, 2, 3], [3, 0, 2]), procmap.GraphError, r"^rank 0: vertex 2: arc 2->0 has no reverse"),
        (([0, 1, 2], [3, 2], [1, 2]), procmap.GraphError, r"^rank 1: .* weighs .* but its reverse"),
        (([0, 3, 2], [3, 2]), procmap.GraphError, r"^rank 1: offsets\[2\] = 2 < offsets\[1\]"),
        (([0, 1, 2], [3, 2], [1]), procmap.GraphError, r"^rank 1: arc_weights has 1 entries"),
        (([0, 1, 2], [3, 2], None, [1, -2]), procmap.GraphError, r"^rank 1: .*\[1\] = -2 is nega"),
        (([0, 1, 2], [3, 2], [np.nan, 1]), procmap.GraphError, r"^rank 1: arc_weights\[0\] = nan"),
        (([0, 1, 2], ["a", "b"]), procmap.GraphError, "^rank 1: heads must hold integers"),
        (7, TypeError, "^rank 1: local_graph must be Rows"),
    ],
)
def test_errors_of_one_rank_reach_all(bad, error, message):
    rows = [GOOD, bad, ([0], [])]
    found = on_ranks(3, lambda comm: pd.map(comm, rows[comm.Get_rank()], MACHINE))
    assert {type(one) for one in found} == {error}
    assert len({str(one) for one in found}) == 1
    with pytest.raises(error, match=message):
        raise found[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (lambda rank: {"seed": rank}, "seed must be equal at all ranks, but is 0 at rank 0 and 1"),
        (lambda rank: {"imbalance": -rank}, "imbalance"),
        (lambda _: {"imbalance": math.nan}, "imbalance = nan is not a finite number >= 0"),
        (lambda rank: {"gather_arcs": -1 if rank else 5}, "^rank 1: gather_arcs must be"),
        (lambda rank: {"fixed": [12, 0] if rank else None}, r"^rank 1: fixed\[0\] = 12 is not in"),
        (lambda rank: {"fixed": [0] if rank else None}, "^rank 1: fixed has 1 entries"),
        (lambda _: {"allow_empty": "no"}, "allow_empty must be True or False, got 'no'"),
        (lambda rank: {"strict": rank}, "strict must be True or False, got "),
        (lambda _: {"capacities": [1] * 11}, "capacities has 11 entries"),
        (lambda _: {"capacities": [0] * 12}, "less than the total load"),
        (
            lambda _: {"capacities": [99] * 12, "imbalance": 0.1},
            "either imbalance or capacities, not both",
        ),
        (lambda _: {"capacities": [200] * 11 + [-5]}, r"capacities\[11\] = -5 is negative"),
    ],
)
def test_wrong_options_are_refused_at_all_ranks(options, message):
    rows = [GOOD, ([0, 1, 2], [3, 2])]

    def program(comm):
        rank = comm.Get_rank()
        return pd.map(comm, rows[rank], MACHINE, **options(rank))

    for one in on_ranks(2, program):
        with pytest.raises(procmap.ConfigError, match=message):
            raise one


def test_progress_that_cannot_be_called_is_refused():
    for one in on_ranks(2, lambda comm: pd.map(comm, GOOD, MACHINE, progress=5)):
        with pytest.raises(TypeError, match="progress must be callable, got int"):
            raise one


def test_machines_that_differ_in_one_distance_are_refused():
    machines = [
        procmap.Topology.from_distance_matrix([[0, 1, 9], [1, 0, x], [9, x, 0]]) for x in (4, 5)
    ]
    assert repr(machines[0]) == repr(machines[1])
    rows = [GOOD, ([0, 1, 2], [3, 2])]

    def program(comm):
        return pd.map(comm, rows[comm.Get_rank()], machines[comm.Get_rank()])

    for one in on_ranks(2, program):
        with pytest.raises(procmap.ConfigError, match="the digest of topology must be equal at"):
            raise one


def test_an_unexpected_error_in_the_middle_reaches_all(monkeypatch):
    def fail(*_):
        raise MemoryError("no memory")

    monkeypatch.setattr(_core, "Contraction", fail)
    for one in mapped(GEOMETRIC, 3, gather_arcs=100):
        assert isinstance(one, MemoryError)


class NeedsTwoError(Exception):
    def __init__(self, one, two=None):
        super().__init__(one)
        if two is None:
            raise ValueError("two is missing")


def test_errors_that_cannot_be_sent_reach_all():
    class LocalError(Exception):
        pass

    for error in (LocalError("enough"), NeedsTwoError("enough", 2)):

        def fail(_, error=error):
            raise error

        for one in mapped(GEOMETRIC, 2, gather_arcs=700, progress=fail):
            assert isinstance(one, RuntimeError)
            assert str(one) == "rank 0: enough"


@pytest.mark.parametrize("call", ["objects", "share"])
def test_objects_that_cannot_be_sent_are_an_error_at_all_ranks(call):
    def program(comm):
        with Ranks(comm) as ranks:
            value = (lambda: 0) if ranks.rank == 1 else 0
            return ranks.objects(value) if call == "objects" else ranks.share(value, 1)

    for one in on_ranks(2, program):
        assert "rank 1: Can't " in str(one)


def test_costs_beyond_64_bits_are_refused():
    rows = [([0, 1, 2], [1, 0], [2**60, 2**60])]
    found = on_ranks(1, lambda comm: pd.map(comm, rows[0], MACHINE))
    with pytest.raises(OverflowError, match="could exceed 2"):
        raise found[0]


def test_infeasible_mappings_warn_at_rank_0_or_raise():
    rows = [([0, 1], [1], None, [9]), ([0, 1], [0], None, [1])]
    flat = procmap.Topology.flat(2)
    with pytest.warns(procmap.InfeasibleWarning):
        found = on_ranks(2, lambda comm: pd.map(comm, rows[comm.Get_rank()], flat))
    assert not found[0].feasible
    for one in on_ranks(2, lambda comm: pd.map(comm, rows[comm.Get_rank()], flat, strict=True)):
        assert isinstance(one, procmap.InfeasibleError)


@pytest.mark.parametrize(
    ("weight", "load", "far", "message"),
    [
        (1e307, 1, 100, "costs may be beyond the range of floats"),
        (1, 1.5e308, 100, "the total load of graph is beyond the range of floats"),
        (0.3, 1, 10**8, "graph weigh 0.6.* in .* to 10{8} from .*; scale distances down"),
        (12, 1, 10**18, "graph weigh 48 in .* scale weights or distances down"),
    ],
)
def test_sums_beyond_what_can_be_said_are_refused_as_on_one_machine(weight, load, far, message):
    second = weight / 7 if weight == 0.3 else weight  # then its integers have 40 bits
    weights, loads = [weight, weight, second, second], [load] * 3
    everything = ([0, 1, 3, 4], [1, 0, 2, 1], weights, loads)
    machine = procmap.Topology.hierarchy([2, 2], [far / 10, far])
    graph = procmap.Graph.from_csr(*everything[:3])

    with pytest.raises(OverflowError, match=message):
        procmap.map(graph, machine, vertex_weights=loads)

    def both(comm):
        own = ([0], []) if comm.Get_rank() else everything
        for call in (
            lambda: pd.map(comm, own, machine),
            lambda: pd.evaluate(comm, own, range(len(own[0]) - 1), machine),
        ):
            with pytest.raises(OverflowError, match=message):
                call()

    assert on_ranks(2, both) == [None, None]
