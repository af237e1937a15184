# SPDX-License-Identifier: MIT
"""All mappings of a tiny problem."""

from functools import cache

import numpy as np


@cache
def _all_mappings(num_tasks, num_pes):
    count = num_pes**num_tasks
    digits = np.arange(count)[:, None] // num_pes ** np.arange(num_tasks)[None, :]
    return (digits % num_pes).astype(np.int8)


def prices(problem, blocks):
    """Return what mappings, one per row, cost with migration; traffic in its integers."""
    total = np.zeros(len(blocks), np.float64)
    for u, v in np.argwhere(problem.traffic > 0):  # both directions
        total += problem.traffic[u, v] * problem.distances[blocks[:, u], blocks[:, v]]
    options = problem.options
    if "initial" in options:
        sizes = np.array(options.get("vertex_sizes", [1] * problem.num_tasks), np.int64)
        price = options.get("migration_cost", 0) * problem.per_traffic
        total += price * ((blocks != options["initial"]) @ sizes)
    return total


def overloads(problem, blocks):
    """Return how much too heavy the worst PE of every mapping is; below 0: nowhere too heavy."""
    loads = np.stack([(blocks == pe) @ problem.loads for pe in range(problem.num_pes)], axis=1)
    return (loads - problem.room).max(axis=1)


def legal(problem, blocks):
    """Return which mappings leave fixed tasks where they are and forbidden PEs empty."""
    good = ~problem.forbidden[blocks].any(axis=1)
    fixed = np.array(problem.options.get("fixed", [-1] * problem.num_tasks))
    return good & ((fixed < 0) | (blocks == fixed)).all(axis=1)


def fills_all(problem, blocks):
    """Return which mappings leave no PE empty, if that was asked for and there are enough tasks."""
    usable = np.flatnonzero(~problem.forbidden)
    if problem.options["allow_empty"] or not _has_task_for_each(problem, usable):
        return np.ones(len(blocks), bool)
    return np.all([(blocks == pe).any(axis=1) for pe in usable], axis=0)


def _has_task_for_each(problem, usable):
    """Do free tasks, from the lightest on, fit into the PEs that nobody is fixed to?"""
    fixed = np.array(problem.options.get("fixed", [-1] * problem.num_tasks))
    room = np.sort(problem.room[np.setdiff1d(usable, fixed)])
    loads = np.sort(problem.loads[fixed < 0])
    return len(loads) >= len(room) and bool((loads[: len(room)] <= room).all())


def feasible(problem, blocks):
    """Return which mappings are all that was asked for."""
    return legal(problem, blocks) & (overloads(problem, blocks) <= 0) & fills_all(problem, blocks)


def least_price(problem):
    """Return what the best feasible mapping costs; None if there is none."""
    blocks = _all_mappings(problem.num_tasks, problem.num_pes)
    blocks = blocks[feasible(problem, blocks)]
    return prices(problem, blocks).min() if len(blocks) else None


def least_overload(problem):
    """Return how much too heavy the worst PE is at least."""
    blocks = _all_mappings(problem.num_tasks, problem.num_pes)
    return max(0, overloads(problem, blocks[legal(problem, blocks)]).min())
