# SPDX-License-Identifier: MIT
"""`place_stages`: layers of a model to the stages of a pipeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from procmap._util.arrays import as_flag
from procmap._util.errors import ConfigError
from procmap.mapping._api import map as map_graph
from procmap.mapping._reorder import reorder_ranks
from procmap.mapping._tasks import as_tasks
from procmap.placement._chain import cut
from procmap.placement._machine import as_machine
from procmap.placement._stage_exchanges import Exchanges
from procmap.placement._stage_inputs import (
    as_chain,
    as_memory,
    as_vector,
    check_costs,
    is_chain,
    total_of,
)
from procmap.placement._stage_places import PlacedChain, best_places
from procmap.placement._stage_rooms import order_that_fits
from procmap.traffic._traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from procmap.config._fields import Preset
    from procmap.graph._graph import Graph
    from procmap.mapping._tasks import TasksLike
    from procmap.topology._topology import Topology

    _Placed: TypeAlias = Callable[[NDArray[np.int32]], "StagePlacement | None"]

_FEW = 8  # stages whose best places are searched for among all


@dataclass(frozen=True, eq=False, repr=False)
class StagePlacement:
    """Which layers are in which stage of a pipeline, and where the stages are.

    Attributes
    ----------
    stage_of_layer : numpy.ndarray of int32, shape (n,)
        In [0, S).
    pe_of_stage : numpy.ndarray of int32, shape (S,)
        PE of the machine.
    stage_costs : numpy.ndarray of float64, shape (S,)
        Sum of the costs of the layers of every stage.
    stage_sends : numpy.ndarray of float64, shape (S,)
        Traffic that leaves every stage times distance.
    """

    stage_of_layer: NDArray[np.int32]
    pe_of_stage: NDArray[np.int32]
    stage_costs: NDArray[np.float64]
    stage_sends: NDArray[np.float64]

    @property
    def layers(self) -> tuple[tuple[int, ...], ...]:
        """Layers of every stage, in ascending order."""
        return tuple(
            tuple(np.flatnonzero(self.stage_of_layer == stage).tolist())
            for stage in range(len(self.pe_of_stage))
        )

    @property
    def bottleneck(self) -> float:
        """Cost of the slowest stage, what it sends included."""
        return float((self.stage_costs + self.stage_sends).max())

    @property
    def imbalance(self) -> float:
        """How far the stage with the most costly layers is above the mean."""
        mean = float(self.stage_costs.mean())
        return float(self.stage_costs.max()) / mean - 1 if mean > 0 else 0.0

    def __repr__(self) -> str:
        return (
            f"StagePlacement({len(self.stage_of_layer)} layers in {len(self.pe_of_stage)} stages, "
            f"bottleneck {self.bottleneck:.6g}, imbalance {self.imbalance:.2%})"
        )


def place_stages(
    costs: ArrayLike,
    topology: Topology | int,
    *,
    traffic: ArrayLike | TasksLike | None = None,
    contiguous: bool = True,
    memory: ArrayLike | None = None,
    capacity: ArrayLike | None = None,
    imbalance: float | None = None,
    preset: Preset = "default",
) -> StagePlacement:
    """Give the layers of a model to the stages of a pipeline.

    Parameters
    ----------
    costs : array_like of float, shape (n,)
        What every layer takes, >= 0: its time or its floating point operations.
    topology : Topology or int
        A PE per stage, S of them; a number if they are equally far from each other.
    traffic : array_like of float, shape (n - 1,), or graph_like, optional
        What layer i and layer i + 1 send each other; for a model that is no chain of layers a
        graph or a matrix of traffic between layers (`procmap.map`), which needs
        ``contiguous=False``. Times the distance of the stages it is a cost: give it in the unit of
        `costs`. If None nothing.
    contiguous : bool
        Every stage is a run of successive layers, none is empty, and the largest sum of a stage's
        costs and of what it sends is as small as it can be, for more than 8 stages for the places
        that they have got; of all such cuts it is one that sends least. Otherwise any layer may be
        in any stage: loads are balanced, and the sum of traffic times distance is made small.
    memory : array_like of float, shape (n,), optional
        Of every layer. Only with `contiguous`.
    capacity : array_like of float, shape (S,), or float, optional
        Memory of every PE, or of each.
    imbalance, preset
        Without `contiguous`: as in `procmap.map`.

    Returns
    -------
    StagePlacement

    Raises
    ------
    ConfigError
        If an argument is malformed, there are fewer layers than stages, or memory does not
        suffice.
    GraphError
        If a graph is malformed.
    OverflowError
        If a sum of `costs`, `memory` or `traffic`, this times distance, may be beyond the range of
        floats; the message names it.

    Examples
    --------
    >>> place_stages([1, 1, 1, 3, 1, 1], 3).layers
    ((0, 1, 2), (3,), (4, 5))
    """
    work, machine = as_vector(costs, None, "costs"), as_machine(topology)
    if not as_flag(contiguous, "contiguous"):
        if memory is not None or capacity is not None:
            raise ConfigError("memory and capacity need contiguous=True")
        return _mapped(work, machine, traffic, imbalance, preset)
    n, stages = len(work), machine.num_pes
    if n < stages:
        raise ConfigError(f"there are {n} layers for {stages} stages, and none may be empty")
    sent = as_chain(traffic, n)
    held, room = as_memory(memory, capacity, n, stages)
    _check_range(work, total_of(sent, "traffic"), machine)
    return _contiguous(work, sent, held, room, machine)


def _check_range(work: NDArray[np.float64], sent: float, machine: Topology) -> None:
    farthest = float(machine.distance_matrix().max(initial=0))
    check_costs(total_of(work, "costs"), sent, farthest)


def _contiguous(
    work: NDArray[np.float64],
    sent: NDArray[np.float64],
    held: NDArray[np.float64],
    room: NDArray[np.float64],
    machine: Topology,
) -> StagePlacement:
    """Cut the chain for several orders of the stages, of few of them for the best of all."""
    sums = np.concatenate([[0.0], np.cumsum(work)]), np.concatenate([[0.0], np.cumsum(held)])
    distances = machine.distance_matrix().astype(np.float64)
    chain = PlacedChain(*sums, sent, distances, room)

    def placed(places: NDArray[np.int32]) -> StagePlacement | None:
        ordered = chain.in_order(places)
        ends = cut(ordered)
        return None if ends is None else _placement(work, sent, ends, places, ordered.hops)

    best = _near_each_other(placed, sent, machine)
    if machine.num_pes <= _FEW and not chain.orders_are_alike:
        rounding = 1 + 1e-9
        bound = np.finfo(float).max if best is None else best.bottleneck * rounding
        places = best_places(chain, bound)
        best = best if places is None else _better(best, placed(places))
    elif best is None and (places := order_that_fits(chain)) is not None:
        best = placed(places)
    if best is not None and machine.num_pes > _FEW and not chain.orders_are_alike:
        better = Exchanges(chain).improve(best.pe_of_stage, best.bottleneck)
        best = _better(best, placed(better))
    if best is None:
        raise ConfigError(
            f"the layers need {held.sum():g} of memory, and no run of them for every stage fits "
            f"into its capacity (together {sum(room.tolist()):g})"
        )
    return best


def _near_each_other(
    placed: _Placed, sent: NDArray[np.float64], machine: Topology
) -> StagePlacement | None:
    """Place stages by what they send, cut, and so on until an order comes again."""
    best: StagePlacement | None = None
    places = np.arange(machine.num_pes, dtype=np.int32)
    tried: set[bytes] = set()
    steps = np.ones(machine.num_pes - 1)
    while places.tobytes() not in tried:
        tried.add(places.tobytes())
        found = placed(places)
        best = _better(best, found)
        if found is not None:
            ends = np.flatnonzero(np.diff(found.stage_of_layer))
            steps = sent[ends] if sent[ends].any() else np.ones(len(ends))
        places = _along(steps, machine)
    return best


def _better(best: StagePlacement | None, found: StagePlacement | None) -> StagePlacement | None:
    if best is None or found is None:
        return best or found
    return found if _rank(found) < _rank(best) else best


def _along(steps: NDArray[np.float64], machine: Topology) -> NDArray[np.int32]:
    """Return PEs for stages of which each sends to the next."""
    stage = np.arange(len(steps))
    traffic = Traffic.from_messages(stage, stage + 1, steps, len(steps) + 1)
    return np.asarray(reorder_ranks(traffic, machine).blocks)


def _rank(placement: StagePlacement) -> tuple[float, float]:
    return placement.bottleneck, float(placement.stage_sends.sum())


def _placement(
    work: NDArray[np.float64],
    sent: NDArray[np.float64],
    ends: NDArray[np.int64],
    places: NDArray[np.int32],
    hops: NDArray[np.float64],
) -> StagePlacement:
    begins = np.concatenate([[0], ends[:-1]])
    stage = np.repeat(np.arange(len(ends), dtype=np.int32), ends - begins)
    sends = np.zeros(len(ends))
    sends[:-1] = sent[ends[:-1] - 1] * hops
    return StagePlacement(stage, places, np.add.reduceat(work, begins), sends)


def _mapped(
    work: NDArray[np.float64],
    machine: Topology,
    traffic: ArrayLike | TasksLike | None,
    imbalance: float | None,
    preset: Preset,
) -> StagePlacement:
    n = len(work)
    layers = np.arange(n)
    given: Any = traffic
    if is_chain(traffic):
        given = Traffic.from_messages(layers[:-1], layers[1:], as_chain(traffic, n), n)
    tasks = as_tasks(given)
    if tasks.num_vertices != n:
        raise ConfigError(f"traffic is of {tasks.num_vertices} layers, but costs of {n}")
    _check_range(work, _total_traffic(tasks), machine)
    mapping = map_graph(
        tasks, machine, vertex_weights=work, imbalance=imbalance, preset=preset, device="cpu"
    )
    blocks = np.asarray(mapping.blocks, np.int32)
    stages = machine.num_pes
    costs = np.bincount(blocks, work, stages).astype(np.float64)
    return StagePlacement(
        blocks, np.arange(stages, dtype=np.int32), costs, _sends(tasks, blocks, machine)
    )


def _total_traffic(tasks: Graph) -> float:
    """Return the traffic of both directions, which is J where all distances are 1."""
    weights: NDArray[Any] = tasks.traffic_scale.restore(np.asarray(tasks.arc_weights))
    return total_of(weights, "traffic")


def _sends(tasks: Graph, blocks: NDArray[np.int32], machine: Topology) -> NDArray[np.float64]:
    """Return what every stage sends: the first layer of two pays for the traffic of both."""
    tail = np.repeat(np.arange(tasks.num_vertices), np.diff(tasks.offsets))
    head = np.asarray(tasks.heads)
    forward = tail < head
    here, there = blocks[tail[forward]], blocks[head[forward]]
    amount = tasks.traffic_scale.restore(np.asarray(tasks.arc_weights))[forward]
    paid = amount * machine.distance_matrix()[here, there]
    return np.bincount(here, paid, machine.num_pes).astype(np.float64)
