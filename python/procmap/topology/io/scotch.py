# SPDX-License-Identifier: MIT
"""Target files of Scotch (``.tgt``), which TopoMatch uses too.

Source: Scotch 7 User's Guide, section "Target files". Attention: ``tleaf`` is written outermost
level first. Scotch numbers the processors of meshes and tori with the first dimension running
fastest.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

import numpy as np

from procmap._util.formats import Format
from procmap._util.limits import MAX_TABLE
from procmap._util.messages import shortened
from procmap._util.text import error_at, lines_of, read_text
from procmap.topology._description import Description, Hierarchy, Matrix, Regular, Shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


class _Words:
    """The words of a file, one after the other."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        lines = lines_of(read_text(path))
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
                self.path, self.line, f"expected an integer >= {low}, found '{shortened(word)}'"
            )
        return int(word)

    def expect(self, count: int) -> None:
        """Refuse a file that has not so many words any more, before there is memory for them."""
        left = len(self._words) - self._next
        if left < count:
            raise error_at(
                self.path, self.line, f"the file ends too early: {left} words of {count} are left"
            )

    def end(self) -> None:
        """Refuse further words."""
        if self._next < len(self._words):
            word = self.word()
            raise error_at(
                self.path, self.line, f"expected the end of the file, found '{shortened(word)}'"
            )


def read(path: str | os.PathLike[str]) -> Description:
    """Read a target file."""
    words = _Words(path)
    kind = words.word()
    if kind not in KINDS:
        raise error_at(
            path, words.line, f"target '{shortened(kind)}' is not supported: {', '.join(KINDS)} are"
        )
    where = f"{os.fspath(path)}:{words.line}"
    shape = KINDS[kind](words)
    words.end()
    return Description(shape, where=where)


def _tree_of_leaves(words: _Words) -> Hierarchy:
    levels = words.number(1)
    if levels > 64:
        raise error_at(words.path, words.line, f"{levels} levels are too many")
    pairs = [(words.number(1), words.number()) for _ in range(levels)]
    sizes, distances = zip(*reversed(pairs), strict=True)
    return Hierarchy(sizes, distances)


def _complete(words: _Words) -> Regular:
    return Regular("flat", [words.number(1)])


def _hypercube(words: _Words) -> Regular:
    return Regular("hypercube", [words.number()])


def _grid(kind: Literal["mesh", "torus"], dimensions: int | None) -> Callable[[_Words], Regular]:
    def build(words: _Words) -> Regular:
        count = dimensions or words.number(1)
        if count > 64:
            raise error_at(words.path, words.line, f"{count} dimensions are too many")
        sizes = [words.number(1) for _ in range(count)]
        return Regular(kind, sizes[::-1])  # the last dimension of ours runs fastest

    return build


def _decomposition(words: _Words) -> Matrix:
    """Read what ``deco`` defines: type 0 lists processors, type 1 all parts of the machine."""
    kind = words.number()
    if kind not in (0, 1):
        raise error_at(words.path, words.line, f"decomposition of type {kind}, expected 0 or 1")
    terminals, domains = words.number(1), words.number(1)
    rows = domains if kind == 1 else terminals
    if rows > 2 * MAX_TABLE or terminals > MAX_TABLE:
        raise error_at(words.path, words.line, f"{rows} parts are too many")
    table = np.array([[words.number() for _ in range(3)] for _ in range(rows)])
    labels = table[:, 0]
    own = np.flatnonzero(table[:, 1] == 1) if kind == 1 else np.arange(rows)
    if len(own) != terminals:
        raise error_at(words.path, words.line, f"expected {terminals} processors, found {len(own)}")
    distances = _triangle(words, rows)
    own = own[np.argsort(labels[own], kind="stable")]  # PEs in the order of their labels
    return Matrix(distances[np.ix_(own, own)])


def _triangle(words: _Words, order: int) -> NDArray[np.int64]:
    """Read the entries below the diagonal, row by row."""
    words.expect(order * (order - 1) // 2)
    matrix = np.zeros((order, order), np.int64)
    for i in range(1, order):
        matrix[i, :i] = [words.number() for _ in range(i)]
    return matrix + matrix.T


KINDS: dict[str, Callable[[_Words], Shape]] = {
    "tleaf": _tree_of_leaves,
    "cmplt": _complete,
    "hcub": _hypercube,
    "mesh2D": _grid("mesh", 2),
    "mesh3D": _grid("mesh", 3),
    "meshXD": _grid("mesh", None),
    "torus2D": _grid("torus", 2),
    "torus3D": _grid("torus", 3),
    "torusXD": _grid("torus", None),
    "deco": _decomposition,
}


def _begins(start: bytes) -> bool:
    """Whether its first word is one of the kinds."""
    return any(word.decode("latin-1") in KINDS for word in start.split(maxsplit=1)[:1])


FORMAT = Format("scotch", read, begins=_begins)
