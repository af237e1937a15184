# SPDX-License-Identifier: MIT
"""Sums that are too large, refused before any work: errors say of what, in the user's units."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from procmap._util.limits import WEIGHT_LIMIT
from procmap._util.scaling import in_user_unit

if TYPE_CHECKING:
    from procmap._util.scaling import Scale
    from procmap.graph._graph import Graph
    from procmap.topology._topology import Topology

_END = 2**1024  # of the range of floats
_SMALLEST = Fraction(1, 2**1074)
_SAFE = _END >> 63  # no integer of the core times this is beyond


@dataclass(frozen=True)
class Totals:
    """What sums of a graph and a machine are made of.

    Attributes
    ----------
    traffic, farthest : int
        Of all edges in both directions, and the largest distance, in units of the core.
    traffic_scale, distance_scale : Scale
        Of these.
    loads : tuple of (str, Scale, int)
        Every weight of a vertex: its name, unit, and sum.
    messages : bool
        Whether J counts every message once.
    """

    traffic: int
    traffic_scale: Scale
    farthest: int
    distance_scale: Scale
    loads: tuple[tuple[str, Scale, int], ...]
    messages: bool = False


def check_sums(graph: Graph, topology: Topology) -> None:
    """Raise OverflowError if a cost may be beyond 62 bits, or a cost or load beyond all floats."""
    loads = zip(graph.weight_names, graph.load_scales, graph.total_weights, strict=True)
    check_totals(
        Totals(
            graph._native.total_arc_weight,
            graph.traffic_scale,
            topology._native.max_distance,
            topology.distance_scale,
            tuple(loads),
            graph.counts_messages,
        )
    )


def check_totals(of: Totals) -> None:
    """Raise OverflowError as `check_sums` does."""
    if of.traffic * max(1, of.farthest) >= WEIGHT_LIMIT:
        raise OverflowError(_too_large(of))
    scales = (of.traffic_scale, of.distance_scale, *(scale for _, scale, _ in of.loads))
    if any(scale.digits for scale in scales):
        _check_costs(of.traffic * of.farthest, of.traffic_scale.unit * of.distance_scale.unit)
        _check_loads(of)


def _too_large(of: Totals) -> str:
    """Name both factors; fractions are scaled anyway, so that only the other one helps."""
    what = (
        f"traffic adds up to {in_user_unit(of.traffic // 2, of.traffic_scale)}"
        if of.messages
        else f"the edges of graph weigh {in_user_unit(of.traffic, of.traffic_scale)} in both "
        "directions"
    )
    factors = {"weights": of.traffic_scale, "distances": of.distance_scale}
    whole = " or ".join(name for name, scale in factors.items() if not scale.digits)
    farthest = in_user_unit(of.farthest, of.distance_scale)
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


def _check_loads(of: Totals) -> None:
    for name, load, total in of.loads:
        if load.unit > _SAFE and total * load.unit >= _END:
            raise OverflowError(f"the total {name} of graph is beyond the range of floats, 1.8e308")
