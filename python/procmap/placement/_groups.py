# SPDX-License-Identifier: MIT
"""Groups of experts that stay together on a node: first groups to nodes, then experts to GPUs."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from procmap.placement._layer import Layer, solve
from procmap.placement._packing import Packing
from procmap.placement._traffic import Price

if TYPE_CHECKING:
    from numpy.typing import NDArray


def solve_in_groups(layer: Layer, num_groups: int, num_nodes: int) -> Packing:
    """Return a placement in which the experts of a group are on the GPUs of one node.

    Parameters
    ----------
    layer
        What is asked for.
    num_groups
        Of as many successive experts each; a multiple of `num_nodes`.
    num_nodes
        Of as many successive GPUs each.
    """
    group_of = np.repeat(np.arange(num_groups), len(layer.loads) // num_groups)
    packing = solve(_of_groups(layer, group_of, num_groups, num_nodes))
    node_of_group = np.zeros(num_groups, np.int64)
    node_of_group[packing.expert] = packing.gpu
    node_of_expert = node_of_group[group_of]
    per_node = layer.num_gpus // num_nodes
    expert, gpu = [], []
    for node in range(num_nodes):
        own = np.flatnonzero(node_of_expert == node)
        inside = solve(_of_node(layer, own, node, num_nodes))
        expert.append(own[inside.expert])
        gpu.append(inside.gpu + node * per_node)
    return Packing(layer.loads, layer.num_gpus, np.concatenate(expert), np.concatenate(gpu))


def _of_groups(layer: Layer, group_of: NDArray[np.int64], num_groups: int, num_nodes: int) -> Layer:
    """Return the same question for groups and nodes: every group is an expert without replicas."""
    loads = np.zeros(num_groups, np.int64)
    np.add.at(loads, group_of, layer.loads)
    price = layer.price
    member = np.eye(num_groups)[group_of]
    together = None
    if price.together is not None:
        together = member.T @ price.together @ member
        np.fill_diagonal(together, 0)
    per_node = layer.num_gpus // num_nodes
    apart = price.distances.reshape(num_nodes, per_node, num_nodes, per_node).mean(axis=(1, 3))
    np.fill_diagonal(apart, 0)
    old = _old_groups(layer, group_of, num_groups, num_nodes)
    held = None
    if old is not None:
        held = np.zeros((num_groups, num_nodes), bool)
        held[old, np.arange(num_groups) // (num_groups // num_nodes)] = True
    move = min(price.move_cost * len(group_of) / num_groups, sys.float_info.max)
    return Layer(
        loads, num_groups, num_nodes, Price(together, apart, held, move), layer.imbalance, old
    )


def _old_groups(
    layer: Layer, group_of: NDArray[np.int64], num_groups: int, num_nodes: int
) -> NDArray[np.int64] | None:
    """Return the groups of every node in turn; None if they were not equally many."""
    if layer.old is None:
        return None
    node = np.arange(layer.num_slots) // (layer.num_slots // num_nodes)
    known = layer.old >= 0
    counts = np.zeros((num_groups, num_nodes), np.int64)
    np.add.at(counts, (group_of[layer.old[known]], node[known]), 1)
    home = np.argmax(counts, axis=1)
    if (np.bincount(home, minlength=num_nodes) != num_groups // num_nodes).any():
        return None
    return np.argsort(home, kind="stable")


def _of_node(layer: Layer, own: NDArray[np.int64], node: int, num_nodes: int) -> Layer:
    """Return the same question for the experts and GPUs of a node."""
    price = layer.price
    per_node, slots = layer.num_gpus // num_nodes, layer.num_slots // num_nodes
    gpus = slice(node * per_node, (node + 1) * per_node)
    old = None
    if layer.old is not None:
        number = np.full(len(layer.loads) + 1, -1, np.int64)  # the last one for slots without
        number[own] = np.arange(len(own))
        old = number[layer.old[node * slots : (node + 1) * slots]]
    inside = Price(
        None if price.together is None else price.together[np.ix_(own, own)],
        price.distances[gpus, gpus],
        None if price.old is None else price.old[own][:, gpus],
        price.move_cost,
    )
    return replace(
        layer, loads=layer.loads[own], num_slots=slots, num_gpus=per_node, price=inside, old=old
    )
