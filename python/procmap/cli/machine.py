# SPDX-License-Identifier: MIT
"""Options that say what the machine is."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import procmap
from procmap._errors import ConfigError, TopologyError
from procmap.topologies import TopologyFormat

if TYPE_CHECKING:
    import argparse


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


def machine_of(args: argparse.Namespace) -> procmap.Topology:
    """Return the machine; refuse options that do not go together."""
    if (args.hierarchy is None) != (args.distances is None):
        raise ConfigError("give both -H and -D")
    levels = None
    if args.hierarchy is not None:
        levels = procmap.Topology.hierarchy(args.hierarchy, args.distances)
    if args.topology is not None:
        return procmap.Topology.read(
            args.topology, args.topology_format, nodes=args.nodes, inside=levels
        )
    if args.nodes is not None or args.topology_format is not None:
        raise ConfigError("--nodes and --topology-format are for --topology")
    if levels is None:
        raise ConfigError("give -H and -D, or --topology")
    return levels


def machine_or_blocks_of(args: argparse.Namespace) -> procmap.Topology:
    """Return the machine, or that of -k."""
    if args.blocks is None:
        if args.hierarchy is None and args.distances is None and args.topology is None:
            raise ConfigError("give -H and -D, --topology, or -k")
        return machine_of(args)
    if any(value is not None for value in (args.hierarchy, args.distances, args.topology)):
        raise ConfigError("give either -k or a machine, not both")
    return flat(args.blocks)


def flat(k: int) -> procmap.Topology:
    """Return the machine of -k."""
    try:
        return procmap.Topology.flat(k)
    except TopologyError as exc:
        raise ConfigError(f"argument -k: {exc}") from None
