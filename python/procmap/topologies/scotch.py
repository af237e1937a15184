# SPDX-License-Identifier: MIT
"""Target files of Scotch (``.tgt``), which TopoMatch uses too.

Source: Scotch 7 User's Guide, section "Target files". Attention: ``tleaf`` is written outermost
level first. Scotch numbers the processors of meshes and tori with the first dimension running
fastest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap._errors import TopologyError
from procmap._text import error_at, read_text
from procmap._topology import Topology

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from numpy.typing import NDArray

_MAX_TERMINALS = 10_000  # of a table of distances


class _Words:
    """The words of a file, one after the other."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        lines = read_text(path).splitlines()
        self._words = [(word, i) for i, text in enumerate(lines, start=1) for word in text.split()]
        self._next = 0

    def word(self) -> str:
        """Return the next word."""
        if self._next == len(self._words):
            raise error_at(self.path, self.line, "the file ends too early")
        self._next += 1
        return self._words[self._next - 1][0]

    @property
    def line(self) -> int:
        """Line of the last word read."""
        return self._words[self._next - 1][1] if self._next else 1

    def number(self, low: int = 0) -> int:
        """Return the next word as an integer >= `low`."""
        word = self.word()
        if not (word.isascii() and word.isdigit()) or len(word) > 18 or int(word) < low:
            raise error_at(
                self.path, self.line, f"expected an integer >= {low}, found '{word[:40]}'"
            )
        return int(word)

    def end(self) -> None:
        """Refuse further words."""
        if self._next < len(self._words):
            word = self.word()
            raise error_at(
                self.path, self.line, f"expected the end of the file, found '{word[:40]}'"
            )


def read(path: str | os.PathLike[str]) -> Topology:
    """Read a target file."""
    words = _Words(path)
    kind = words.word()
    if kind not in KINDS:
        raise error_at(
            path, words.line, f"target '{kind[:40]}' is not supported: {', '.join(KINDS)} are"
        )
    line = words.line
    try:
        topology = KINDS[kind](words)
    except TopologyError as exc:
        raise error_at(path, line, exc) from None
    words.end()
    return topology


def _tree_of_leaves(words: _Words) -> Topology:
    levels = words.number(1)
    if levels > 64:
        raise error_at(words.path, words.line, f"{levels} levels are too many")
    pairs = [(words.number(1), words.number()) for _ in range(levels)]
    sizes, distances = zip(*reversed(pairs), strict=True)
    return Topology.hierarchy(sizes, distances)


def _complete(words: _Words) -> Topology:
    return Topology.flat(words.number(1))


def _hypercube(words: _Words) -> Topology:
    return Topology.hypercube(words.number())


def _grid(make: Callable[..., Topology], dimensions: int | None) -> Callable[[_Words], Topology]:
    def build(words: _Words) -> Topology:
        count = dimensions or words.number(1)
        if count > 64:
            raise error_at(words.path, words.line, f"{count} dimensions are too many")
        sizes = [words.number(1) for _ in range(count)]
        return make(*reversed(sizes))  # the last dimension of ours runs fastest

    return build


def _decomposition(words: _Words) -> Topology:
    """Read what ``deco`` defines: type 0 lists processors, type 1 all parts of the machine."""
    kind = words.number()
    if kind not in (0, 1):
        raise error_at(words.path, words.line, f"decomposition of type {kind}, expected 0 or 1")
    terminals, domains = words.number(1), words.number(1)
    rows = domains if kind == 1 else terminals
    if rows > 2 * _MAX_TERMINALS or terminals > _MAX_TERMINALS:
        raise error_at(words.path, words.line, f"{rows} parts are too many")
    table = np.array([[words.number() for _ in range(3)] for _ in range(rows)])
    labels = table[:, 0]
    own = np.flatnonzero(table[:, 1] == 1) if kind == 1 else np.arange(rows)
    if len(own) != terminals:
        raise error_at(words.path, words.line, f"expected {terminals} processors, found {len(own)}")
    distances = _triangle(words, rows)
    own = own[np.argsort(labels[own], kind="stable")]  # PEs in the order of their labels
    return Topology.from_distance_matrix(distances[np.ix_(own, own)])


def _triangle(words: _Words, order: int) -> NDArray[np.int64]:
    """Read the entries below the diagonal, row by row."""
    matrix = np.zeros((order, order), np.int64)
    for i in range(1, order):
        matrix[i, :i] = [words.number() for _ in range(i)]
    return matrix + matrix.T


KINDS: dict[str, Callable[[_Words], Topology]] = {
    "tleaf": _tree_of_leaves,
    "cmplt": _complete,
    "hcub": _hypercube,
    "mesh2D": _grid(Topology.mesh, 2),
    "mesh3D": _grid(Topology.mesh, 3),
    "meshXD": _grid(Topology.mesh, None),
    "torus2D": _grid(Topology.torus, 2),
    "torus3D": _grid(Topology.torus, 3),
    "torusXD": _grid(Topology.torus, None),
    "deco": _decomposition,
}
