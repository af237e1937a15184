# SPDX-License-Identifier: MIT
"""XML files of hwloc, as ``lstopo --of xml`` writes them (versions 1 and 2)."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

import numpy as np

from procmap._util.errors import ConfigError, TopologyError
from procmap._util.formats import Format
from procmap._util.messages import is_in, shortened, shown
from procmap._util.text import error_at
from procmap.topology._description import Description
from procmap.topology._hostname import check_host
from procmap.topology._places import Places
from procmap.topology.io.tree import Tree
from procmap.topology.io.xml_tree import parse

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from procmap.topology._places import Kind
    from procmap.topology.io.xml_tree import Element

_MAX_DEPTH = 64  # of elements; those of real machines have a dozen levels
_PES: dict[str, Kind] = {"PU": "pu", "Core": "core", "NUMANode": "numa", "Package": "package"}


@dataclass(frozen=True)
class _Pe:
    """An object that is a PE, and the objects around it, outermost first."""

    object: Element
    around: tuple[Element, ...]


def read(
    path: str | os.PathLike[str], pe: str = "core", distances: Sequence[int] | None = None
) -> Description:
    """Read a machine of one host (or of several, under one System)."""
    types: dict[str, str] = {kind: name for name, kind in _PES.items()}
    if not is_in(pe, types):
        raise ConfigError(f"pe must be one of {', '.join(sorted(types))}, got {shown(pe)}")
    root = parse(path, _MAX_DEPTH)
    if root.tag != "topology":
        raise error_at(path, root.line, f"expected <topology>, found <{shortened(root.tag)}>")
    found = [p for top in root.all("object") for p in _find(top, types[pe], ())]
    if not found:
        raise error_at(path, root.line, f"there is no object of type {types[pe]}")
    if pe == "numa":
        found = _with_cpus_of_their_own(path, found)
    tree = Tree.of_paths(_paths(path, found)).pruned()
    try:
        shape = tree.shape(range(1, tree.num_levels + 1) if distances is None else distances)
    except TopologyError as exc:
        if distances is not None:
            raise
        raise error_at(path, root.line, exc) from None
    ordered = [found[i] for i in tree.order]
    return Description(shape, _places(path, ordered, _PES[types[pe]]))


def _type(element: Element) -> str:
    """Return the type of an object in the words of version 2."""
    name = element.attributes.get("type", "")
    if name == "Cache":
        return f"L{element.attributes.get('depth', '')}Cache"
    return {"Socket": "Package", "Node": "NUMANode"}.get(name, name)


def _find(element: Element, wanted: str, around: tuple[Element, ...]) -> Iterator[_Pe]:
    if _type(element) == wanted:
        yield _Pe(element, around)
        return
    for child in element.all("object"):
        yield from _find(child, wanted, (*around, element))


def _with_cpus_of_their_own(path: str | os.PathLike[str], nodes: list[_Pe]) -> list[_Pe]:
    """Return the NUMA nodes whose CPUs no smaller ones have; all if CPUs are not known.

    Memory of GPUs and of CXL is a node without CPUs, or one of a whole host, and fast memory beside
    the usual one a second node of the same CPUs: no process runs there that has no place yet.
    """
    cpus = [frozenset(_cpus(path, node.object)) for node in nodes]
    covered: dict[int, set[int]] = {}
    kept = []
    for i in sorted(range(len(nodes)), key=lambda i: len(cpus[i])):
        there = covered.setdefault(id(_machine(nodes[i])), set())
        if not cpus[i] <= there:
            there |= cpus[i]
            kept.append(i)
    return [nodes[i] for i in sorted(kept)] or nodes


def _paths(path: str | os.PathLike[str], pes: list[_Pe]) -> list[list[int]]:
    """Return for every PE the object of every level that holds it, or the next larger one.

    Levels are types of objects: of cores some of which have a cache of their own and some share
    one, the former still meet further out than the latter.
    """
    levels = _levels(path, pes)
    paths = []
    for pe in pes:
        own = dict(zip(_types(pe), pe.around, strict=True))
        groups, current = [], 0
        for level in levels:
            current = id(own[level]) if level in own else current
            groups.append(current)
        paths.append(groups)
    return paths


def _types(pe: _Pe) -> tuple[str, ...]:
    """Return the types of the objects around a PE; a type in itself, as groups are, is another."""
    seen: Counter[str] = Counter()
    names = []
    for element in pe.around:
        name = _type(element)
        seen[name] += 1
        names.append(f"{name} {seen[name]}")
    return tuple(names)


def _levels(path: str | os.PathLike[str], pes: list[_Pe]) -> list[str]:
    """Return all types, outermost first."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for types in dict.fromkeys(_types(pe) for pe in pes):
        for outer, inner in zip((None, *types), types, strict=False):
            sorter.add(inner, *([] if outer is None else [outer]))
    try:
        return list(sorter.static_order())
    except CycleError as exc:
        outer, inner = exc.args[1][:2]
        raise error_at(
            path,
            pes[0].object.line,
            f"{shown(outer)} is both inside and around {shown(inner)}",
        ) from None


def _places(path: str | os.PathLike[str], pes: list[_Pe], kind: Kind) -> Places:
    machines = {id(machine): machine for machine in map(_machine, pes)}
    number = {key: i for i, key in enumerate(machines)}
    host_of = np.array([number[id(_machine(pe))] for pe in pes], np.int32)
    slots = [itertools.count() for _ in machines]
    slot_of = np.array([next(slots[host]) for host in host_of.tolist()], np.int32)
    cpus = tuple(_cpus(path, pe.object) for pe in pes)
    cores: tuple[tuple[int, ...], ...]
    if kind == "pu":
        cores = tuple((slot,) for slot in slot_of.tolist())
    else:
        core_of = {key: _core_of_cpu(path, machine) for key, machine in machines.items()}
        own = (core_of[id(_machine(pe))] for pe in pes)
        cores = tuple(
            tuple(sorted({core[cpu] for cpu in part if cpu in core}))
            for core, part in zip(own, cpus, strict=True)
        )
    names = _distinct([_host_name(path, machine) for machine in machines.values()])
    return Places(names, host_of, slot_of, kind, cores=cores, cpus=cpus)


def _core_of_cpu(path: str | os.PathLike[str], machine: Element) -> dict[int, int]:
    """Return the core, numbered along the tree, of every CPU."""
    cores = _find(machine, "Core", ())
    return {cpu: i for i, core in enumerate(cores) for cpu in _cpus(path, core.object)}


def _machine(pe: _Pe) -> Element:
    return next(
        (e for e in pe.around if _type(e) == "Machine"), pe.around[0] if pe.around else pe.object
    )


def _host_name(path: str | os.PathLike[str], machine: Element) -> str:
    for info in machine.all("info"):
        if info.attributes.get("name") == "HostName" and info.attributes.get("value"):
            try:
                return check_host(info.attributes["value"])
            except TopologyError as exc:
                raise error_at(path, info.line, exc) from None
    return "localhost"


def _distinct(names: list[str]) -> tuple[str, ...]:
    return (
        tuple(names)
        if len(set(names)) == len(names)
        else tuple(f"{name}-{i}" for i, name in enumerate(names))
    )


def _cpus(path: str | os.PathLike[str], element: Element) -> tuple[int, ...]:
    """Return the numbers in a cpuset: hexadecimal words of 32 bits, the highest first.

    hwloc leaves words of 0 empty.
    """
    text = element.attributes.get("cpuset", "")
    words = text.split(",")
    numbers: list[int] = []
    for i, word in enumerate(reversed(words)):
        if not word.strip():
            continue
        match = _WORD.fullmatch(word.strip())
        if match is None:
            raise error_at(
                path,
                element.line,
                f"cpuset '{shortened(text)}' is not a list of hexadecimal words of 32 bits",
            )
        bits = int(match[1], 16)
        numbers.extend(32 * i + bit for bit in range(bits.bit_length()) if bits >> bit & 1)
    return tuple(numbers)


_WORD = re.compile(r"(?:0[xX])?([0-9a-fA-F]{1,8})")

FORMAT = Format(
    "hwloc",
    read,
    begins=lambda start: start.lstrip().startswith(b"<"),
    options=("pe", "distances"),
)
