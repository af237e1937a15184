# SPDX-License-Identifier: MIT
"""What a mapping costs, in the units of its user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.limits import WEIGHT_LIMIT
from procmap._util.scaling import UNSCALED, Scale, in_user_unit
from procmap.mapping._sums import check_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap import _core
    from procmap.graph._graph import Graph
    from procmap.topology._topology import Topology

# Beyond every total load: as good as no limit.
UNLIMITED = WEIGHT_LIMIT

_LOADS_TOO = "loads that were given as vertex_weights must be part of it (as_graph)"


@dataclass(frozen=True)
class Units:
    """The units of a user's numbers, as scaled for the core; all exact 1 for integers.

    Attributes
    ----------
    traffic, load, distance : Scale
        Of edge weights, vertex weights (the first of several) and distances.
    messages : bool
        Whether J counts every edge once, as it stands for the messages of both directions: see
        `Graph.counts_messages`.
    further_loads : tuple of Scale
        Of the second and further vertex weights.
    weight_names : tuple of str
        What the vertex weights are called.
    """

    traffic: Scale = UNSCALED
    load: Scale = UNSCALED
    distance: Scale = UNSCALED
    messages: bool = False
    further_loads: tuple[Scale, ...] = ()
    weight_names: tuple[str, ...] = ("load",)

    @property
    def loads(self) -> tuple[Scale, ...]:
        """Of every vertex weight."""
        return (self.load, *self.further_loads)

    @property
    def scales(self) -> dict[str, Scale]:
        """The three scales by name."""
        return {"traffic": self.traffic, "load": self.load, "distance": self.distance}

    @property
    def counts(self) -> str:
        """What J adds up, in words."""
        return "every message once" if self.messages else "every edge twice"

    def cost_of(self, core_cost: int) -> int | float:
        """Return a cost of the core, which counts every edge twice, as users see it."""
        value = core_cost // 2 if self.messages else core_cost
        return in_user_unit(value, self.traffic, self.distance)

    @classmethod
    def of(cls, graph: Graph, topology: Topology) -> Units:
        """Return the units of a graph and a machine.

        Raises
        ------
        OverflowError
            If the cost of a mapping may be 2^62 or more, or if its cost or load may be no finite
            float in these units, or may be 0 there though it is not.
        """
        scales = (graph.traffic_scale, graph.load_scale, topology.distance_scale)
        units = cls(
            *scales,
            messages=graph.counts_messages,
            further_loads=graph.load_scales[1:],
            weight_names=graph.weight_names,
        )
        check_sums(graph, topology)
        return units


@dataclass(frozen=True, eq=False, repr=False)
class WeightReport:
    """What the PEs carry of one of the weights of a task.

    Attributes
    ----------
    name : str
        What the weight is called.
    block_weights : numpy.ndarray of int64 or float64, shape (k,)
        Load of every PE. Read-only.
    max_block_weight : int or float
        Load of the heaviest PE.
    capacities : numpy.ndarray of int64 or float64, shape (k,)
        What every PE may carry. Read-only.
    capacity : int or float
        The largest of these.
    imbalance : float
        Heaviest PE over the average, minus 1; 0 if there is no load.
    """

    name: str
    block_weights: NDArray[Any]
    max_block_weight: int | float
    capacities: NDArray[Any]
    capacity: int | float
    imbalance: float

    @classmethod
    def _from_core(
        cls, core: _core.Report | _core.WeightReport, load: Scale, name: str
    ) -> WeightReport:
        return cls(
            name=name,
            block_weights=load.restore(core.block_weights),
            max_block_weight=in_user_unit(core.max_block_weight, load),
            capacities=load.restore(core.capacities),
            capacity=in_user_unit(core.capacity, load),
            imbalance=core.imbalance,
        )

    @property
    def excess(self) -> NDArray[Any]:
        """What every PE carries beyond its capacity, shape (k,); 0 where it keeps within."""
        over: NDArray[Any] = np.maximum(self.block_weights - self.capacities, 0)
        return over

    def __repr__(self) -> str:
        return f"WeightReport({self.name!r}, imbalance={self.imbalance:.4f})"


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """What a mapping costs and whether it is balanced.

    All figures are in the units of the weights and distances given: integers for integers, floats
    for fractions, of which `units` says how they were rounded.

    Attributes
    ----------
    cost : int or float
        J, the sum of traffic times distance over ordered pairs of tasks. Of a graph every edge
        counts twice, as in KaHIP and SharedMap; of a traffic matrix it is the sum of C[i, j]
        times distance, which is the same if C is the symmetric matrix of a graph.
    edge_cut : int or float
        Traffic between different PEs, every edge once: of a traffic matrix all that is sent.
    level_traffic : numpy.ndarray of int64 or float64, shape (levels + 1,)
        Traffic inside a PE ([0]) and between PEs that first meet at level i ([i]), every edge
        once. On a machine that is no hierarchy, [i] is the traffic between PEs at distance
        ``level_distances[i - 1]``; only [0] if it has more than 64 different distances.
        Read-only.
    level_distances : numpy.ndarray of int64 or float64, shape (levels,)
        Distances of the levels of a hierarchy, otherwise all different distances, increasing.
        Read-only.
    block_weights : numpy.ndarray of int64 or float64, shape (k,)
        Load of every PE. Read-only.
    max_block_weight : int or float
        Load of the heaviest PE.
    capacities : numpy.ndarray of int64 or float64, shape (k,)
        What every PE may carry; 2**62 for all that is more, as no load is. Read-only.
    capacity : int or float
        The largest of these: ceil((1 + imbalance) c(V) / k) unless they were given, the imbalance
        being the allowed one.
    imbalance : float
        Heaviest PE over the average, minus 1.
    feasible : bool
        Whether no PE carries more than it may, in any weight, and none is empty if that was asked
        for.
    units : Units
        What one step of the integers that were computed with is worth.
    weights : tuple of WeightReport
        The same of every weight of a task; loads, capacities and imbalance above are those of the
        first.
    """

    cost: int | float
    edge_cut: int | float
    level_traffic: NDArray[Any]
    level_distances: NDArray[Any]
    block_weights: NDArray[Any]
    max_block_weight: int | float
    capacities: NDArray[Any]
    capacity: int | float
    imbalance: float
    feasible: bool
    units: Units
    weights: tuple[WeightReport, ...]

    @classmethod
    def _from_core(cls, core: _core.Report, units: Units) -> Report:
        return Report(**figures(core, units))

    @property
    def num_blocks(self) -> int:
        """Number of PEs or blocks, k."""
        return len(self.block_weights)

    def __repr__(self) -> str:
        return f"Report({self._describe()})"

    def _describe(self) -> str:
        state = "feasible" if self.feasible else "INFEASIBLE"
        imbalance = ", ".join(f"{weight.imbalance:.4f}" for weight in self.weights)
        return (
            f"{self.num_blocks} blocks, cost={self.cost}, edge_cut={self.edge_cut}, "
            f"imbalance={imbalance}, {state}"
        )


def check_loads(found: Report, mapped: Report) -> None:
    """Raise ValueError unless the PEs carry what they did when the tasks were mapped."""
    if len(found.weights) != len(mapped.weights):
        raise ValueError(
            f"not the graph that was mapped: tasks have {len(found.weights)} weights, not "
            f"{len(mapped.weights)}; {_LOADS_TOO}"
        )
    for now, then in zip(found.weights, mapped.weights, strict=True):
        differs = now.block_weights != then.block_weights
        if differs.any():
            pe = int(np.argmax(differs))
            raise ValueError(
                f"not the graph that was mapped: the load of PE {pe} is {now.block_weights[pe]}, "
                f"not {then.block_weights[pe]}; {_LOADS_TOO}"
            )


def in_steps(weights: NDArray[Any], load: Scale) -> NDArray[np.int64]:
    """Return loads or capacities of a report as the integers that the core computed with."""
    if load.digits == 0:  # never were anything else, and floats may not hold them
        return weights
    steps = weights * 10.0**load.digits if load.base == 10 else np.ldexp(weights, load.digits)
    return np.minimum(np.rint(steps), UNLIMITED).astype(np.int64)


def capacities_in_steps(report: Report) -> NDArray[np.int64]:
    """Return the capacities of a report as integers of the core, a row per PE."""
    columns = zip(report.weights, report.units.loads, strict=True)
    return np.stack([in_steps(weight.capacities, load) for weight, load in columns], axis=1)


def weights_list(report: Report) -> list[dict[str, Any]]:
    """Return what there is to say of every weight, as plain Python objects."""
    return [
        {
            "name": weight.name,
            "max_block_weight": weight.max_block_weight,
            "capacity": weight.capacity,
            "imbalance": weight.imbalance,
        }
        for weight in report.weights
    ]


def figures(core: _core.Report, units: Units) -> dict[str, Any]:
    """Return the fields of `Report`."""
    return {
        "cost": units.cost_of(core.cost),
        "edge_cut": in_user_unit(core.edge_cut, units.traffic),
        "level_traffic": units.traffic.restore(core.level_traffic),
        "level_distances": units.distance.restore(core.level_distances),
        "block_weights": units.load.restore(core.block_weights),
        "max_block_weight": in_user_unit(core.max_block_weight, units.load),
        "capacities": units.load.restore(core.capacities),
        "capacity": in_user_unit(core.capacity, units.load),
        "imbalance": core.imbalance,
        "feasible": core.feasible,
        "units": units,
        "weights": tuple(
            WeightReport._from_core(core if i == 0 else core.further[i - 1], load, name)
            for i, (load, name) in enumerate(zip(units.loads, units.weight_names, strict=True))
        ),
    }
