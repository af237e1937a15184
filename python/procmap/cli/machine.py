# SPDX-License-Identifier: MIT
"""Options that say what the machine is."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import procmap
from procmap._util.arrays import as_integer
from procmap._util.errors import ConfigError, TopologyError
from procmap._util.limits import MAX_PES
from procmap.topology.io import TopologyFormat

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable


_OPTIONS = (
    "hierarchy", "distances", "machine", "topology", "topology_format", "nodes", "cluster",
    "cluster_distance",
)  # fmt: skip


def add_machine(sub: argparse.ArgumentParser) -> None:
    """Add -H and -D, and --topology for machines from files."""
    sub.add_argument(
        "-H", "--hierarchy", metavar="4:8:6",
        help="PEs per processor, processors per node, nodes: innermost first",
    )  # fmt: skip
    sub.add_argument(
        "-D", "--distances", metavar="1:10:100",
        help="distance of two PEs that first meet at each level",
    )  # fmt: skip
    sub.add_argument(
        "--machine", metavar="torus:8:8:8",
        help="a regular machine: torus, mesh, hypercube, fat-tree or dragonfly, and its numbers",
    )  # fmt: skip
    sub.add_argument(
        "--topology", metavar="FILE",
        help="the machine: lstopo's XML, Slurm's topology.conf or .yaml (-H and -D then are the "
        "inside of a node), nvidia-smi topo -m, Scotch's .tgt, a matrix",
    )  # fmt: skip
    sub.add_argument(
        "--topology-format", choices=get_args(TopologyFormat), metavar="FORMAT",
        help=f"{', '.join(get_args(TopologyFormat))} (default: by the content)",
    )  # fmt: skip
    sub.add_argument(
        "--nodes", metavar="LIST", help="nodes of --topology that are used, such as node[01-16]"
    )
    sub.add_argument(
        "--cluster", metavar="LIST",
        help="the machine is one node; use so many that are all like it, such as node[01-08]",
    )  # fmt: skip
    sub.add_argument(
        "--cluster-distance", type=float, metavar="D",
        help="distance between nodes of --cluster (default: ten times the largest within one)",
    )  # fmt: skip


_KINDS: dict[str, tuple[Callable[..., procmap.Topology], range]] = {  # and how many numbers
    "torus": (procmap.Topology.torus, range(1, 23)),
    "mesh": (procmap.Topology.mesh, range(1, 23)),
    "hypercube": (procmap.Topology.hypercube, range(1, 2)),
    "fat-tree": (procmap.Topology.fat_tree, range(1, 3)),
    "dragonfly": (procmap.Topology.dragonfly, range(3, 4)),
}


def _regular(text: str) -> procmap.Topology:
    """Return what ``torus:8:8:8`` describes."""
    kind, *numbers = text.split(":")
    make, counts = _KINDS.get(kind, (None, range(0)))
    digits = all(number.isascii() and number.isdigit() for number in numbers)
    if make is None or len(numbers) not in counts or not digits:
        raise ConfigError(
            f"argument --machine: '{text}' is not torus:8:8:8, mesh:8:8, hypercube:6, fat-tree:8 "
            "(ports) or dragonfly:9:4:2 (groups, routers, PEs)"
        )
    try:
        return make(*map(int, numbers))
    except TopologyError as exc:
        raise ConfigError(f"argument --machine: '{text}': {exc}") from None


def machine_of(args: argparse.Namespace) -> procmap.Topology:
    """Return the machine; refuse options that do not go together."""
    machine = _machine_or_node(args)
    if args.cluster is not None:
        return _cluster(machine, args.cluster, args.cluster_distance)
    if args.cluster_distance is not None:
        raise ConfigError("--cluster-distance is for --cluster")
    return machine


def _machine_or_node(args: argparse.Namespace) -> procmap.Topology:
    if (args.hierarchy is None) != (args.distances is None):
        raise ConfigError("give both -H and -D")
    if args.machine is not None:
        others = (args.hierarchy, args.topology, args.nodes, args.topology_format)
        if any(value is not None for value in others):
            raise ConfigError("--machine goes without -H, -D and --topology")
        return _regular(args.machine)
    levels = None
    if args.hierarchy is not None:
        levels = _levels(args.hierarchy, args.distances)
    if args.topology is not None:
        return _read(args, levels)
    if args.nodes is not None or args.topology_format is not None:
        raise ConfigError("--nodes and --topology-format are for --topology")
    if levels is None:
        raise ConfigError("give -H and -D, --machine, or --topology")
    return levels


def _read(args: argparse.Namespace, levels: procmap.Topology | None) -> procmap.Topology:
    """Read the machine; errors name the options, which are called otherwise in Python."""
    try:
        return procmap.Topology.read(
            args.topology, args.topology_format, nodes=args.nodes, inside=levels
        )
    except ConfigError as exc:
        for name, option in (("inside", "-H and -D"), ("nodes", "--nodes")):
            if str(exc).startswith(f"{name} is no option"):
                message = str(exc).removeprefix(f"{name} is no option of")
                raise ConfigError(
                    f"{args.topology}: {option} cannot be used with{message}"
                ) from None
        raise


def _cluster(node: procmap.Topology, hosts: str, distance: float | None) -> procmap.Topology:
    try:
        return procmap.Topology.cluster(node, hosts, distance)
    except TopologyError as exc:
        option = "--cluster-distance" if str(exc).startswith("distance") else "--cluster"
        raise ConfigError(f"argument {option}: {exc}") from None


def _levels(sizes: str, distances: str) -> procmap.Topology:
    try:
        return procmap.Topology.hierarchy(sizes, distances)
    except TopologyError as exc:
        raise ConfigError(f"arguments -H and -D: {exc}") from None


def machine_or_blocks_of(args: argparse.Namespace) -> procmap.Topology:
    """Return the machine, or that of -k."""
    given = any(getattr(args, name) is not None for name in _OPTIONS)
    if args.blocks is None:
        if not given:
            raise ConfigError("give -H and -D, --machine, --topology, or -k")
        return machine_of(args)
    if given:
        raise ConfigError("give either -k or a machine, not both")
    return flat(args.blocks)


def flat(k: int) -> procmap.Topology:
    """Return the machine of -k."""
    return procmap.Topology.flat(as_integer(k, "argument -k", 1, MAX_PES, ConfigError))
