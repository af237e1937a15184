# SPDX-License-Identifier: MIT
"""Backend of NetworkX: ``networkx.community.kernighan_lin_bisection(G, backend="procmap")``.

Of the functions that NetworkX dispatches it is the one that procmap answers: two halves with a
small cut.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap.graph._graph import Graph
from procmap.mapping._api import partition as split

if TYPE_CHECKING:
    from collections.abc import Hashable


class BackendGraph:
    """A NetworkX graph under the name of the backend.

    It is converted when a function is called, because only then the weight is known: NetworkX
    keeps these objects and hands them to calls with other weights.
    """

    __networkx_backend__ = "procmap"

    def __init__(self, graph: Any) -> None:
        self.original = graph

    def is_directed(self) -> bool:
        """Return False: NetworkX asks before it calls."""
        return False

    def is_multigraph(self) -> bool:
        """Return False: parallel edges are added up."""
        return False


def get_info() -> dict[str, Any]:
    """Return what NetworkX shows about the backend."""
    return {
        "backend_name": "procmap",
        "package": "procmap",
        "short_summary": "Balanced bisection with a small cut.",
        "functions": {
            "kernighan_lin_bisection": {
                "additional_docs": "Multilevel; `partition` and a function as `weight` are not "
                "supported, `max_iter` is ignored. Without `seed` the result is always the same."
            }
        },
    }


def convert_from_nx(graph: Any, **_: Any) -> BackendGraph:
    """Return a NetworkX graph as the functions here take it."""
    return BackendGraph(graph)


def convert_to_nx(result: Any, **_: Any) -> Any:
    """Return the result of a function here, which holds the user's nodes already."""
    return result


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a function can do what these arguments ask for."""
    given = dict(zip(("G", "partition", "max_iter", "weight"), args, strict=False), **kwargs)
    is_plain = given.get("partition") is None and not callable(given.get("weight"))
    return name == "kernighan_lin_bisection" and is_plain


def kernighan_lin_bisection(
    G: BackendGraph,
    partition: None = None,
    max_iter: int = 10,  # noqa: ARG001 - of the algorithm of Kernighan and Lin
    weight: str | None = "weight",
    seed: Any = None,
) -> tuple[set[Hashable], set[Hashable]]:
    """Return two halves of the nodes, of equal size or one apart, with a small cut."""
    if partition is not None:
        raise NotImplementedError("the backend procmap takes no initial partition")
    if callable(weight):
        raise NotImplementedError("the backend procmap takes no function of weights")
    tasks = Graph.from_networkx(G.original, weight=weight)
    blocks = split(tasks, 2, imbalance=0, seed=_number_of(seed)).blocks
    nodes = list(G.original)
    first, second = ({nodes[v] for v in np.flatnonzero(blocks == side).tolist()} for side in (0, 1))
    return first, second


def _number_of(seed: Any) -> int:
    """Return a number for a seed, of which NetworkX has made a generator; 0 if there was none."""
    if seed is None or isinstance(seed, int):
        return seed or 0
    utilities = importlib.import_module("networkx.utils")
    if seed is utilities.create_py_random_state(None):  # that of all who gave none
        return 0
    return int(seed.randrange(2**31))
