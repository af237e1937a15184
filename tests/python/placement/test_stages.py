# SPDX-License-Identifier: MIT
"""Pipeline stages: the best cut of a chain, and mappings of models that are none."""

import itertools

import numpy as np
import pytest

from procmap import ConfigError, Graph, GraphError, Topology
from procmap.placement import place_stages
from procmap.placement._chain import cut
from procmap.placement._stage_places import PlacedChain, best_places

MACHINE = Topology.hierarchy("2:2", "1:10")


def all_cuts(n, stages):
    """The ends of the stages of every cut of n layers."""
    for inner in itertools.combinations(range(1, n), stages - 1):
        yield (*inner, n)


def cost_of(ends, costs, sent, hops):
    """The largest stage with what it sends, and what all send."""
    begins = (0, *ends[:-1])
    sends = [sent[end - 1] * hop for end, hop in zip(ends[:-1], hops, strict=True)] + [0]
    largest = max(sum(costs[a:b]) + paid for a, b, paid in zip(begins, ends, sends, strict=True))
    return largest, sum(sends)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("stages", [1, 2, 4])
def test_the_cut_of_a_chain_is_the_best_of_all(seed, stages):
    rng = np.random.default_rng(seed)
    costs, sent = rng.integers(1, 20, 9), rng.integers(0, 9, 8)
    machine = Topology.flat(stages)

    found = place_stages(costs, machine, traffic=sent)

    hops = [1] * (stages - 1)
    best = min(cost_of(ends, costs, sent, hops) for ends in all_cuts(9, stages))
    assert (found.bottleneck, found.stage_sends.sum()) == pytest.approx(best)
    assert (np.diff(found.stage_of_layer) >= 0).all()
    assert found.stage_costs.tolist() == [sum(costs[i] for i in own) for own in found.layers]


@pytest.mark.parametrize("seed", range(8))
def test_places_of_the_stages_are_near_each_other(seed):
    rng = np.random.default_rng(seed)
    costs, sent = rng.integers(1, 20, 9), rng.integers(0, 9, 8)

    found = place_stages(costs, MACHINE, traffic=sent)

    distance = MACHINE.distance_matrix()
    bests = [
        min(
            cost_of(ends, costs, sent, distance[list(pes[:-1]), list(pes[1:])])
            for ends in all_cuts(9, 4)
        )
        for pes in itertools.permutations(range(4))
    ]
    assert (found.bottleneck, found.stage_sends.sum()) == pytest.approx(min(bests))


@pytest.mark.parametrize("seed", range(12))
def test_few_stages_are_on_the_best_pes_of_any_machine(seed):
    rng = np.random.default_rng(seed)
    costs, sent, memory = rng.integers(0, 20, 8), rng.integers(0, 9, 7), rng.integers(1, 9, 8)
    upper = np.triu(rng.integers(1, 9, (4, 4)), 1)
    distance = upper + upper.T
    room = rng.permutation([4, 9, 15, 20]) + 1
    machine = Topology.from_distance_matrix(distance)
    options = {"traffic": sent, "memory": memory, "capacity": room}

    bests = [
        cost_of(ends, costs, sent, distance[list(pes[:-1]), list(pes[1:])])
        for pes in itertools.permutations(range(4))
        for ends in all_cuts(8, 4)
        if (np.add.reduceat(memory, (0, *ends[:-1])) <= room[list(pes)]).all()
    ]

    if not bests:
        with pytest.raises(ConfigError, match="memory"):
            place_stages(costs, machine, **options)
        return
    found = place_stages(costs, machine, **options)
    assert (found.bottleneck, found.stage_sends.sum()) == pytest.approx(min(bests))
    held = np.bincount(found.stage_of_layer, memory)
    assert (held <= room[found.pe_of_stage]).all()


@pytest.mark.parametrize("seed", range(8))
def test_many_stages_on_pes_of_two_kinds_fit_if_they_can(seed):
    rng = np.random.default_rng(seed)
    large = rng.permutation(np.arange(12) % 2)  # in the order of the stages
    counts = np.where(large, 5, 2)
    memory = rng.uniform(0.8, 1.2, counts.sum())
    held = np.add.reduceat(memory, np.concatenate([[0], np.cumsum(counts)[:-1]]))
    room = rng.permutation(np.where(large, held[large == 1].max(), held[large == 0].max()))

    found = place_stages(np.ones(len(memory)), 12, memory=memory, capacity=room)

    assert sorted(found.pe_of_stage.tolist()) == list(range(12))
    assert (np.bincount(found.stage_of_layer, memory) <= room[found.pe_of_stage] + 1e-9).all()


@pytest.mark.parametrize("seed", range(8))
def test_memory_is_kept(seed):
    rng = np.random.default_rng(seed)
    costs, memory = rng.integers(1, 20, 9), rng.integers(1, 9, 9)
    room = (20, 12, 25)

    def fits(ends, rooms):
        begins = (0, *ends[:-1])
        return all(sum(memory[a:b]) <= r for a, b, r in zip(begins, ends, rooms, strict=True))

    legal = [
        cost_of(ends, costs, [0] * 8, [1, 1])[0]
        for ends in all_cuts(9, 3)
        for rooms in itertools.permutations(room)
        if fits(ends, rooms)
    ]
    if not legal:
        with pytest.raises(ConfigError, match="of memory, and no run of them"):
            place_stages(costs, 3, memory=memory, capacity=room)
        return
    found = place_stages(costs, 3, memory=memory, capacity=room)
    assert found.bottleneck == min(legal)
    assert all(
        sum(memory[list(own)]) <= room[pe]
        for own, pe in zip(found.layers, found.pe_of_stage, strict=True)
    )


@pytest.mark.parametrize("seed", [0, 2, 4, 8, 14])
def test_more_stages_than_all_orders_of_are_looked_at_are_near_the_best(seed):
    rng = np.random.default_rng(seed)
    machine, n, stages = Topology.hierarchy([3, 3], [1, 10]), 27, 9
    cost, sent = rng.lognormal(0, 0.4, n), rng.lognormal(0, 1, n - 1) * 0.03
    memory = rng.lognormal(0, 0.3, n)
    capacity = rng.choice([1.3, 2.2], stages) * memory.sum() / stages

    placed = place_stages(cost, machine, traffic=sent, memory=memory, capacity=capacity)

    sums = [np.concatenate([[0], np.cumsum(values)]) for values in (cost, memory)]
    chain = PlacedChain(*sums, sent, machine.distance_matrix().astype(float), capacity)
    ordered = chain.in_order(best_places(chain, placed.bottleneck * (1 + 1e-9)))
    best = cost_of(cut(ordered), cost, sent, ordered.hops)[0]
    assert best * (1 - 1e-9) <= placed.bottleneck <= best * 1.03  # 1.12 without exchanges


def test_memory_of_every_stage_alike():
    assert place_stages([1, 1, 9], 2, memory=[1, 1, 1], capacity=2).layers == ((0, 1), (2,))
    found = place_stages([9, 9, 1], 2, memory=[1, 9, 1], capacity=10)
    assert found.layers == ((0,), (1, 2))


def test_stages_of_a_model_with_branches_are_mapped():
    costs = np.ones(24)
    branches = [[0, i] for i in (1, 9, 17)] + [[i, i + 1] for i in range(1, 23) if i not in (8, 16)]
    graph = Graph.from_edges(branches, 24, weights=[5] * len(branches))

    found = place_stages(costs, MACHINE, traffic=graph, contiguous=False, imbalance=0.2)

    distance = MACHINE.distance_matrix()
    stage = found.stage_of_layer
    assert found.stage_sends.sum() == sum(5 * distance[stage[a], stage[b]] for a, b in branches)
    assert found.stage_costs.tolist() == np.bincount(stage, minlength=4).tolist()
    assert found.stage_costs.max() <= 8
    block_order = np.arange(24) // 6
    assert found.stage_sends.sum() <= sum(
        5 * distance[block_order[a], block_order[b]] for a, b in branches
    )


def test_a_chain_may_be_mapped_too():
    sent = np.full(15, 0.25)

    found = place_stages(np.ones(16), 4, traffic=sent, contiguous=False, imbalance=0)

    assert found.stage_costs.tolist() == [4, 4, 4, 4]
    assert found.stage_sends.sum() == pytest.approx(3 * 0.25)
    assert place_stages([1, 1], 2, contiguous=False).stage_sends.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("costs", "stages", "layers"),
    [
        ([5], 1, ((0,),)),
        ([0, 0, 0], 3, ((0,), (1,), (2,))),
        ([1, 2], 1, ((0, 1),)),
        ([0, 0, 7], 2, ((0, 1), (2,))),
        ([1e300, 1], 2, ((0,), (1,))),
    ],
)
def test_odd_sizes(costs, stages, layers):
    found = place_stages(costs, stages)

    if costs == [0, 0, 7]:  # where zeros go does not matter
        assert found.bottleneck == 7
    else:
        assert found.layers == layers
    assert repr(found).startswith(f"StagePlacement({len(costs)} layers in {stages} stages")


def test_equal_layers_are_dealt_out_evenly():
    found = place_stages(np.full(126, 0.1), 16)

    assert max(map(len, found.layers)) == 8
    assert found.imbalance == pytest.approx(8 / (126 / 16) - 1)


@pytest.mark.parametrize(
    ("costs", "stages", "options", "culprit"),
    [
        ([1, 2], 3, {}, "2 layers for 3 stages"),
        ([], 1, {}, r"costs must have shape \(n,\)"),
        ([[1]], 1, {}, r"costs must have shape \(n,\)"),
        ([1, -1], 1, {}, r"costs\[1\] = -1"),
        ([1, 1], 0, {}, "topology must be a Topology or an integer in"),
        ([1, 1], 2, {"traffic": [1, 2]}, r"traffic must have shape \(1,\), got \(2,\)"),
        ([1, 1], "2", {}, "topology must be a Topology or an integer in"),
        ([1, 1], 2, {"traffic": Graph.from_edges([[0, 1]])}, "traffic is a Graph, which needs"),
        ([1, 1], 2, {"traffic": [np.inf]}, r"traffic\[0\] = inf"),
        ([1, 1], 2, {"memory": [1, 1]}, "memory and capacity must be given together"),
        ([1, 1], 2, {"memory": [1], "capacity": 2}, r"memory must have shape \(2,\)"),
        ([1, 1], 2, {"memory": [1, 1], "capacity": [2]}, r"capacity must have shape \(2,\)"),
        ([1, 1], 2, {"memory": [1, 1], "capacity": -2}, "capacity = -2"),
        ([1, 1], 2, {"memory": [1, 3], "capacity": 2}, "the layers need 4 of memory"),
        ([1, 1], 2, {"memory": [1, 1], "capacity": 2, "contiguous": False}, "need contiguous"),
        (
            [1, 1],
            2,
            {"traffic": np.zeros((3, 3)), "contiguous": False},
            "of 3 layers, but costs of 2",
        ),
    ],
)
def test_bad_arguments_are_named(costs, stages, options, culprit):
    with pytest.raises(ConfigError, match=culprit):
        place_stages(costs, stages, **options)


def test_a_malformed_graph_is_refused():
    with pytest.raises(TypeError, match="graph must be a"):
        place_stages([1, 1, 1], 2, traffic=[[1], [1, 2]], contiguous=False)
    with pytest.raises(GraphError, match=r"traffic\[0, 1\]"):
        place_stages([1, 1, 1], 2, traffic=np.full((3, 3), -1), contiguous=False)


LARGE = 1e308


@pytest.mark.parametrize(
    ("costs", "options", "culprit"),
    [
        ([LARGE] * 4, {}, "the sum of costs"),
        ([LARGE] * 4, {"contiguous": False}, "the sum of costs"),
        ([1] * 4, {"traffic": [LARGE] * 3}, "the sum of traffic"),
        ([1] * 4, {"traffic": [LARGE] * 3, "contiguous": False}, "the sum of traffic"),
        ([1] * 4, {"traffic": [1e307] * 3}, "the sum of traffic times the largest distance"),
        (
            [1] * 4,
            {"traffic": np.full((4, 4), 1e306), "contiguous": False},
            "the sum of traffic times the largest distance",
        ),
        ([2e307] * 4, {"traffic": [0.2e307] * 3}, "the sum of costs and of traffic times distance"),
        ([1] * 4, {"memory": [LARGE] * 4, "capacity": LARGE}, "the sum of memory"),
    ],
)
def test_sums_beyond_floats_are_refused_before_any_work(costs, options, culprit):
    with pytest.raises(OverflowError, match=f"^{culprit} may be beyond the range of floats"):
        place_stages(costs, MACHINE, **options)


def test_large_numbers_whose_sums_are_finite_are_placed():
    found = place_stages([2e307] * 4, MACHINE, traffic=[1e305] * 3)
    assert found.stage_costs.tolist() == [2e307] * 4

    found = place_stages([1, 1], 2, memory=[1, 1], capacity=LARGE)
    assert found.layers == ((0,), (1,))
    with pytest.raises(ConfigError, match=r"need 3 of memory, .* \(together inf\)"):
        place_stages([1, 1, 1], 3, memory=[1, 1, 1], capacity=[LARGE, LARGE, 0])
