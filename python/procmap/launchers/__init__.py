# SPDX-License-Identifier: MIT
"""Files that make a launcher start every rank where a mapping wants it: one module per launcher.

- "rankfile" (Open MPI): host and cores of every rank
- "rankfile-relative" (Open MPI): with +n0, +n1, ... for the hosts of the allocation, which a
  resource manager such as Slurm must have made
- "slurm" (srun): SLURM_HOSTFILE
- "mpich", "intelmpi": machine files of MPICH's Hydra and of Intel MPI
- "cray" (Cray MPICH): MPICH_RANK_ORDER
- "lsf" (bsub): hosts to ask for, not which rank goes where
- "lsf-geometry" (mpirun.lsf): LSB_PJL_TASK_GEOMETRY, the ranks of every host of the allocation
- "erf" (jsrun): explicit resource file
- "torchrun" (PyTorch): a script for every host, with its node rank and the order of its GPUs
- "cpus": CPUs or GPU of every rank, to which processes bind themselves
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from procmap._util.errors import ConfigError
from procmap._util.messages import is_in, shown
from procmap.launchers import cpu_file, cray, hydra, lsf, openmpi, slurm, torchrun

if TYPE_CHECKING:
    from procmap.launchers.launcher import Launcher

# Those with a command line, and all.
StartFormat: TypeAlias = Literal[
    "rankfile",
    "rankfile-relative",
    "slurm",
    "mpich",
    "intelmpi",
    "cray",
    "lsf",
    "lsf-geometry",
    "erf",
    "torchrun",
]  # fmt: skip
LauncherFormat: TypeAlias = StartFormat | Literal["cpus"]

_MODULES = (openmpi, slurm, hydra, cray, lsf, torchrun, cpu_file)

LAUNCHERS: dict[str, Launcher] = {
    launcher.name: launcher for module in _MODULES for launcher in module.LAUNCHERS
}
STARTERS = tuple(name for name, launcher in LAUNCHERS.items() if launcher.command is not None)


def starter(format: str) -> Launcher:
    """Return the launcher of a format that a command line goes with."""
    if not is_in(format, STARTERS):
        raise ConfigError(f"launcher must be one of {', '.join(STARTERS)}, got {shown(format)}")
    return LAUNCHERS[format]
