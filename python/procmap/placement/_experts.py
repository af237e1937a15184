# SPDX-License-Identifier: MIT
"""`place_experts`: experts of a mixture-of-experts model on GPUs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.errors import ConfigError
from procmap.mapping._api import map as map_graph
from procmap.placement._expert_inputs import (
    Size,
    as_amount,
    as_coactivation,
    as_groups,
    as_loads,
    as_old,
    check_range,
    held,
)
from procmap.placement._expert_placement import ExpertPlacement
from procmap.placement._groups import solve_in_groups
from procmap.placement._layer import Layer, in_slots, solve
from procmap.placement._machine import as_machine
from procmap.placement._packing import Packing, scaled_loads
from procmap.placement._traffic import Price
from procmap.topology._topology import Topology
from procmap.traffic._traffic import Traffic

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from procmap.config._fields import Preset

# Bytes of the weights of an expert of DeepSeek-V3 (three matrices of 7168 x 2048, one byte each)
# by those that a token sends to an expert and gets back (7168 of one byte, and of two).
MOVE_COST = 2000.0

_USUAL, _SAFE = 100, 900  # powers of two


def place_experts(
    load: ArrayLike,
    topology: Topology | int,
    *,
    num_slots: int | None = None,
    coactivation: ArrayLike | None = None,
    old: ArrayLike | ExpertPlacement | None = None,
    groups: int | None = None,
    nodes: int | None = None,
    imbalance: float = 0.005,
    move_cost: float = MOVE_COST,
    preset: Preset | None = None,
) -> ExpertPlacement:
    """Give experts, and replicas of those with most load, slots on GPUs.

    Every GPU gets equally many experts, exactly. Replicas share the load of their expert evenly,
    and no GPU holds two of the same unless slots would stay empty. The loads of GPUs are as even as
    possible; within `imbalance`, traffic and moves are made small. The same input gives the same
    placement on every machine.

    Parameters
    ----------
    load : array_like of int or float, shape (layers, E) or (E,)
        Tokens that every expert got, >= 0, in any unit. A layer without load counts as even.
    topology : Topology or int
        The GPUs, in the order of ranks; a number if they are equally far from each other.
    num_slots : int, optional
        R: experts with all replicas, at least E and a multiple of the number of GPUs; the next
        such number if None.
    coactivation : array_like, shape (E, E) or (layers, E, E), optional
        Tokens that went to both of two experts (`count_coactivation`), symmetric, >= 0. What
        counts is J: the sum over all pairs of tokens in common times the distance of the GPUs,
        replicas taking even shares. If None, distances do not matter.
    old : ExpertPlacement, or array_like of int, shape (layers, R), optional
        Experts in the slots today, -1 for none, slots of a GPU one after the other. A slot whose
        expert is not on its GPU today is a move.
    groups : int, optional
        The experts are so many groups of successive ones (group-limited routing), and a group
        must stay on one node. Must divide E, and be a multiple of `nodes`.
    nodes : int, optional
        With `groups`: number of nodes, of as many successive GPUs each; the hosts of `topology`,
        or its outermost level, if None.
    imbalance : float
        How much fuller the fullest GPU may be than in the most even placement found, for less
        traffic or fewer moves; >= 0.
    move_cost : float
        What a move costs, in units of traffic times distance. The default is what the weights of
        an expert are worth in tokens in DeepSeek-V3: right if `coactivation` covers the time until
        experts are placed again.
    preset : str, optional
        With `coactivation`, and not with `groups`: one of the placements that are improved starts
        from a mapping by this preset of `procmap.map`; "fast" if None. Others take longer.

    Returns
    -------
    ExpertPlacement

    Raises
    ------
    ConfigError
        If an argument is malformed; the message names it and the entry.
    OverflowError
        If the load of a layer, or J, may be beyond the range of floats.

    Examples
    --------
    >>> place_experts([9, 3, 3, 3], 3, num_slots=6).physical_to_logical
    array([[0, 1, 0, 2, 0, 3]])
    """
    loads = as_loads(load)
    machine = as_machine(topology)
    size = Size.of(loads, machine, num_slots)
    pairs = as_coactivation(coactivation, size)
    before = as_old(old, size)
    grouped = as_groups(groups, nodes, size, machine)
    allowed = as_amount(imbalance, "imbalance")
    move = as_amount(move_cost, "move_cost")
    if preset is not None and (grouped is not None or pairs is None):
        raise ConfigError("preset needs coactivation, and does not go with groups")
    distances = machine.distance_matrix().astype(np.float64)
    if pairs is not None:
        check_range(pairs, distances)
    placed = []
    for i in range(size.layers):
        together = None if pairs is None else pairs[i if len(pairs) > 1 else 0]
        weights = None if before is None else held(before[i], size)
        own = None if before is None else before[i]
        price = Price(together, distances, weights, move)
        layer = Layer(scaled_loads(loads[i]), size.slots, size.gpus, price, allowed, own)
        packing = _solved(layer, grouped, machine, preset)
        placed.append((in_slots(packing, own), price.traffic(packing), price.moves(packing)))
    slots, traffic, moves = zip(*placed, strict=True)
    return ExpertPlacement._of(np.array(slots), loads, size.gpus, list(traffic), list(moves))


def _solved(
    layer: Layer, grouped: tuple[int, int] | None, machine: Topology, preset: Preset | None
) -> Packing:
    if grouped is not None:
        return solve_in_groups(layer, *grouped)

    def mapped(talk: NDArray[np.float64]) -> NDArray[np.int32]:
        options: dict[str, Any] = {"preset": preset or "fast", "imbalance": 0.0, "threads": 1}
        messages = Traffic.from_matrix(_near_one(talk, machine))
        found = map_graph(messages, machine, device="cpu", **options)
        return np.asarray(found.blocks)

    return solve(layer, mapped)


def _near_one(talk: NDArray[np.float64], machine: Topology) -> NDArray[np.float64]:
    """Return traffic whose products with distances are no extreme floats."""
    _, exponent = math.frexp(machine.distance_matrix().max())
    shift = -min(max(exponent, -_SAFE), _SAFE)
    return np.ldexp(talk, shift) if abs(exponent) > _USUAL else talk
