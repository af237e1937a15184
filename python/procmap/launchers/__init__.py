# SPDX-License-Identifier: MIT
"""Files that make a launcher start every rank where a mapping wants it: one module per launcher."""

from __future__ import annotations

from typing import TYPE_CHECKING

from procmap._errors import ConfigError
from procmap.launchers import cpus, cray, hydra, labels, lsf, openmpi, slurm
from procmap.launchers.placement import Placement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from procmap._mapping import Mapping

_PLAIN: dict[str, Callable[[Mapping], str]] = {
    "permutation": labels.permutation,
    "comm-split": labels.comm_split_keys,
    "json": labels.json_object,
}
_PLACED: dict[str, Callable[[Placement], str]] = {
    "rankfile": openmpi.rankfile,
    "rankfile-relative": openmpi.relative_rankfile,
    "slurm": slurm.hostfile,
    "mpich": hydra.machinefile,
    "intelmpi": hydra.machinefile,
    "cray": cray.rank_order,
    "lsf": lsf.hostfile,
    "erf": lsf.resource_file,
    "cpus": cpus.cpu_file,
}

# Launchers whose file says everything ...
_SELF_CONTAINED: dict[str, Callable[[Placement, str], str]] = {
    "rankfile": openmpi.command,
    "rankfile-relative": openmpi.command,
    "lsf": lsf.hostfile_command,
    "erf": lsf.resource_file_command,
}
# ... and those whose file chooses hosts; cores are up to the command.
_HOSTS_ONLY: dict[str, Callable[[Placement, str, cpus.CpuLists], str]] = {
    "slurm": slurm.command,
    "mpich": hydra.mpich_command,
    "intelmpi": hydra.intel_command,
    "cray": cray.command,
}

LAUNCHERS = (*_SELF_CONTAINED, *_HOSTS_ONLY)
FORMATS = ("blocks", "metis", *_PLAIN, *_PLACED)


def needs_hosts(format: str) -> bool:
    """Whether such a file names hosts."""
    return format in _PLACED


def file_text(mapping: Mapping, format: str, hosts: str | Iterable[str] | None) -> str:
    """Return what a file of this format says."""
    if format in _PLAIN:
        return _PLAIN[format](mapping)
    if format not in _PLACED:
        raise ConfigError(f"format must be one of {', '.join(FORMATS)}, got {format!r}")
    return _PLACED[format](Placement.of(mapping, hosts))


def command(
    mapping: Mapping,
    format: str,
    path: str,
    hosts: str | Iterable[str] | None,
    cpu_file: str | None,
    bind: bool,
) -> str:
    """Return the command line, less the program, that uses such a file."""
    if format not in LAUNCHERS:
        raise ConfigError(f"launcher must be one of {', '.join(LAUNCHERS)}, got {format!r}")
    placement = Placement.of(mapping, hosts)
    if cpu_file is not None and format == "lsf":
        raise ConfigError("cpu_file is for what starts ranks, but bsub only asks for hosts")
    if format in _SELF_CONTAINED:
        line = _SELF_CONTAINED[format](placement, path)
        return line if cpu_file is None else f"{line} {cpus.wrapper(placement, cpu_file)}"
    if cpu_file is not None:
        if format == "cray":
            raise ConfigError("cpu_file goes by ranks, which Cray MPICH gives out after the start")
        return f"{_HOSTS_ONLY[format](placement, path, None)} {cpus.wrapper(placement, cpu_file)}"
    if not bind or placement.places.kind == "node":
        return _HOSTS_ONLY[format](placement, path, [])
    if placement.places.kind == "gpu" and format in ("mpich", "intelmpi"):
        raise ConfigError(f"{format} does not bind ranks to GPUs; {cpus.WAYS_OUT}")
    processes = cray.in_slot_order(placement) if format == "cray" else placement
    hydra_counts = format in ("mpich", "intelmpi")  # tried with MPICH 4.0.2
    lists = cpus.common_lists(processes, in_one_run=hydra_counts)
    return _HOSTS_ONLY[format](placement, path, lists)
