# SPDX-License-Identifier: MIT
"""What a rank may use of its host: an even share of the processors, and one of the GPUs."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from procmap._util.ranks import Ranks


def share_of_host(
    ranks: Ranks, threads: int | None, devices: Sequence[str], device: str
) -> tuple[int, str]:
    """Return how many threads and which device this rank uses; all ranks call.

    Parameters
    ----------
    ranks : Ranks
        All ranks.
    threads : int or None
        What was asked for; None is an even share of what the ranks of a host may use.
    devices : sequence of str
        With which the ranks of a host take turns; if there are none, everybody uses `device`.
    device : str
        See `devices`.
    """
    hosts = ranks.objects(socket.gethostname())
    here = hosts[ranks.rank]
    if threads is None:
        threads = max(1, len(os.sched_getaffinity(0)) // hosts.count(here))
    turn = hosts[: ranks.rank].count(here)
    return threads, devices[turn % len(devices)] if devices else device
