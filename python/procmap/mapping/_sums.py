# SPDX-License-Identifier: MIT
"""Sums that are too large, refused before any work: errors say of what, in the user's units."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from procmap._util.limits import WEIGHT_LIMIT
from procmap._util.scaling import in_user_unit

if TYPE_CHECKING:
    from procmap.graph._graph import Graph
    from procmap.topology._topology import Topology

_END = 2**1024  # of the range of floats
_SMALLEST = Fraction(1, 2**1074)
_SAFE = _END >> 63  # no integer of the core times this is beyond


def check_sums(graph: Graph, topology: Topology) -> None:
    """Raise OverflowError if a cost may be beyond 62 bits, or a cost or load beyond all floats."""
    total, farthest = graph._native.total_arc_weight, topology._native.max_distance
    if total * farthest >= WEIGHT_LIMIT:
        raise OverflowError(_too_large(graph, topology))
    scales = (graph.traffic_scale, topology.distance_scale, *graph.load_scales)
    if any(scale.digits for scale in scales):
        _check_costs(total * farthest, graph.traffic_scale.unit * topology.distance_scale.unit)
        _check_loads(graph)


def _too_large(graph: Graph, topology: Topology) -> str:
    """Name both factors; fractions are scaled anyway, so that only the other one helps."""
    total = graph._native.total_arc_weight
    what = (
        f"traffic adds up to {in_user_unit(total // 2, graph.traffic_scale)}"
        if graph.counts_messages
        else f"the edges of graph weigh {in_user_unit(total, graph.traffic_scale)} in both "
        "directions"
    )
    factors = {"weights": graph.traffic_scale, "distances": topology.distance_scale}
    whole = " or ".join(name for name, scale in factors.items() if not scale.digits)
    farthest = in_user_unit(topology._native.max_distance, topology.distance_scale)
    return (
        f"J could exceed 2^62: {what}, and PEs of topology are up to {farthest} from each other; "
        f"scale {whole} down"
    )


def _check_costs(largest: int, unit: Fraction) -> None:
    if not _SMALLEST <= unit <= _SAFE and (unit < 1 or largest * unit >= _END):
        raise OverflowError(
            "costs may be beyond the range of floats, 5e-324 to 1.8e308; give weights of graph or "
            "distances of topology in other units"
        )


def _check_loads(graph: Graph) -> None:
    loads = zip(graph.weight_names, graph.load_scales, graph.total_weights, strict=True)
    for name, load, total in loads:
        if load.unit > _SAFE and total * load.unit >= _END:
            raise OverflowError(f"the total {name} of graph is beyond the range of floats, 1.8e308")
