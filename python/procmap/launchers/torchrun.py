# SPDX-License-Identifier: MIT
"""PyTorch's torchrun: a script that every host runs once.

torchrun numbers processes itself: those of the host with ``--node-rank`` 0 come first, and those of
a host follow each other. So every host must have a run of successive ranks, all of them equally
many, beginning at a multiple of that number (`procmap.placement.order_ranks` makes such orders);
which GPU a process of a host has is up to the order of CUDA_VISIBLE_DEVICES. Without
``--node-rank`` hosts would be sorted by name.

Source: the documentation of torchrun; issue 191190 of PyTorch for the order by name.
"""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from procmap._util.errors import ConfigError
from procmap._util.messages import shown
from procmap.launchers.cpus import GPU_ORDER
from procmap.launchers.launcher import Launcher
from procmap.launchers.placement import lines

if TYPE_CHECKING:
    from procmap.launchers.cpus import CpuLists
from procmap.launchers.placement import Placement

_PORT = 29500  # torchrun's own


def script(placement: Placement) -> str:
    """Bash: finds the host's rank and GPUs by its name, and becomes torchrun."""
    hosts, per_host = _hosts(placement)
    shared = Counter(map(_short, placement.places.hosts))
    cases = [
        _case(placement, node, host, per_host, shared[_short(host)] > 1)
        for node, host in enumerate(hosts)
    ]
    start = (
        f"exec torchrun --nnodes={len(hosts)} --nproc-per-node={per_host} "
        f'--node-rank="$node_rank" --master-addr="${{MASTER_ADDR:-{hosts[0]}}}" '
        f'--master-port="${{MASTER_PORT:-{_PORT}}}" "$@"'
    )
    unknown = '*) echo "$0: no rank for host $host" >&2; exit 1 ;;'
    find = ["#!/bin/bash", 'host="${SLURMD_NODENAME:-$(hostname)}"', 'case "$host" in']
    return lines([*find, *cases, unknown, "esac", start])


def command(placement: Placement, path: str, cpus: CpuLists) -> str:
    """Return the command line that starts the script on every host once."""
    del cpus
    hosts, _ = _hosts(placement)
    return (
        f"srun --nodes={len(hosts)} --nodelist={','.join(hosts)} --ntasks-per-node=1 "
        f"bash {shlex.quote(path)}"
    )


def _hosts(placement: Placement) -> tuple[list[str], int]:
    """Return the hosts in the order of their ranks, and how many ranks each of them has."""
    counts = np.bincount(placement.host_numbers)
    if not len(counts):
        raise ConfigError("torchrun has no rank to start")
    per_host = int(counts.max())
    hosts = placement.hosts
    for rank, host in enumerate(hosts):
        first = hosts[rank - rank % per_host]
        if host != first:
            raise ConfigError(
                f"torchrun gives every host {per_host} successive ranks, but rank {rank} is on "
                f"{shown(host)} and rank {rank - rank % per_host} on {shown(first)}; "
                "procmap.placement.order_ranks keeps to that"
            )
    if len(hosts) % per_host:
        raise ConfigError(
            f"torchrun gives every host {per_host} ranks, but {shown(hosts[-1])} has "
            f"{len(hosts) % per_host}"
        )
    return hosts[::per_host], per_host


def _case(placement: Placement, node: int, host: str, per_host: int, shared: bool) -> str:
    """Return the line of a host: by its name as given, its short name, or a longer one.

    Where hosts share a short name there is only the name as given.
    """
    short = _short(host)
    names = [host] if shared else list(dict.fromkeys([host, short, f"{host}.*"]))
    pes = placement.blocks[node * per_host : (node + 1) * per_host].tolist()
    gpus = ""
    if placement.places.kind == "gpu":
        devices = [placement.places.bound_to(pe)[0] for pe in pes]
        gpu, ranks = Counter(devices).most_common(1)[0]
        if ranks > 1:
            raise ConfigError(
                f"torchrun gives every rank a GPU of its own, but GPU {gpu} of {shown(host)} has "
                f"{ranks} ranks"
            )
        gpus = f" export {GPU_ORDER} CUDA_VISIBLE_DEVICES={','.join(map(str, devices))};"
    return f"{' | '.join(names)}) node_rank={node};{gpus} ;;".replace("; ;;", " ;;")


def _short(host: str) -> str:
    return host.split(".", maxsplit=1)[0]


LAUNCHERS = (
    Launcher(
        "torchrun",
        script,
        command,
        no_cpu_file="is not for torchrun, whose script sets CUDA_VISIBLE_DEVICES itself",
    ),
)
