# SPDX-License-Identifier: MIT
"""Trees, uniform or not, as machines."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from procmap._util.errors import TopologyError
from procmap._util.limits import MAX_PES, MAX_TABLE
from procmap.topology._description import Hierarchy, Matrix
from procmap.topology._levels import as_numbers

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray

_MAX_LEVELS = 8  # of a hierarchy


@dataclass(frozen=True)
class Tree:
    """Leaves and the groups they are in.

    Attributes
    ----------
    child : numpy.ndarray of int, shape (leaves, levels)
        Which child of its parent the leaf's group of every level is, outermost level first; the
        last column numbers the leaves of the innermost groups. Rows are in depth-first order.
    order : list of int
        Which leaf of the input every row is.
    """

    child: NDArray[np.int64]
    order: list[int]

    @classmethod
    def of_paths(cls, paths: Sequence[Sequence[Hashable]]) -> Tree:
        """Make a tree of the groups of every leaf, outermost first.

        Groups and leaves keep the order in which they first appear. Shorter paths count as if
        their last group were nested in itself.
        """
        depth = max((len(path) for path in paths), default=0)
        root = _Group()
        rows = []
        for leaf, path in enumerate(paths):
            numbers, group = [], root
            for key in (*path, *itertools.repeat(path[-1:], depth - len(path))):
                group = group.child(key)
                numbers.append(group.number)
            numbers.append(group.child(("leaf", leaf)).number)
            rows.append(numbers)
        order = sorted(range(len(rows)), key=rows.__getitem__)
        child = np.array([rows[i] for i in order], np.int64).reshape(len(rows), depth + 1)
        return cls(child, order)

    @property
    def num_levels(self) -> int:
        """Number of levels."""
        return int(self.child.shape[1])

    @property
    def sizes(self) -> list[int]:
        """Most children of a group of every level, innermost level first."""
        sizes: list[int] = (self.child.max(axis=0, initial=0) + 1)[::-1].tolist()
        return sizes

    def pruned(self) -> Tree:
        """Return the tree without levels on which no group has two children."""
        kept = [i for i, size in enumerate(reversed(self.sizes)) if size > 1]
        return Tree(self.child[:, kept or [self.num_levels - 1]], self.order)

    def of_rows(self, rows: Iterable[int]) -> Tree:
        """Return the tree of some leaves, with as many levels; its `order` counts in `rows`."""
        return Tree.of_paths([tuple(path) for path in self.child[list(rows), :-1].tolist()])

    def shape(self, distances: Sequence[int]) -> Hierarchy | Matrix:
        """Return the machine whose PE i is row i; `distances` are innermost first.

        It is cut out of the smallest uniform tree that holds this one.
        """
        far = as_numbers(distances, "distances")
        if len(far) != self.num_levels:
            shown = ":".join(map(str, self.sizes))
            raise TopologyError(
                f"the machine has {self.num_levels} levels, innermost first at most {shown}, "
                f"but there are {len(far)} distances"
            )
        if not len(self.child):
            raise TopologyError("there are no PEs")
        kept = [i for i, size in enumerate(self.sizes) if size > 1] or [0]
        sizes = [self.sizes[i] for i in kept]
        if len(kept) > _MAX_LEVELS or math.prod(sizes) > MAX_PES:
            if len(self.child) > MAX_TABLE:
                shown = ":".join(map(str, sizes))
                raise TopologyError(
                    f"{len(self.child)} PEs on {len(sizes)} levels of at most {shown} need a "
                    f"matrix of distances, which can have {MAX_TABLE} rows"
                )
            return Matrix(self.distance_matrix(far))
        between = [far[i] for i in kept]
        if len(self.child) == math.prod(sizes):
            return Hierarchy(sizes, between)
        pes = self.child[:, ::-1][:, kept] @ np.cumprod([1, *sizes[:-1]])
        return Hierarchy(sizes, between, pes)

    def distance_matrix(self, distances: Sequence[int]) -> NDArray[np.int64]:
        """Return the distances of all leaves."""
        matrix = np.zeros((len(self.child), len(self.child)), np.int64)
        apart = np.zeros_like(matrix, dtype=bool)
        for column, distance in zip(self.child.T, reversed(distances), strict=True):
            parting = ~apart & (column[:, None] != column[None, :])
            matrix[parting] = distance
            apart |= parting
        return matrix


class _Group:
    """A group of leaves, and its number among those of its parent."""

    __slots__ = ("_children", "number")

    def __init__(self, number: int = 0) -> None:
        self.number = number
        self._children: dict[Hashable, _Group] = {}

    def child(self, key: Hashable) -> _Group:
        """Return the group of this key below; a new one has the next number."""
        group = self._children.get(key)
        if group is None:
            group = self._children[key] = _Group(len(self._children))
        return group


def default_distances(levels: int, innermost: int = 1) -> list[int]:
    """Return 1, 10, 100, ...: every level ten times as far as the one below."""
    return [innermost * 10**i for i in range(levels)]
