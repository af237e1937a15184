# SPDX-License-Identifier: MIT
"""What a program is asked: a graph, and a machine with balance, seed, threads and device."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from harness.instance import Instance, read_instance
from harness.verify import Machine


@dataclass(frozen=True)
class Problem:
    """A graph, as a file and, for who asks, as arrays."""

    path: Path

    @cached_property
    def instance(self) -> Instance:
        """The arrays, read when they are first needed."""
        return read_instance(self.path)


@dataclass(frozen=True)
class Task:
    """One call: `hierarchy` and `distance` innermost level first, `imbalance` as a decimal."""

    hierarchy: str
    distance: str
    imbalance: str
    seed: int
    threads: int
    device: str

    @property
    def machine(self) -> Machine:
        """The machine as it is judged."""
        return Machine.parse(self.hierarchy, self.distance)

    @property
    def is_partition(self) -> bool:
        """Whether all PEs are equally far apart, so that J is twice the edge cut."""
        return len(set(self.distance.split(":"))) == 1

    def as_dict(self) -> dict[str, object]:
        """The fields by name, as they stand in logs."""
        return asdict(self)
