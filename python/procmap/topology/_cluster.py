# SPDX-License-Identifier: MIT
"""Several nodes that are all like one."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from procmap._util.arrays import as_array, check_numbers
from procmap._util.errors import TopologyError
from procmap._util.limits import MAX_PES, MAX_TABLE, WEIGHT_LIMIT
from procmap._util.messages import form_of, shown
from procmap.topology._description import Description, Hierarchy, Matrix
from procmap.topology._hostlist import expand_hosts
from procmap.topology._levels import farthest_in
from procmap.topology._places import Places

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from procmap._util.scaling import Scale

_TIMES_FARTHER = 10  # as readers take it for every level beyond a node


class Node(Protocol):
    """What is needed of the Topology of a node."""

    @property
    def num_pes(self) -> int:
        """Number of PEs."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Of the levels, if it is a hierarchy."""

    @property
    def distances(self) -> tuple[int, ...]:
        """Of its levels."""

    @property
    def distance_scale(self) -> Scale:
        """What a step of these is worth."""

    @property
    def places(self) -> Places | None:
        """Where the PEs are."""

    def distance_matrix(self) -> NDArray[Any]:
        """Return all distances."""


def cluster_of(
    node: Node, hosts: str | Iterable[str], distances: float | ArrayLike | None
) -> Description:
    """Return the machine; see `Topology.cluster`."""
    names = tuple(expand_hosts(hosts))
    if not names:
        raise TopologyError("hosts names no host")
    check_num_pes(len(names), node.num_pes)
    if node.places is not None and len(node.places.hosts) != 1:
        raise TopologyError(f"node must be one host, but it has {len(node.places.hosts)}")
    places = node.places or Places.evenly(["node"], node.num_pes)
    within = _farthest(node)
    between: Any = (within or 1) * _TIMES_FARTHER if distances is None else distances
    return Description(_shape(node, len(names), between, within), places.on_hosts(names))


def check_num_pes(hosts: int, pes_per_host: int) -> None:
    """Refuse a machine that is too large before anything as large as it is made."""
    if hosts * pes_per_host > MAX_PES:
        raise TopologyError(
            f"{hosts} hosts of {pes_per_host} PEs are more than {MAX_PES}, the most of a machine"
        )


def _farthest(node: Node) -> int | float:
    if node.sizes and node.distance_scale.unit == 1:
        return farthest_in(node.sizes, node.distances)
    _check_size(node.num_pes)
    farthest: int | float = node.distance_matrix().max().item()
    return farthest


def _check_size(num_pes: int) -> None:
    if num_pes > MAX_TABLE:
        raise TopologyError(
            f"{num_pes} PEs need a matrix of distances, which can have {MAX_TABLE} rows"
        )


def _shape(node: Node, hosts: int, between: Any, within: float) -> Hierarchy | Matrix:
    is_number = isinstance(between, numbers.Real)
    if is_number and not within <= between:
        raise TopologyError(
            f"distances = {shown(between)}, but PEs of a node are up to {within} from each other"
        )
    whole = (
        node.distance_scale.unit == 1
        and is_number
        and between < WEIGHT_LIMIT  # larger ones are scaled
        and float(between).is_integer()
    )
    if node.sizes and whole:
        levels = zip(node.sizes, node.distances, strict=True)
        met = [(size, far) for size, far in levels if size > 1 or far <= between]
        sizes, distances = zip(*met, (hosts, int(between)), strict=True)
        return Hierarchy(sizes, distances)
    _check_size(node.num_pes * hosts)
    apart = (
        np.full((hosts, hosts), _fitting(between)) if is_number else _square(between, hosts, within)
    )
    matrix = np.kron(apart, np.ones((node.num_pes, node.num_pes), apart.dtype))
    inside = np.kron(np.eye(hosts, dtype=bool), np.ones((node.num_pes, node.num_pes), bool))
    return Matrix(np.where(inside, np.tile(node.distance_matrix(), (hosts, hosts)), matrix))


def _fitting(between: Any) -> Any:
    """Return a number as NumPy takes it: integers beyond 64 bits as floats, which are scaled."""
    try:
        return between if between < WEIGHT_LIMIT else float(between)
    except OverflowError:
        raise TopologyError(f"distances = {shown(between)} is beyond 1.8e308") from None


def _square(between: ArrayLike, hosts: int, within: float) -> NDArray[Any]:
    matrix = as_array(between, "distances", TopologyError)
    if matrix.shape != (hosts, hosts):
        given = form_of(between, matrix.shape).removeprefix("shape ")
        raise TopologyError(
            f"distances must be a number or a matrix of shape {(hosts, hosts)}, got {given}"
        )
    check_numbers(matrix, "distances", TopologyError)
    near = (matrix < within) & ~np.eye(hosts, dtype=bool)
    if near.any():
        i, j = np.argwhere(near)[0]
        raise TopologyError(
            f"distances[{i}, {j}] = {matrix[i, j]}, but PEs of a node are up to {within} from each "
            "other"
        )
    return matrix
