# SPDX-License-Identifier: MIT
"""What the package has to know of a launcher."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from procmap._util.errors import ConfigError
from procmap.launchers import cpus

if TYPE_CHECKING:
    from collections.abc import Callable

    from procmap.launchers.cpus import CpuLists
    from procmap.launchers.placement import Placement


@dataclass(frozen=True)
class Launcher:
    """A format of files, and the command line that goes with them.

    Attributes
    ----------
    name : str
        Of the format.
    file : callable
        Makes the text of the file.
    command : callable, optional
        Makes the command line, up to the program, of a placement, the path of the file and what
        to bind to. None: the file is for another launcher's command.
    hosts_only : bool
        The file chooses hosts, and the command binds to cores or GPUs; otherwise the file says it
        all, and the command ignores what to bind to.
    binds_cores : bool
        Whether such a command can bind to cores; if not, processes have those of their host in
        turn.
    binds_gpus : bool
        Whether file or command choose GPUs.
    counts_runs : bool
        Whether it starts to count the processes of a host anew where it comes back to the host.
    binds_whole_lists : bool
        Whether it binds only hosts that have as many processes as the list that it is given.
    order : callable, optional
        Puts the ranks of a placement into the order in which processes are bound, if that is not
        the order of ranks.
    ranks : tuple of str
        Variables of which one tells a process its rank, the first that is set.
    no_cpu_file : str
        Why processes cannot bind themselves by a file of the format "cpus"; empty if they can.
    """

    name: str
    file: Callable[[Placement], str]
    command: Callable[[Placement, str, CpuLists], str] | None = None
    hosts_only: bool = False
    binds_cores: bool = True
    binds_gpus: bool = True
    counts_runs: bool = False
    binds_whole_lists: bool = False
    order: Callable[[Placement], Placement] | None = None
    ranks: tuple[str, ...] = ("OMPI_COMM_WORLD_RANK",)
    no_cpu_file: str = ""

    def command_line(
        self, placement: Placement, path: str, cpu_file: str | None, bind: bool
    ) -> str:
        """Return the command line, less the program, that uses the file at `path`."""
        assert self.command is not None
        if cpu_file is not None:
            if self.no_cpu_file:
                raise ConfigError(f"cpu_file {self.no_cpu_file}")
            line = self.command(placement, path, None)
            return f"{line} {cpus.wrapper(placement, cpu_file, self.ranks)}"
        try:
            return self.command(placement, path, self._bound(placement) if bind else [])
        except cpus.UnboundError as exc:
            raise ConfigError(f"{exc}; {self.way_out}") from exc

    @property
    def way_out(self) -> str:
        """What a caller can do whose processes cannot be bound."""
        if self.no_cpu_file:
            return "give bind=False"
        return "write the format 'cpus' too and name it as cpu_file, or give bind=False"

    def _bound(self, placement: Placement) -> CpuLists:
        """Return what the command binds the processes of every host to."""
        if placement.places.kind == "node":
            return []
        if placement.places.kind == "gpu" and not self.binds_gpus:
            raise cpus.UnboundError(f"{self.name} does not bind ranks to GPUs")
        if not self.hosts_only:
            return []
        if not self.binds_cores:
            cpus.check_in_turn(placement, self.name)
            return []
        processes = placement if self.order is None else self.order(placement)
        return cpus.common_lists(processes, self.counts_runs, self.binds_whole_lists)
