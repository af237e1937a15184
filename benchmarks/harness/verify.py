# SPDX-License-Identifier: MIT
"""What a mapping costs and whether it is balanced, straight from the definitions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from harness.instance import Instance

CHUNK_ARCS = 1 << 22


class Distances(Protocol):
    """What a mapping is judged by: how many PEs there are, and how far apart."""

    @property
    def num_blocks(self) -> int:
        """The number of PEs."""

    def distance(self, a: NDArray[np.int32], b: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the distances of pairs of PEs; 0 from a PE to itself."""


@dataclass(frozen=True)
class Machine:
    """A hierarchy such as 4:8:6 with distances such as 1:10:100, innermost level first."""

    fan_out: tuple[int, ...]
    distances: tuple[int, ...]

    @staticmethod
    def parse(hierarchy: str, distance: str) -> Machine:
        """Read the two colon-separated lists; raises ValueError when they differ in length."""
        fan_out = tuple(int(part) for part in hierarchy.split(":"))
        distances = tuple(int(part) for part in distance.split(":"))
        if len(fan_out) != len(distances):
            raise ValueError(f"{hierarchy} and {distance} differ in the number of levels")
        return Machine(fan_out, distances)

    @property
    def num_blocks(self) -> int:
        """The number of processing elements."""
        return prod(self.fan_out)

    def distance(self, a: NDArray[np.int32], b: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the distances of pairs of blocks; a block has distance 0 to itself."""
        result = np.where(a == b, 0, self.distances[0]).astype(np.int64)
        group_size = 1
        for level in range(1, len(self.fan_out)):
            group_size *= self.fan_out[level - 1]
            result[a // group_size != b // group_size] = self.distances[level]
        return result


@dataclass(frozen=True)
class Verdict:
    """A mapping as recomputed here; `cost` counts every undirected edge twice."""

    cost: int
    edge_cut: int
    heaviest: int
    capacity: int
    imbalance: float

    @property
    def feasible(self) -> bool:
        """Whether no block is heavier than Lmax."""
        return self.heaviest <= self.capacity


def block_capacity(total_weight: int, num_blocks: int, imbalance: str) -> int:
    """Return Lmax = ceil((1 + eps) c(V) / k) in exact arithmetic."""
    exact = (1 + Fraction(imbalance)) * total_weight / num_blocks
    return -(-exact.numerator // exact.denominator)


def verify(
    instance: Instance, blocks: NDArray[np.int32], machine: Distances, imbalance: str
) -> Verdict:
    """Recompute J, the edge cut and the balance; raises ValueError for a malformed mapping."""
    n, k = len(instance.vertex_weights), machine.num_blocks
    if blocks.shape != (n,):
        raise ValueError(f"mapping has shape {blocks.shape}, the graph has {n} vertices")
    if n and not (blocks.min() >= 0 and blocks.max() < k):
        raise ValueError(f"blocks lie in [{blocks.min()}, {blocks.max()}], not in [0, {k})")

    cost, cut = _traffic(instance, blocks, machine)
    load = np.zeros(k, dtype=np.int64)
    np.add.at(load, blocks, instance.vertex_weights)
    total = int(load.sum())
    heaviest = int(load.max())
    return Verdict(
        cost=cost,
        edge_cut=cut,
        heaviest=heaviest,
        capacity=block_capacity(total, k, imbalance),
        imbalance=heaviest * k / total - 1 if total else 0.0,
    )


def _traffic(instance: Instance, blocks: NDArray[np.int32], machine: Distances) -> tuple[int, int]:
    """Return (J, edge cut), a few million arcs at a time."""
    cost = arcs_cut = 0
    offsets = instance.offsets
    row = 0
    while row < len(offsets) - 1:
        bound = np.searchsorted(offsets, offsets[row] + CHUNK_ARCS, side="right") - 1
        end = max(row + 1, int(bound))
        span = slice(int(offsets[row]), int(offsets[end]))
        tail = np.repeat(blocks[row:end], np.diff(offsets[row : end + 1]))
        head = blocks[instance.heads[span]]
        distance = machine.distance(tail, head)
        weight = 1 if instance.edge_weights is None else instance.edge_weights[span]
        cost += int((distance * weight).sum())
        arcs_cut += int(((tail != head) * weight).sum())
        row = end
    return cost, arcs_cut // 2
