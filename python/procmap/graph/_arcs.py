# SPDX-License-Identifier: MIT
"""Lists of arcs, and the undirected graphs made of them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from procmap._util.arrays import as_array, as_integer, as_integers
from procmap._util.errors import GraphError
from procmap._util.limits import MAX_VERTICES, WEIGHT_LIMIT
from procmap._util.messages import is_in, shown
from procmap._util.scaling import UNSCALED, Scale, scale_to_integers
from procmap.graph._csr import check_offsets
from procmap.graph._self_loops import without_self_loops

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import ArrayLike, NDArray

    # What to do with a graph whose two directions differ: refuse it, or make w(u, v) the sum or
    # the larger of the two.
    Symmetrize: TypeAlias = Literal["error", "sum", "max"]
    Rows: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64] | None]


@dataclass(frozen=True)
class Arcs:
    """Arcs tails[i] -> heads[i] between vertices in [0, num_vertices), in any order.

    Weights are >= 0, and None means that each is 1; `scale` is the unit of integers, which they
    are for graphs.
    """

    num_vertices: int
    tails: NDArray[np.int64]
    heads: NDArray[np.int64]
    weights: NDArray[Any] | None = None
    scale: Scale = UNSCALED

    @classmethod
    def checked(
        cls,
        tails: ArrayLike,
        heads: ArrayLike,
        weights: ArrayLike | None,
        num_vertices: int | None,
        name: str = "edges",
        *,
        scaled: bool = True,
    ) -> Arcs:
        """Make arcs of what a user gave; `name` is how messages call the pairs of ends.

        Fractional weights stay what they are unless `scaled`.
        """
        u = as_integers(tails, np.int64, f"{name}[:, 0]", GraphError)
        v = as_integers(heads, np.int64, f"{name}[:, 1]", GraphError)
        if len(u) != len(v):
            raise GraphError(f"{name} has {len(u)} tails, but {len(v)} heads")
        if num_vertices is None:
            largest = max(u.max(initial=-1), v.max(initial=-1))
            num_vertices = min(1 + int(largest), MAX_VERTICES)  # the ends beyond are refused
        n = as_integer(num_vertices, "num_vertices", 0, MAX_VERTICES, GraphError)
        _check_ends(u, v, n, name)
        if weights is None:
            return cls(n, u, v)
        given = as_array(weights, "weights", GraphError)
        counted = without_self_loops(given, "weights", lambda: u == v)
        traffic, scale = scale_to_integers(counted, "weights", GraphError)
        if len(traffic) != len(u):
            raise GraphError(f"weights has {len(traffic)} entries, but there are {len(u)} {name}")
        _check_weights(traffic)
        if not scaled and given.dtype.kind == "f" and (scale != UNSCALED or counted is not given):
            return cls(n, u, v, given.astype(np.float64))
        return cls(n, u, v, traffic, scale)

    @classmethod
    def of_rows(
        cls,
        offsets: ArrayLike,
        heads: ArrayLike,
        weights: ArrayLike | None,
        *,
        scaled: bool = True,
    ) -> Arcs:
        """Make arcs of compressed rows."""
        starts = as_integers(offsets, np.int64, "offsets", GraphError)
        ends = as_integers(heads, np.int64, "heads", GraphError)
        check_offsets(starts, len(ends))
        n = len(starts) - 1
        tails = np.repeat(np.arange(n), np.diff(starts))
        return cls.checked(tails, ends, weights, n, "arcs", scaled=scaled)

    def rows(self) -> Rows:
        """Return the arcs as compressed rows: offsets, heads and weights."""
        order = np.argsort(self.tails, kind="stable")
        offsets = np.zeros(self.num_vertices + 1, np.int64)
        np.cumsum(np.bincount(self.tails, minlength=self.num_vertices), out=offsets[1:])
        weights = None if self.weights is None else self.weights[order]
        return offsets, self.heads[order].astype(np.int32), weights

    def mirrored(self) -> Arcs:
        """Return every arc in both directions: C + C^T. The core adds up parallel arcs."""
        weights = self.weights
        return replace(
            self,
            tails=np.concatenate([self.tails, self.heads]),
            heads=np.concatenate([self.heads, self.tails]),
            weights=None if weights is None else np.concatenate([weights, weights]),
        )

    def symmetrized(self, how: Symmetrize) -> Arcs:
        """Return the arcs of an undirected graph, or those that the core will check to be one."""
        if how == "error":
            return self
        return self.mirrored() if how == "sum" else self._largest().mirrored()

    def as_edges(self) -> Arcs:
        """Return both directions of a list that has each edge once, or each arc of each edge.

        Lists of either kind are common and nothing in them says which it is. One that has some
        edges in one direction and some in both is neither.
        """
        merged = self._merged()
        reverse = replace(merged, tails=merged.heads, heads=merged.tails)._merged()
        if _same_arcs(merged, reverse):
            return self
        keys, back = merged._keys(), np.sort(reverse._keys())
        loop = merged.tails == merged.heads
        both = np.isin(keys, back, assume_unique=True) & ~loop
        if both.any():
            i = int(np.argmax(both))
            u, v = merged.tails[i], merged.heads[i]
            raise GraphError(
                f"edge {u} {v} is there in both directions, but others are not, or with another "
                "weight; symmetrize='sum' or 'max' says what to make of it"
            )
        return self.mirrored()

    def _keys(self) -> NDArray[np.int64]:
        return self.tails * self.num_vertices + self.heads

    def _merged(self) -> Arcs:
        """Return the arcs sorted, parallel ones added up."""
        keys, which = np.unique(self._keys(), return_inverse=True)
        weights = np.zeros(len(keys), np.int64)
        np.add.at(weights, which, 1 if self.weights is None else self.weights)
        n = max(self.num_vertices, 1)
        return replace(self, tails=keys // n, heads=keys % n, weights=weights)

    def _largest(self) -> Arcs:
        """Return every edge once, with the larger weight of its two directions."""
        merged = self._merged()
        assert merged.weights is not None
        low = np.minimum(merged.tails, merged.heads)
        high = np.maximum(merged.tails, merged.heads)
        keys, which = np.unique(low * self.num_vertices + high, return_inverse=True)
        weights = np.zeros(len(keys), np.int64)
        np.maximum.at(weights, which, merged.weights)
        n = max(self.num_vertices, 1)
        return replace(self, tails=keys // n, heads=keys % n, weights=weights)


@dataclass(frozen=True)
class Tasks:
    """Arcs in both directions, and loads if the object has any."""

    arcs: Arcs
    loads: ArrayLike | None = None


def check_symmetrize(how: object) -> None:
    """Raise unless this is one of the three ways."""
    if not is_in(how, ("error", "sum", "max")):
        raise GraphError(f"symmetrize must be 'error', 'sum' or 'max', got {shown(how)}")


def _same_arcs(a: Arcs, b: Arcs) -> bool:
    assert a.weights is not None
    assert b.weights is not None
    return (
        np.array_equal(a.tails, b.tails)
        and np.array_equal(a.heads, b.heads)
        and np.array_equal(a.weights, b.weights)
    )


def _check_ends(u: NDArray[np.int64], v: NDArray[np.int64], n: int, name: str) -> None:
    bad = (u < 0) | (u >= n) | (v < 0) | (v >= n)
    if bad.any():
        i = int(np.argmax(bad))
        raise GraphError(f"{name}[{i}] = ({u[i]}, {v[i]}) has an end that is not in [0, {n})")


def _check_weights(weights: NDArray[Any]) -> None:
    """Raise if one is negative, or if adding them up could overflow."""
    if weights.size == 0:
        return
    if weights.min() < 0:
        i = int(np.argmax(weights < 0))
        raise GraphError(f"weights[{i}] = {weights[i]} is negative")
    if int(weights.max()) * len(weights) >= WEIGHT_LIMIT and sum(weights.tolist()) >= WEIGHT_LIMIT:
        sums = itertools.accumulate(weights.tolist())
        i = next(i for i, total in enumerate(sums) if total >= WEIGHT_LIMIT)
        raise GraphError(f"weights add up to 2^62 or more at weights[{i}]; scale them down")
