# SPDX-License-Identifier: MIT
"""Slurm's switches and blocks, from whatever file.

Source: the manual pages topology.conf(5) and topology.yaml(5).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from procmap._errors import FileError, TopologyError
from procmap._hostlist import expand_hosts
from procmap._places import Places
from procmap._text import error_at
from procmap.topologies.tree import Tree, default_distances

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from procmap._topology import Topology


@dataclass
class Cluster:
    """Nodes and the groups they are in, outermost first."""

    path: str | os.PathLike[str]
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def to_topology(
        self,
        nodes: str | Iterable[str] | None,
        inside: Topology | None,
        distances: Sequence[int] | None,
    ) -> Topology:
        """Return the machine of some nodes, or of all.

        Parameters
        ----------
        nodes
            A node list expression or names; all if None.
        inside
            The machine that every node is; one PE if None.
        distances
            Of two nodes that first meet at every level of switches or blocks, innermost first.
        """
        if not self.groups:
            raise FileError(f"{self.path}: there are no nodes")
        if inside is not None:
            _check_inside(inside)
        whole = Tree.of_paths(list(self.groups.values())).pruned()
        names = [list(self.groups)[i] for i in whole.order]
        wanted = names if nodes is None else self._known(nodes)
        listed = set(wanted)
        chosen = [i for i, name in enumerate(names) if name in listed]
        tree = whole.of_rows(chosen)
        between = _distances(whole.num_levels, inside, distances)
        hosts = tuple(names[chosen[i]] for i in tree.order)
        if inside is None:
            machine, places = (
                tree.to_topology(between),
                Places.evenly(hosts, len(hosts), kind="node"),
            )
        else:
            machine, places = _with_nodes(tree, inside, between, hosts)
        return machine._with(places.listed_as(wanted))

    def _known(self, nodes: str | Iterable[str]) -> list[str]:
        """Return the names of nodes, in the order in which they are listed."""
        wanted = expand_hosts(nodes)
        unknown = [name for name in wanted if name not in self.groups]
        if unknown:
            raise TopologyError(f"{self.path} knows no node '{unknown[0]}'")
        return wanted


def _distances(
    levels: int, inside: Topology | None, distances: Sequence[int] | None
) -> Sequence[int]:
    if distances is not None:
        return distances
    innermost = 1 if inside is None else 10 * max(1, *inside.distances)
    return default_distances(levels, innermost)


def _with_nodes(
    tree: Tree, inside: Topology, between: Sequence[int], hosts: tuple[str, ...]
) -> tuple[Topology, Places]:
    """Put a hierarchy into every leaf."""
    per_node = inside.num_pes
    cores = np.arange(per_node)
    inner = []
    for size in inside.sizes:
        inner.append(cores % size)
        cores //= size
    child = np.hstack(
        [
            np.repeat(tree.child, per_node, axis=0),
            np.tile(np.stack(inner[::-1], axis=1), (len(hosts), 1)),
        ]
    )
    whole = Tree(child, []).to_topology([*inside.distances, *between])
    if inside.places is None:
        return whole, Places.evenly(hosts, whole.num_pes)
    return whole, inside.places.on_hosts(hosts)


def _check_inside(inside: Topology) -> None:
    if not inside.sizes or inside.distance_scale.unit != 1:
        raise TopologyError("inside must be a hierarchy with integer distances")
    if inside.places is not None and len(inside.places.hosts) != 1:
        raise TopologyError(f"inside must be one host, but it has {len(inside.places.hosts)}")


@dataclass
class Switch:
    """A switch and what is below it."""

    name: str
    line: int
    nodes: list[str] = field(default_factory=list)
    switches: list[str] = field(default_factory=list)


def of_switches(path: str | os.PathLike[str], switches: Sequence[Switch]) -> Cluster:
    """Return the cluster of topology/tree."""
    by_name: dict[str, Switch] = {}
    for switch in switches:
        if switch.name in by_name:
            raise error_at(path, switch.line, f"switch '{switch.name}' is defined twice")
        by_name[switch.name] = switch
    parents = _parents(path, by_name)
    cluster = Cluster(path)
    for switch in switches:
        if not switch.nodes:
            continue
        above = _above(path, switch, parents, by_name)
        for node in switch.nodes:
            if node in cluster.groups:
                raise error_at(path, switch.line, f"node '{node}' is below two switches")
            cluster.groups[node] = above
    return cluster


def _parents(path: str | os.PathLike[str], by_name: dict[str, Switch]) -> dict[str, Switch]:
    """Return the switch above every one; of several with the same switches below, the first."""
    parents: dict[str, Switch] = {}
    for switch in by_name.values():
        for child in switch.switches:
            if child not in by_name:
                raise error_at(path, switch.line, f"switch '{child}' is not defined")
            other = parents.setdefault(child, switch)
            if other is not switch and set(other.switches) != set(switch.switches):
                raise error_at(
                    path,
                    switch.line,
                    f"switch '{child}' is below '{other.name}' and '{switch.name}', which join "
                    "different switches: that is no tree",
                )
    return parents


def _above(
    path: str | os.PathLike[str],
    leaf: Switch,
    parents: dict[str, Switch],
    by_name: dict[str, Switch],
) -> tuple[str, ...]:
    """Return the switches from the outermost one to `leaf`."""
    chain = [leaf.name]
    while (parent := parents.get(chain[-1])) is not None:
        chain.append(parent.name)
        if len(chain) > len(by_name):
            raise error_at(path, leaf.line, f"switch '{leaf.name}' is below itself")
    return tuple(reversed(chain))


@dataclass
class Block:
    """A block of nodes."""

    name: str
    line: int
    nodes: list[str]


def of_blocks(
    path: str | os.PathLike[str], blocks: Sequence[Block], sizes: Sequence[int], sizes_line: int
) -> Cluster:
    """Return the cluster of topology/block.

    `sizes` are those of planning blocks in nodes, increasing: with 18,36 and blocks of 18 nodes,
    every two blocks in order form one of the next level.
    """
    cluster = Cluster(path)
    per_level = _blocks_per_level(path, sizes, sizes_line)
    for number, block in enumerate(blocks):
        groups = tuple(str(number // count) for count in per_level)
        for node in block.nodes:
            if node in cluster.groups:
                raise error_at(path, block.line, f"node '{node}' is in two blocks")
            cluster.groups[node] = groups
    return cluster


def _blocks_per_level(path: str | os.PathLike[str], sizes: Sequence[int], line: int) -> list[int]:
    """Return how many blocks every level joins, outermost first; the last is 1.

    A block has at least as many nodes as the smallest size, and spare nodes beyond.
    """
    factors = [b // a if a and b % a == 0 else 0 for a, b in itertools.pairwise(sizes)]
    if 0 in sizes or not all(factor > 1 and factor.bit_count() == 1 for factor in factors):
        shown = ",".join(map(str, sizes))
        raise error_at(path, line, f"block sizes {shown} do not grow by powers of two")
    return [size // sizes[0] for size in reversed(sizes)] or [1]
