# SPDX-License-Identifier: MIT
"""Map a 200 x 200 grid of tasks onto 6 nodes of 8 processors with 4 cores each."""

import numpy as np

import procmap

# Every task talks to its neighbours in the grid: both directions of every edge, row by row.
rows = columns = 200
task = np.arange(rows * columns).reshape(rows, columns)
edges = np.concatenate(
    [
        np.stack([task[:, :-1].ravel(), task[:, 1:].ravel()], axis=1),
        np.stack([task[:-1].ravel(), task[1:].ravel()], axis=1),
    ]
)
graph = procmap.Graph.from_edges(edges)

# 4 cores per processor, 8 processors per node, 6 nodes; a message between nodes costs 100 times
# as much as one between two cores of a processor.
machine = procmap.Topology.hierarchy("4:8:6", "1:10:100")

mapping = procmap.map(graph, machine)

# What the scheduler would do: the first tasks onto the first core, and so on.
in_order = np.arange(graph.num_vertices) * machine.num_pes // graph.num_vertices
before = procmap.evaluate(graph, in_order, machine)

print(graph)
print(machine)
print(f"cost in block order  {before.cost:>9}")
print(f"cost of the mapping  {mapping.cost:>9}  ({1 - mapping.cost / before.cost:.0%} less)")
print(f"imbalance            {mapping.imbalance:>9.2%}  (feasible: {mapping.feasible})")
print(f"seconds              {mapping.stats.seconds:>9.3f}")
for phase in sorted(mapping.stats.phases, key=lambda phase: -phase.seconds):
    print(f"  {phase.name:<18} {phase.seconds:>9.3f}")
