# SPDX-License-Identifier: MIT
"""Files that describe machines: one module per format.

- "hwloc": XML of ``lstopo``, see `procmap.Topology.from_hwloc_xml`
- "slurm": ``topology.conf``, see `procmap.Topology.from_slurm_conf`
- "slurm-yaml": ``topology.yaml``, see `procmap.Topology.from_slurm_yaml`
- "nvidia-smi": what ``nvidia-smi topo -m`` prints, see `procmap.Topology.from_nvidia_smi`
- "scotch": target file of Scotch or TopoMatch, see `procmap.Topology.from_scotch`
- "distances": ``.npy`` or lines of numbers, a distance matrix
- "latencies": the same, measured; never guessed from the content
- "bandwidths": the same; see `procmap.Topology.from_measurements`

If nobody says the format, name and content of the file decide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from procmap._util.errors import ConfigError, FileError
from procmap._util.formats import Format, named, of_content, of_suffix
from procmap._util.source import Source
from procmap.topology.io import hwloc, matrix, nvidia, scotch, slurm_conf, slurm_yaml

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from procmap.topology._description import Description

    Read: TypeAlias = Callable[..., Description]

TopologyFormat: TypeAlias = Literal[
    "hwloc", "slurm", "slurm-yaml", "nvidia-smi", "scotch", "distances", "latencies", "bandwidths"
]

# Content is compared in this order.
FORMATS: tuple[Format[Read], ...] = (
    hwloc.FORMAT, slurm_conf.FORMAT, slurm_yaml.FORMAT, nvidia.FORMAT, scotch.FORMAT,
    *matrix.FORMATS,
)  # fmt: skip


def read(path: str | os.PathLike[str], format: str | None, options: dict[str, Any]) -> Description:
    """Read a file of any format; options that are None count as not given."""
    source = Source.of(path)
    known = _guess(source) if format is None else named(FORMATS, format)
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in known.options:
            raise ConfigError(f"{name} is no option of the format {known.name}")
    return known.read(source, **given)


def _guess(path: Source) -> Format[Read]:
    """Return the format that the name of a file or its content says."""
    known = of_suffix(FORMATS, path) or of_content(FORMATS, path.text.encode())
    if known is None:
        if not path.data.strip():
            raise FileError(f"{path}: the file is empty")
        raise FileError(f"{path}: not a description of a machine that is known; give the format")
    return known
