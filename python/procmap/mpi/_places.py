# SPDX-License-Identifier: MIT
"""Where a process runs."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

_CPUS = Path("/sys/devices/system/cpu")


@dataclass(frozen=True)
class Place:
    """Where a process runs, as far as it is bound.

    Attributes
    ----------
    host : str
        Name of the host.
    groups : tuple
        Of the host, outermost first, such as package and NUMA node; None for one that is not
        known, as the process may run in several.
    cpus : frozenset of int
        Numbers of the CPUs on which it may run.
    gpu : int, optional
        Number of its GPU, if it has just one.
    """

    host: str
    groups: tuple[Hashable, ...] = ()
    cpus: frozenset[int] = frozenset()
    gpu: int | None = None

    @property
    def path(self) -> tuple[Hashable, ...]:
        """Host and groups, outermost first."""
        return (self.host, *self.groups)


def find_place(host: str | None = None) -> Place:
    """Return where the calling process runs.

    Package and NUMA node are those that Linux says of the CPUs to which the process is bound; the
    GPU is that of CUDA_VISIBLE_DEVICES.

    Parameters
    ----------
    host : str, optional
        Name of the host; what MPI calls it if None.
    """
    if host is None:
        from mpi4py import MPI  # noqa: PLC0415 - mpi4py is optional, and starts MPI

        host = MPI.Get_processor_name()
    cpus = frozenset(os.sched_getaffinity(0))
    groups = (_common(_package(cpu) for cpu in cpus), _common(_numa(cpu) for cpu in cpus))
    return Place(host, groups, cpus, _gpu(os.environ.get("CUDA_VISIBLE_DEVICES", "")))


def _common(groups: object) -> Hashable:
    found = set(groups)  # type: ignore[call-overload]
    return found.pop() if len(found) == 1 else None


def _package(cpu: int) -> int | None:
    try:
        return int((_CPUS / f"cpu{cpu}/topology/physical_package_id").read_text())
    except (OSError, ValueError):  # no Linux, or a machine that hides it
        return None


def _numa(cpu: int) -> int | None:
    nodes = sorted((_CPUS / f"cpu{cpu}").glob("node[0-9]*"))
    return int(nodes[0].name.removeprefix("node")) if nodes else None


def _gpu(visible: str) -> int | None:
    return int(visible) if re.fullmatch(r"\d{1,6}", visible) else None
