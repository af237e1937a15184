# SPDX-License-Identifier: MIT
"""Slurm's switches and blocks, from whatever file.

Source: the manual pages topology.conf(5) and topology.yaml(5).
"""

from __future__ import annotations

import itertools
import math
import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from procmap._util.errors import FileError, TopologyError
from procmap._util.limits import WEIGHT_LIMIT
from procmap._util.messages import shortened, shown
from procmap._util.text import error_at
from procmap.topology._cluster import check_num_pes
from procmap.topology._description import Description, Hierarchy
from procmap.topology._hostlist import expand_hosts
from procmap.topology._hostname import check_host
from procmap.topology._levels import as_numbers, farthest_in
from procmap.topology._places import Places
from procmap.topology.io.tree import Tree, default_distances

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from procmap.topology._description import Shape

_MAX_DEPTH = 64  # of switches above each other
_MAX_NAMES = 2**20  # in a file


class NameLists:
    """The lists of names in a file, whose names are counted together."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        self._known: dict[str, list[str]] = {}  # aliases of YAML can repeat one very often
        self._names = 0

    def expand(self, line: int, expression: str | None) -> list[str]:
        """Return the names that an expression on a line stands for; none if there is none."""
        if expression is None:
            return []
        if expression not in self._known:
            try:
                self._known[expression] = expand_hosts(expression, _MAX_NAMES)
            except TopologyError as exc:
                raise error_at(self._path, line, exc) from None
        names = self._known[expression]
        self._names += len(names)
        if self._names > _MAX_NAMES:
            raise error_at(self._path, line, f"the file has more than {_MAX_NAMES} names")
        return names


@dataclass
class Cluster:
    """Nodes and the groups they are in, outermost first."""

    path: str | os.PathLike[str]
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    is_file: bool = True  # which errors then name

    def add(self, node: str, groups: tuple[str, ...], line: int) -> None:
        """Add a node that the file names in this line."""
        try:
            self.groups[check_host(node)] = groups
        except TopologyError as exc:
            raise error_at(self.path, line, exc) from None

    def machine(
        self,
        nodes: str | Iterable[str] | None = None,
        inside: Description | None = None,
        distances: Sequence[int] | None = None,
    ) -> Description:
        """Return the machine of some nodes, or of all.

        Parameters
        ----------
        nodes
            A node list expression or names; all if None.
        inside
            The hierarchy that every node is; one PE if None.
        distances
            Of two nodes that first meet at every level of switches or blocks, innermost first.
        """
        if not self.groups:
            raise FileError(f"{self.path}: there are no nodes")
        options = (nodes, inside, distances)
        if not self.is_file or any(option is not None for option in options):
            return self._machine(*options)
        try:
            return replace(self._machine(*options), where=os.fspath(self.path))
        except TopologyError as exc:  # of which nothing but the file can be the reason
            raise FileError(f"{self.path}: {exc}") from None

    def _machine(
        self,
        nodes: str | Iterable[str] | None,
        inside: Description | None,
        distances: Sequence[int] | None,
    ) -> Description:
        whole = Tree.of_paths(list(self.groups.values())).pruned()
        nodes_read = list(self.groups)
        names = [nodes_read[i] for i in whole.order]
        wanted = names if nodes is None else self._known(nodes)
        listed = set(wanted)
        chosen = [i for i, name in enumerate(names) if name in listed]
        tree = whole.of_rows(chosen)
        hosts = tuple(names[chosen[i]] for i in tree.order)
        between = _distances(whole.num_levels, inside, distances)
        shape: Shape
        if inside is None:
            shape, places = tree.shape(between), Places.evenly(hosts, len(hosts), kind="node")
        else:
            shape, places = _with_nodes(tree, inside, between), _places(hosts, inside)
        return Description(shape, places.listed_as(wanted))

    def _known(self, nodes: str | Iterable[str]) -> list[str]:
        """Return the names of nodes, in the order in which they are listed."""
        wanted = expand_hosts(nodes)
        unknown = [name for name in wanted if name not in self.groups]
        if unknown:
            raise TopologyError(f"{self.path} knows no node '{shortened(unknown[0])}'")
        return wanted


def _distances(
    levels: int, inside: Description | None, distances: Sequence[int] | None
) -> Sequence[int]:
    if distances is not None:
        return as_numbers(distances, "distances")
    innermost = 1
    if inside is not None:
        node = _levels(inside)
        innermost = 10 * max(1, farthest_in(node.sizes, node.distances))
    between = default_distances(levels, innermost)
    if between[-1] >= WEIGHT_LIMIT:
        raise TopologyError(
            f"on {levels} levels, each ten times as far as the one below, distances are not below "
            "2^62; give distances="
        )
    return between


def _levels(inside: Description) -> Hierarchy:
    assert isinstance(inside.shape, Hierarchy)
    return inside.shape


def _with_nodes(tree: Tree, inside: Description, between: Sequence[int]) -> Shape:
    """Put a hierarchy into every leaf."""
    sizes, distances = _levels(inside).sizes, _levels(inside).distances
    check_num_pes(len(tree.child), math.prod(sizes))
    cores = np.arange(math.prod(sizes))
    inner = []
    for size in sizes:
        inner.append(cores % size)
        cores //= size
    child = np.hstack(
        [
            np.repeat(tree.child, math.prod(sizes), axis=0),
            np.tile(np.stack(inner[::-1], axis=1), (len(tree.child), 1)),
        ]
    )
    return Tree(child, []).shape([*distances, *between])


def _places(hosts: tuple[str, ...], inside: Description) -> Places:
    if inside.places is None:
        return Places.evenly(hosts, len(hosts) * math.prod(_levels(inside).sizes))
    return inside.places.on_hosts(hosts)


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
            raise error_at(path, switch.line, f"switch '{shortened(switch.name)}' is defined twice")
        by_name[switch.name] = switch
    parents = _parents(path, by_name)
    cluster = Cluster(path)
    for switch in switches:
        if not switch.nodes:
            continue
        above = _above(path, switch, parents)
        for node in switch.nodes:
            if node in cluster.groups:
                raise error_at(path, switch.line, f"node '{shortened(node)}' is below two switches")
            cluster.add(node, above, switch.line)
    return cluster


def _parents(path: str | os.PathLike[str], by_name: dict[str, Switch]) -> dict[str, Switch]:
    """Return the switch above every one; of several with the same switches below, the first."""
    parents: dict[str, Switch] = {}
    sets: dict[frozenset[str], int] = {}  # equal ones have one number
    below = {
        name: sets.setdefault(frozenset(switch.switches), len(sets))
        for name, switch in by_name.items()
    }
    for switch in by_name.values():
        for child in switch.switches:
            if child not in by_name:
                raise error_at(path, switch.line, f"switch '{shortened(child)}' is not defined")
            other = parents.setdefault(child, switch)
            if below[other.name] != below[switch.name]:
                raise error_at(
                    path,
                    switch.line,
                    f"switch {shown(child)} is below {shown(other.name)} and {shown(switch.name)}, "
                    "which join different switches: that is no tree",
                )
    return parents


def _above(
    path: str | os.PathLike[str], leaf: Switch, parents: dict[str, Switch]
) -> tuple[str, ...]:
    """Return the switches from the outermost one to `leaf`."""
    chain = [leaf.name]
    while (parent := parents.get(chain[-1])) is not None:
        if parent.name in chain:
            raise error_at(path, leaf.line, f"switch '{shortened(leaf.name)}' is below itself")
        chain.append(parent.name)
        if len(chain) > _MAX_DEPTH:
            raise error_at(
                path,
                leaf.line,
                f"more than {_MAX_DEPTH} switches are above switch '{shortened(leaf.name)}'",
            )
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
    known: set[str] = set()
    for number, block in enumerate(blocks):
        if block.name in known:
            raise error_at(path, block.line, f"block '{shortened(block.name)}' is defined twice")
        known.add(block.name)
        groups = tuple(str(number // count) for count in per_level)
        for node in block.nodes:
            if node in cluster.groups:
                raise error_at(path, block.line, f"node '{shortened(node)}' is in two blocks")
            cluster.add(node, groups, block.line)
    return cluster


def _blocks_per_level(path: str | os.PathLike[str], sizes: Sequence[int], line: int) -> list[int]:
    """Return how many blocks every level joins, outermost first; the last is 1.

    A block has at least as many nodes as the smallest size, and spare nodes beyond.
    """
    factors = [b // a if a and b % a == 0 else 0 for a, b in itertools.pairwise(sizes)]
    if 0 in sizes or not all(factor > 1 and factor.bit_count() == 1 for factor in factors):
        shown = ",".join(map(str, sizes))
        raise error_at(path, line, f"block sizes {shortened(shown)} do not grow by powers of two")
    return [size // sizes[0] for size in reversed(sizes)] or [1]
