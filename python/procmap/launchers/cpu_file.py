# SPDX-License-Identifier: MIT
"""CPUs or GPU of every rank, to which processes bind themselves; see `cpus.wrapper`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from procmap.launchers.cpus import check_bound
from procmap.launchers.launcher import Launcher
from procmap.launchers.placement import lines

if TYPE_CHECKING:
    from procmap.launchers.placement import Placement


def cpu_file(placement: Placement) -> str:
    """CPUs of every rank, one line each, as taskset takes them, or its GPU."""
    check_bound(placement)
    own = (placement.bound_to(pe) for pe in placement.blocks.tolist())
    return lines(",".join(map(str, cpus)) for cpus in own)


LAUNCHERS = (Launcher("cpus", cpu_file),)
