# SPDX-License-Identifier: MIT
"""Layers of a model with the shape of Gemma 2 9B in a pipeline of 8 stages on 2 nodes.

Widths, layers and windows are those of "Gemma 2: Improving Open Language Models at a Practical
Size" (arXiv 2408.00118). Costs are multiplications of a token at a context of 8,192: every other
layer looks at all of it, the others at 4,096 tokens; the output layer with its 256,128 words costs
as much as several others, and the input layer nothing but memory. Beside procmap stand equally many
layers in every stage.
"""

import time

import numpy as np

import procmap
from procmap.placement import place_stages

LAYERS, WIDTH, HIDDEN, WORDS = 42, 3584, 14336, 256_128
HEADS, KEYS, CONTEXT, WINDOW, STAGES = 16 * 256, 8 * 256, 8192, 4096, 8

weights = 2 * WIDTH * (HEADS + KEYS) + 3 * WIDTH * HIDDEN
parameters = np.array([WIDTH * WORDS, *[weights] * LAYERS, WIDTH * WORDS], float)
cost = parameters.copy()
cost[0] = 0  # looked up
cost[1:-1:2] += 2 * HEADS * WINDOW * 3 / 4  # on average over the positions of a token
cost[2:-1:2] += 2 * HEADS * CONTEXT / 2
cost /= cost[1]

# Sending on the state of a token takes 1 % of a layer over the network, 0.1 % within a node.
machine = procmap.Topology.hierarchy([4, 2], [1, 10])
sent = np.full(LAYERS + 1, 0.001)

start = time.perf_counter()
plan = place_stages(cost, machine, traffic=sent, memory=parameters, capacity=2e9)
seconds = time.perf_counter() - start
even = np.concatenate([[0], np.arange(LAYERS) * STAGES // LAYERS, [STAGES - 1]])

for name, stage in (("equally many", even), ("procmap", plan.stage_of_layer)):
    load, memory = np.bincount(stage, cost), np.bincount(stage, parameters)
    print(
        f"{name:<12} layers {np.bincount(stage)}, slowest stage takes {load.max():5.2f} layers, "
        f"{load.max() / load.mean() - 1:.1%} above the mean; most memory {memory.max() / 1e9:.2f}e9"
    )
print(f"{plan.bottleneck:.2f} with what it sends; found in {seconds * 1e3:.0f} ms")
slowest = np.bincount(even, cost).max()
print(f"gain: {1 - plan.stage_costs.max() / slowest:.0%} less time per step")
