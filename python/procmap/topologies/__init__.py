# SPDX-License-Identifier: MIT
"""Machines from the files that describe them: one module per format."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from procmap._errors import ConfigError, FileError, TopologyError
from procmap._text import read_text
from procmap.topologies import hwloc, matrix, nvidia, scotch, slurm_conf, slurm_yaml

if TYPE_CHECKING:
    from collections.abc import Callable

    from procmap._topology import Topology

TopologyFormat: TypeAlias = Literal[
    "hwloc", "slurm", "slurm-yaml", "nvidia-smi", "scotch", "distances", "latencies", "bandwidths"
]

# Options that the readers of all formats share, and those that each of them knows.
_OPTIONS: dict[str, tuple[str, ...]] = {
    "hwloc": ("pe", "distances"),
    "slurm": ("nodes", "inside", "distances"),
    "slurm-yaml": ("nodes", "inside", "distances", "name"),
    "nvidia-smi": ("host", "costs"),
}


def read(path: str, format: str | None, options: dict[str, Any]) -> Topology:
    """Read a file of any format."""
    if format is not None and format not in get_args(TopologyFormat):
        known = ", ".join(get_args(TopologyFormat))
        raise ConfigError(f"format must be one of {known}, got {format!r}")
    kind = format or guess_format(path)
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in _OPTIONS.get(kind, ()):
            raise ConfigError(f"{name} is no option of the format {kind}")
    return _READERS[kind](path, **given)


def guess_format(path: str) -> TopologyFormat:
    """Return the format that the name of a file or its content says."""
    suffix = Path(path).suffix.lower()
    if suffix == ".npy":
        return "distances"
    text = read_text(path)
    if text.lstrip().startswith("<"):
        return "hwloc"
    words = text.split(maxsplit=1)
    if words[:1] and words[0] in scotch.KINDS:
        return "scotch"
    if re.search(r"(?im)^\s*(switch|block)name\s*=", text):
        return "slurm"
    if "topology:" in text:
        return "slurm-yaml"
    if "GPU0" in text:
        return "nvidia-smi"
    if words[:1] and words[0][:1] in "0123456789.-":
        return "distances"
    raise FileError(f"{path}: not a description of a machine that is known; give the format")


def _read_slurm_conf(
    path: str, nodes: Any = None, inside: Any = None, distances: Any = None
) -> Topology:
    return slurm_conf.read(path).to_topology(nodes, inside, distances)


def _read_slurm_yaml(
    path: str, nodes: Any = None, inside: Any = None, distances: Any = None, name: Any = None
) -> Topology:
    return slurm_yaml.read(path, name).to_topology(nodes, inside, distances)


def _read_nvidia_smi(path: str, **options: Any) -> Topology:
    try:
        return nvidia.read(read_text(path), **options)
    except TopologyError as exc:
        raise FileError(f"{os.fspath(path)}: {exc}") from None


_READERS: dict[str, Callable[..., Topology]] = {
    "hwloc": hwloc.read,
    "slurm": _read_slurm_conf,
    "slurm-yaml": _read_slurm_yaml,
    "nvidia-smi": _read_nvidia_smi,
    "scotch": scotch.read,
    "distances": lambda path: matrix.read(path, "distances"),
    "latencies": lambda path: matrix.read(path, "latencies"),
    "bandwidths": lambda path: matrix.read(path, "bandwidths"),
}
