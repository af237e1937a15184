# SPDX-License-Identifier: MIT
"""Where every rank goes, in the words of launchers."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from procmap._util.errors import ConfigError
from procmap.topology._places import Places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from procmap.topology._topology import Topology


@dataclass(frozen=True)
class Placement:
    """The PEs of all ranks, and where these are."""

    blocks: NDArray[np.int32]
    places: Places

    @classmethod
    def of(
        cls, blocks: NDArray[np.int32], topology: Topology, hosts: str | Iterable[str] | None
    ) -> Placement:
        """Place ranks whose PEs are `blocks` on the hosts of a topology, or on others.

        Raises
        ------
        ConfigError
            If nobody said what the hosts are called.
        TopologyError
            If there are not equally many PEs per host.
        """
        places = topology.places
        if hosts is not None:
            places = Places.evenly(hosts, topology.num_pes)
        if places is None:
            raise ConfigError(
                "the hosts have no names: give hosts=, such as 'node[01-16]', or use a topology "
                "that knows them (Topology.with_hosts)"
            )
        return cls(blocks, places)

    @property
    def num_ranks(self) -> int:
        """Number of ranks."""
        return len(self.blocks)

    @property
    def host_numbers(self) -> NDArray[np.int32]:
        """Index of the host of every rank."""
        return self.places.host_of[self.blocks]

    @property
    def hosts(self) -> list[str]:
        """Host of every rank."""
        return [self.places.hosts[i] for i in self.host_numbers]

    def runs(self) -> Iterator[tuple[str, int]]:
        """Successive ranks on one host: its name and how many."""
        for host, ranks in itertools.groupby(self.hosts):
            yield host, len(list(ranks))

    def is_bound(self) -> bool:
        """Whether ranks belong to cores; otherwise only to hosts."""
        return self.places.kind in ("core", "pu", "numa", "package")

    def local_ranks(self) -> NDArray[np.int64]:
        """Return for every rank how many lower ranks share its host."""
        order = np.argsort(self.host_numbers, kind="stable")
        counts = np.bincount(self.host_numbers, minlength=len(self.places.hosts))
        local = np.empty(self.num_ranks, np.int64)
        local[order] = np.arange(self.num_ranks) - np.repeat(np.cumsum(counts) - counts, counts)
        return local

    def bound_to(self, pe: int) -> tuple[int, ...]:
        """Return the CPUs of a PE, or its GPU; ConfigError if a process could run on none."""
        own = self.places.bound_to(pe)
        if not own:
            raise ConfigError(f"no CPUs are known of PE {pe} ({self.places.name(pe)})")
        return own

    def cores(self, rank: int, local_rank: int) -> Sequence[int]:
        """Logical cores of a rank on its host; in turn if its PE is the whole host."""
        if not self.is_bound():
            return [local_rank]
        pe = int(self.blocks[rank])
        cores = self.places.cores_of(pe)
        if not cores:
            raise ConfigError(f"no cores are known of PE {pe} ({self.places.name(pe)})")
        return cores


def ranges(numbers: Iterable[int]) -> str:
    """Return ``0-2,5`` for 0, 1, 2, 5; the order is kept."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ",".join("-".join(map(str, run)) for run in runs)


def lines(values: Iterable[object]) -> str:
    """Return one value per line; refuse values that would be several."""
    texts = [str(value) for value in values]
    for text in texts:
        if "\n" in text or "\r" in text:
            raise ConfigError(f"{text[:80]!a} would be more than one line")
    return "".join(f"{text}\n" for text in texts)
