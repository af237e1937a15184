# SPDX-License-Identifier: MIT
"""Cores or GPUs, where the launcher's file chooses only hosts.

Launchers take one list of CPUs (srun also of GPUs) and apply it on every host: the i-th entry is
for the i-th process there. That will do if the processes of all hosts use the same CPUs in the
same order; if not, every process binds itself to its line of a file.
"""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from procmap._util.errors import ConfigError

if TYPE_CHECKING:
    from procmap.launchers.placement import Placement

# CPUs or GPU of the i-th process of every host; empty: the launcher chooses; None: none is bound.
CpuLists: TypeAlias = "list[tuple[int, ...]] | None"


class UnboundError(ConfigError):
    """A launcher cannot bind processes as a mapping says."""


# nvidia-smi numbers GPUs by their places on the bus, CUDA the fastest one first if not told so.
GPU_ORDER = "CUDA_DEVICE_ORDER=PCI_BUS_ID"


def wrapper(placement: Placement, path: str, ranks: tuple[str, ...]) -> str:
    """Return what stands before the program to use such a file.

    Parameters
    ----------
    placement
        Of the ranks.
    path
        Of the file.
    ranks
        Variables in which the launcher, and nobody else, tells processes their rank: a program
        that mpirun starts in a batch job of Slurm finds the SLURM_PROCID of the batch script, too.
    """
    check_bound(placement)
    *others, last = ranks
    rank = f"${{{last}:?is not set}}"
    for name in reversed(others):
        rank = f"${{{name}:-{rank}}}"
    find = f'set -- "$(sed -n "$(({rank} + 1))p" "$0")" "$@"'
    check = '[ "$1" ] || { echo "$0: no line for this rank" >&2; exit 1; }'
    start = 'exec taskset -c "$@"'
    if placement.places.kind == "gpu":
        start = f'export {GPU_ORDER} CUDA_VISIBLE_DEVICES="$1"; shift; exec "$@"'
    return f"bash -c {shlex.quote(f'{find}; {check}; {start}')} {shlex.quote(path)}"


def common_lists(placement: Placement, in_one_run: bool, whole: bool) -> CpuLists:
    """Return the CPUs of the i-th process of every host.

    Parameters
    ----------
    placement
        In the order in which the processes of a host are numbered.
    in_one_run
        Whether the launcher starts to count anew where it comes back to a host.
    whole
        Whether every host must have as many processes as there are entries; otherwise one with
        fewer stops early.

    Raises
    ------
    UnboundError
        If they are not the same on all hosts.
    """
    if in_one_run:
        hosts = Counter(host for host, _ in placement.runs())
        host, runs = hosts.most_common(1)[0] if hosts else ("", 0)
        if runs > 1:
            raise UnboundError(
                f"the launcher binds only successive ranks of a host, but those of '{host}' are not"
            )
    by_host: list[list[tuple[int, ...]]] = [[] for _ in placement.places.hosts]
    for host, pe in zip(placement.host_numbers.tolist(), placement.blocks.tolist(), strict=True):
        by_host[host].append(placement.bound_to(pe))
    longest = max(by_host, key=len)
    for host, own in zip(placement.places.hosts, by_host, strict=True):
        if whole and 0 < len(own) < len(longest):
            raise UnboundError(
                f"the launcher binds equally many processes of every host, but '{host}' has "
                f"{len(own)} and another one {len(longest)}"
            )
        if own != longest[: len(own)]:
            raise UnboundError(
                f"the launcher binds the processes of all hosts alike, but those of '{host}' use "
                f"other {'GPUs' if placement.places.kind == 'gpu' else 'CPUs'}"
            )
    return longest


def check_in_turn(placement: Placement, launcher: str) -> None:
    """Raise UnboundError unless the i-th process of every host belongs to the i-th core there.

    That is as much as can be hoped for of a launcher that cannot be told what to bind to.
    """
    places = placement.places
    of_ranks = zip(placement.blocks.tolist(), placement.local_ranks().tolist(), strict=True)
    for rank, (pe, local) in enumerate(of_ranks):
        if places.kind == "pu" or places.cores_of(pe) != (local,):
            raise UnboundError(
                f"{launcher} binds no processes, which get the cores of their host in turn, but "
                f"rank {rank}, process {local} of its host, is on {places.name(pe)}"
            )


def check_bound(placement: Placement) -> None:
    """Raise ConfigError if processes are bound to nothing."""
    if placement.places.kind == "node":
        raise ConfigError("a PE is a node, which has no cores to bind to")
