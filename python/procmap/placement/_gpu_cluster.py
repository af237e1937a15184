# SPDX-License-Identifier: MIT
"""`gpu_cluster`: nodes of GPUs and the switches between them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.arrays import as_array, check_numbers, check_one_dimensional
from procmap._util.errors import TopologyError
from procmap._util.messages import shown
from procmap.topology._topology import Topology

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_TIMES_FARTHER = 10  # every level of switches, as for readers of Slurm's files


def gpu_cluster(
    node: Topology, switches: Mapping[str, str], distances: Sequence[float] | None = None
) -> Topology:
    """Make a cluster of GPU nodes that are all alike, below switches that have names.

    Parameters
    ----------
    node : Topology
        The GPUs of a node: ``Topology.from_nvidia_smi("topo.txt")``, or any other machine that is
        one host.
    switches : mapping from str to str
        The switch of every host, ``{"gpu01": "leaf3", ...}``; with those above it, outermost
        first, as in SLURM_TOPOLOGY_ADDR: ``"spine1.leaf3"``. As many levels for all.
    distances : sequence of numbers, optional
        Of GPUs of two hosts below the same innermost switch, below the same next one, and so on,
        and at last of hosts that share no switch. Every one ten times the one before, the first
        that of the farthest GPUs of a node, if None.

    Returns
    -------
    Topology
        Hosts below the same switch follow each other, in the order given.

    Raises
    ------
    TopologyError
        If a host has no switch, levels or distances do not fit, or the machine is too large.

    Examples
    --------
    >>> node = Topology.flat(4).with_hosts("this", kind="gpu")
    >>> cluster = gpu_cluster(node, {"a": "leaf1", "b": "leaf2", "c": "leaf1", "d": "leaf2"})
    >>> cluster.names[4], cluster.distances
    ('c:gpu0', (1, 10, 100))
    """
    if not isinstance(node, Topology):
        raise TypeError(f"node must be a Topology, got {type(node).__name__}")
    paths = _paths(switches)
    depths = {len(path) for path in paths.values()}
    if len(depths) > 1:
        raise TopologyError(f"hosts have {min(depths)} to {max(depths)} switches above them")
    order = {path: i for i, path in enumerate(_sorted_by_first(list(paths.values())))}
    hosts = sorted(paths, key=lambda host: order[paths[host]])
    if not hosts:
        raise TopologyError("switches names no host")
    levels = _levels(node, max(depths), distances)
    apart = np.array([[_apart(paths[a], paths[b], levels) for b in hosts] for a in hosts])
    np.fill_diagonal(apart, 0)
    if len(hosts) == 1:
        return Topology.cluster(node, hosts)
    return Topology.cluster(node, hosts, _one_if_equal(apart))


def _paths(switches: Any) -> dict[str, tuple[str, ...]]:
    """Return the switches above every host, outermost first."""
    if not isinstance(switches, Mapping):
        raise TypeError(f"switches must be a dict from hosts to switches, got {shown(switches)}")
    for host, path in switches.items():
        if not isinstance(path, (str, int)) or "" in str(path).split("."):
            raise TopologyError(f"host '{host}' has no switch: {shown(path)}")
    return {str(host): tuple(str(path).split(".")) for host, path in switches.items()}


def _sorted_by_first(paths: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return paths such that those with a common beginning follow each other.

    Beginnings stay in the order in which they come first.
    """
    number: dict[tuple[str, ...], int] = {}
    for path in paths:
        for level in range(1, len(path) + 1):
            number.setdefault(path[:level], len(number))
    keys = {path: [number[path[: i + 1]] for i in range(len(path))] for path in paths}
    return sorted(keys, key=lambda path: keys[path])


def _levels(node: Topology, depth: int, distances: Sequence[float] | None) -> list[float]:
    if distances is None:
        farthest = node.distance_matrix().max().item() or 1
        return [farthest * _TIMES_FARTHER ** (i + 1) for i in range(depth + 1)]
    array = as_array(distances, "distances", TopologyError)
    check_one_dimensional(distances, array, "distances", TopologyError)
    check_numbers(array, "distances", TopologyError)
    if len(distances) != depth + 1:
        raise TopologyError(
            f"distances has {len(distances)} entries, but hosts are below {depth} levels of "
            f"switches: expected {depth + 1}"
        )
    if any(a > b for a, b in itertools.pairwise(distances)):
        raise TopologyError(f"distances must ascend, got {shown(distances)}")
    return list(distances)


def _apart(a: tuple[str, ...], b: tuple[str, ...], levels: list[float]) -> float:
    common = 0
    while common < len(a) and a[common] == b[common]:
        common += 1
    return levels[len(a) - common]


def _one_if_equal(apart: NDArray[Any]) -> Any:
    """Return a number if all hosts are equally far from each other: that makes a hierarchy."""
    others = apart[~np.eye(len(apart), dtype=bool)]
    return others[0].item() if (others == others[0]).all() else apart
