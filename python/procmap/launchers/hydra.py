# SPDX-License-Identifier: MIT
"""Machine files of MPICH's Hydra and of Intel MPI.

Source: "Using the Hydra Process Manager" of the MPICH wiki; Intel MPI Developer Reference,
``-machinefile`` and I_MPI_PIN_DOMAIN. Ranks start in the order of the lines; a host may be named
again.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from procmap.launchers.launcher import Launcher
from procmap.launchers.placement import lines

if TYPE_CHECKING:
    from procmap.launchers.cpus import CpuLists
from procmap.launchers.placement import Placement


def machinefile(placement: Placement) -> str:
    """Return lines ``host:n``: the next n ranks are there."""
    return lines(f"{host}:{count}" for host, count in placement.runs())


def mpich_command(placement: Placement, path: str, cpus: CpuLists) -> str:
    """Return the command line."""
    bind = ""
    if cpus is None:
        bind = " -bind-to none"
    elif cpus:
        bind = f" -bind-to user:{','.join('+'.join(map(str, own)) for own in cpus)}"
    return f"mpiexec -n {placement.num_ranks} -f {shlex.quote(path)}{bind}"


def intel_command(placement: Placement, path: str, cpus: CpuLists) -> str:
    """Return the command line."""
    pin = ""
    if cpus is None:
        pin = " -genv I_MPI_PIN off"
    elif cpus:
        masks = (hex(sum(1 << cpu for cpu in own)) for own in cpus)  # 2021.18 wants 0x
        pin = f" -genv I_MPI_PIN_DOMAIN '[{','.join(masks)}]'"
    return f"mpiexec -n {placement.num_ranks} -machinefile {shlex.quote(path)}{pin}"


# Tried with MPICH 4.0.2 and 5.0.2 and Intel MPI 2021.18: processes of a host are counted anew in
# every run of it, and Intel MPI binds none of a host that has fewer than there are masks.
LAUNCHERS = tuple(
    Launcher(
        name,
        machinefile,
        command,
        hosts_only=True,
        binds_gpus=False,
        counts_runs=True,
        binds_whole_lists=name == "intelmpi",
        ranks=("PMI_RANK",),
    )
    for name, command in (("mpich", mpich_command), ("intelmpi", intel_command))
)
