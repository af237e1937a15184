# SPDX-License-Identifier: MIT
"""Open MPI rankfiles.

Source: the manual page mpirun(1) of Open MPI 4.1, "Rankfiles"; PRRTE's
detail-placement-rankfiles.rst for Open MPI 5.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import numpy as np

from procmap.launchers.launcher import Launcher
from procmap.launchers.placement import lines, ranges

if TYPE_CHECKING:
    from procmap.launchers.cpus import CpuLists
from procmap.launchers.placement import Placement


def rankfile(placement: Placement) -> str:
    """Every rank with the name of its host and its logical cores there."""
    return _rankfile(placement, placement.hosts)


def relative_rankfile(placement: Placement) -> str:
    """As `rankfile`, but with +n0, +n1, ... for the hosts of the allocation, in its order."""
    return _rankfile(placement, [f"+n{i}" for i in placement.host_numbers])


def _rankfile(placement: Placement, hosts: list[str]) -> str:
    return lines(
        f"rank {rank}={host} slot={ranges(placement.cores(rank, local))}"
        for rank, (host, local) in enumerate(zip(hosts, placement.local_ranks(), strict=True))
    )


def command(placement: Placement, path: str, cpus: CpuLists) -> str:
    """Return the command line; ``--rankfile`` is understood by Open MPI 4 and 5."""
    del cpus  # the file says them
    options = ["--use-hwthread-cpus"] if placement.places.kind == "pu" else []
    if placement.is_bound() and len(np.unique(placement.blocks)) < placement.num_ranks:
        # Open MPI 5 starts no ranks that share cores if it is not told so.
        unit = "hwthread" if placement.places.kind == "pu" else "core"
        options += ["--bind-to", f"{unit}:overload-allowed"]
    return shlex.join(["mpirun", "-np", str(placement.num_ranks), *options, "--rankfile", path])


LAUNCHERS = (
    Launcher("rankfile", rankfile, command, binds_gpus=False),
    Launcher("rankfile-relative", relative_rankfile, command, binds_gpus=False),
)
