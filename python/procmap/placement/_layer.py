# SPDX-License-Identifier: MIT
"""The experts of one layer: from their loads to the slots of GPUs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from procmap.placement._balance import MANY, most_even
from procmap.placement._packing import BEYOND, Packing, replica_counts, separate
from procmap.placement._repair import repair
from procmap.placement._traffic import Price, exchange

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Mapper: TypeAlias = Callable[[NDArray[np.float64]], NDArray[np.int32]]

_HOT = 1.0  # annealing of an even placement begins here: who talks to whom did not count yet
_WARM = 0.1  # and that of a mapping or of the old placement here


@dataclass(frozen=True)
class Layer:
    """What is asked for.

    Attributes
    ----------
    loads : numpy.ndarray of int64, shape (E,)
        Scaled, see `_packing`.
    num_slots, num_gpus : int
        R and G.
    price : Price
        What counts besides loads.
    imbalance : float
        How much fuller than in the most even placement a GPU may be for the sake of the price.
    old : numpy.ndarray of int64, shape (R,), or None
        Expert in every slot, -1 for none.
    """

    loads: NDArray[np.int64]
    num_slots: int
    num_gpus: int
    price: Price
    imbalance: float
    old: NDArray[np.int64] | None


def solve(layer: Layer, mapper: Mapper | None = None) -> Packing:
    """Return the cheapest of the placements found within the bound.

    Parameters
    ----------
    layer
        What is asked for.
    mapper : callable, optional
        Returns GPUs of replicas such that traffic is small, shape (R,), given the traffic of every
        two; loads do not matter. Called only if traffic counts.
    """
    if layer.num_slots // layer.num_gpus >= len(layer.loads):
        return _everywhere(layer)
    counts = replica_counts(layer.loads, layer.num_slots, layer.num_gpus)
    even = most_even(layer.loads, counts, layer.num_gpus)
    peak = int(even.gpu_loads().max())
    bound = peak + int(min(peak * layer.imbalance, float(MANY)))
    found = [(even, _HOT)]
    if layer.old is not None:
        kept = _of_old(layer)
        repair(kept, _held_before(layer), bound)
        fits = kept.gpu_loads().max() <= bound and layer.price.together is None
        found = [(kept, _WARM)] if fits else [(kept, _WARM), (even, _HOT)]
    if mapper is not None and layer.price.together is not None:
        found.append((_of_mapped(layer, even, mapper), _WARM))
    for packing, heat in found:
        exchange(packing, layer.price, bound, heat)
    packings = [packing for packing, _ in found]
    return min(packings, key=lambda packing: _rank(packing, layer.price, bound))


def _everywhere(layer: Layer) -> Packing:
    """Return the placement in which all GPUs hold the same experts, all of them."""
    size = layer.num_slots // layer.num_gpus
    expert = np.tile(np.arange(size) % len(layer.loads), layer.num_gpus)
    return Packing(layer.loads, layer.num_gpus, expert, np.repeat(np.arange(layer.num_gpus), size))


def _rank(packing: Packing, price: Price, bound: int) -> tuple[int, float, int]:
    loads = packing.gpu_loads()
    return int(np.maximum(loads - bound, 0).sum()), price.of(packing), int(loads.max())


def _held_before(layer: Layer) -> NDArray[np.bool_]:
    assert layer.price.old is not None
    return layer.price.old


def _of_old(layer: Layer) -> Packing:
    """Return the old placement, made complete.

    Experts without a replica get slots of those with several, and a second replica on a GPU, which
    helps nobody, becomes one of an expert that needs it.
    """
    assert layer.old is not None
    expert = layer.old.copy()
    gpu = np.arange(layer.num_slots) // (layer.num_slots // layer.num_gpus)
    for slot in np.flatnonzero(expert < 0).tolist():
        expert[slot] = _neediest(layer.loads, expert)
    packing = Packing(layer.loads, layer.num_gpus, expert, gpu)
    for missing in np.flatnonzero(packing.counts == 0).tolist():
        counts = packing.counts
        spare = np.where(counts > 1, layer.loads // np.maximum(counts, 1), BEYOND)
        slot = int(np.argmin(spare[expert]))
        expert[slot] = missing
    for slot in range(layer.num_slots):
        held = packing.held
        if held[expert[slot], gpu[slot]] > 1:
            counts = packing.counts
            share = np.where(held[:, gpu[slot]] == 0, layer.loads // counts, -1)
            expert[slot] = np.argmax(share) if share.max() >= 0 else expert[slot]
    return packing


def _neediest(loads: NDArray[np.int64], expert: NDArray[np.int64]) -> int:
    """Return an expert without a replica, or else the one whose replicas carry most."""
    counts = np.bincount(expert[expert >= 0], minlength=len(loads))
    return int(np.argmax(np.where(counts == 0, BEYOND, loads // np.maximum(counts, 1))))


def _of_mapped(layer: Layer, even: Packing, mapper: Mapper) -> Packing:
    """Return a mapping of replicas, in which no GPU holds two of an expert if that is possible."""
    expert = np.sort(even.expert)
    packing = Packing(layer.loads, layer.num_gpus, expert, np.zeros_like(expert))
    packing.gpu = mapper(layer.price.between(packing)).astype(np.int64)
    separate(packing)
    return packing


def in_slots(packing: Packing, old: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Return the expert in every slot, shape (R,).

    What stays on a GPU stays in its slot; the rest come in the order of experts.
    """
    size = len(packing.expert) // packing.num_gpus
    slots = np.full((packing.num_gpus, size), -1, np.int64)
    before = None if old is None else old.reshape(packing.num_gpus, size).tolist()
    for gpu in range(packing.num_gpus):
        left = sorted(packing.expert[packing.gpu == gpu].tolist())
        if before is not None:
            for slot, expert in enumerate(before[gpu]):
                if expert in left:
                    slots[gpu, slot] = expert
                    left.remove(expert)
        slots[gpu, slots[gpu] < 0] = left
    return slots.reshape(-1)
