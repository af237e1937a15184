# SPDX-License-Identifier: MIT
"""What the command line prints about graphs and results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from procmap.mapping._evaluation import Evaluation
from procmap.mapping._report import weights_list
from procmap.mapping._result import Mapping
from procmap.mapping._tables import cut_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from procmap.graph._graph import Graph
    from procmap.mapping._report import Report
    from procmap.topology._topology import Topology

Pairs = list[tuple[str, str]]


def align(pairs: Pairs) -> str:
    """Return the pairs as lines with the second column aligned."""
    width = max(len(name) for name, _ in pairs)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in pairs)


def result_text(graph: Graph, topology: Topology, report: Report) -> str:
    """Return a summary of a result for people."""
    fault = [] if report.feasible else [("feasible", "NO")]
    pairs = [*fault, *_sizes(graph, topology), *_costs(topology, report), *_times(report)]
    return align(pairs)


def _sizes(graph: Graph, topology: Topology) -> Iterator[tuple[str, str]]:
    yield "graph", f"{graph.num_vertices} vertices, {graph.num_edges} edges"
    yield "machine", repr(topology)[len("Topology(") : -1]


def _costs(topology: Topology, report: Report) -> Iterator[tuple[str, str]]:
    yield "J", f"{report.cost} ({report.units.counts})"
    yield cut_name(report), str(report.edge_cut)
    yield "traffic inside a PE", str(report.level_traffic[0])
    levels = zip(report.level_distances, report.level_traffic[1:], strict=False)
    for i, (distance, traffic) in enumerate(levels, start=1):
        if topology.sizes:
            yield f"traffic at level {i}", f"{traffic} (distance {distance})"
        else:
            yield f"traffic at distance {distance}", str(traffic)
    for weight in report.weights:
        of = f" of {weight.name}" if len(report.weights) > 1 else ""
        yield f"imbalance{of}", f"{weight.imbalance:.2%}"
        yield f"heaviest PE{of}", f"{weight.max_block_weight} of at most {weight.capacity}"
    if report.feasible:
        yield "feasible", "yes"


def _times(report: Report) -> Iterator[tuple[str, str]]:
    if isinstance(report, Mapping):
        stats = report.stats
        yield "seconds", f"{stats.seconds:.3f} (threads: {stats.threads})"
        yield "device", f"{stats.device} ({stats.device_reason})"


def result_dict(graph: Graph, topology: Topology, report: Report) -> dict[str, Any]:
    """Return a result as a dictionary for JSON; the blocks themselves are not in it."""
    values: dict[str, Any] = {
        "num_vertices": graph.num_vertices,
        "num_edges": graph.num_edges,
        "num_pes": topology.num_pes,
        "sizes": list(topology.sizes),
        "distances": report.level_distances.tolist(),
        "cost": report.cost,
        "edge_cut": report.edge_cut,
        "level_traffic": report.level_traffic.tolist(),
        "imbalance": report.imbalance,
        "max_block_weight": report.max_block_weight,
        "capacity": report.capacity,
        "feasible": report.feasible,
    }
    if len(report.weights) > 1:
        values["weights"] = weights_list(report)
    if isinstance(report, Evaluation):
        values |= report.to_dict()
    if isinstance(report, Mapping):
        stats = report.stats
        values["seconds"] = stats.seconds
        values["device"] = stats.device
        values["device_reason"] = stats.device_reason
        values["threads"] = stats.threads
        values["phases"] = [
            {"name": p.name, "seconds": p.seconds, "calls": p.calls} for p in stats.phases
        ]
    return values


def graph_dict(graph: Graph) -> dict[str, Any]:
    """Return what `procmap check` says about a correct graph."""
    degrees = np.diff(graph.offsets)
    return {
        "vertices": graph.num_vertices,
        "edges": graph.num_edges,
        "edge_weights": graph.has_edge_weights,
        "vertex_weights": graph.has_vertex_weights,
        "total_vertex_weight": graph.total_vertex_weight,
        **({"total_weights": list(graph.total_weights)} if graph.num_weights > 1 else {}),
        "max_degree": graph.max_degree,
        "isolated_vertices": int(np.count_nonzero(degrees == 0)),
        "components": _count_components(graph.offsets, graph.heads),
    }


def _count_components(offsets: NDArray[np.int64], heads: NDArray[np.int32]) -> int:
    """Count by hooking: roots adopt the smallest root among their neighbours, paths halve."""
    n = len(offsets) - 1
    tails = np.repeat(np.arange(n), np.diff(offsets))
    root = np.arange(n)
    while True:
        a, b = root[tails], root[heads]
        apart = a > b  # both directions are there, so one of them sees the larger root first
        if not apart.any():
            return int(np.count_nonzero(root == np.arange(n)))
        np.minimum.at(root, a[apart], b[apart])
        while True:
            above = root[root]
            if np.array_equal(above, root):
                break
            root = above
