# SPDX-License-Identifier: MIT
"""Slurm's arbitrary distribution.

Source: the manual page srun(1): ``--distribution=arbitrary``, SLURM_HOSTFILE, ``--cpu-bind``.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from procmap.launchers.placement import lines

if TYPE_CHECKING:
    from procmap.launchers.cpus import CpuLists
    from procmap.launchers.placement import Placement


def hostfile(placement: Placement) -> str:
    """Host of every rank, one per line."""
    return lines(placement.hosts)


def command(placement: Placement, path: str, cpus: CpuLists) -> str:
    """Return the command line."""
    return (
        f"SLURM_HOSTFILE={shlex.quote(path)} srun --distribution=arbitrary "
        f"--ntasks={placement.num_ranks}{cpu_bind(cpus)}"
    )


def cpu_bind(cpus: CpuLists) -> str:
    """Return srun's option for lists of CPUs."""
    if cpus is None:
        return " --cpu-bind=none"
    if not cpus:
        return ""
    if all(len(own) == 1 for own in cpus):
        return f" --cpu-bind=map_cpu:{','.join(str(own[0]) for own in cpus)}"
    masks = (hex(sum(1 << cpu for cpu in own)) for own in cpus)
    return f" --cpu-bind=mask_cpu:{','.join(masks)}"
