# SPDX-License-Identifier: MIT
"""IBM Spectrum LSF: host files of bsub, and explicit resource files (ERF) of jsrun.

Source: IBM's documentation of ``bsub -hostfile``, of LSB_PJL_TASK_GEOMETRY and of the ERF format
(JSM 10.1); "ERF CPU Indexing" of the OLCF's tutorials.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import numpy as np

from procmap._util.errors import ConfigError
from procmap.launchers.launcher import Launcher
from procmap.launchers.placement import lines, ranges

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from procmap.launchers.cpus import CpuLists
from procmap.launchers.placement import Placement


def hostfile(placement: Placement) -> str:
    """Hosts with the number of their ranks: what to ask for, not which rank goes where."""
    counts = np.bincount(placement.host_numbers, minlength=len(placement.places.hosts))
    pairs = zip(placement.places.hosts, counts.tolist(), strict=True)
    return lines(f"{host} {count}" for host, count in pairs if count)


def hostfile_command(placement: Placement, path: str, cpus: CpuLists) -> str:
    """Return the command line; only the file matters to it."""
    del placement, cpus
    return f"bsub -hostfile {shlex.quote(path)}"


def resource_file(placement: Placement) -> str:
    """Every rank with the name of its host and its hardware threads there.

    A file counts hardware threads, even where it counts "logical" ones. Which of them a core has is
    known of machines with the numbers of the operating system, and those are the "physical" ones;
    of others every core is taken to have one.
    """
    physical = placement.is_bound() and placement.places.cpus is not None
    using = "physical" if physical else "logical"
    head = ["overlapping_rs: allow", f"cpu_index_using: {using}", ""]
    ranks = (
        f"rank: {rank}: {{ hostname: {host}; cpu: {{{ranges(cpus)}}} ; gpu: * ; mem: * }}"
        for rank, (host, cpus) in enumerate(
            zip(placement.hosts, _threads(placement, physical), strict=True)
        )
    )
    return lines([*head, *ranks])


def _threads(placement: Placement, physical: bool) -> Iterator[Sequence[int]]:
    """Yield the hardware threads of every rank."""
    own = zip(placement.blocks.tolist(), placement.local_ranks().tolist(), strict=True)
    for rank, (pe, local) in enumerate(own):
        yield placement.bound_to(pe) if physical else placement.cores(rank, local)


def resource_file_command(placement: Placement, path: str, cpus: CpuLists) -> str:
    """Return the command line; only the file matters to it."""
    del placement, cpus
    return f"jsrun --erf_input={shlex.quote(path)}"


def task_geometry(placement: Placement) -> str:
    """Return the ranks of every host in the order of the allocation, as LSB_PJL_TASK_GEOMETRY."""
    groups: list[list[int]] = [[] for _ in placement.places.hosts]
    for rank, host in enumerate(placement.host_numbers.tolist()):
        groups[host].append(rank)
    while groups and not groups[-1]:
        groups.pop()
    if [] in groups:
        host = placement.places.hosts[groups.index([])]
        raise ConfigError(f"LSB_PJL_TASK_GEOMETRY can leave no host out, but '{host}' has no rank")
    return lines(["{" + "".join(f"({','.join(map(str, ranks))})" for ranks in groups) + "}"])


def task_geometry_command(placement: Placement, path: str, cpus: CpuLists) -> str:
    """Return the command line; hosts are all that it and the file choose."""
    del cpus
    return (
        f'LSB_PJL_TASK_GEOMETRY="$(cat {shlex.quote(path)})" mpirun.lsf -np {placement.num_ranks}'
    )


LAUNCHERS = (
    Launcher(
        "lsf",
        hostfile,
        hostfile_command,
        no_cpu_file="is for what starts ranks, but bsub only asks for hosts",
    ),
    Launcher(
        "lsf-geometry",
        task_geometry,
        task_geometry_command,
        hosts_only=True,
        binds_cores=False,
        binds_gpus=False,
        ranks=("OMPI_COMM_WORLD_RANK", "PMI_RANK", "MP_CHILD"),  # of whichever MPI it starts
    ),
    Launcher("erf", resource_file, resource_file_command, binds_gpus=False),
)
