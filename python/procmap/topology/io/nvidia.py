# SPDX-License-Identifier: MIT
"""The matrix of ``nvidia-smi topo -m``: how every two GPUs of a host are connected."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from procmap._util.arrays import as_integer
from procmap._util.errors import FileError, TopologyError
from procmap._util.formats import Format
from procmap._util.limits import MAX_DISTANCE
from procmap._util.messages import shortened, shown
from procmap._util.text import lines_of, read_text
from procmap.topology._description import Description, Matrix
from procmap.topology._places import Places

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Relative cost of a byte, the best NVLink connection being 10. Of one with fewer links it is in
# proportion; PCIe is about an order of magnitude slower, and gets worse with every step from one
# switch to host bridges and the link between sockets. Ranks as nvidia-smi's legend explains them.
COSTS = {"NV": 10, "PIX": 50, "PXB": 60, "PHB": 80, "NODE": 100, "SYS": 200, "SOC": 200}

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # the header is underlined
_GPU = re.compile(r"GPU\d+")
_NVLINK = re.compile(r"NV(\d{1,3})", re.ASCII)


def read(text: str, host: str = "localhost", costs: Mapping[str, int] | None = None) -> Description:
    """Return the GPUs of one host as PEs; other devices in the matrix are left out."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, got {shown(text)}")
    return _read(text, host, _checked(costs))


def read_file(
    path: str | os.PathLike[str], host: str = "localhost", costs: Mapping[str, int] | None = None
) -> Description:
    """Read a file with such a matrix."""
    known = _checked(costs)
    try:
        return replace(_read(read_text(path), host, known), where=os.fspath(path))
    except TopologyError as exc:
        raise FileError(f"{path}: {exc}") from None


def _checked(costs: Mapping[str, int] | None) -> dict[str, int]:
    """Return the costs of all connections, some of which a caller may have given."""
    if costs is None:
        return COSTS
    if not isinstance(costs, Mapping):
        raise TypeError(f"costs must be a mapping, got {type(costs).__name__}")
    for name in costs:
        if name not in COSTS:
            raise TopologyError(f"costs names {shown(name)}, which is none of {', '.join(COSTS)}")
    given = {
        name: as_integer(cost, f"costs[{name!r}]", 0, MAX_DISTANCE, TopologyError)
        for name, cost in costs.items()
    }
    return {**COSTS, **given}


def _read(text: str, host: str, costs: Mapping[str, int]) -> Description:
    names, connections = _matrix(_COLOUR.sub("", text))
    distances = _distances(names, connections, costs)
    return Description(Matrix(distances), Places.evenly([host], len(names), kind="gpu"))


def _matrix(text: str) -> tuple[list[str], list[list[str]]]:
    """Return the names of the GPUs and the word for every pair of them."""
    rows = [(number, line.split()) for number, line in enumerate(lines_of(text), start=1)]
    header = next((i for i, (_, words) in enumerate(rows) if _is_header(words)), None)
    if header is None:
        raise TopologyError("there is no line with GPU0 GPU1 ..., as nvidia-smi topo -m prints it")
    names = [word for word in rows[header][1] if _GPU.fullmatch(word)]
    if rows[header][1][: len(names)] != names:
        raise TopologyError(f"line {rows[header][0]}: GPUs must be the first columns")
    for i, name in enumerate(names):
        if name != f"GPU{i}":  # PEs are bound to the GPUs of their numbers
            raise TopologyError(
                f"line {rows[header][0]}: column {i + 1} is {shortened(name)}, expected GPU{i}"
            )
    connections: list[list[str]] = []
    for number, words in rows[header + 1 : header + 1 + len(names)]:
        expected = names[len(connections)]
        if words[:1] != [expected] or len(words) <= len(names):
            raise TopologyError(
                f"line {number}: expected {shortened(expected)} and {len(names)} connections"
            )
        connections.append(words[1 : len(names) + 1])
    if len(connections) < len(names):
        raise TopologyError(f"there are {len(names)} GPUs, but {len(connections)} lines")
    return names, connections


def _is_header(words: list[str]) -> bool:
    return words[:1] == ["GPU0"] and (words[1:2] != ["X"])


def _distances(
    names: list[str], connections: list[list[str]], costs: Mapping[str, int]
) -> NDArray[np.int64]:
    links = [int(m[1]) for row in connections for word in row if (m := _NVLINK.fullmatch(word))]
    distances = np.zeros((len(names), len(names)), np.int64)
    for i, row in enumerate(connections):
        for j, word in enumerate(row):
            if (word == "X") != (i == j):
                raise TopologyError(f"{_pair(names, i, j)} are connected by {shown(word)}")
            if i != j:
                distances[i, j] = _cost(word, max(links, default=1), costs)
    if (distances != distances.T).any():
        i, j = np.argwhere(distances != distances.T)[0]
        there, back = shortened(connections[i][j]), shortened(connections[j][i])
        raise TopologyError(
            f"{shortened(names[i])} to {shortened(names[j])} is {there}, but back it is {back}"
        )
    return distances


def _pair(names: list[str], i: int, j: int) -> str:
    return f"{shortened(names[i])} and {shortened(names[j])}"


def _cost(word: str, most_links: int, costs: Mapping[str, int]) -> int:
    nvlink = _NVLINK.fullmatch(word)
    if nvlink and int(nvlink[1]) > 0:
        return round(costs["NV"] * most_links / int(nvlink[1]))
    if nvlink or word not in costs:
        known = ", ".join(key for key in costs if key != "NV")
        raise TopologyError(f"{shown(word)} is no connection: expected X, NV1, NV2, ..., {known}")
    return costs[word]


FORMAT = Format(
    "nvidia-smi", read_file, begins=lambda start: b"GPU0" in start, options=("host", "costs")
)
