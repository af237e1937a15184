# SPDX-License-Identifier: MIT
"""Slurm's arbitrary distribution.

Source: the manual page srun(1): ``--distribution=arbitrary``, SLURM_HOSTFILE, ``--cpu-bind``,
``--gpu-bind``.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from procmap.launchers.launcher import Launcher
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
        f"--ntasks={placement.num_ranks}{bind_option(placement, cpus)}"
    )


def bind_option(placement: Placement, cpus: CpuLists) -> str:
    """Return srun's option for lists of CPUs or GPUs."""
    on_gpu = placement.places.kind == "gpu"
    if cpus is None:
        return " --gpu-bind=none" if on_gpu else " --cpu-bind=none"
    if not cpus:
        return ""
    if on_gpu:
        return f" --gpu-bind=map_gpu:{','.join(str(own[0]) for own in cpus)}"
    if all(len(own) == 1 for own in cpus):
        return f" --cpu-bind=map_cpu:{','.join(str(own[0]) for own in cpus)}"
    masks = (hex(sum(1 << cpu for cpu in own)) for own in cpus)
    return f" --cpu-bind=mask_cpu:{','.join(masks)}"


LAUNCHERS = (Launcher("slurm", hostfile, command, hosts_only=True, ranks=("SLURM_PROCID",)),)
