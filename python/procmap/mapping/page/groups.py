# SPDX-License-Identifier: MIT
"""PEs in groups, few enough to be looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from procmap.topology._topology import Topology


@dataclass(frozen=True)
class Groups:
    """Groups of PEs, such as nodes.

    Attributes
    ----------
    title : str
        What the groups are, in the plural.
    group_of_pe : numpy.ndarray of int, shape (k,)
        In [0, len(names)), not decreasing along the order of names.
    names : list of str
        Of every group.
    """

    title: str
    group_of_pe: NDArray[np.integer[Any]]
    names: list[str]

    def at_most(self, limit: int) -> Groups:
        """Return the same if there are few enough groups, else successive ones together."""
        count = len(self.names)
        if count <= limit:
            return self
        cell = np.arange(count) * limit // count
        first = np.searchsorted(cell, np.arange(limit))
        last = np.append(first[1:], count) - 1
        names = [
            self.names[a] if a == b else f"{self.names[a]} to {self.names[b]}"
            for a, b in zip(first.tolist(), last.tolist(), strict=True)
        ]
        return Groups(f"{self.title}, several together", cell[self.group_of_pe], names)

    def sums(self, of_pe: NDArray[Any]) -> NDArray[np.float64]:
        """Add up what every PE has."""
        found = np.bincount(self.group_of_pe, of_pe.astype(np.float64), len(self.names))
        return found.astype(np.float64)


def single_pes(topology: Topology) -> Groups:
    """Return a group per PE."""
    names = topology.names or [f"PE {pe}" for pe in range(topology.num_pes)]
    return Groups("PEs", np.arange(topology.num_pes), list(names))


def all_groups(topology: Topology) -> Iterator[Groups]:
    """Yield the groups of a machine, from the outermost level to single PEs."""
    if topology.sizes:
        yield from _levels(topology)
    elif topology.places is not None and len(topology.places.hosts) > 1:
        places = topology.places
        yield Groups("nodes", places.host_of, list(places.hosts))
    yield single_pes(topology)


def _levels(topology: Topology) -> Iterator[Groups]:
    k = topology.num_pes
    hosts = () if topology.places is None else topology.places.hosts
    count = 1
    for size in reversed(topology.sizes[1:]):
        if size == 1:
            continue
        count *= size
        group = np.arange(k) // (k // count)
        if len(hosts) == count and topology.places is not None:
            number = topology.places.host_of[:: k // count]
            yield Groups("nodes", group, [hosts[i] for i in number])
        else:
            per_group = k // count
            names = [f"PEs {i * per_group} to {(i + 1) * per_group - 1}" for i in range(count)]
            yield Groups(f"groups of {per_group} PEs", group, names)
