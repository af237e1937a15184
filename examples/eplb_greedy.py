# SPDX-License-Identifier: MIT
"""The greedy balancer that vLLM and SGLang have built in, written anew from its description.

Source: README of deepseek-ai/EPLB: groups are packed onto nodes, the heaviest first, each onto the
lightest that has room; in every node the expert whose replicas carry most gets one more until all
slots are used; replicas are packed onto GPUs in the same way as groups.
"""

import numpy as np


def eplb_greedy(load, num_slots, num_groups, num_nodes, num_gpus):
    """Expert in every slot, for one layer; without groups: num_groups = num_nodes = 1."""
    load = np.asarray(load, float)
    members = np.arange(len(load)).reshape(num_groups, -1)
    node_of_group = packed(load[members].sum(axis=1), num_nodes)
    slots = []
    for node in range(num_nodes):
        own = members[node_of_group == node].ravel()
        expert, counts = replicated(load[own], num_slots // num_nodes)
        gpu = packed((load[own] / counts)[expert], num_gpus // num_nodes)
        slots += [own[expert[gpu == g]] for g in range(num_gpus // num_nodes)]
    return np.concatenate(slots)


def packed(weights, num_packs):
    """Pack of every item; all packs get equally many."""
    pack = np.zeros(len(weights), int)
    total, used = np.zeros(num_packs), np.zeros(num_packs, int)
    for item in np.argsort(-weights, kind="stable"):
        open_packs = np.flatnonzero(used < len(weights) // num_packs)
        pack[item] = open_packs[np.argmin(total[open_packs])]
        total[pack[item]] += weights[item]
        used[pack[item]] += 1
    return pack


def replicated(load, num_slots):
    """Expert of every replica, and how many replicas every expert has."""
    expert, counts = list(range(len(load))), np.ones(len(load), int)
    while len(expert) < num_slots:
        expert.append(int(np.argmax(load / counts)))
        counts[expert[-1]] += 1
    return np.array(expert), counts


def gpu_loads(slots, load, num_gpus):
    """What every GPU has to do if replicas share evenly."""
    counts = np.bincount(slots, minlength=len(load))
    return (np.asarray(load, float) / counts)[slots].reshape(num_gpus, -1).sum(axis=1)


def moves(slots, old, num_gpus):
    """Slots whose expert was not on their GPU."""
    before = np.reshape(old, (num_gpus, -1))
    return sum(
        expert not in before[gpu]
        for gpu, row in enumerate(np.reshape(slots, (num_gpus, -1)))
        for expert in row
    )
