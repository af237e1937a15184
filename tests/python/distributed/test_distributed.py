# SPDX-License-Identifier: MIT
"""procmap.distributed on ranks that are threads: one answer, wherever the rows lie."""

import inspect

import numpy as np
import pytest

import procmap
import procmap.distributed as pd
from procmap import _core
from procmap.distributed._hash import hashes
from support import MACHINE, grid_edges, power_law, random_geometric, star, true_cost
from thread_ranks import cuts_of, dealt_out, mapped, on_ranks

SIZES = (1, 4)
GEOMETRIC = random_geometric(400, 8, seed=1)


def blocks_of(found):
    for one in found:
        if isinstance(one, Exception):
            raise one
    return np.concatenate([one.blocks for one in found])


def assert_same_everywhere(graph, sizes=SIZES, **options):
    """The same blocks for any number of ranks, and true figures; returns those of one rank."""
    expected = None
    for size in sizes:
        found = mapped(graph, size, **options)
        blocks = blocks_of(found)
        if expected is None:
            expected = blocks
        np.testing.assert_array_equal(blocks, expected, f"{size} ranks")
        assert {one.cost for one in found} == {found[0].cost}
    machine = options.get("machine", MACHINE)
    if isinstance(machine, procmap.Topology):
        assert found[0].cost == true_cost(graph, blocks, machine.distance_matrix())
    return found[0], expected


def test_any_number_of_ranks_makes_the_same_mapping():
    found, blocks = assert_same_everywhere(GEOMETRIC, (1, 2, 3, 4, 7), gather_arcs=1000)

    one = procmap.evaluate(GEOMETRIC, blocks, MACHINE)
    assert found.feasible
    assert found.cost < 1.25 * procmap.map(GEOMETRIC, MACHINE).cost
    assert found.num_vertices == 400
    assert found.level_traffic.tolist() == one.level_traffic.tolist()
    assert found.level_distances.tolist() == one.level_distances.tolist()
    assert found.block_weights.tolist() == one.block_weights.tolist()
    assert (found.edge_cut, found.imbalance, found.capacity) == (
        one.edge_cut, one.imbalance, one.capacity,
    )  # fmt: skip
    stages = {level.stage for level in found.levels}
    assert stages == {"coarsen", "map", "refine", "improve", "map part"}


def test_a_graph_that_one_rank_holds_is_mapped_as_on_one_machine():
    _, blocks = assert_same_everywhere(GEOMETRIC, sizes=(1, 3))

    np.testing.assert_array_equal(blocks, procmap.map(GEOMETRIC, MACHINE).blocks)


def test_what_hubs_pull_together_is_led_out_again():
    graph, machine = power_law(12, 4, seed=1), procmap.Topology.torus(8, 8)
    options = {"preset": "fast", "threads": 1}

    found = mapped(graph, 1, machine=machine, gather_arcs=graph.num_edges // 2, **options)[0]

    assert found.feasible
    assert found.cost < 1.2 * procmap.map(graph, machine, **options).cost  # 1.27 times before


def test_repeats_are_shared_out():
    options = {"repeats": 4, "seed": 7, "preset": "fast"}
    assert_same_everywhere(GEOMETRIC, sizes=(1, 2, 3), gather_arcs=2000, **options)
    _, blocks = assert_same_everywhere(GEOMETRIC, sizes=(1, 3), **options)
    np.testing.assert_array_equal(blocks, procmap.map(GEOMETRIC, MACHINE, **options).blocks)


@pytest.mark.parametrize(
    "graph",
    [
        pytest.param(star(90), id="hub"),
        pytest.param(
            procmap.Graph.from_edges(np.concatenate([grid_edges(6, 6), [(0, 80)]]), 100),
            id="isolated vertices",
        ),
        pytest.param(procmap.Graph.from_csr(np.zeros(51, int), []), id="no edges"),
        pytest.param(procmap.Graph.from_csr([0], []), id="no vertices"),
        pytest.param(procmap.Graph.from_edges([(0, 1), (1, 2)]), id="fewer rows than ranks"),
    ],
)
def test_unusual_graphs(graph):
    found, _ = assert_same_everywhere(graph, gather_arcs=40, sizes=(1, 4), preset="fast")
    assert found.feasible


@pytest.mark.parametrize(
    "machine",
    [
        procmap.Topology.flat(5),
        procmap.Topology.torus(3, 4),
        procmap.Topology.hierarchy("3:1:4", "1:5:20"),
        procmap.Topology.flat(1),
    ],
    ids=str,
)
def test_other_machines(machine):
    found, _ = assert_same_everywhere(
        GEOMETRIC, sizes=(1, 3), gather_arcs=1000, machine=machine, preset="fast"
    )
    assert found.feasible


def test_partitions():
    found, blocks = assert_same_everywhere(
        GEOMETRIC, sizes=(1, 3), gather_arcs=1000, call=pd.partition, machine=6, preset="fast"
    )
    assert found.cost == 2 * found.edge_cut
    assert np.bincount(blocks).min() > 0


@pytest.mark.parametrize(
    "capacities",
    [
        [0, 60, 60, 60, 30, 30, 30, 30, 60, 60, 25, 25],
        [60, 60, 60, 60, 0, 0, 0, 0, 60, 60, 60, 60],  # of a whole group
        [0, 0, 0, 0, 0, 410, 0, 0, 0, 0, 0, 0],
    ],
)
def test_capacities_hold(capacities):
    capacities = np.array(capacities)
    _, blocks = assert_same_everywhere(
        GEOMETRIC, gather_arcs=700, capacities=capacities, preset="fast"
    )

    assert (np.bincount(blocks, minlength=12) <= capacities).all()


def test_fixed_rows_stay():
    fixed = np.full(400, -1)
    fixed[::50] = np.arange(8)
    _, blocks = assert_same_everywhere(
        GEOMETRIC, gather_arcs=700, per_row={"fixed": fixed}, preset="fast"
    )

    np.testing.assert_array_equal(blocks[::50], np.arange(8))


@pytest.mark.parametrize(
    "machine",
    [
        procmap.Topology.hierarchy("2:2", "1:10"),
        procmap.Topology.hierarchy("2:1:2", "1:5:10"),
        procmap.Topology.torus(2, 2),
    ],
    ids=repr,
)
@pytest.mark.parametrize("initial", [None, np.zeros(400, int)], ids=["anew", "initial"])
def test_tasks_without_loads_are_mapped(machine, initial):
    graph = GEOMETRIC.with_vertex_weights(np.zeros(400, int))
    per_row = {} if initial is None else {"initial": initial}
    found, _ = assert_same_everywhere(graph, machine=machine, per_row=per_row, gather_arcs=200)
    assert found.feasible
    whole = procmap.map(graph, machine)
    assert found.capacities.tolist() == whole.capacities.tolist()
    for one in mapped(graph, 2, machine=machine, capacities=[0] * 4, gather_arcs=200):
        assert "capacities forbid every PE" in str(one)


def test_all_tasks_without_loads_on_one_pe_leave_it_for_the_others():
    graph = GEOMETRIC.with_vertex_weights(np.zeros(400, int))
    options = {"machine": procmap.Topology.flat(4), "per_row": {"initial": np.zeros(400, int)}}
    found = mapped(graph, 1, gather_arcs=200, migration_cost=1.0, **options)

    assert np.bincount(found[0].blocks).tolist() == [397, 1, 1, 1]
    assert found[0].migrated_weight == 3
    assert found[0].feasible


@pytest.mark.parametrize("room", [2**62, np.inf])
def test_capacities_may_be_unlimited(room):
    machine = procmap.Topology.hierarchy("8:2", "1:10")
    found, _ = assert_same_everywhere(
        GEOMETRIC, (2,), machine=machine, capacities=[room] * 16, gather_arcs=400, allow_empty=True
    )
    assert found.feasible


@pytest.mark.parametrize("gather_arcs", [10**6, 0])
@pytest.mark.parametrize(
    ("loads", "fixed", "options"),
    [
        (None, [0] * 20, {"imbalance": 5.0}),
        (None, [0] * 18 + [-1, -1], {"imbalance": 5.0}),
        (None, [0] * 17 + [-1] * 3, {"imbalance": 5.0}),
        ([30] * 20, None, {"capacities": [600, 29, 29, 29]}),
        ([30] * 19 + [1], None, {"capacities": [600, 29, 29, 0]}),
    ],
)
def test_pes_may_be_empty_that_no_vertex_is_left_for(loads, fixed, options, gather_arcs):
    path = procmap.Graph.from_edges([(v, v + 1) for v in range(19)], 20, vertex_weights=loads)
    flat = procmap.Topology.flat(4)
    whole = procmap.map(path, flat, fixed=fixed, **options)
    per_row = {} if fixed is None else {"fixed": fixed}
    for size in (1, 3):
        found = mapped(
            path, size, machine=flat, per_row=per_row, gather_arcs=gather_arcs, **options
        )
        blocks_of(found)
        assert [one.feasible for one in found] == [whole.feasible] * size


@pytest.mark.parametrize("numbers", [[0.1, 0.25, 3.0], [1 / 3, 2.5, 1e-9], [1.0, 2.0, 5.0]])
def test_fractions_have_one_unit_everywhere(numbers):
    shape = procmap.Graph.from_edges(grid_edges(15, 15), 225)
    offsets, heads = np.asarray(shape.offsets), np.asarray(shape.heads)
    tails = np.repeat(np.arange(225), np.diff(offsets))
    weights = np.array(numbers)[(tails + heads) % 3]
    loads = np.array(numbers)[np.arange(225) // 90]
    graph = procmap.Graph.from_csr(offsets, heads, weights, loads)
    results = []
    for size in (1, 4):
        cuts = cuts_of(225, size)
        rows = [
            (own, to, weights[offsets[a] : offsets[b]], loads[a:b])
            for (own, to, *_), a, b in zip(
                dealt_out(shape, cuts), cuts, [*cuts[1:], 225], strict=True
            )
        ]

        def program(comm, rows=rows):
            own = rows[comm.Get_rank()]
            return pd.map(comm, own, MACHINE, imbalance=0.2, gather_arcs=400, preset="fast")

        found = on_ranks(size, program)
        results.append((found[0].cost, found[0].units, blocks_of(found).tolist()))
    assert results[0] == results[1]
    assert results[0][1].traffic == graph.traffic_scale
    assert results[0][1].load == graph.load_scale
    one = procmap.evaluate(graph, np.array(results[0][2]), MACHINE)
    assert results[0][0] == pytest.approx(one.cost, rel=1e-12)


def test_a_mapping_is_evaluated_where_it_lies():
    blocks = np.arange(400) % 12
    expected = procmap.evaluate(GEOMETRIC, blocks, MACHINE)
    cuts = cuts_of(400, 4)
    rows = dealt_out(GEOMETRIC, cuts)
    ends = [*cuts[1:], 400]

    def program(comm):
        rank = comm.Get_rank()
        own = blocks[cuts[rank] : ends[rank]]
        return pd.evaluate(comm, rows[rank], own, MACHINE)

    for report in on_ranks(4, program):
        assert (report.cost, report.edge_cut) == (expected.cost, expected.edge_cut)
        assert report.block_weights.tolist() == expected.block_weights.tolist()
        assert report.level_traffic.tolist() == expected.level_traffic.tolist()


@pytest.mark.parametrize("heaviest", [100, 2**40])
def test_traffic_within_a_pe_is_that_of_the_weights(heaviest):
    path = procmap.Graph.from_edges([[0, 1], [1, 2], [2, 3]], weights=[0, 1, heaviest])
    machine, blocks = procmap.Topology.flat(2), [0, 0, 1, 1]
    rows = (path.offsets, path.heads, path.arc_weights)

    [report] = on_ranks(1, lambda comm: pd.evaluate(comm, rows, blocks, machine))

    assert report.level_traffic.tolist() == [heaviest, 1]
    assert (
        report.level_traffic.tolist()
        == procmap.evaluate(path, blocks, machine).level_traffic.tolist()
    )


@pytest.mark.parametrize("room", [[1, 2], [3, 0]])
def test_blocks_beyond_their_capacities_are_judged(room):
    path = procmap.Graph.from_edges([[0, 1], [1, 2], [2, 3]])
    machine, blocks = procmap.Topology.flat(2), [0, 0, 1, 1]
    rows = (path.offsets, path.heads)

    [report] = on_ranks(1, lambda comm: pd.evaluate(comm, rows, blocks, machine, capacities=room))

    expected = procmap.evaluate(path, blocks, machine, capacities=room)
    assert not report.feasible
    assert report.capacities.tolist() == expected.capacities.tolist() == room


def test_rows_may_be_in_any_order_with_loops_and_parallel_arcs():
    rows = [
        ([0, 4, 6], [1, 3, 0, 1, 0, 0], [1, 5, 9, 1, 1, 1]),
        ([0, 1, 3], [3, 2, 0], [2, 2, 5]),
    ]
    found = on_ranks(
        2, lambda comm: pd.evaluate(comm, rows[comm.Get_rank()], [0, 1], procmap.Topology.flat(2))
    )
    assert found[0].edge_cut == 2 + 5 + 2


def test_messages_may_be_cut(monkeypatch):
    expected = blocks_of(mapped(GEOMETRIC, 3, gather_arcs=700, preset="fast"))
    monkeypatch.setattr("procmap._util.ranks._MOST_AT_ONCE", 100)

    np.testing.assert_array_equal(
        blocks_of(mapped(GEOMETRIC, 3, gather_arcs=700, preset="fast")), expected
    )


@pytest.mark.parametrize("of_loop", [1e30, -1.0, np.nan])
def test_self_loops_do_not_count_whatever_they_weigh(of_loop):
    rows = [
        ([0, 2, 3], [0, 1, 0], [of_loop, 0.5, 0.5]),
        ([0, 1, 3], [3, 2, 3], [1.5, 1.5, of_loop]),
    ]
    machine, blocks = procmap.Topology.flat(2), [[0, 1], [0, 1]]

    def program(comm):
        rank = comm.Get_rank()
        return pd.evaluate(comm, rows[rank], blocks[rank], machine)

    for report in on_ranks(2, program):
        assert report.cost == 4.0
        assert report.units.traffic.exact


def test_what_fits_nowhere_is_put_somewhere():
    loads = np.ones(60, np.int64)
    loads[7] = 500
    path = procmap.Graph.from_edges([(v, v + 1) for v in range(59)], vertex_weights=loads)
    with pytest.warns(procmap.InfeasibleWarning):
        found, _ = assert_same_everywhere(path, (1, 3), gather_arcs=20, preset="fast")
    assert not found.feasible


def test_hashes_are_those_of_the_core():
    ids = np.array([0, 1, 5, 2**62])
    for seed in (0, 2**64 - 1):
        assert hashes(seed, ids).tolist() == [_core.hash(seed, int(i)) for i in ids]


def test_progress_is_told_at_rank_0():
    lines = []
    mapped(GEOMETRIC, 2, gather_arcs=700, progress=lines.append)
    assert any(line.startswith("refine, level 0: 400 vertices, cost ") for line in lines)


@pytest.mark.parametrize("name", ["map", "partition"])
def test_options_of_one_machine_have_the_same_defaults(name):
    here = inspect.signature(getattr(procmap, name)).parameters
    ranks = inspect.signature(getattr(pd, name)).parameters

    shared = [option for option in ranks if option in here]

    assert "allow_empty" in shared
    assert {o: ranks[o].default for o in shared} == {o: here[o].default for o in shared}
