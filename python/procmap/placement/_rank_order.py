# SPDX-License-Identifier: MIT
"""`order_ranks`: which host has which ranks, if a host can only have successive ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.errors import ConfigError
from procmap.mapping._reorder import reorder_ranks
from procmap.topology._topology import Topology
from procmap.traffic._inputs import as_traffic
from procmap.traffic._traffic import Traffic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.config._fields import Preset
    from procmap.mapping._result import Mapping
    from procmap.traffic._inputs import TrafficLike

_MOST_PES = 4096  # of which all exchanges within hosts are looked at
_SWEEPS = 20
_MOST_NODES = 64  # whose GPUs are ordered alone; hosts that do the same count once


def order_ranks(
    traffic: TrafficLike, machine: Topology, *, preset: Preset = "default", seed: int = 0
) -> Mapping:
    """Choose the order of hosts, and of the GPUs of every host, for torchrun and its like.

    torchrun gives a host successive ranks: with g GPUs per host it has ranks ``g * i`` to
    ``g * i + g - 1``, where i is its node rank. So nothing can be chosen but the node rank of every
    host and the order of its GPUs. `procmap.reorder_ranks`, for launchers that place every rank
    alone, can choose more.

    Parameters
    ----------
    traffic : traffic_like, shape (n, n)
        What every rank sends to every other one (`procmap.read_traffic`, `training_traffic`).
    machine : Topology
        The GPUs, with equally many on every host (`gpu_cluster`, `Topology.cluster`, Slurm's files
        with ``inside=node``). There may be more hosts than needed.
    preset, seed
        As in `procmap.reorder_ranks`.

    Returns
    -------
    Mapping
        ``mapping.blocks[i]`` is the PE of rank i; if no order costs less than hosts as they come,
        that. ``mapping.write("start.sh", "torchrun")`` writes what every host runs, and
        ``mapping.write("hosts.txt", "slurm")`` a SLURM_HOSTFILE; ``mapping.report()`` says what was
        gained.

    Raises
    ------
    GraphError, FileError
        If `traffic` is malformed.
    ConfigError
        If the hosts of the machine are not known or of different sizes, or if ranks do not fill
        hosts.

    Examples
    --------
    >>> node = Topology.flat(2).with_hosts("this", kind="gpu")
    >>> cluster = gpu_cluster(node, {"a": "leaf1", "b": "leaf2", "c": "leaf1", "d": "leaf2"})
    >>> talks = training_traffic({"tp": 2, "pp": 2, "dp": 2}, {"tp": 9, "pp": 1, "dp": 3})
    >>> order_ranks(talks, cluster).blocks  # hosts of one leaf hold ranks 0, 1 and 4, 5
    array([0, 1, 4, 5, 2, 3, 6, 7], dtype=int32)
    """
    if not isinstance(machine, Topology):
        raise TypeError(f"machine must be a Topology, got {type(machine).__name__}")
    messages = as_traffic(traffic)
    pes = _pes_of_hosts(machine)
    size = pes.shape[1]
    if messages.num_ranks % size or messages.num_ranks > pes.size:
        raise ConfigError(
            f"{messages.num_ranks} ranks do not fill hosts of {size} GPUs, of which there are "
            f"{len(pes)}"
        )
    options: dict[str, Preset | int] = {"preset": preset, "seed": seed}
    hosts = _order_of_hosts(messages, machine, pes, options)
    orders = [pes[hosts].reshape(-1)]
    if machine.num_pes <= _MOST_PES and size > 1:
        inside = _ordered_inside(messages, machine, orders[0], size, options)
        starts = orders if (inside == orders[0]).all() else [*orders, inside]
        orders = _exchanged(messages, machine, starts, size)
    as_they_come = pes.reshape(-1)[: messages.num_ranks]
    found = [
        reorder_ranks(messages, machine, fixed=order, preset="fast")
        for order in (as_they_come, *orders)
    ]
    return min(found, key=lambda mapping: mapping.cost)


def _pes_of_hosts(machine: Topology) -> NDArray[np.int32]:
    """Return the PEs of every host in order, shape (hosts, GPUs)."""
    if machine.places is None:
        raise ConfigError(
            "the machine does not know its hosts: use gpu_cluster, or Topology.with_hosts"
        )
    counts = np.bincount(machine.places.host_of)
    if (counts != counts[0]).any():
        raise ConfigError(f"hosts have {counts.min()} to {counts.max()} GPUs, but must be alike")
    order = np.lexsort((machine.places.local_of, machine.places.host_of))
    return order.astype(np.int32).reshape(len(counts), -1)


def _order_of_hosts(
    messages: Traffic,
    machine: Topology,
    pes: NDArray[np.int32],
    options: dict[str, Preset | int],
) -> NDArray[np.int32]:
    """Return the host of every run of ranks."""
    size = pes.shape[1]
    runs = Traffic.from_messages(
        messages.senders // size,
        messages.receivers // size,
        messages.volumes,
        messages.num_ranks // size,
    )
    hosts = machine.sub(pes[:, 0])  # a GPU stands for its host
    return np.asarray(reorder_ranks(runs, hosts, **options).blocks)  # type: ignore[arg-type]


def _ordered_inside(
    messages: Traffic,
    machine: Topology,
    blocks: NDArray[np.int32],
    size: int,
    options: dict[str, Preset | int],
) -> NDArray[np.int32]:
    """Order the GPUs of every host by what its ranks send to each other.

    Exchanges of two alone do not find a ring again that has lost its order.
    """
    hosts = messages.senders // size
    there = np.flatnonzero(
        (hosts == messages.receivers // size) & (messages.senders != messages.receivers)
    )
    there = there[np.argsort(hosts[there], kind="stable")]
    ends = np.cumsum(np.bincount(hosts[there], minlength=len(blocks) // size))
    known: dict[tuple[bytes, ...], NDArray[np.int32]] = {}  # most hosts do the same
    ordered = blocks.copy()
    for host, own in enumerate(np.split(there, ends[:-1])):
        ranks = slice(host * size, (host + 1) * size)
        node = machine.sub(blocks[ranks])
        distances = node.distance_matrix()
        if not len(own) or len(np.unique(distances[~np.eye(size, dtype=bool)])) == 1:
            continue
        talk = (messages.senders[own] % size, messages.receivers[own] % size, messages.volumes[own])
        key = tuple(values.tobytes() for values in (*talk, distances))
        if key not in known:
            if len(known) == _MOST_NODES:
                continue
            alone = Traffic.from_messages(*talk, size)
            known[key] = np.asarray(reorder_ranks(alone, node, **options).blocks)  # type: ignore[arg-type]
        ordered[ranks] = blocks[ranks][known[key]]
    return ordered


def _exchanged(
    messages: Traffic, machine: Topology, starts: list[NDArray[np.int32]], size: int
) -> list[NDArray[np.int32]]:
    """Let ranks of a host exchange their GPUs as long as that costs less, from every start."""
    n = messages.num_ranks
    between = messages.senders != messages.receivers
    talk = np.zeros((n, n))
    np.add.at(
        talk,
        (messages.senders[between], messages.receivers[between]),
        _near_one(messages.volumes[between]),
    )
    talk += talk.T
    distance = _near_one(machine.distance_matrix())
    if not talk.any() or not distance.any():
        return starts
    talk = np.rint(talk * (2.0**30 / talk.sum()))  # sums of products are exact, in any order
    distance = np.rint(distance * (2.0**20 / distance.max()))
    return [_by_exchanges(talk, distance, start, size) for start in starts]


def _by_exchanges(
    talk: NDArray[np.float64],
    distance: NDArray[np.float64],
    start: NDArray[np.int32],
    size: int,
) -> NDArray[np.int32]:
    blocks = start.copy()
    for _ in range(_SWEEPS):
        changed = False
        for first in range(0, len(blocks), size):
            changed |= _exchanged_on_host(talk, distance, blocks, np.arange(first, first + size))
        if not changed:
            break
    return blocks


def _near_one(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return amounts in a unit of which the largest is about one, so that sums are floats."""
    amounts = values.astype(np.float64)
    _, exponent = math.frexp(amounts.max(initial=0))
    scaled: NDArray[np.float64] = np.ldexp(amounts, -exponent)
    return scaled


def _exchanged_on_host(
    talk: NDArray[np.float64],
    distance: NDArray[np.float64],
    blocks: NDArray[np.int32],
    ranks: NDArray[np.int64],
) -> bool:
    changed = False
    for i in ranks.tolist():
        own = blocks[ranks]
        cost = talk[ranks] @ distance[np.ix_(blocks, own)]  # of every rank on every GPU
        here = i - int(ranks[0])
        now = np.diagonal(cost)
        gain = now[here] + now - cost[here] - cost[:, here]
        gain = gain - 2 * talk[i, ranks] * distance[blocks[i], own]
        best = int(np.argmax(gain))
        if gain[best] > 0:
            j = int(ranks[best])
            blocks[[i, j]] = blocks[[j, i]]
            changed = True
    return changed
