# SPDX-License-Identifier: MIT
"""A rank without others, and `map` and `evaluate` of opened graphs by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from procmap.distributed._api import evaluate, map

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from procmap.distributed._report import LocalMapping
    from procmap.graph._opened import OpenedGraph
    from procmap.mapping._report import Report
    from procmap.topology._topology import Topology


class Alone:
    """A communicator of one rank, without MPI; see `Ranks`."""

    frames = 4  # that a warning of `map` leaves out up to who called `procmap.map`

    def Get_rank(self) -> int:
        """Return 0."""
        return 0

    def Get_size(self) -> int:
        """Return 1."""
        return 1

    def allgather(self, value: Any) -> list[Any]:
        """Return the objects of all."""
        return [value]

    def bcast(self, value: Any, root: int) -> Any:  # noqa: ARG002
        """Return the object of the root."""
        return value

    def Allgather(self, sent: Any, received: Any) -> None:
        """Receive the arrays of all."""
        received[...] = sent.reshape(received.shape)

    def Allreduce(self, sent: Any, received: Any) -> None:
        """Receive the sum of all."""
        received[...] = sent


def map_opened(graph: OpenedGraph, topology: Topology, **asked: Any) -> LocalMapping:
    """Map an opened graph, as one rank maps the same rows."""
    return map(Alone(), graph, topology, gather_arcs=graph.gather_arcs, **asked)


def evaluate_opened(
    graph: OpenedGraph, blocks: ArrayLike, topology: Topology, **asked: Any
) -> Report:
    """Say what a mapping of an opened graph costs."""
    return evaluate(Alone(), graph, blocks, topology, **asked)
