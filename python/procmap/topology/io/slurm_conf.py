# SPDX-License-Identifier: MIT
"""Slurm's topology.conf: topology/tree and topology/block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from procmap._util.formats import Format
from procmap._util.messages import shortened
from procmap._util.text import error_at, lines_of, read_text
from procmap.topology.io.slurm import Block, NameLists, Switch, of_blocks, of_switches

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence

    from procmap.topology._description import Description
    from procmap.topology.io.slurm import Cluster

_PAIR = re.compile(r"""(\w+)\s*=\s*(?:"([^"]+)"|([^\s"]+))(?:\s+|$)""")  # as Slurm's own parser

_KEYS = {
    "switchname": {"switchname", "nodes", "switches", "linkspeed"},
    "blockname": {"blockname", "nodes"},
    "blocksizes": {"blocksizes"},
}


def read(path: str | os.PathLike[str]) -> Cluster:
    """Read a topology.conf."""
    switches: list[Switch] = []
    blocks: list[Block] = []
    sizes: list[int] = []
    sizes_line = 0
    names = NameLists(path)
    for line, values in _statements(path):
        if "switchname" in values:
            below = {key: names.expand(line, values.get(key)) for key in ("nodes", "switches")}
            own = names.expand(line, values["switchname"])
            switches.extend(Switch(name, line, **below) for name in own)
        elif "blockname" in values:
            nodes = names.expand(line, values.get("nodes"))
            blocks.append(Block(values["blockname"], line, nodes))
        elif sizes:
            raise error_at(path, line, "'BlockSizes' is given twice")
        else:
            sizes, sizes_line = _sizes(path, line, values["blocksizes"]), line
    if switches and (blocks or sizes):
        line = blocks[0].line if blocks else sizes_line
        raise error_at(path, line, "a file has either switches or blocks")
    if not switches and not blocks:
        raise error_at(path, 1, "there is neither a SwitchName nor a BlockName")
    if switches:
        return of_switches(path, switches)
    return of_blocks(path, blocks, sizes, sizes_line)


def _statements(path: str | os.PathLike[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line number and ``key=value`` pairs of every statement; keys in lower case."""
    pending, first = "", 0
    for number, raw in enumerate(lines_of(read_text(path)), start=1):
        text = raw.split("#")[0].rstrip()
        first = first if pending else number
        if text.endswith("\\"):
            pending += text[:-1]  # nothing comes between, as in Slurm: lists of nodes go on
            continue
        statement, pending = (pending + text).strip(), ""
        if statement:
            yield first, _pairs(path, first, statement)
    if pending.strip():
        yield first, _pairs(path, first, pending.strip())


def _pairs(path: str | os.PathLike[str], line: int, statement: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    end = 0
    while end < len(statement):
        match = _PAIR.match(statement, end)
        if match is None:
            word = statement[end:].split(maxsplit=1)[0]
            raise error_at(path, line, f"expected KEY=VALUE, found '{shortened(word)}'")
        end = match.end()
        key, value = match[1], match[2] or match[3]
        if match[3] and "=" in value:  # NAME= OTHER=VALUE, which the expression joins
            raise error_at(path, line, f"'{shortened(key)}' has no value")
        if key.lower() in pairs:
            raise error_at(path, line, f"'{shortened(key)}' is given twice")
        pairs[key.lower()] = value
    kind = next((name for name in _KEYS if name in pairs), None)
    if kind is None:
        raise error_at(path, line, "expected SwitchName=, BlockName= or BlockSizes=")
    unknown = [key for key in pairs if key not in _KEYS[kind]]
    if unknown:
        raise error_at(path, line, f"unknown key '{shortened(unknown[0])}'")
    return pairs


def _sizes(path: str | os.PathLike[str], line: int, text: str) -> list[int]:
    words = text.split(",")
    if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
        raise error_at(path, line, f"BlockSizes={shortened(text)} is not a list of numbers")
    return [int(word) for word in words]


def _machine(
    path: str | os.PathLike[str],
    nodes: str | Iterable[str] | None = None,
    inside: Description | None = None,
    distances: Sequence[int] | None = None,
) -> Description:
    return read(path).machine(nodes, inside, distances)


_BEGINNING = re.compile(rb"^[ \t]*(switch|block)name[ \t]*=", re.IGNORECASE | re.MULTILINE)

FORMAT = Format(
    "slurm",
    _machine,
    begins=lambda start: _BEGINNING.search(start) is not None,
    options=("nodes", "inside", "distances"),
)
