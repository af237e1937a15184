# SPDX-License-Identifier: MIT
"""Where the PEs of a machine are: hosts and cores, as launchers name them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from procmap._util.arrays import as_integer
from procmap._util.errors import TopologyError
from procmap._util.messages import is_in, shown
from procmap.topology._hostlist import expand_hosts
from procmap.topology._hostname import check_host

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

Kind = Literal["node", "package", "numa", "core", "pu", "gpu"]
KINDS: tuple[Kind, ...] = ("node", "package", "numa", "core", "pu", "gpu")


@dataclass(frozen=True, eq=False, repr=False)
class Places:
    """Host and cores of every PE of a machine.

    Attributes
    ----------
    hosts : tuple of str
        Names of the hosts (compute nodes), in the order of the allocation: launchers count in it.
    host_of : numpy.ndarray of int32, shape (k,)
        Index into `hosts` of every PE.
    slot_of : numpy.ndarray of int32, shape (k,)
        Which PE of its host it is, counting from 0.
    kind : {"node", "package", "numa", "core", "pu", "gpu"}
        What a PE is. A "node" is bound to no core.
    cores_per_pe : int
        Cores of every PE, where `cores` does not say which: PE number s of a host has the cores
        ``s * cores_per_pe`` to ``(s + 1) * cores_per_pe - 1``.
    cores : tuple of tuple of int, optional
        Cores (kind "pu": hardware threads) of every PE, numbered along the tree of the host
        (hwloc's logical numbers).
    cpus : tuple of tuple of int, optional
        Numbers that the operating system gives the hardware threads of every PE; as the cores if
        None.

    Raises
    ------
    TopologyError
        If a host has a name that would be read as something else in the file of a launcher.
    """

    hosts: tuple[str, ...]
    host_of: NDArray[np.int32]
    slot_of: NDArray[np.int32]
    kind: Kind = "core"
    cores_per_pe: int = 1
    cores: tuple[tuple[int, ...], ...] | None = None
    cpus: tuple[tuple[int, ...], ...] | None = None

    def __post_init__(self) -> None:
        for host in self.hosts:
            check_host(host)

    @classmethod
    def evenly(
        cls, hosts: str | Iterable[str], num_pes: int, cores_per_pe: int = 1, kind: Kind = "core"
    ) -> Places:
        """Deal out PEs in order: the first ``num_pes / len(hosts)`` are on the first host."""
        names = expand_hosts(hosts)
        if not names or num_pes % len(names):
            raise TopologyError(f"{num_pes} PEs cannot be dealt out evenly to {len(names)} hosts")
        if not is_in(kind, KINDS):
            raise TopologyError(f"kind must be one of {', '.join(KINDS)}, got {shown(kind)}")
        cores = as_integer(cores_per_pe, "cores_per_pe", 1, 2**22, TopologyError)
        per_host = num_pes // len(names)
        pe = np.arange(num_pes, dtype=np.int32)
        return cls(tuple(names), pe // per_host, pe % per_host, kind, cores)

    def sub(self, pes: NDArray[np.int32]) -> Places:
        """Return the places of some PEs; they keep their cores."""
        used, host_of = np.unique(self.host_of[pes], return_inverse=True)
        hosts = tuple(self.hosts[i] for i in used)
        return replace(
            self,
            hosts=hosts,
            host_of=host_of.astype(np.int32),
            slot_of=self.slot_of[pes],
            cores=None if self.cores is None else tuple(self.cores[i] for i in pes),
            cpus=None if self.cpus is None else tuple(self.cpus[i] for i in pes),
        )

    def on_hosts(self, hosts: tuple[str, ...]) -> Places:
        """Return the places of as many machines like this one, which is one host."""
        k, n = len(self.host_of), len(hosts)
        return replace(
            self,
            hosts=hosts,
            host_of=np.repeat(np.arange(n, dtype=np.int32), k),
            slot_of=np.tile(self.slot_of, n),
            cores=None if self.cores is None else self.cores * n,
            cpus=None if self.cpus is None else self.cpus * n,
        )

    def renamed(self, hosts: str | Iterable[str]) -> Places:
        """Return the same places; the hosts have these names."""
        names, known = tuple(expand_hosts(hosts)), len(self.hosts)
        if len(names) != known:
            what = "1 host" if known == 1 else f"{known} hosts"
            raise TopologyError(
                f"the machine has {what} of {len(self.host_of) // known} PEs ({self.kind}), which "
                f"{len(names)} names would split or join; use Topology.cluster for hosts that are "
                "all like one, or say kind= to deal the PEs out anew"
            )
        return replace(self, hosts=names)

    def listed_as(self, hosts: Iterable[str]) -> Places:
        """Return the same places; `hosts` are the same in another order."""
        number = {name: i for i, name in enumerate(hosts)}
        moved = np.array([number[name] for name in self.hosts], np.int32)
        return replace(self, hosts=tuple(number), host_of=moved[self.host_of])

    @property
    def local_of(self) -> NDArray[np.int64]:
        """Return for every PE how many PEs of its host come before it."""
        order = np.lexsort((self.slot_of, self.host_of))
        counts = np.bincount(self.host_of, minlength=len(self.hosts))
        local = np.empty(len(order), np.int64)
        local[order] = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
        return local

    def cores_of(self, pe: int) -> tuple[int, ...]:
        """Return the cores of a PE."""
        if self.cores is not None:
            return self.cores[pe]
        first = int(self.slot_of[pe]) * self.cores_per_pe
        return tuple(range(first, first + self.cores_per_pe))

    def cpus_of(self, pe: int) -> tuple[int, ...]:
        """Return the operating system's numbers of the hardware threads of a PE."""
        return self.cores_of(pe) if self.cpus is None else self.cpus[pe]

    def bound_to(self, pe: int) -> tuple[int, ...]:
        """Return what a process on a PE is bound to: the number of its GPU or of its CPUs."""
        return (int(self.slot_of[pe]),) if self.kind == "gpu" else self.cpus_of(pe)

    def name(self, pe: int) -> str:
        """Name of a PE, such as ``node01:core3``."""
        host = self.hosts[self.host_of[pe]]
        return host if self.kind == "node" else f"{host}:{self.kind}{self.slot_of[pe]}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Places):
            return NotImplemented
        return (
            (self.hosts, self.kind, self.cores_per_pe)
            == (other.hosts, other.kind, other.cores_per_pe)
            and (self.cores, self.cpus) == (other.cores, other.cpus)
            and np.array_equal(self.host_of, other.host_of)
            and np.array_equal(self.slot_of, other.slot_of)
        )

    def __hash__(self) -> int:
        return hash((self.hosts, self.kind, len(self.host_of)))

    def __repr__(self) -> str:
        return f"Places({len(self.host_of)} PEs ({self.kind}) on {len(self.hosts)} hosts)"
