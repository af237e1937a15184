# SPDX-License-Identifier: MIT
"""Place the experts of a mixture-of-experts model on the GPUs of two nodes.

A token goes through two experts of a layer, and what they compute has to meet again: experts that
are often chosen together belong on one GPU, or at least on one node. Every GPU takes as many tokens
as it has computing power for; half of the last GPU of each node is reserved for other work. Expert
0 is pinned, say because a model that is there already has its weights.
"""

import numpy as np

import procmap

NUM_EXPERTS, NUM_TOPICS, NUM_TOKENS = 128, 12, 100_000

# A trace of the router: the two experts of every token. Tokens have topics with favourite experts.
rng = np.random.default_rng(3)
favourites = rng.permuted(np.tile(np.arange(NUM_EXPERTS), (NUM_TOPICS, 1)), axis=1)[:, :10]
topic = rng.integers(NUM_TOPICS, size=NUM_TOKENS)
chosen = favourites[topic[:, None], rng.integers(10, size=(NUM_TOKENS, 2))]
stray = rng.random((NUM_TOKENS, 2)) < 0.1
chosen[stray] = rng.integers(NUM_EXPERTS, size=stray.sum())

# Load: tokens per expert. Traffic: tokens that two experts have in common.
load = np.bincount(chosen.ravel(), minlength=NUM_EXPERTS)
together = np.zeros((NUM_EXPERTS, NUM_EXPERTS), int)
np.add.at(together, (chosen[:, 0], chosen[:, 1]), 1)
together += together.T
np.fill_diagonal(together, 0)
a, b = np.nonzero(np.triu(together))
experts = procmap.Graph.from_edges(np.stack([a, b], axis=1), NUM_EXPERTS, together[a, b], load)

# Innermost first: 4 GPUs per node, 2 nodes.
machine = procmap.Topology.hierarchy("4:2", "1:10")
power = np.array([1, 1, 1, 0.5, 1, 1, 1, 0.5])
capacities = np.ceil(1.05 * load.sum() * power / power.sum()).astype(int)
pinned = np.full(NUM_EXPERTS, -1)
pinned[0] = 5

mapping = procmap.map(experts, machine, capacities=capacities, fixed=pinned)

# Without co-activation: the heaviest expert first, each to the GPU that is least full.
greedy = np.full(NUM_EXPERTS, -1)
greedy[0] = 5
used = np.bincount([5], [load[0]], minlength=machine.num_pes)
for expert in np.argsort(-load, kind="stable"):
    if greedy[expert] < 0:
        greedy[expert] = np.argmin((used + load[expert]) / capacities)
        used[greedy[expert]] += load[expert]

before = procmap.evaluate(experts, greedy, machine, capacities=capacities)
for name, report in (("load only", before), ("procmap", mapping)):
    full = (report.block_weights / capacities).max()
    inside, same_node, other_node = report.level_traffic // 2
    print(
        f"{name:<10} tokens that stay on a GPU {inside:>6}, within the node {same_node:>6}, "
        f"between nodes {other_node:>6}; fullest GPU {full:.0%}"
    )
fewer = 1 - mapping.level_traffic[2] / before.level_traffic[2]
print(f"gain: {fewer:.0%} fewer tokens that need both nodes")
