# SPDX-License-Identifier: MIT
"""Repartition a mesh whose load moves, and leave most of it where it is.

An adaptive simulation refines around a front that travels through the mesh. Every few steps the
loads are out of balance; a partition from scratch would balance them but move nearly every cell to
another rank. `initial=` starts from where the cells are, `migration_cost=` says what a move costs.
The price is a somewhat larger halo exchange, so start afresh from time to time.
"""

import numpy as np

import procmap

ROWS = COLUMNS = 80
cell = np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)
edges = np.concatenate(
    [
        np.stack([cell[:, :-1].ravel(), cell[:, 1:].ravel()], axis=1),
        np.stack([cell[:-1].ravel(), cell[1:].ravel()], axis=1),
    ]
)
graph = procmap.Graph.from_edges(edges)
machine = procmap.Topology.hierarchy("8:2:2", "1:5:20")  # innermost first: 2 nodes of 2 x 8 cores


def load_with_front_at(x):
    """Work per cell: eight times as much near the front."""
    column = np.tile(np.arange(COLUMNS), ROWS)
    return np.where(np.abs(column - x) < 5, 8, 1)


ranks = anew = procmap.map(graph, machine, vertex_weights=load_with_front_at(10)).blocks
moved = moved_anew = cost = cost_anew = 0
for front in range(15, 45, 8):
    tasks = graph.with_vertex_weights(load_with_front_at(front))
    late = procmap.evaluate(tasks, ranks, machine).imbalance

    # What a cell holds is worth a few time steps of halo exchange. The best value is the cost of
    # moving a cell, divided by the number of time steps until the next repartitioning.
    update = procmap.map(tasks, machine, initial=ranks, migration_cost=0.5)
    scratch = procmap.map(tasks, machine)
    changes = (scratch.blocks != anew).sum()

    print(
        f"front at {front}: imbalance {late:>4.0%} -> {update.imbalance:.0%}, "
        f"{update.migrated_tasks:>5} cells move (from scratch {changes:>5}), "
        f"cost {update.cost:>6} (from scratch {scratch.cost:>6})"
    )
    moved += update.migrated_tasks
    moved_anew += changes
    cost, cost_anew = cost + update.cost, cost_anew + scratch.cost
    ranks, anew = update.blocks, scratch.blocks

print(f"cost of the halo exchange: {cost / cost_anew - 1:+.0%} beside partitions from scratch")
print(f"gain: {1 - moved / moved_anew:.0%} fewer cells move to another rank")
