# SPDX-License-Identifier: MIT
"""Experts on GPUs: exact counts, even loads, few moves, little traffic."""

import itertools

import numpy as np
import pytest

from eplb_greedy import eplb_greedy, gpu_loads, moves
from procmap import ConfigError, Topology
from procmap.placement import ExpertPlacement, count_coactivation, place_experts

MACHINE = Topology.hierarchy("4:4", "1:10")


def skewed(seed, layers=2, experts=64, sigma=1.0):
    return np.random.default_rng(seed).lognormal(0, sigma, (layers, experts))


def in_common(seed, experts=64, tokens=4000, topics=8):
    """Tokens of topics whose favourite experts are scattered over all numbers."""
    rng = np.random.default_rng(seed)
    favourite = rng.permutation(experts).reshape(topics, -1)
    topic = rng.integers(topics, size=(tokens, 1))
    column = rng.integers(favourite.shape[1], size=(tokens, 4))
    return np.where(
        rng.random((tokens, 4)) < 0.7,
        favourite[topic, column],
        rng.integers(experts, size=(tokens, 4)),
    )


def traffic_by_definition(slots, together, machine):
    """Sum over pairs of experts and of their replicas, each pair in both directions."""
    counts = np.bincount(slots, minlength=len(together))
    gpu = np.arange(len(slots)) // (len(slots) // machine.num_pes)
    share = together[np.ix_(slots, slots)] / counts[slots] / counts[slots][:, None]
    return (share * machine.distance_matrix()[np.ix_(gpu, gpu)]).sum()


def check(placement, load, num_slots, num_gpus):
    """What holds of every placement."""
    load = np.atleast_2d(load)
    slots = placement.physical_to_logical
    assert slots.dtype == np.int64
    assert slots.shape == (len(load), num_slots)
    for layer, row in enumerate(slots):
        counts = np.bincount(row, minlength=load.shape[1])
        assert counts.min() >= 1
        assert (counts == placement.replicas[layer]).all()
        for expert in range(load.shape[1]):
            there = placement.logical_to_physical[layer, expert]
            assert (row[there[: counts[expert]]] == expert).all()
            assert (there[counts[expert] :] == -1).all()
        if load.shape[1] * num_gpus >= num_slots and load.shape[1] >= num_slots // num_gpus:
            assert all(len(set(own)) == len(own) for own in row.reshape(num_gpus, -1).tolist())
        np.testing.assert_allclose(
            placement.gpu_loads[layer], gpu_loads(row, load[layer], num_gpus)
        )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("experts", "slots", "gpus"), [(64, 64, 8), (64, 72, 8), (60, 80, 16), (8, 32, 8)]
)
def test_loads_are_more_even_than_those_of_the_greedy_balancer(seed, experts, slots, gpus):
    load = skewed(seed, 1, experts)

    placement = place_experts(load, gpus, num_slots=slots)

    check(placement, load, slots, gpus)
    greedy = gpu_loads(eplb_greedy(load[0], slots, 1, 1, gpus), load[0], gpus)
    assert placement.gpu_loads.max() <= greedy.max() * (1 + 1e-9)
    assert placement.moves.tolist() == [0]
    assert placement.traffic.tolist() == [0]


def best_peak(load, slots, gpus):
    """The least load of the fullest GPU of all placements."""
    rows = itertools.combinations_with_replacement(range(len(load)), slots // gpus)
    best = np.inf
    for chosen in itertools.combinations_with_replacement(list(rows), gpus):
        flat = np.concatenate(chosen)
        if len(set(flat.tolist())) == len(load):
            best = min(best, gpu_loads(flat, load, gpus).max())
    return best


def test_tiny_placements_are_the_best_there_are_or_nearly():
    excess = []
    for seed in range(25):
        load = np.random.default_rng(seed).integers(1, 50, 5)
        peak = place_experts(load, 3, num_slots=6).gpu_loads.max()
        excess.append(peak / best_peak(load, 6, 3) - 1)

    assert min(excess) > -1e-9
    assert np.mean(np.array(excess) < 1e-9) >= 0.7, excess
    assert max(excess) < 0.1, excess


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("drift", [0.05, 0.3])
def test_new_loads_need_few_moves(seed, drift):
    load = skewed(seed)
    old = np.array([eplb_greedy(row, 80, 1, 1, 16) for row in load])
    new = load * np.random.default_rng(seed + 100).lognormal(0, drift, load.shape)

    placement = place_experts(new, 16, num_slots=80, old=old, imbalance=0.02)

    check(placement, new, 80, 16)
    for layer in range(len(load)):
        slots = placement.physical_to_logical[layer]
        greedy = eplb_greedy(new[layer], 80, 1, 1, 16)
        assert placement.moves[layer] == moves(slots, old[layer], 16)
        assert placement.moves[layer] < 0.5 * moves(greedy, old[layer], 16)
        even = place_experts(new[layer], 16, num_slots=80).gpu_loads.max()
        assert placement.gpu_loads[layer].max() <= 1.02 * even * (1 + 1e-9)


def test_what_fits_stays_where_it_is():
    load = skewed(1)
    first = place_experts(load, 8, num_slots=72)

    again = place_experts(load, 8, num_slots=72, old=first)

    assert again.moves.tolist() == [0, 0]
    assert (again.physical_to_logical == first.physical_to_logical).all()


def test_what_stays_on_a_gpu_stays_in_its_slot():
    old = place_experts(skewed(2), 8, num_slots=72).physical_to_logical
    new = place_experts(skewed(2) * skewed(3, sigma=0.3), 8, num_slots=72, old=old)

    before, after = old.reshape(2, 8, 9), new.physical_to_logical.reshape(2, 8, 9)
    for layer, gpu in itertools.product(range(2), range(8)):
        stay = set(before[layer, gpu]) & set(after[layer, gpu])
        kept = set(before[layer, gpu][before[layer, gpu] == after[layer, gpu]])
        assert kept == stay


@pytest.mark.parametrize("seed", range(3))
def test_experts_of_the_same_tokens_come_together(seed):
    chosen = in_common(seed)
    load = np.bincount(chosen.ravel(), minlength=64)
    together = count_coactivation(chosen, 64)

    placement = place_experts(load, MACHINE, num_slots=64, coactivation=together, imbalance=0.1)
    mapped = place_experts(
        load, MACHINE, num_slots=64, coactivation=together, imbalance=0.1, preset="fast"
    )

    check(placement, load, 64, 16)
    check(mapped, load, 64, 16)
    greedy = traffic_by_definition(eplb_greedy(load, 64, 1, 1, 16), together, MACHINE)
    for found in (placement, mapped):
        cost = traffic_by_definition(found.physical_to_logical[0], together, MACHINE)
        assert found.traffic[0] == pytest.approx(cost)
        assert cost < 0.85 * greedy
    assert mapped.traffic[0] <= placement.traffic[0] * (1 + 1e-9)


def planted(seed, experts_per_gpu, machine, per_node):
    """Return traffic, most within a GPU, then within a node, loads, and that placement."""
    rng = np.random.default_rng(seed)
    experts = experts_per_gpu * machine.num_pes
    gpu = rng.permutation(experts) // experts_per_gpu
    node = gpu // per_node
    together = rng.poisson(1 + 6 * (node[:, None] == node) + 30 * (gpu[:, None] == gpu))
    together = np.triu(together, 1)
    return together + together.T, rng.integers(90, 110, experts), np.argsort(gpu, kind="stable")


@pytest.mark.parametrize(("experts_per_gpu", "seed"), [(2, 0), (2, 1), (4, 2), (4, 3), (8, 4)])
def test_experts_that_belong_to_a_gpu_find_each_other(experts_per_gpu, seed):
    together, load, slots = planted(seed, experts_per_gpu, MACHINE, 4)
    even = place_experts(load, MACHINE).gpu_loads.max()
    room = load[slots].reshape(16, -1).sum(axis=1).max() / even - 1

    placement = place_experts(load, MACHINE, coactivation=together, imbalance=room + 0.01)

    best = traffic_by_definition(slots, together, MACHINE)
    assert placement.traffic[0] <= best * 1.001


@pytest.mark.parametrize("dtype", ["u1", "u4", "u8", "i1", "i8"])
def test_experts_may_be_integers_of_any_kind(dtype):
    together = count_coactivation(np.array([[0, 1], [2, 1], [1, 0]], dtype), 3)

    assert together.tolist() == [[0, 2, 0], [2, 0, 1], [0, 1, 0]]
    with pytest.raises(ConfigError, match=rf"chosen\[0, 1\] = {2**64 - 1} is not in"):
        count_coactivation(np.array([[0, 2**64 - 1]], "u8"), 3)


def test_a_layer_of_its_own_coactivation_is_placed_by_it():
    chosen = [in_common(seed) for seed in (1, 2)]
    load = np.stack([np.bincount(ids.ravel(), minlength=64) for ids in chosen])
    pairs = np.stack([count_coactivation(ids, 64) for ids in chosen])

    both = place_experts(load, MACHINE, coactivation=pairs)
    alone = [place_experts(load[i], MACHINE, coactivation=pairs[i]) for i in range(2)]

    assert [*both.traffic] == [placement.traffic[0] for placement in alone]
    assert (both.physical_to_logical[1] == alone[1].physical_to_logical[0]).all()


def test_dear_moves_keep_experts_where_they_are():
    chosen = in_common(4)
    load = np.bincount(chosen.ravel(), minlength=64)
    together = count_coactivation(chosen, 64)
    old = np.arange(64)[None]
    moved = [
        place_experts(
            load, MACHINE, coactivation=together, old=old, imbalance=1.0, move_cost=cost
        ).moves[0]
        for cost in (0, 500, 1e6)
    ]

    assert moved[0] > moved[1] > moved[2] == 0


@pytest.mark.parametrize("seed", range(4))
def test_groups_stay_on_a_node(seed):
    load = skewed(seed)

    placement = place_experts(load, MACHINE, num_slots=80, groups=8)

    check(placement, load, 80, 16)
    node = np.arange(80) // 20
    for layer, row in enumerate(placement.physical_to_logical):
        assert all(len(set(node[row // 8 == group])) == 1 for group in range(8))
        greedy = gpu_loads(eplb_greedy(load[layer], 80, 8, 4, 16), load[layer], 16)
        assert placement.gpu_loads[layer].max() <= greedy.max() * 1.02
    again = place_experts(load, MACHINE, num_slots=80, groups=8, old=placement)
    assert again.moves.sum() == 0


def test_nodes_of_groups_are_the_hosts_of_the_machine():
    load = skewed(7, 1)
    hosts = Topology.flat(16).with_hosts("gpu[1-2]", kind="gpu")

    by_hosts = place_experts(load, hosts, groups=4)

    assert (
        by_hosts.physical_to_logical
        == place_experts(load, 16, groups=4, nodes=2).physical_to_logical
    ).all()


@pytest.mark.parametrize(
    ("load", "gpus", "slots"),
    [
        ([5], 1, 1),
        ([5], 4, 4),  # one expert everywhere
        ([1, 2], 4, 8),
        ([1, 2, 3], 2, 4),
        ([1, 2], 1, 3),  # more slots than experts on a GPU
        ([0, 0, 0, 0], 2, 6),
        ([1e300, 1e-300, 0, 1], 2, 4),
        ([1] * 7, 7, 7),
        (np.arange(12, dtype=np.float32), 3, 15),
    ],
)
def test_odd_sizes(load, gpus, slots):
    old = np.full(slots, -1)

    check(place_experts(load, gpus, num_slots=slots), load, slots, gpus)
    placed = place_experts(load, gpus, num_slots=slots, old=old)
    check(placed, load, slots, gpus)
    assert placed.moves.tolist() == [slots]


def random_case(rng):
    """Load, machine and options of any kind."""
    gpus, size = int(rng.integers(1, 9)), int(rng.integers(1, 7))
    experts, slots = int(rng.integers(1, gpus * size + 1)), gpus * size
    load = [
        rng.lognormal(0, 1, (2, experts)),
        rng.integers(0, 5, (2, experts)),
        np.zeros((2, experts)),
    ][rng.integers(3)]
    options = {"num_slots": slots, "imbalance": float(rng.choice([0, 0.1, 3]))}
    options["move_cost"] = float(rng.choice([0, 1, 1e12]))
    if rng.random() < 0.5:
        pairs = rng.integers(0, rng.choice([1, 9]), (experts, experts))
        options["coactivation"] = pairs + pairs.T
        options["preset"] = [None, "fast"][rng.integers(2)]
    if rng.random() < 0.5:
        options["old"] = rng.integers(-1, experts, (2, slots))
    return load, Topology.flat(gpus), options


@pytest.mark.parametrize("seed", range(40))
def test_placements_of_any_kind_are_what_was_asked_for(seed):
    load, machine, options = random_case(np.random.default_rng(seed))

    placement = place_experts(load, machine, **options)

    check(placement, load, options["num_slots"], machine.num_pes)
    if "old" in options:
        rows = zip(placement.physical_to_logical, options["old"], strict=True)
        assert placement.moves.tolist() == [moves(*row, machine.num_pes) for row in rows]


def test_if_gpus_hold_all_experts_all_have_the_same_to_do():
    placement = place_experts([9, 0, 1], 4, num_slots=20)

    assert placement.imbalance.tolist() == [0]


def test_slots_are_the_fewest_that_hold_all_experts():
    assert place_experts([1, 2, 3, 4, 5], 2).physical_to_logical.shape == (1, 6)


def test_equal_loads_are_equal():
    placement = place_experts(np.ones((1, 64)), 8)

    assert placement.imbalance.tolist() == [0.0]
    assert repr(placement) == (
        "ExpertPlacement(64 experts in 64 slots of 8 GPUs, 1 layers, imbalance 0.00%, 0 moves)"
    )


def test_units_do_not_matter():
    load, together = skewed(5), count_coactivation(in_common(5), 64)
    one = place_experts(load, MACHINE, num_slots=80, coactivation=together)
    other = place_experts(load * 1024, MACHINE, num_slots=80, coactivation=together * 1024)

    assert (one.physical_to_logical == other.physical_to_logical).all()
    np.testing.assert_array_equal(other.traffic, one.traffic * 1024)


def line(distance):
    places = np.arange(4)
    return Topology.from_distance_matrix(np.abs(places[:, None] - places) * distance)


@pytest.mark.parametrize("loads", [2.0**-1000, 2.0**1010])
@pytest.mark.parametrize(
    ("talk", "far"),
    [
        (2.0**-1000, 1.0),
        (2.0**-500, 2.0**-500),
        (2.0**1000, 1.0),
        (2.0**1000, 2.0**-990),
        (2.0**-990, 2.0**990),
    ],
)
def test_numbers_of_any_size_are_placed_alike(loads, talk, far):
    load = np.array([9.0, 3, 3, 1, 4, 4, 2, 6])
    together = np.random.default_rng(1).integers(0, 50, (8, 8)) * 1.0
    together += together.T
    asked = {"num_slots": 12, "move_cost": 0.0, "imbalance": 0.2}

    one = place_experts(load, line(1.0), coactivation=together, **asked)
    other = place_experts(load * loads, line(far), coactivation=together * talk, **asked)

    assert (one.physical_to_logical == other.physical_to_logical).all()
    np.testing.assert_allclose(other.traffic / talk / far, one.traffic)
    np.testing.assert_allclose(other.gpu_loads / loads, one.gpu_loads)


def test_traffic_and_moves_may_be_worlds_apart():
    load = np.array([9.0, 3, 3, 1, 4, 4, 2, 6])
    together = np.random.default_rng(1).random((8, 8))
    together += together.T
    old = place_experts(load, 4, num_slots=12)
    groups = place_experts(load, 4, groups=4, nodes=2)

    kept = place_experts(
        load, 4, coactivation=together, old=groups, groups=4, nodes=2, move_cost=1e308
    )

    assert kept.moves.tolist() == [0]
    for talk, move, moved in ((5e-324, 1e308, 0), (1e-300, 2000.0, 0), (1e300, 1e-300, None)):
        placed = place_experts(
            load, 4, num_slots=12, coactivation=together * talk, old=old, move_cost=move
        )
        assert moved is None or placed.moves.tolist() == [moved]


def test_any_imbalance_is_allowed():
    together = np.random.default_rng(1).random((8, 8))
    together += together.T
    asked = {"num_slots": 12, "coactivation": together}

    some = place_experts(np.arange(8), line(1.0), imbalance=100.0, **asked)
    any_at_all = place_experts(np.arange(8), line(1.0), imbalance=1e308, **asked)

    assert (some.physical_to_logical == any_at_all.physical_to_logical).all()


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        ({"load": [[1] * 4, [1e308] * 4]}, r"the sum of load\[1\] is beyond the range of floats"),
        ({"coactivation": np.full((4, 4), 1e308)}, "coactivation times distance"),
        ({"coactivation": np.full((4, 4), 1e300), "topology": line(1e10)}, "coactivation times"),
        ({"coactivation": np.full((4, 4), 1e-300), "topology": line(1e-100)}, "coactivation times"),
    ],
)
def test_what_adds_up_beyond_the_range_of_floats_is_refused(options, culprit):
    given = {"load": [4, 3, 2, 1], "topology": 2, **options}

    with pytest.raises(OverflowError, match=culprit):
        place_experts(given.pop("load"), given.pop("topology"), **given)


def test_a_token_counts_once_however_often_it_names_an_expert():
    chosen = [[0, 1, 2], [2, 1, -1], [3, 3, 0]]

    assert count_coactivation(chosen, 4).tolist() == [
        [0, 1, 1, 1],
        [1, 0, 2, 0],
        [1, 2, 0, 0],
        [1, 0, 0, 0],
    ]


@pytest.mark.parametrize("k", [0, 1, 2, 5])
def test_coactivation_is_the_count_by_definition(k):
    chosen = np.random.default_rng(k).integers(-1, 7, (300, k))

    expected = np.zeros((7, 7), int)
    for token in chosen:
        experts = sorted(set(token.tolist()) - {-1})
        expected[np.ix_(experts, experts)] += 1
    np.fill_diagonal(expected, 0)
    assert count_coactivation(chosen, 7).tolist() == expected.tolist()


FOUR = np.ones((4, 4))


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        ({"load": [1, -2, 3, 4]}, r"load\[1\] = -2 is not"),
        ({"load": [1, np.nan]}, r"load\[1\] = nan"),
        ({"load": []}, "load must have shape"),
        ({"load": ["a"]}, "load must hold numbers"),
        ({"topology": 0}, "topology must be a Topology or an integer in"),
        ({"num_slots": 3}, r"num_slots must be an integer in \[4,"),
        ({"num_slots": 5}, "num_slots = 5 is no multiple of the number of GPUs, 2"),
        ({"coactivation": np.ones((3, 3))}, r"coactivation must have shape \(4, 4\)"),
        ({"coactivation": np.triu(FOUR)}, r"symmetric, but \[0, 1\] is 1.0 and \[1, 0\] is 0.0"),
        ({"coactivation": -FOUR}, r"coactivation\[0, 0\] = -1.0"),
        ({"old": [0, 1]}, r"old must hold integers, shape \(1, 4\)"),
        ({"old": [0, 1, 2, 4]}, r"old\[0, 3\] = 4 is not in \[-1, 4\)"),
        ({"groups": 3}, "groups = 3 cannot be dealt out"),
        ({"groups": 2, "nodes": 4}, "nodes must be an integer in"),
        ({"imbalance": -0.1}, "imbalance must be a finite number >= 0"),
        ({"move_cost": float("inf")}, "move_cost must be a finite"),
        ({"preset": "fast"}, "preset needs coactivation"),
        ({"preset": "nonsense", "coactivation": FOUR}, "nonsense"),
    ],
)
def test_bad_arguments_are_named(options, culprit):
    given = {"load": [4, 3, 2, 1], "topology": 2, **options}

    with pytest.raises(ConfigError, match=culprit):
        place_experts(given.pop("load"), given.pop("topology"), **given)


@pytest.mark.parametrize(
    ("chosen", "culprit"),
    [([[0, 4]], r"chosen\[0, 1\] = 4"), ([0, 1], "shape"), ([[0.5]], "integers")],
)
def test_bad_choices_are_named(chosen, culprit):
    with pytest.raises(ConfigError, match=culprit):
        count_coactivation(chosen, 4)


def test_a_placement_may_be_given_as_old():
    old = place_experts([3, 2, 1, 1], 2)

    assert isinstance(old, ExpertPlacement)
    assert place_experts([3, 2, 1, 1], 2, old=old).moves.tolist() == [0]
