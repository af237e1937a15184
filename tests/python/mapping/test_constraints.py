# SPDX-License-Identifier: MIT
"""Capacities, fixed tasks, given mappings and empty PEs."""

import numpy as np
import pytest

import procmap
from support import csr, grid_edges

MACHINE = procmap.Topology.hierarchy("2:2:3", "1:10:100")


@pytest.fixture
def grid():
    return procmap.Graph.from_csr(*csr(600, grid_edges(20, 30)))


def loads(mapping, k=12):
    return np.bincount(mapping.blocks, minlength=k)


@pytest.mark.parametrize("unlimited", [2**62 + 1, 2**63 - 1, 1e30, np.inf])
def test_capacities_beyond_every_load_are_alike(grid, unlimited):
    blocks = np.arange(600) % 2
    capacities = [2**62 - 1, unlimited] if isinstance(unlimited, int) else [1e18, unlimited]

    for report in (
        procmap.partition(grid, 2, capacities=capacities),
        procmap.evaluate(grid, blocks, procmap.Topology.flat(2), capacities=capacities),
    ):
        assert report.capacities.tolist() == [int(capacities[0]), 2**62]
        assert report.capacity == 2**62


@pytest.mark.parametrize("preset", ["fast", "default", "im"])
def test_capacities_are_kept_and_zero_forbids(grid, preset):
    capacities = np.array([0, 90, 30, 90, 0, 0, 60, 60, 100, 100, 100, 0])

    mapping = procmap.map(grid, MACHINE, capacities=capacities, preset=preset)

    assert (loads(mapping) <= capacities).all()
    assert mapping.feasible
    assert mapping.capacities.tolist() == capacities.tolist()
    assert mapping.empty_blocks == 0


def test_capacities_are_in_the_unit_of_the_loads():
    graph = procmap.Graph.from_csr(*csr(12, grid_edges(3, 4)), vertex_weights=[0.1] * 12)

    mapping = procmap.map(graph, procmap.Topology.flat(4), capacities=[0.3, 0.3, 0.6, np.inf])

    assert mapping.feasible
    assert mapping.capacities[:3].tolist() == [0.3, 0.3, 0.6]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"capacities": [1] * 12}, "capacities sum up to 12, less than .* 600"),
        ({"capacities": [100] * 11}, "capacities has 11 entries, .* 12"),
        ({"capacities": [100] * 11 + [-5]}, r"capacities\[11\] = -5 is negative"),
        ({"capacities": []}, "capacities has 0 entries, expected one per PE"),
        ({"fixed": []}, "fixed has 0 entries, expected one per vertex, 600"),
        ({"initial": []}, "initial has 0 entries, expected one per vertex, 600"),
        ({"initial": [0] * 600, "vertex_sizes": []}, "vertex_sizes has 0 entries, .* 600"),
        ({"fixed": [12] + [-1] * 599}, r"fixed\[0\] = 12 is outside \[-1, 12\)"),
        ({"fixed": [-1] * 5}, "fixed has 5 entries, .* 600"),
        ({"fixed": [0] + [-1] * 599, "capacities": [0] + [99] * 11}, "PE of capacity 0"),
        ({"initial": [-1] + [0] * 599}, r"initial\[0\] = -1 is outside \[0, 12\)"),
        ({"migration_cost": 1.0}, "need an initial mapping"),
        ({"initial": [0] * 600, "migration_cost": -1.0}, "migration_cost = -1"),
        ({"initial": [0] * 600, "vertex_sizes": [-1] + [1] * 599}, "vertex_sizes.0. = -1"),
        ({"initial": [0] * 600, "vertex_sizes": [2**61] * 600}, r"add up to 2\^62 or more at v"),
    ],
)
def test_senseless_constraints_are_refused_by_name(grid, options, message):
    with pytest.raises(procmap.ConfigError, match=message):
        procmap.map(grid, MACHINE, **options)


def test_a_graph_without_tasks_takes_constraints_without_entries():
    nobody = procmap.Graph.from_edges(np.zeros((0, 2), int), num_vertices=0)

    mapping = procmap.partition(nobody, 2, fixed=[], initial=[], vertex_sizes=[])

    assert mapping.feasible


def test_imbalance_beside_capacities_is_refused(grid):
    options = {"imbalance": 0.5, "capacities": [600] * MACHINE.num_pes}

    for call in (
        lambda: procmap.map(grid, MACHINE, **options),
        lambda: procmap.map_many([grid], MACHINE, **options),
        lambda: procmap.partition(grid, MACHINE.num_pes, **options),
        lambda: procmap.evaluate(grid, [0] * 600, MACHINE, **options),
    ):
        with pytest.raises(procmap.ConfigError, match="either imbalance or capacities, not both"):
            call()


def test_no_capacities_at_all_are_refused_by_evaluate(grid):
    with pytest.raises(procmap.ConfigError, match="capacities has 0 entries"):
        procmap.evaluate(grid, [0] * 600, MACHINE, capacities=[])


def test_fixed_tasks_are_where_they_were_asked(grid):
    fixed = np.full(600, -1)
    fixed[[0, 17, 599]] = 11, 3, 0

    mapping = procmap.map(grid, MACHINE, fixed=fixed)

    assert mapping.blocks[[0, 17, 599]].tolist() == [11, 3, 0]
    assert mapping.feasible


def test_too_many_fixed_tasks_are_reported(grid):
    fixed = np.full(600, -1)
    fixed[:300] = 5

    with pytest.warns(procmap.InfeasibleWarning, match="block 5 weighs 300, 248 more"):
        mapping = procmap.map(grid, MACHINE, fixed=fixed)

    assert (mapping.blocks[:300] == 5).all()
    assert np.delete(loads(mapping), 5).max() <= 52


def test_an_initial_mapping_is_improved_and_migration_reported(grid):
    start = np.arange(600) % 12

    free = procmap.map(grid, MACHINE, initial=start)
    dear = procmap.map(grid, MACHINE, initial=start, migration_cost=1e6, vertex_sizes=[2] * 600)

    assert free.cost < procmap.evaluate(grid, start, MACHINE).cost
    assert free.migrated_tasks == (free.blocks != start).sum()
    assert free.migrated_weight == free.migrated_tasks
    assert dear.blocks.tolist() == start.tolist()
    assert dear.migrated_weight == 0


def test_an_overloaded_initial_mapping_is_repaired(grid):
    mapping = procmap.map(grid, MACHINE, initial=np.zeros(600, int), migration_cost=3)

    assert mapping.feasible
    assert mapping.migrated_tasks >= 600 - 52


def test_an_initial_mapping_leaves_forbidden_pes(grid):
    capacities = [0] * 4 + [100] * 8
    graph = grid.with_vertex_weights([0, 1] * 300)

    mapping = procmap.map(graph, MACHINE, initial=np.arange(600) % 12, capacities=capacities)

    assert (loads(mapping)[:4] == 0).all()
    assert mapping.feasible


def test_partition_leaves_no_block_empty():
    graph = procmap.Graph.from_csr(*csr(40, grid_edges(5, 8)), vertex_weights=[0] * 36 + [9] * 4)

    mapping = procmap.partition(graph, 20, imbalance=4.0)

    assert (loads(mapping, 20) > 0).all()


@pytest.mark.parametrize("preset", ["fast", "default", "im"])
def test_map_leaves_no_pe_empty_unless_told_to(preset):
    graph = procmap.Graph.from_csr(*csr(256, grid_edges(16, 16)))
    machine = procmap.Topology.hierarchy("4:8:6", "1:10:100")

    idle = procmap.map(graph, machine, preset=preset, allow_empty=True)
    filled = procmap.map(graph, machine, preset=preset)

    assert idle.empty_blocks > 0
    assert filled.empty_blocks == 0
    assert (loads(filled, 192) > 0).all()
    assert filled.feasible


def test_pes_that_no_task_is_free_for_may_stay_empty(grid):
    fixed = [v % 3 for v in range(600)]

    mapping = procmap.map(grid, MACHINE, fixed=fixed, capacities=[300] * 12, strict=True)

    assert mapping.empty_blocks == 9


def test_evaluate_takes_capacities(grid):
    report = procmap.evaluate(grid, np.arange(600) % 12, MACHINE, capacities=[49] + [51] * 11)

    assert not report.feasible
    assert report.capacity == 51


@pytest.mark.parametrize(
    ("capacities", "culprit"),
    [
        ([-1] * 12, r"capacities\[0\] = -1 is negative"),
        ([np.inf] * 11 + [-np.inf], r"capacities\[11\] = -inf is negative"),
        ([50, -0.5, *[60] * 10], r"capacities\[1\] = -0.5 is negative"),
    ],
)
def test_negative_capacities_are_refused_wherever_they_are_given(grid, capacities, culprit):
    for call in (
        lambda: procmap.map(grid, MACHINE, capacities=capacities),
        lambda: procmap.evaluate(grid, np.arange(600) % 12, MACHINE, capacities=capacities),
    ):
        with pytest.raises(procmap.ConfigError, match=culprit):
            call()
    pairs = grid.with_vertex_weights(np.ones((600, 2), int))
    with pytest.raises(procmap.ConfigError, match=culprit.replace(r"\]", r", 1\]")):
        procmap.evaluate(
            pairs, np.arange(600) % 12, MACHINE, capacities=[(600, room) for room in capacities]
        )


def test_room_is_counted_in_the_unit_of_the_user():
    graph = procmap.Graph.from_edges([(0, 1), (1, 2)], vertex_weights=[0.5] * 3)
    message = r"sum up to 0\.5 in whole steps of 0\.5, .* less than the total load 1\.5"

    with pytest.raises(procmap.ConfigError, match=message):
        procmap.partition(graph, 4, capacities=[0.2, 0.2, 0.4, 0.9])


def test_sizes_that_add_up_beyond_64_bits_are_refused():
    graph = procmap.Graph.from_edges([(0, 1), (1, 2)])
    start = {"initial": [1, 1, 1], "vertex_sizes": [2**61, 2**61, 1]}

    with pytest.raises(procmap.ConfigError, match=r"vertex_sizes add up to 2\^62"):
        procmap.partition(graph, 3, **start)
    start["vertex_sizes"][0] -= 2
    assert procmap.partition(graph, 3, **start).migrated_weight < 2**62


@pytest.mark.parametrize(
    ("capacities", "message"),
    [
        (5, "capacities must have one entry per PE, got 5"),
        (np.ones((2, 2)), r"capacities must be one-dimensional, got shape \(2, 2\)"),
        (np.ones((2, 2), int), r"capacities must be one-dimensional, got shape \(2, 2\)"),
        ([2, np.nan], r"capacities\[1\] = nan is not a number"),
        ([2, -0.5], r"capacities\[1\] = -0.5 is negative"),
        ([2, None], r"capacities must hold numbers, got dtype object: capacities\[1\] is None"),
        ([2, 2**70], r"capacities\[1\] is 1180591620717411303424, beyond 64 bits"),
        (["a", "b"], r"capacities must hold numbers, got dtype <U1: capacities\[0\] is 'a'"),
    ],
)
@pytest.mark.parametrize("loads", [[1, 2, 1], [0.5, 0.25, 1]])
def test_unusable_capacities_are_named(capacities, message, loads):
    graph = procmap.Graph.from_edges([[0, 1], [1, 2]], vertex_weights=loads)

    with pytest.raises(procmap.ConfigError, match=message):
        procmap.partition(graph, 2, capacities=capacities)


def test_capacities_as_large_as_floats_are_no_limit():
    graph = procmap.Graph.from_edges([[0, 1], [1, 2]], vertex_weights=[1e-300, 2e-300, 0.5e-300])

    assert procmap.partition(graph, 2, capacities=[1e308, np.inf], allow_empty=True).feasible


def disturbed(pes, pairs, seed):
    """The PEs of tasks in order, some of which have changed places."""
    blocks = np.arange(pes)
    for a, b in np.random.default_rng(seed).integers(pes, size=(pairs, 2)):
        blocks[[a, b]] = blocks[[b, a]]
    return blocks


MACHINES = {
    "torus": procmap.Topology.torus(8, 16),
    "hierarchy": procmap.Topology.hierarchy("4:4:8", "1:10:100"),
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("preset", ["fast", "default"])
def test_a_given_order_of_tasks_with_a_pe_each_is_improved(machine, preset):
    topology = MACHINES[machine]
    stencil = procmap.Graph.from_csr(*csr(128, grid_edges(8, 16)))
    start = disturbed(128, 200, seed=1)
    cost = procmap.evaluate(stencil, start, topology).cost
    wanted = procmap.map(stencil, topology, preset=preset).cost

    mapping = procmap.map(stencil, topology, initial=start, preset=preset)

    assert mapping.feasible
    assert sorted(mapping.blocks) == list(range(128))
    assert mapping.cost - wanted < (cost - wanted) / 4


def test_few_tasks_with_a_pe_each_move_where_that_costs():
    topology = MACHINES["torus"]
    stencil = procmap.Graph.from_csr(*csr(128, grid_edges(8, 16)))
    start = disturbed(128, 5, seed=2)
    misplaced = (start != np.arange(128)).sum()

    dear = procmap.map(stencil, topology, initial=start, migration_cost=1000)
    cheap = procmap.map(stencil, topology, initial=start, migration_cost=2)

    assert dear.blocks.tolist() == start.tolist()
    assert 0 < (cheap.blocks != start).sum() <= misplaced
    assert cheap.cost < dear.cost


@pytest.mark.parametrize("machine", MACHINES)
def test_a_fixed_task_costs_the_others_with_a_pe_each_little(machine):
    topology = MACHINES[machine]
    stencil = procmap.Graph.from_csr(*csr(128, grid_edges(8, 16)))
    free = procmap.map(stencil, topology)
    fixed = np.full(128, -1)
    fixed[50] = free.blocks[50]

    mapping = procmap.map(stencil, topology, fixed=fixed)

    assert mapping.blocks[50] == free.blocks[50]
    assert mapping.feasible
    assert mapping.cost <= 1.5 * free.cost


def ring_at_random(num_tasks):
    order = np.random.default_rng(1).permutation(num_tasks)
    return procmap.Graph.from_edges(
        np.stack([order, np.roll(order, 1)], axis=1), num_vertices=num_tasks
    )


@pytest.mark.parametrize("preset", ["fast", "default"])
@pytest.mark.parametrize(("num_pes", "num_tasks"), [(64, 72), (96, 100), (128, 150)])
def test_tasks_are_placed_well_where_every_pe_is_to_have_one(num_pes, num_tasks, preset):
    """Refinement would leave PEs empty, and what fills them in the end has to find its place."""
    ring = procmap.Topology.torus(num_pes)

    mapping = procmap.map(
        ring_at_random(num_tasks), ring, capacities=np.full(num_pes, 2), preset=preset, device="cpu"
    )

    assert mapping.feasible
    assert len(np.unique(mapping.blocks)) == num_pes
    assert mapping.cost <= 1.1 * 2 * num_pes


def test_as_many_tasks_as_pes_have_one_each_whatever_these_may_hold():
    torus, tasks = procmap.Topology.torus(10, 10), ring_at_random(100)

    mapping = procmap.map(tasks, torus, capacities=np.full(100, 3), device="cpu")

    assert np.array_equal(mapping.blocks, procmap.map(tasks, torus, device="cpu").blocks)
    may_be_empty = procmap.map(
        tasks, torus, capacities=np.full(100, 3), allow_empty=True, device="cpu"
    )
    assert may_be_empty.cost < mapping.cost
    assert may_be_empty.empty_blocks > 0


def pairs_that_fill_pes(k, seed):
    """Two tasks for every PE, which talk to each other most, their capacities and their PEs."""
    rng = np.random.default_rng(seed)
    room = rng.integers(20, 200, k)
    first = rng.integers(1, room)
    pe = np.arange(k)
    ring = [np.c_[pe, pe + k], np.c_[pe, (pe + 1) % k], np.c_[pe + k, (pe + 2) % k + k]]
    old = rng.permutation(2 * k)
    graph = procmap.Graph.from_edges(
        np.argsort(old)[np.concatenate(ring)],
        weights=np.repeat([10, 1, 1], k),
        num_vertices=2 * k,
        vertex_weights=np.concatenate([first, room - first])[old],
    )
    return graph, np.ceil(1.05 * room).astype(int), np.tile(pe, 2)[old]


def test_tasks_that_are_packed_look_for_their_places_from_a_hot_start():
    machine, shares = procmap.Topology.torus(6, 8), []
    for seed in range(6):
        graph, capacities, planted = pairs_that_fill_pes(48, seed)
        mapping = procmap.map(graph, machine, capacities=capacities, seed=seed)
        assert mapping.feasible
        shares.append(mapping.cost / procmap.evaluate(graph, planted, machine).cost)
    assert np.mean(shares) < 3.9  # where they fitted first it was 4.3
