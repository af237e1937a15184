# SPDX-License-Identifier: MIT
"""The policy object, called as vLLM, SGLang and DeepSeek's EPLB call theirs."""

import sys
import types

import numpy as np
import pytest

from eplb_greedy import eplb_greedy, gpu_loads, moves
from procmap import ConfigError, Topology
from procmap.placement import ExpertPolicy, place_experts

LOAD = np.random.default_rng(3).lognormal(0, 1, (3, 32))


class Tensor:
    """As much of torch.Tensor as there is to know of it: another type, on a device."""

    def __init__(self, array, device="cpu"):
        self.array, self.device = np.asarray(array), device

    def detach(self):
        return self

    def cpu(self):
        return Tensor(self.array)

    def double(self):
        return Tensor(self.array.astype(np.float64))

    def is_floating_point(self):
        return self.array.dtype.kind == "f"

    def to(self, device):
        return Tensor(self.array, device)

    def __array__(self, dtype=None, copy=None):
        assert self.device == "cpu"
        assert self.array.dtype != np.float16, "NumPy has no bfloat16"
        return np.array(self.array, dtype)


@pytest.fixture
def torch(monkeypatch):
    module = types.ModuleType("torch")
    module.from_numpy = Tensor
    monkeypatch.setitem(sys.modules, "torch", module)


def test_vllm_gets_the_slots_of_all_layers():
    slots = ExpertPolicy(keep_groups=False).rebalance_experts(LOAD, 40, 8, 2, 8)

    assert slots.dtype == np.int64
    assert (slots == place_experts(LOAD, 8, num_slots=40).physical_to_logical).all()


def test_vllm_gives_the_old_slots_in_the_sixth_place():
    policy = ExpertPolicy()
    old = policy.rebalance_experts(LOAD, 40, 1, 2, 8)

    assert (policy.rebalance_experts(LOAD, 40, 1, 2, 8, old) == old).all()
    assert policy.rebalance_experts(LOAD, 48, 1, 2, 8, old).shape == (3, 48)


@pytest.mark.parametrize(("groups", "nodes", "kept"), [(8, 2, True), (8, 8, True), (3, 2, False)])
def test_groups_stay_on_a_node_where_the_numbers_allow_it(groups, nodes, kept):
    load = LOAD[:, :30] if groups == 3 else LOAD

    slots = ExpertPolicy().rebalance_experts(load, 40, groups, nodes, 8)

    node = np.arange(40) // (40 // nodes)
    size = load.shape[1] // groups
    together = [
        len(set(node[row // size == group])) == 1 for row in slots for group in range(groups)
    ]
    assert all(together) == kept
    assert ExpertPolicy().rebalance_experts(load, 40, 0, nodes, 8).shape == (3, 40)


def test_deepseek_gets_three_maps():
    slots, places, counts = ExpertPolicy().deepseek(LOAD, 40, 4, 2, 8)

    for layer in range(3):
        assert (np.bincount(slots[layer], minlength=32) == counts[layer]).all()
        for expert in range(32):
            own = places[layer, expert, : counts[layer, expert]]
            assert (slots[layer, own] == expert).all()
        greedy = gpu_loads(eplb_greedy(LOAD[layer], 40, 4, 2, 8), LOAD[layer], 8)
        assert gpu_loads(slots[layer], LOAD[layer], 8).max() <= greedy.max() * (1 + 1e-9)


def test_sglang_gives_steps_and_keywords():
    steps = np.stack([LOAD / 2, LOAD / 4, LOAD / 4])

    given = ExpertPolicy().sglang(
        tokens_per_expert=steps,
        num_physical_experts=40,
        num_local_physical_experts=5,
        num_groups=None,
        num_nodes=2,
        algorithm="auto",
    )

    for mine, theirs in zip(given, ExpertPolicy().deepseek(LOAD, 40, 1, 2, 8), strict=True):
        assert (mine == theirs).all()


def test_steps_add_up_in_more_bits_than_they_have():
    steps = np.full((3, 1, 8), 6e4, np.float16)

    slots, *_ = ExpertPolicy().sglang(steps, 8, 4, None, 1)

    assert sorted(slots[0]) == list(range(8))


def test_a_policy_may_remember_what_it_placed():
    later = LOAD * np.random.default_rng(4).lognormal(0, 0.2, LOAD.shape)
    keeps, forgets = ExpertPolicy(remember=True), ExpertPolicy()
    numbers = (40, 5, None, 2)

    old, *_ = keeps.sglang(LOAD[None], *numbers)
    new, *_ = keeps.sglang(later[None], *numbers)
    anew, *_ = forgets.sglang(later[None], *numbers)

    moved = [sum(moves(a, b, 8) for a, b in zip(slots, old, strict=True)) for slots in (new, anew)]
    assert moved[0] < 0.5 * moved[1]
    assert keeps.sglang(LOAD[None], 48, 6, None, 2)[0].shape == (3, 48)
    assert keeps.sglang(LOAD[None, :, :30], 48, 6, None, 2)[0].max() == 29


@pytest.mark.usefixtures("torch")
def test_tensors_stay_tensors_where_they_were():
    arrays = ExpertPolicy().deepseek(LOAD.astype(np.float16), 40, 1, 2, 8)

    tensors = ExpertPolicy().deepseek(Tensor(LOAD.astype(np.float16), "cuda:3"), 40, 1, 2, 8)
    again = ExpertPolicy().rebalance_experts(Tensor(LOAD), 40, 1, 2, 8, Tensor(arrays[0]))

    for tensor, array in zip(tensors, arrays, strict=True):
        assert tensor.device == "cuda:3"
        assert (tensor.array == array).all()
    assert again.device == "cpu"


def test_a_machine_of_ones_own():
    pairs = np.zeros((32, 32))
    pairs[0, 31] = pairs[31, 0] = 1
    rows = Topology.hierarchy("2:4", "1:10")

    slots = ExpertPolicy(rows, coactivation=pairs).rebalance_experts(np.ones((1, 32)), 32, 1, 1, 8)

    gpu = np.argsort(slots[0]) // 4
    assert gpu[0] // 2 == gpu[31] // 2


@pytest.mark.parametrize(
    ("call", "culprit"),
    [
        (
            lambda: ExpertPolicy(Topology.flat(4)).deepseek(LOAD, 40, 1, 1, 8),
            "4 GPUs, but .* 8 ranks",
        ),
        (lambda: ExpertPolicy().deepseek(LOAD, 40, 1, 3, 8), "8 ranks cannot be dealt out to 3"),
        (lambda: ExpertPolicy().deepseek(LOAD, 41, 1, 2, 8), "num_slots = 41"),
        (lambda: ExpertPolicy().sglang(LOAD[None], 41, 5, 1, 2), "num_physical_experts = 41"),
        (
            lambda: ExpertPolicy().sglang(LOAD, 40, 5, 1, 2),
            r"tokens_per_expert must have shape \(steps, layers, E\), got shape \(3, 32\)",
        ),
        (lambda: ExpertPolicy(imbalance=-1).deepseek(LOAD, 40, 1, 2, 8), "imbalance"),
    ],
)
def test_bad_arguments_are_named(call, culprit):
    with pytest.raises(ConfigError, match=culprit):
        call()


def test_a_topology_must_be_one():
    with pytest.raises(TypeError, match="topology must be a Topology, got str"):
        ExpertPolicy("8:2")


@pytest.mark.parametrize("name", ["imbalance", "move_cost"])
def test_bad_amounts_are_told_when_the_policy_is_made(name):
    with pytest.raises(ConfigError, match=name):
        ExpertPolicy(**{name: -1})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({0: [[1, 2], [3]]}, "weight is not an array: its rows differ in length"),
        ({1: "8"}, "num_replicas must be an integer >= 0, got '8'"),
        ({2: None}, "num_groups must be an integer >= 0, got None"),
        ({0: np.ones(8)}, r"weight must have shape \(layers, E\), got shape \(8,\)"),
        ({0: [["1"]]}, "weight must hold numbers, got dtype"),
        ({3: [1]}, r"num_nodes must be an integer >= 1, got \[1\]"),
        ({2: 2, 3: 0}, "num_nodes must be an integer >= 1, got 0"),
        ({4: -2}, "num_ranks must be an integer >= 1, got -2"),
        ({5: [[0], [1, 2]]}, "old_global_expert_indices is not an array"),
    ],
)
def test_bad_numbers_of_a_call_are_named(changes, message):
    given = [np.ones((1, 8)), 8, 1, 1, 2, None]
    for position, value in changes.items():
        given[position] = value
    with pytest.raises(ConfigError, match=message):
        ExpertPolicy().rebalance_experts(*given)


def test_switches_of_a_policy_are_true_or_false():
    with pytest.raises(ConfigError, match="remember must be True or False, got 'no'"):
        ExpertPolicy(remember="no")
    with pytest.raises(ConfigError, match="keep_groups must be True or False, got 1"):
        ExpertPolicy(keep_groups=1)
