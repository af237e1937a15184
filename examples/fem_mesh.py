# SPDX-License-Identifier: MIT
"""Partition an unstructured mesh for a cluster instead of for k equal strangers.

FEM and CFD codes cut their mesh by coordinates, or hand its dual graph (a vertex per element, an
edge per shared face) to a graph partitioner, which minimises the edge cut. Mapping the same graph
onto the machine also makes the parts on one node neighbours. Needs SciPy, which makes the mesh.
"""

import numpy as np

try:
    from scipy.spatial import Delaunay
except ImportError:
    raise SystemExit("this example makes its mesh with SciPy: pip install scipy") from None

import procmap
from procmap.compat import part_graph  # the signature of pymetis.part_graph


def cut_by_coordinates(centres, parts):
    """Recursive coordinate bisection: halve the longer side until there are `parts` parts."""
    if parts == 1:
        return np.zeros(len(centres), int)
    order = np.argsort(centres[:, np.argmax(np.ptp(centres, axis=0))])
    part = np.empty(len(centres), int)
    for side, elements in enumerate(np.array_split(order, 2)):
        part[elements] = side * (parts // 2) + cut_by_coordinates(centres[elements], parts // 2)
    return part


# Triangles of a disc, fine in the middle as around an obstacle in a flow.
rng = np.random.default_rng(2)
radius = 0.1 + 10 * rng.random(12_000) ** 2
angle = 2 * np.pi * rng.random(12_000)
points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
mesh = Delaunay(points)

# The dual graph in METIS's arrays: the neighbours of every triangle, -1 where there is none.
real = mesh.neighbors >= 0
xadj = np.concatenate([[0], np.cumsum(real.sum(axis=1))])
adjncy = mesh.neighbors[real]

# Innermost first: 8 cores per socket, 2 sockets per node, 8 nodes.
machine = procmap.Topology.hierarchy("8:2:8", "1:5:50")

mapping = procmap.map((xadj, adjncy), machine)
mapping.write("mesh.part.128", format="metis")  # the part of every element, as gpmetis writes it

ways = {
    "by coordinates": cut_by_coordinates(points[mesh.simplices].mean(axis=1), 128),
    "edge cut only": part_graph(128, xadj=xadj, adjncy=adjncy).vertex_part,
    "mapped": mapping,
}
reports = {way: procmap.evaluate((xadj, adjncy), part, machine) for way, part in ways.items()}
print(f"{len(mesh.simplices)} triangles on {machine}")
for way, report in reports.items():
    between_nodes = report.level_traffic[3] // 2
    print(
        f"{way:<15} cut faces {report.edge_cut:>5}, between nodes {between_nodes:>4}, "
        f"cost {report.cost:>6}, imbalance {report.imbalance:.1%}"
    )
print(
    f"gain: {1 - mapping.cost / reports['by coordinates'].cost:.0%} less cost than by coordinates"
)
