# SPDX-License-Identifier: MIT
"""Experts of a mixture-of-experts model on 32 GPUs of 4 nodes, before and after its users change.

256 experts in 288 slots, 8 experts per token, as DeepSeek-V3 is served. Beside procmap stands the
balancer that vLLM and SGLang have built in. Replicas share the tokens of their expert evenly.

No trace of a router is at hand, so one is generated to published statistics: loads of experts are
log-normal, which fitted DeepSeek-V3 on MMLU-Pro best of several distributions (deepseek-ai/DeepEP,
pull request 393; their width is not given: with sigma = 0.7 the busiest of 256 gets 4 to 8 times
the mean); which experts are busy shifts with the kind of text (arXiv 2604.23150), and experts come
in groups that tokens of a kind have in common (arXiv 2606.01007).
"""

import time

import numpy as np

import procmap
from eplb_greedy import eplb_greedy, gpu_loads, moves
from procmap.placement import count_coactivation, place_experts

LAYERS, EXPERTS, CHOSEN, SLOTS, TOKENS, TOPICS = 3, 256, 8, 288, 8000, 16
NODES, GPUS = 4, 32
machine = procmap.Topology.hierarchy([GPUS // NODES, NODES], [1, 10])
rng = np.random.default_rng(3)


def routed(popularity, favourites, topics):
    """The experts of every token: the best of popularity, what its topic likes, and chance."""
    topic = rng.choice(TOPICS, TOKENS, p=topics)
    score = np.log(popularity) + 2.0 * favourites[topic] + rng.gumbel(size=(TOKENS, EXPERTS))
    return np.argpartition(-score, CHOSEN, axis=1)[:, :CHOSEN]


def nodes_per_token(slots, chosen):
    """On how many nodes a token has its experts, on average; replicas are used in turn."""
    order, counts = np.argsort(slots, kind="stable"), np.bincount(slots, minlength=EXPERTS)
    turn = np.arange(len(chosen))[:, None] % counts[chosen]
    slot = order[np.cumsum(counts)[chosen] - counts[chosen] + turn]
    node = slot // (SLOTS // NODES)
    return (node[:, :, None] == np.arange(NODES)).any(axis=1).sum(axis=1).mean()


def line(name, slots, old, load, chosen, seconds):
    loads = [gpu_loads(slots[i], load[i], GPUS) for i in range(LAYERS)]
    fullest = max(own.max() / own.mean() for own in loads)
    moved = [0 if old is None else moves(slots[i], old[i], GPUS) for i in range(LAYERS)]
    nodes = np.mean([nodes_per_token(slots[i], chosen[i]) for i in range(LAYERS)])
    print(
        f"  {name:<8} fullest GPU {fullest - 1:6.2%} above the mean, {np.mean(moved):5.1f} moves a "
        f"layer, {nodes:.2f} nodes a token, {seconds / LAYERS * 1e3:4.0f} ms a layer"
    )
    return sum(moved)


popularity = rng.lognormal(0, 0.7, (LAYERS, EXPERTS))
favourites = np.zeros((LAYERS, TOPICS, EXPERTS))
for layer in range(LAYERS):  # every expert is liked by one topic
    favourites[layer, rng.permutation(np.arange(EXPERTS) % TOPICS), np.arange(EXPERTS)] = 1

greedy = ours = None
for when, topics in (
    ("today", np.full(TOPICS, 1 / TOPICS)),
    ("when users ask for other things", rng.dirichlet(np.full(TOPICS, 10))),
):
    chosen = [routed(popularity[i], favourites[i], topics) for i in range(LAYERS)]
    load = np.stack([np.bincount(ids.ravel(), minlength=EXPERTS) for ids in chosen])
    together = np.stack([count_coactivation(ids, EXPERTS) for ids in chosen])
    print(
        f"{when}: the busiest expert gets {(load.max(axis=1) / load.mean(axis=1)).max():.1f} "
        f"times the mean"
    )

    start = time.perf_counter()
    new = [eplb_greedy(row, SLOTS, 1, 1, GPUS) for row in load]
    greedy_moves = line("built in", new, greedy, load, chosen, time.perf_counter() - start)
    greedy = new

    start = time.perf_counter()
    placement = place_experts(
        load, machine, num_slots=SLOTS, coactivation=together, old=ours, imbalance=0.03
    )
    new = placement.physical_to_logical
    our_moves = line("procmap", new, ours, load, chosen, time.perf_counter() - start)
    ours = new
print(f"gain: {1 - our_moves / greedy_moves:.0%} fewer experts to move")
