# SPDX-License-Identifier: MIT
"""Replicas of experts in the slots of GPUs: how many of each, and a first packing.

Loads are integers whose sum is below 2**40, so that all sums are exact and the same everywhere.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TOTAL = float(2**40)
BEYOND = 2**62  # all loads: the last choice of what is lightest, the first of what is heaviest


@dataclass
class Packing:
    """Replicas, each in a slot of a GPU.

    Attributes
    ----------
    loads : numpy.ndarray of int64, shape (E,)
        Of every expert, all replicas together.
    num_gpus : int
        G; every GPU has R / G slots.
    expert, gpu : numpy.ndarray of int64, shape (R,)
        Of every replica.
    """

    loads: NDArray[np.int64]
    num_gpus: int
    expert: NDArray[np.int64]
    gpu: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """Replicas of every expert."""
        return np.bincount(self.expert, minlength=len(self.loads))

    @property
    def shares(self) -> NDArray[np.int64]:
        """Load of every replica: an even share of that of its expert."""
        return (self.loads // np.maximum(self.counts, 1))[self.expert]

    @property
    def held(self) -> NDArray[np.int64]:
        """How many replicas of every expert every GPU holds, shape (E, G)."""
        cells = self.expert * self.num_gpus + self.gpu
        flat = np.bincount(cells, minlength=len(self.loads) * self.num_gpus)
        return flat.reshape(len(self.loads), self.num_gpus)

    def gpu_loads(self) -> NDArray[np.int64]:
        """Sum of the loads of the replicas of every GPU, shape (G,)."""
        sums = np.zeros(self.num_gpus, np.int64)
        np.add.at(sums, self.gpu, self.shares)
        return sums

    def copy(self) -> Packing:
        """Return one that can be changed without this."""
        return Packing(self.loads, self.num_gpus, self.expert.copy(), self.gpu.copy())


def scaled_loads(loads: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return loads as integers; equal ones if all are 0."""
    largest = float(loads.max(initial=0))
    if largest <= 0:
        return np.full(len(loads), int(_TOTAL) // max(len(loads), 1), np.int64)
    near_one = np.ldexp(loads, -math.frexp(largest)[1])  # exact, and its sum is a float
    return np.rint(near_one * (_TOTAL / math.fsum(near_one.tolist()))).astype(np.int64)


def replica_counts(loads: NDArray[np.int64], num_slots: int, num_gpus: int) -> NDArray[np.int64]:
    """Return how many replicas make the largest share of a replica smallest, shape (E,).

    One more goes to the expert whose replicas carry most, again and again, which is best possible.
    No expert gets more replicas than there are GPUs unless slots would stay empty.
    """
    most = max(num_gpus, -(-num_slots // len(loads)))
    counts = np.ones(len(loads), np.int64)
    heap = [(-float(load), expert) for expert, load in enumerate(loads.tolist())]
    heapq.heapify(heap)
    for _ in range(num_slots - len(loads)):
        _, expert = heapq.heappop(heap)
        counts[expert] += 1
        if counts[expert] < most:
            heapq.heappush(heap, (-float(loads[expert]) / float(counts[expert]), expert))
    return counts


def packed(loads: NDArray[np.int64], counts: NDArray[np.int64], num_gpus: int) -> Packing:
    """Give every replica a slot, the heaviest first, each on the lightest GPU that has room.

    GPUs that hold the expert already come last.
    """
    expert = np.repeat(np.arange(len(loads)), counts)
    share = (loads // counts)[expert]
    order = np.argsort(-share, kind="stable")
    gpu = np.zeros(len(expert), np.int64)
    used, carried = np.zeros(num_gpus, np.int64), np.zeros(num_gpus, np.int64)
    room = len(expert) // num_gpus
    full, again = BEYOND, BEYOND // 2
    held_by: dict[int, list[int]] = {}
    for i in order.tolist():
        price = np.where(used < room, carried, full)
        others = held_by.setdefault(int(expert[i]), [])
        price[others] += again
        g = int(np.argmin(price))
        if used[g] >= room:  # all with room hold the expert
            g = int(np.argmin(np.where(used < room, carried, full)))
        others.append(g)
        gpu[i] = g
        used[g] += 1
        carried[g] += share[i]
    packing = Packing(loads, num_gpus, expert, gpu)
    separate(packing)
    return packing


def separate(packing: Packing) -> None:
    """Put replicas of an expert on different GPUs, if there are enough of these."""
    if packing.counts.max() > packing.num_gpus:
        return
    if packing.held.max() <= 1:
        return
    for i in range(len(packing.expert)):
        held, here = packing.held, packing.gpu[i]
        if held[packing.expert[i], here] > 1:
            free = (held[packing.expert[i], packing.gpu] == 0) & (held[packing.expert, here] == 0)
            j = int(np.argmax(free)) if free.any() else i
            packing.gpu[[i, j]] = packing.gpu[[j, i]]
    if packing.held.max() > 1:  # dealt out in turn none meets another
        order = np.argsort(packing.expert, kind="stable")
        packing.gpu[order] = np.arange(len(order)) % packing.num_gpus
