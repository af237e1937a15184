# SPDX-License-Identifier: MIT
"""Partition the graph of a distributed GNN training job: 2 machines with 4 GPUs each.

The graph comes as an ``edge_index`` of PyTorch Geometric, here a NumPy array; a tensor is taken as
well, also one on a GPU. What costs time in training is fetching the features of neighbours that lie
on another GPU, and most of all on another machine.
"""

import numpy as np

import procmap

NUM_NODES, NUM_COMMUNITIES, NEIGHBOURS = 20_000, 80, 8

# A graph with hidden communities: 9 of 10 edges stay inside. Node numbers say nothing about them.
rng = np.random.default_rng(1)
community = rng.integers(NUM_COMMUNITIES, size=NUM_NODES)
by_community = np.argsort(community, kind="stable")
first = np.searchsorted(community[by_community], np.arange(NUM_COMMUNITIES))
size = np.bincount(community, minlength=NUM_COMMUNITIES)
tail = np.repeat(np.arange(NUM_NODES), NEIGHBOURS // 2)
own = community[tail]
inside = by_community[first[own] + rng.integers(size[own])]
anywhere = rng.integers(NUM_NODES, size=len(tail))
head = np.where(rng.random(len(tail)) < 0.9, inside, anywhere)
pairs = np.stack([tail, head])[:, tail != head]
edge_index = np.unique(np.concatenate([pairs, pairs[::-1]], axis=1), axis=1)  # both directions

# A GPU computes in proportion to the edges that end at its nodes.
degree = np.bincount(edge_index[1], minlength=NUM_NODES)
graph = procmap.Graph.from_edge_index(edge_index, NUM_NODES, vertex_weights=1 + degree)

# Innermost first: 4 GPUs per machine (NVLink), 2 machines (network, ten times slower).
machine = procmap.Topology.hierarchy("4:2", "1:10")

mapping = procmap.map(graph, machine, imbalance=0.05)
part_id = mapping.blocks  # what DGL and PyG call it: one GPU per node

report = mapping.report()
before = procmap.evaluate(graph, np.arange(NUM_NODES) % machine.num_pes, machine)
for name, result in (("node id modulo 8", before), ("procmap", report)):
    print(
        f"{name:<17} edges between machines {result.level_traffic[2] // 2:>7}, "
        f"features fetched per layer {result.total_communication_volume:>7}, "
        f"imbalance {result.imbalance:.1%}"
    )
fewer = 1 - report.total_communication_volume / before.total_communication_volume
print(f"gain: {fewer:.0%} fewer features fetched from other GPUs")
