# SPDX-License-Identifier: MIT
"""Cray MPICH's MPICH_RANK_ORDER.

Source: HPE's manual pages intro_mpi(3), MPICH_RANK_REORDER_METHOD=3, and grid_order(1): the file
lists ranks in the order in which the slots of the job are filled, host by host. srun(1),
``--distribution=block``: tasks are dealt out evenly before they are numbered host by host.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import numpy as np

from procmap._util.errors import ConfigError
from procmap.launchers.launcher import Launcher
from procmap.launchers.placement import Placement, lines, ranges
from procmap.launchers.slurm import bind_option

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.launchers.cpus import CpuLists

_RANKS_PER_LINE = 64


def rank_order(placement: Placement) -> str:
    """Ranks in the order of hosts and cores.

    Raises
    ------
    ConfigError
        If the hosts, the last one aside, have different numbers of ranks: the launcher fills
        hosts evenly, and then ranks would come to other hosts than they should.
    """
    _per_host(placement)
    order = _slot_order(placement).tolist()
    rows = (order[i : i + _RANKS_PER_LINE] for i in range(0, len(order), _RANKS_PER_LINE))
    return lines(map(ranges, rows))


def in_slot_order(placement: Placement) -> Placement:
    """Return the placement of processes, which get their ranks only after the start."""
    return Placement(placement.blocks[_slot_order(placement)], placement.places)


def command(placement: Placement, path: str, cpus: CpuLists) -> str:
    """Return the command line, which names the hosts: more may be allocated.

    Raises
    ------
    ConfigError
        If the last host has fewer ranks than srun would give it.
    """
    per_host, n = _per_host(placement), placement.num_ranks
    hosts = [placement.places.hosts[i] for i in np.unique(placement.host_numbers)]
    last = n - per_host * (len(hosts) - 1)
    if last < per_host - 1:
        raise ConfigError(
            f"srun deals {n} ranks out to {len(hosts)} hosts as evenly as it can, but here they "
            f"have {per_host} each and the last one {last}"
        )
    return (
        f"MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE={shlex.quote(path)} "
        f"srun --nodes={len(hosts)} --nodelist={','.join(hosts)} --ntasks={n} "
        f"--distribution=block,NoPack{bind_option(placement, cpus)}"
    )


def _slot_order(placement: Placement) -> NDArray[np.int64]:
    return np.lexsort((placement.places.slot_of[placement.blocks], placement.host_numbers))


def _per_host(placement: Placement) -> int:
    used = np.bincount(placement.host_numbers, minlength=len(placement.places.hosts))
    used = used[: int(np.flatnonzero(used).max(initial=0)) + 1]
    if (used[:-1] != used[0]).any() or used[-1] > used[0]:
        raise ConfigError(
            "MPICH_RANK_ORDER needs equally many ranks on every host, the last one aside, but "
            f"there are {', '.join(map(str, used[:8]))}{', ...' if len(used) > 8 else ''}"
        )
    return int(used[0])


LAUNCHERS = (
    Launcher(
        "cray",
        rank_order,
        command,
        hosts_only=True,
        order=in_slot_order,
        no_cpu_file="goes by ranks, which Cray MPICH gives out after the start",
    ),
)
