# SPDX-License-Identifier: MIT
"""The ways to make a Topology from a description that somebody else wrote.

A class of its own, below Topology, because documentation makes both of them long.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from procmap._util.arrays import as_array
from procmap._util.errors import ConfigError, TopologyError
from procmap._util.messages import form_of, is_in, shown
from procmap.topology import io
from procmap.topology._description import Description
from procmap.topology._makers import TopologyMakers
from procmap.topology.io import hwloc, nvidia, scotch, slurm_addresses, slurm_conf, slurm_yaml
from procmap.topology.io.matrix import of_matrix

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Literal

    from numpy.typing import ArrayLike
    from typing_extensions import Self

    from procmap.topology.io import TopologyFormat
    from procmap.topology.io.slurm import Cluster


class TopologyReaders(TopologyMakers):
    """Class methods of Topology."""

    __slots__ = ()

    def _as_inside(self) -> Description:
        """Return what a reader puts into every node of a cluster."""
        raise NotImplementedError

    @classmethod
    def _of_cluster(
        cls,
        cluster: Cluster,
        nodes: str | Iterable[str] | None,
        inside: Self | None,
        distances: Sequence[int] | None,
    ) -> Self:
        return cls._build(cluster.machine(nodes, _node(inside), distances))

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        format: TopologyFormat | None = None,
        *,
        nodes: str | Iterable[str] | None = None,
        inside: Self | None = None,
        distances: Sequence[int] | None = None,
        pe: Literal["core", "pu", "numa", "package"] | None = None,
        host: str | None = None,
    ) -> Self:
        """Read a machine from a file.

        Parameters
        ----------
        path : path-like
            The file.
        format : str, optional
            One of those that ``help(procmap.topology.io)`` lists, such as "hwloc" or "slurm". If
            None, the name and content of the file decide.
        nodes, inside, distances, pe, host
            Options of the formats, described there.

        Returns
        -------
        Topology

        Raises
        ------
        FileError
            If the file cannot be read or is malformed; the message is "PATH:LINE: ..." for text.
        ConfigError
            If an option does not fit the format.
        TopologyError
            If an option does not fit the machine.
        ImportError
            If a package is missing; the message names it.
        """
        options = {
            "nodes": nodes,
            "inside": _node(inside),
            "distances": distances,
            "pe": pe,
            "host": host,
        }
        return cls._build(io.read(path, format, options))

    @classmethod
    def from_hwloc_xml(
        cls,
        path: str | os.PathLike[str],
        *,
        pe: Literal["core", "pu", "numa", "package"] = "core",
        distances: Sequence[int] | None = None,
    ) -> Self:
        """Read what ``lstopo --of xml`` wrote (hwloc 1 or 2).

        Parameters
        ----------
        path : path-like
            The file.
        pe : {"core", "pu", "numa", "package"}
            What becomes a PE; a "pu" is a hardware thread. Of "numa" one of every set of CPUs:
            memory of a GPU, or a second kind beside the same cores, is none.
        distances : sequence of int, optional
            Of two PEs that first meet at every level, innermost first; 1, 2, 3, ... if None.
            Levels are the caches, NUMA nodes, packages, ... that tell PEs apart.

        Returns
        -------
        Topology
            With the name of the host, if it is there, and the CPU numbers of the PEs.

        Raises
        ------
        FileError, ConfigError, TopologyError
            As `read`.
        """
        return cls._build(hwloc.read(path, pe, distances))

    @classmethod
    def from_slurm_conf(
        cls,
        path: str | os.PathLike[str],
        nodes: str | Iterable[str] | None = None,
        *,
        inside: Self | None = None,
        distances: Sequence[int] | None = None,
    ) -> Self:
        """Read Slurm's ``topology.conf``: switches (topology/tree) or blocks (topology/block).

        Parameters
        ----------
        path : path-like
            The file.
        nodes : str or iterable of str, optional
            What the scheduler gave you, such as ``os.environ["SLURM_JOB_NODELIST"]``; all if
            None. PEs come in the order of switches or blocks, whatever the order here, which
            files that count the hosts of the job keep.
        inside : Topology, optional
            The hierarchy that every node is; one PE per node if None.
        distances : sequence of int, optional
            Of two nodes that first meet at every level of the whole cluster on which nodes
            differ, innermost first. If None, every level is ten times as far as the one below,
            beginning with 1, or with ten times the largest distance of `inside`.

        Returns
        -------
        Topology
            With the names of the nodes.

        Raises
        ------
        FileError, TopologyError
            As `read`.

        Examples
        --------
        ``Topology.from_slurm_conf("/etc/slurm/topology.conf", "node[1-18]",
        inside=Topology.hierarchy("8:2", "1:3"))``
        """
        return cls._of_cluster(slurm_conf.read(path), nodes, inside, distances)

    @classmethod
    def from_slurm_yaml(
        cls,
        path: str | os.PathLike[str],
        nodes: str | Iterable[str] | None = None,
        *,
        name: str | None = None,
        inside: Self | None = None,
        distances: Sequence[int] | None = None,
    ) -> Self:
        """Read Slurm's ``topology.yaml``; needs PyYAML.

        Parameters
        ----------
        path, nodes, inside, distances
            As in `from_slurm_conf`.
        name : str, optional
            Which topology of the file; the cluster's default, else the first, if None.

        Returns
        -------
        Topology

        Raises
        ------
        FileError, TopologyError, ImportError
            As `read`.
        """
        return cls._of_cluster(slurm_yaml.read(path, name), nodes, inside, distances)

    @classmethod
    def from_slurm_addresses(
        cls,
        addresses: str | Iterable[str],
        *,
        pattern: str | None = None,
        inside: Self | None = None,
        distances: Sequence[int] | None = None,
    ) -> Self:
        """Make the machine of a job from SLURM_TOPOLOGY_ADDR of each of its nodes.

        Parameters
        ----------
        addresses : str or iterable of str
            What ``srun --ntasks-per-node=1 printenv SLURM_TOPOLOGY_ADDR`` prints: lines such as
            ``root.switch3.node17``.
        pattern : str, optional
            SLURM_TOPOLOGY_ADDR_PATTERN, such as ``"switch.switch.node"``; needed if the names
            of nodes have dots.
        inside, distances
            As in `from_slurm_conf`.

        Returns
        -------
        Topology

        Raises
        ------
        TopologyError
            If an address is malformed.
        """
        cluster = slurm_addresses.read(addresses, pattern)
        return cls._of_cluster(cluster, None, inside, distances)

    @classmethod
    def from_nvidia_smi(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        text: str | None = None,
        host: str = "localhost",
        costs: Mapping[str, int] | None = None,
    ) -> Self:
        """Make the machine of the GPUs of a host from what ``nvidia-smi topo -m`` prints.

        Parameters
        ----------
        path : path-like
            A file with the output, or the output itself: it has more than one line.
        text : str, optional
            The output, instead of `path`.
        host : str
            Name of the host.
        costs : mapping from str to int, optional
            Distances of GPUs connected by PIX, PXB, PHB, NODE or SYS, and by the best NVLink
            connection ("NV"; one with half the links is twice as far), where they are not to be
            50, 60, 80, 100, 200 and 10.

        Returns
        -------
        Topology
            PE i is GPU i.

        Raises
        ------
        TopologyError, FileError
            If the text is malformed, FileError if it is a file's; if `costs` names something else
            or has other values than integers in [0, 2**31).
        """
        if text is None and isinstance(path, str) and (not path or "\n" in path):
            text = path
        if text is not None:
            return cls._build(nvidia.read(text, host, costs))
        if path is None:
            raise TopologyError("give the path of a file, or the output as text=")
        return cls._build(nvidia.read_file(path, host, costs))

    @classmethod
    def from_scotch(cls, path: str | os.PathLike[str]) -> Self:
        """Read a target file of Scotch or TopoMatch (``.tgt``).

        Parameters
        ----------
        path : path-like
            One of tleaf (which is written **outermost level first**), cmplt, hcub, mesh2D,
            mesh3D, meshXD, torus2D, torus3D, torusXD, or deco of type 0 or 1. PEs have the
            numbers that Scotch gives them; of meshes and tori the first dimension runs fastest,
            which is the last one of the Topology.

        Returns
        -------
        Topology

        Raises
        ------
        FileError
            As `read`.
        """
        return cls._build(scotch.read(path))

    @classmethod
    def from_measurements(
        cls, matrix: ArrayLike, quantity: Literal["latencies", "bandwidths"]
    ) -> Self:
        """Make a machine from measured latencies or bandwidths between its PEs.

        Parameters
        ----------
        matrix : array_like of int or float, shape (k, k)
            Entries > 0 off the diagonal, which does not count. Both directions are averaged.
        quantity : {"latencies", "bandwidths"}
            A latency is a distance; the distance of a bandwidth is how many times slower it is
            than the best one.

        Returns
        -------
        Topology

        Raises
        ------
        TopologyError
            If it is no such matrix; the message names the entry.
        """
        if not is_in(quantity, ("latencies", "bandwidths")):
            raise ConfigError(f"quantity must be latencies or bandwidths, got {shown(quantity)}")
        array = as_array(matrix, "matrix", TopologyError)
        if array.ndim != 2:
            raise TopologyError(f"matrix must be square, got {form_of(matrix, array.shape)}")
        return cls._build(Description(of_matrix(array, quantity)))


def _node(inside: object) -> Description | None:
    """Return what is in every node, if something is."""
    if inside is None:
        return None
    if not isinstance(inside, TopologyReaders):
        raise TypeError(f"inside must be a Topology, got {type(inside).__name__}")
    return inside._as_inside()
