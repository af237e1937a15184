# SPDX-License-Identifier: MIT
"""Machines that are no hierarchies, a second time and without procmap, to judge mappings by."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from harness.verify import Distances, Machine

Blocks = NDArray[np.int32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Torus:
    """A grid that wraps in every dimension, the last one running fastest; a step costs 1."""

    sizes: tuple[int, ...]

    @property
    def num_blocks(self) -> int:
        """The number of PEs."""
        return prod(self.sizes)

    def distance(self, a: Blocks, b: Blocks) -> Ints:
        """Return the steps from a to b, elementwise."""
        total = np.zeros(np.shape(a), np.int64)
        here, there = np.unravel_index(a, self.sizes), np.unravel_index(b, self.sizes)
        for x, y, size in zip(here, there, self.sizes, strict=True):
            steps = np.abs(x - y)
            total += np.minimum(steps, size - steps)
        return total


@dataclass(frozen=True)
class Dragonfly:
    """Groups of routers, all of a group linked to each other, with PEs.

    The link between groups g and h is at the router of g whose share of the other groups, in order,
    h belongs to. The distance counts the links of the minimal route.
    """

    groups: int
    routers: int
    pes: int

    @property
    def num_blocks(self) -> int:
        """The number of PEs."""
        return self.groups * self.routers * self.pes

    def gateway(self, group: Ints, other: Ints) -> Ints:
        """Return the router of `group` with the link to `other`, elementwise."""
        index = other - (other > group)
        return group * self.routers + index * self.routers // (self.groups - 1)

    def distance(self, a: Blocks, b: Blocks) -> Ints:
        """Return the links from a to b, elementwise."""
        x, y = a.astype(np.int64) // self.pes, b.astype(np.int64) // self.pes
        g, h = x // self.routers, y // self.routers
        local = (x != self.gateway(g, h)).astype(np.int64) + (y != self.gateway(h, g))
        between_routers = np.where(x == y, 0, np.where(g == h, 1, 1 + local))
        return np.where(a == b, 0, 2 + between_routers)


def machine_name(text: str) -> str:
    """Return a text that parse_model reads, as it is; an argument of a command line."""
    parse_model(text)
    return text


def parse_model(text: str) -> Distances:
    """Read `torus:8x8x8`, `dragonfly:GROUPSxROUTERSxPES` or `hierarchy:8x8x8` (1:10:100).

    Raises ValueError for anything else.
    """
    kind, _, sizes = text.partition(":")
    numbers = tuple(int(size) for size in sizes.split("x"))
    if kind == "torus":
        return Torus(numbers)
    if kind == "dragonfly" and len(numbers) == 3 and numbers[0] > 1:
        return Dragonfly(*numbers)
    if kind == "hierarchy":
        return Machine(numbers, tuple(10**level for level in range(len(numbers))))
    raise ValueError(f"{text!r} is no machine such as torus:8x8x8 or dragonfly:9x8x4")
