# SPDX-License-Identifier: MIT
"""Rank reordering: one task per PE, for traffic of any form."""

import itertools
import pickle

import numpy as np
import pytest
import scipy.sparse

import procmap
from procmap import ConfigError, Graph, GraphError, Topology, Traffic

MACHINE = Topology.hierarchy("2:2:3", "1:10:100")  # 12 PEs


def stencil(rows, columns, seed=1):
    """Directed messages of 50 bytes to the right and lower neighbour of shuffled ranks."""
    n = rows * columns
    rank = np.random.default_rng(seed).permutation(n)
    index = np.arange(n).reshape(rows, columns)
    matrix = np.zeros((n, n), np.int64)
    for axis in (0, 1):
        matrix[rank[index.ravel()], rank[np.roll(index, -1, axis).ravel()]] += 50
    np.fill_diagonal(matrix, 0)
    return matrix


def true_cost(matrix, blocks, topology):
    """J of a traffic matrix: the sum over (i, j) of C[i, j] times distance."""
    distance = topology.distance_matrix()[np.ix_(blocks, blocks)]
    return int((matrix * distance).sum())


@pytest.mark.parametrize("n", [0, 1, 2, 5, 11, 12])
def test_no_pe_has_two_ranks_and_the_cost_is_that_of_all_messages(n):
    matrix = stencil(1, n) + np.triu(np.ones((n, n), np.int64))

    mapping = procmap.reorder_ranks(matrix, MACHINE)

    assert len(set(mapping.blocks.tolist())) == n
    assert mapping.cost == true_cost(np.where(np.eye(n), 0, matrix), mapping.blocks, MACHINE)
    assert mapping.feasible
    assert mapping.topology is MACHINE


@pytest.mark.parametrize("preset", procmap.Config.preset_names())
@pytest.mark.parametrize(("sizes", "rows"), [("4:4:4", 8), ("3:5:7", 15), ("4:8:6", 12)])
def test_every_preset_makes_a_bijection_better_than_any_random_one(preset, sizes, rows):
    topology = Topology.hierarchy(sizes, "1:10:100")
    n = topology.num_pes
    matrix = stencil(rows, n // rows)
    rng = np.random.default_rng(5)

    mapping = procmap.reorder_ranks(matrix, topology, preset=preset)

    assert sorted(mapping.permutation.tolist()) == list(range(n))
    random = min(true_cost(matrix, rng.permutation(n), topology) for _ in range(100))
    assert mapping.cost < random / 2


def machines():
    """One machine of every kind."""
    points = np.random.default_rng(2).integers(0, 9, (30, 2))
    distances = np.abs(points[:, None] - points[None]).sum(axis=2)
    torus = Topology.torus(5, 4, 3)
    return [
        Topology.hierarchy("4:8:6", "1:10:100"),
        Topology.hierarchy("1:3:1:5", "1:2:3:4"),
        torus,
        torus.sub(range(0, 60, 2)),
        Topology.mesh(7, 6),
        Topology.hypercube(6),
        Topology.fat_tree(4, 3),
        Topology.dragonfly(5, 4, 2),
        Topology.from_distance_matrix(distances),
    ]


@pytest.mark.parametrize("topology", machines(), ids=lambda machine: str(machine)[9:40])
def test_as_many_tasks_as_pes_become_a_bijection_whatever_the_seed(topology):
    n = topology.num_pes
    for seed in range(4):
        graph = scipy.sparse.csr_matrix(np.maximum(m := stencil(1, n, seed), m.T))

        mapping = procmap.map(graph, topology, seed=seed)

        assert sorted(mapping.blocks.tolist()) == list(range(n)), f"seed {seed}"


def test_small_instances_are_solved_about_as_well_as_by_enumeration():
    topology = Topology.hierarchy("2:3", "1:10")
    for seed in range(20):
        matrix = np.random.default_rng(seed).integers(0, 20, (6, 6))
        np.fill_diagonal(matrix, 0)
        best = min(
            true_cost(matrix, np.array(p), topology) for p in itertools.permutations(range(6))
        )

        mapping = procmap.reorder_ranks(matrix, topology)

        assert best <= mapping.cost <= 1.1 * best, f"seed {seed}"


def test_ranks_come_together_on_few_pes_if_others_may_stay_empty(tmp_path, run_cli):
    traffic = [[0, 9, 0, 0], [0, 0, 1, 0], [0, 0, 0, 9], [0, 0, 0, 0]]
    machine = procmap.Topology.hierarchy("2:2", "1:10")
    np.savetxt(tmp_path / "t.mat", traffic, fmt="%d")

    spread, packed = (
        procmap.reorder_ranks(traffic, machine, slots_per_pe=2, allow_empty=allowed)
        for allowed in (False, True)
    )
    command = ("reorder", "t.mat", "-H", "2:2", "-D", "1:10", "--slots-per-pe", 2, "-o", "out")

    assert (sorted(spread.blocks), spread.cost) == ([0, 1, 2, 3], 28)
    assert (packed.cost, packed.feasible, packed.empty_blocks) == (1, True, 2)
    assert run_cli(*command, "--allow-empty").returncode == 0
    assert procmap.read_mapping(tmp_path / "out").tolist() == packed.blocks.tolist()


@pytest.mark.parametrize(("n", "slots"), [(24, 2), (23, 2), (13, 2), (7, 3), (36, 3), (25, 3)])
def test_several_slots_per_pe_hold_at_most_that_many(n, slots):
    mapping = procmap.reorder_ranks(stencil(1, n), MACHINE, slots_per_pe=slots)

    assert np.bincount(mapping.blocks, minlength=12).max() <= slots
    assert mapping.capacity == slots


def test_every_form_of_the_same_traffic_gives_the_same_mapping():
    matrix = stencil(3, 4)
    senders, receivers = np.nonzero(matrix)
    forms = [
        matrix,
        matrix.tolist(),
        np.asfortranarray(matrix)[:, :],
        matrix.astype(np.float32),
        matrix.astype(np.uint16),
        matrix.T,
        np.triu(matrix + matrix.T),
        scipy.sparse.csr_matrix(matrix),
        scipy.sparse.coo_array(matrix),
        Traffic.from_matrix(matrix),
        Traffic.from_messages(senders, receivers, matrix[senders, receivers]),
    ]

    blocks = [procmap.reorder_ranks(form, MACHINE, seed=3).blocks.tolist() for form in forms]

    assert blocks == [blocks[0]] * len(forms)


def test_idle_pes_and_the_inverse_permutation():
    mapping = procmap.reorder_ranks(stencil(1, 5), MACHINE)

    ranks = mapping.rank_of_pe

    assert sorted(ranks[ranks >= 0].tolist()) == list(range(5))
    assert (mapping.permutation[ranks[ranks >= 0]] == np.flatnonzero(ranks >= 0)).all()


def test_a_mapping_with_two_tasks_on_a_pe_is_no_permutation():
    mapping = procmap.reorder_ranks(stencil(4, 6), MACHINE, slots_per_pe=2)

    with pytest.raises(ValueError, match="PE 0 has 2 tasks"):
        _ = mapping.permutation


def test_volumes_beyond_32_bits_are_exact():
    matrix = stencil(3, 4) * (2**33 + 3)

    mapping = procmap.reorder_ranks(matrix, MACHINE)

    assert mapping.cost == true_cost(matrix, mapping.blocks, MACHINE)


@pytest.mark.parametrize(
    ("traffic", "culprit"),
    [
        ([[0, -1], [0, 0]], r"traffic\[0, 1\] = -1 "),
        ([[0, 1], [float("nan"), 0]], r"traffic\[1, 0\] = nan "),
        ([[0, 1], [float("inf"), 0]], r"traffic\[1, 0\] = inf "),
        ([[0, 1, 2], [1, 0, 2]], r"square matrix, got shape \(2, 3\)"),
        ([1, 2, 3], r"square matrix, got shape \(3,\)"),
        ([[0, 1], [1]], "traffic is not an array"),
        ([["a", "b"], ["c", "d"]], r"must hold numbers, got dtype <U1: traffic\[0, 0\] is 'a'$"),
        ([[0, 1], [None, 1]], r"must hold numbers, got dtype object: traffic\[1, 0\] is None$"),
        (None, "traffic must be a square matrix, got None$"),
        (procmap.Graph.from_edges([[0, 1]]), r"square matrix, got Graph\(2 unit vertices"),
        (np.full((2, 2), 2**61), r"^traffic adds up to 2\^62 or more; scale it down"),
        ([[True, False], [False, True]], "must hold numbers, got dtype bool"),
        (np.ma.masked_equal([[0, 1], [1, 0]], 1), "masked"),
        (scipy.sparse.csr_matrix([[0, -5], [1, 0]]), r"traffic\[0, 1\] = -5 "),
        (scipy.sparse.csr_matrix(np.ones((2, 3))), "square"),
        (np.full((2, 2), 2**63, np.uint64), r"traffic\[0, 1\] = 9223372036854775808 does not fit"),
    ],
)
def test_malformed_traffic_is_refused_by_name(traffic, culprit):
    with pytest.raises(GraphError, match=culprit):
        procmap.reorder_ranks(traffic, MACHINE)


@pytest.mark.parametrize(
    ("messages", "culprit"),
    [
        (([0, 1], [1, 2], [1]), "have 2, 2 and 1 entries"),
        (([0, -1], [1, 2], [1, 1]), r"senders\[1\] = -1 is not in \[0, 3\)"),
        (([0, 1], [1, 7], [1, 1], 5), r"receivers\[1\] = 7 is not in \[0, 5\)"),
        (([0, 1], [1, 2], [1, -1.5]), r"volumes\[1\] = -1.5 "),
        (([0], [1], [1], -4), "num_ranks"),
        (([0.5], [1], [1]), r"senders\[0\] = 0.5 is not an integer"),
    ],
)
def test_malformed_messages_are_refused_by_name(messages, culprit):
    with pytest.raises(GraphError, match=culprit):
        Traffic.from_messages(*messages)


def test_too_many_ranks_and_bad_options_are_refused_before_any_work():
    with pytest.raises(ConfigError, match="13 ranks, but 12 PEs with slots_per_pe=1 take only 12"):
        procmap.reorder_ranks(np.zeros((13, 13)), MACHINE)
    with pytest.raises(ConfigError, match="slots_per_pe"):
        procmap.reorder_ranks([[0]], MACHINE, slots_per_pe=0)
    with pytest.raises(TypeError, match="topology"):
        procmap.reorder_ranks([[0]], "2:2")
    with pytest.raises(GraphError, match=r"add up to 2\^62"):
        procmap.reorder_ranks([[0, 2**61], [2**60, 0]], MACHINE)


@pytest.mark.parametrize(
    ("own", "dtype"),
    [(1e30, float), (-1, float), (np.nan, float), (-1, int), (2**62, int), (2**64 - 1, "u8")],
)
def test_what_a_rank_sends_to_itself_does_not_count_whatever_it_is(own, dtype):
    matrix = stencil(3, 4)
    loops = matrix.astype(dtype)
    np.fill_diagonal(loops, own)
    senders, receivers = np.nonzero(loops)
    expected = procmap.reorder_ranks(matrix, MACHINE)

    for traffic in (
        loops,
        scipy.sparse.coo_array(loops),
        Traffic.from_messages(senders, receivers, loops[senders, receivers]),
    ):
        mapping = procmap.reorder_ranks(traffic, MACHINE)

        np.testing.assert_array_equal(mapping.blocks, expected.blocks)
        assert mapping.cost == expected.cost


def test_volumes_are_numbers_that_may_be_of_a_rank_to_itself():
    traffic = Traffic.from_matrix([[7.5, 1], [2, np.nan]])

    assert traffic.to_matrix().tolist() == [[7.5, 1], [2, 0]]
    with pytest.raises(GraphError, match=r"traffic\[0, 1\] = nan"):
        Traffic.from_matrix([[np.nan, np.nan], [2, np.nan]])


def test_traffic_keeps_its_own_copy_and_gives_the_matrix_back():
    matrix = stencil(2, 3)
    traffic = Traffic.from_matrix(matrix)
    expected = matrix.copy()

    matrix[:] = 0

    np.testing.assert_array_equal(traffic.to_matrix(), expected)
    assert repr(traffic) == "Traffic(6 ranks, 12 messages)"


def test_a_matrix_of_messages_beyond_64_bits_is_refused():
    ends = [0, 1, 1], [1, 0, 0]
    most, beyond = [2**62, 2**62, 2**62 - 1], [2**62, 2**62, 2**62]

    assert Traffic.from_messages(*ends, most).to_matrix().tolist() == [[0, 2**62], [2**63 - 1, 0]]
    with pytest.raises(GraphError, match=rf"traffic\[1, 0\] adds up to {2**63}, which is 2\^63"):
        Traffic.from_messages(*ends, beyond).to_matrix()


def test_fractional_traffic_and_measured_distances_fit_together():
    rng = np.random.default_rng(1)
    traffic, measured = rng.random((12, 12)) * 1e9, rng.random((12, 12)) * 1e-6
    machine = Topology.from_measurements(measured, "latencies")

    mapping = procmap.reorder_ranks(traffic, machine)

    np.fill_diagonal(traffic, 0)
    p = mapping.permutation
    exact = (traffic * ((measured + measured.T) / 2)[np.ix_(p, p)]).sum()
    assert mapping.cost == pytest.approx(exact, rel=1e-5)


def test_files_are_traffic_too(tmp_path):
    np.save(tmp_path / "traffic.npy", stencil(3, 4))

    mapping = procmap.reorder_ranks(tmp_path / "traffic.npy", MACHINE)

    assert mapping.blocks.tolist() == procmap.reorder_ranks(stencil(3, 4), MACHINE).blocks.tolist()
    with pytest.raises(procmap.FileError, match=r"nope\.npy"):
        procmap.reorder_ranks("nope.npy", MACHINE)


def test_seeds_solve_the_shuffled_stencil_of_512_ranks_as_well_as_the_best_known():
    topology = Topology.hierarchy("8:8:8", "1:10:100")
    for seed in range(3):
        one_way = 2 * stencil(16, 32, seed)

        mapping = procmap.reorder_ranks(one_way + one_way.T, topology, seed=seed)

        assert sorted(mapping.permutation.tolist()) == list(range(512))
        assert mapping.cost <= 3_200_000, f"seed {seed}"


def test_a_traffic_matrix_costs_the_same_wherever_it_is_given():
    one_way = stencil(3, 4)
    symmetric = one_way + one_way.T
    mapping = procmap.reorder_ranks(symmetric, MACHINE)
    graph = scipy.sparse.csr_matrix(symmetric)  # of which J counts every edge twice

    costs = [
        procmap.evaluate(tasks, mapping, MACHINE).cost
        for tasks in (symmetric, Traffic.from_matrix(symmetric), graph, 2 * one_way)
    ]

    assert costs == [mapping.cost] * 4
    assert mapping.report().cost == mapping.cost == true_cost(symmetric, mapping.blocks, MACHINE)
    assert procmap.evaluate(one_way, mapping, MACHINE).cost == mapping.cost // 2


def test_volumes_of_traffic_are_those_that_are_sent():
    traffic = [[0, 3, 5], [1, 0, 0], [0, 0, 0]]

    found = procmap.evaluate(np.array(traffic), [0, 0, 2], Topology.hierarchy("2:2", "1:10"))

    assert (found.cost, found.edge_cut, found.level_traffic.tolist()) == (50, 5, [4, 0, 5])
    assert "J (every message once)" in str(found)
    assert "traffic between PEs" in str(found)
    assert found.to_dict()["cost_counts"] == "every message once"


def test_graphs_of_traffic_keep_counting_messages():
    graph = Traffic.from_matrix(stencil(3, 4)).to_graph()
    mapping = procmap.reorder_ranks(stencil(3, 4), MACHINE)

    for same in (pickle.loads(pickle.dumps(graph)), graph.with_vertex_weights([1] * 12)):
        assert same.counts_messages
        assert procmap.evaluate(same, mapping, MACHINE).cost == mapping.cost
    assert not Graph.from_edges([(0, 1)]).counts_messages


def test_cost_of_migration_is_in_units_of_the_cost():
    traffic = np.zeros((3, 3), int)
    traffic[0, 1] = 10  # over a distance of 3: J is 30 as long as the two are apart
    machine = Topology.hierarchy("2", "3")

    moved, stays = (
        procmap.map(traffic, machine, initial=[0, 1, 1], migration_cost=cost, imbalance=1)
        for cost in (29, 31)
    )

    assert (moved.migrated_tasks, moved.cost) == (1, 0)
    assert (stays.migrated_tasks, stays.cost) == (0, 30)


def test_fixed_ranks_stay_and_the_rest_is_arranged_around_them():
    matrix = stencil(3, 4)
    fixed = np.full(12, -1)
    fixed[[3, 8]] = 0, 11

    mapping = procmap.reorder_ranks(matrix, MACHINE, fixed=fixed)

    assert mapping.blocks[[3, 8]].tolist() == [0, 11]
    assert sorted(mapping.permutation.tolist()) == list(range(12))
    fixed[5] = 11
    with pytest.raises(ConfigError, match="fixed puts 2 ranks on PE 11, which takes slots_per_pe"):
        procmap.reorder_ranks(matrix, MACHINE, fixed=fixed)


def test_an_order_is_improved_and_several_are_tried():
    matrix = stencil(3, 4)
    start = np.arange(12)

    improved = procmap.reorder_ranks(matrix, MACHINE, initial=start)
    best = procmap.reorder_ranks(matrix, MACHINE, repeats=3)
    quick = procmap.reorder_ranks(matrix, MACHINE, time_limit=0.5)

    assert improved.cost <= true_cost(matrix, start, MACHINE)
    assert len(best.stats.attempts) == 3
    for mapping in (improved, best, quick):
        assert sorted(mapping.permutation.tolist()) == list(range(12))
