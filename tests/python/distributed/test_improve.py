# SPDX-License-Identifier: MIT
"""`initial=`, `migration_cost=` and `time_limit=` of graphs that ranks hold together."""

import time

import numpy as np
import pytest

import procmap
import procmap.distributed as pd
from support import MACHINE, random_geometric, true_cost
from thread_ranks import dealt_out, even_cuts, mapped, on_ranks

GRAPH = random_geometric(400, 8, seed=1)
SCATTERED = (np.arange(400) * 7 % 12).astype(np.int32)
SOUND = procmap.map(GRAPH, MACHINE, preset="fast", seed=5).blocks
BIG = {"gather_arcs": 1000, "preset": "fast"}


def results_of(size, per_row=None, machine=MACHINE, **options):
    """What every rank gets, and all blocks; the second of four has no rows."""
    cuts = [0, 130, 130, 250] if size == 4 else even_cuts(400, size)
    found = mapped(GRAPH, size, machine=machine, per_row=per_row, cuts=cuts, **options)
    for one in found:
        if isinstance(one, Exception):
            raise one
    return found, np.concatenate([one.blocks for one in found])


@pytest.mark.parametrize("options", [BIG, {"preset": "fast"}], ids=["by all", "by one rank"])
@pytest.mark.parametrize("initial", [SCATTERED, SOUND], ids=["scattered", "sound"])
def test_a_mapping_is_improved_and_the_same_on_any_number_of_ranks(initial, options):
    results = [results_of(size, {"initial": initial}, **options) for size in (1, 3, 4)]

    found, blocks = results[0]
    for _, others in results[1:]:
        np.testing.assert_array_equal(others, blocks)
    assert found[0].feasible
    assert found[0].cost == true_cost(GRAPH, blocks, MACHINE.distance_matrix())
    before = procmap.evaluate(GRAPH, initial, MACHINE).cost
    assert found[0].cost <= before
    assert found[0].migrated_weight == np.count_nonzero(blocks != initial)
    if initial is SCATTERED:
        assert found[0].cost < 0.7 * before


def test_one_rank_improves_as_one_machine_does():
    sizes = np.arange(400) % 5
    given = {"initial": SOUND, "vertex_sizes": sizes}
    _, blocks = results_of(3, given, migration_cost=1.5)

    alone = procmap.map(GRAPH, MACHINE, migration_cost=1.5, **given)
    np.testing.assert_array_equal(blocks, alone.blocks)


def test_migration_costs_are_in_the_units_of_the_caller():
    shape = dealt_out(GRAPH, even_cuts(400, 2))
    rows = [(offsets, heads, np.full(len(heads), 0.1), loads) for offsets, heads, _, loads in shape]
    machine = procmap.Topology.hierarchy("2:3:2", "1:2:5")
    whole = procmap.Graph.from_csr(GRAPH.offsets, GRAPH.heads, np.full(len(GRAPH.heads), 0.1))
    options = {"migration_cost": 0.7, "preset": "fast"}

    def program(comm, **further):
        own = SCATTERED[200 * comm.Get_rank() :][:200]
        return pd.map(comm, rows[comm.Get_rank()], machine, initial=own, **options, **further)

    found = np.concatenate([one.blocks for one in on_ranks(2, program)])
    alone = procmap.map(whole, machine, initial=SCATTERED, **options)
    np.testing.assert_array_equal(found, alone.blocks)
    refined = on_ranks(2, lambda comm: program(comm, gather_arcs=100))[0]
    before = procmap.evaluate(whole, SCATTERED, machine).cost
    assert 0 < refined.migrated_weight < 400
    assert refined.cost + 0.7 * refined.migrated_weight < 0.7 * before


def test_where_migration_costs_the_band_is_improved_too():
    given = {"initial": SOUND}
    options = {"migration_cost": 20.0, "gather_arcs": 2500}  # of 2,964 arcs
    results = [results_of(size, given, **options)[0][0] for size in (1, 4)]
    totals = [one.cost + 20 * one.migrated_weight for one in results]
    assert totals[0] == totals[1]
    assert any(level.stage == "improve" for level in results[0].levels)

    alone = procmap.map(GRAPH, MACHINE, migration_cost=20.0, **given)
    assert totals[0] < 1.02 * (alone.cost + 20 * alone.migrated_weight)


def test_repeats_choose_by_cost_and_migration():
    given = {"initial": SCATTERED}
    options = {"repeats": 3, "preset": "fast", "migration_cost": 0.5}
    _, blocks = results_of(2, given, **options)

    alone = procmap.map(GRAPH, MACHINE, **given, **options)
    np.testing.assert_array_equal(blocks, alone.blocks)


@pytest.mark.parametrize(
    ("machine", "some"), [(MACHINE, 60.0), (procmap.Topology.torus(3, 4), 8.0)]
)
def test_what_costs_more_to_move_stays(machine, some):
    moved = []
    for cost in (0.01, some, 1e6):
        results = [
            results_of(size, {"initial": SCATTERED}, machine, migration_cost=cost, **BIG)
            for size in (1, 4)
        ]
        np.testing.assert_array_equal(results[0][1], results[1][1])
        found = results[0][0][0]
        before = procmap.evaluate(GRAPH, SCATTERED, machine).cost
        assert found.cost + cost * found.migrated_weight <= before
        moved.append(found.migrated_weight)
    assert moved[0] > moved[1] > moved[2] == 0


def test_heavy_rows_stay_where_light_ones_move():
    sizes = np.where(np.arange(400) % 2 == 0, 0, 10**6)
    given = {"initial": SCATTERED, "vertex_sizes": sizes}
    found, blocks = results_of(3, given, migration_cost=1, **BIG)

    changed = blocks != SCATTERED
    assert changed[::2].any()
    assert not changed[1::2].any()
    assert found[0].migrated_weight == 0


def test_an_overloaded_mapping_comes_into_balance_and_fixed_rows_stay():
    fixed = np.full(400, -1)
    fixed[:5] = 7
    for options in ({}, {"migration_cost": 3.0}):
        given = {"initial": np.zeros(400, np.int32), "fixed": fixed}
        found, blocks = results_of(3, given, **BIG, **options)
        assert found[0].feasible
        assert (blocks[:5] == 7).all()


def test_forbidden_pes_are_left():
    capacities = np.array([0, 60, 60, 60, 0, 60, 60, 60, 60, 60, 60, 0])
    for options in ({}, {"migration_cost": 3.0}):
        given = {"initial": SCATTERED}
        found, blocks = results_of(3, given, capacities=capacities, **BIG, **options)
        assert found[0].feasible
        assert not np.isin(blocks, [0, 4, 11]).any()


ROWS = [([0, 1, 2], [1, 0]), ([0, 1, 2], [3, 2])]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (lambda rank: {"initial": [0, 12 * rank]}, r"^rank 1: initial\[1\] = 12 is not in \[0, 12"),
        (lambda rank: {"initial": [0] * (2 + rank)}, "^rank 1: initial has 3 entries, .* 2 rows"),
        (lambda rank: {"initial": [0, 1] if rank else None}, "initial must be given at all ranks"),
        (lambda _: {"migration_cost": 2.0}, "need an initial mapping"),
        (lambda _: {"vertex_sizes": [1, 1]}, "need an initial mapping"),
        (lambda rank: {"migration_cost": float(rank)}, "migration_cost must be equal at all"),
        (lambda _: {"initial": [0, 1], "migration_cost": -1.0}, "not a finite number >= 0"),
        (lambda rank: {"initial": [0, 1], "vertex_sizes": [1, -rank]}, r"^rank 1: .*\[1\] = -1 is"),
        (lambda _: {"initial": [0, 1], "vertex_sizes": [2**61, 1]}, "2.62 or more"),
        (lambda _: {"time_limit": 0}, "time_limit must be a finite number of"),
        (lambda rank: {"time_limit": 1.0 + rank}, "time_limit must be equal at all ranks"),
    ],
)
def test_wrong_options_are_refused_at_all_ranks(options, message):
    def program(comm):
        rank = comm.Get_rank()
        return pd.map(comm, ROWS[rank], MACHINE, **options(rank))

    for one in on_ranks(2, program):
        with pytest.raises(procmap.ConfigError, match=message):
            raise one


@pytest.mark.parametrize("weights", [np.ones((2, 2)), {"time": [1, 1], "memory": [1, 1]}], ids=str)
def test_several_weights_per_vertex_are_refused(weights):
    def program(comm):
        return pd.map(comm, (*ROWS[comm.Get_rank()], None, weights), MACHINE)

    for one in on_ranks(2, program):
        with pytest.raises(procmap.GraphError, match="must be one weight per vertex where ranks"):
            raise one


@pytest.mark.parametrize("options", [BIG, {}], ids=["by all", "by one rank"])
def test_little_time_is_enough_for_a_mapping(options):
    started = time.perf_counter()
    found, blocks = results_of(2, time_limit=0.2, **options)

    assert found[0].feasible
    assert found[0].cost == true_cost(GRAPH, blocks, MACHINE.distance_matrix())
    assert time.perf_counter() - started < 60


def test_time_limits_stop_what_would_go_on():
    found, _ = results_of(2, time_limit=1e-3, gather_arcs=1000, preset="strong")
    assert found[0].feasible
    assert all(level.rounds == 0 for level in found[0].levels if level.stage == "refine")
