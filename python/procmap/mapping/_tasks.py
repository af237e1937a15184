# SPDX-License-Identifier: MIT
"""Tasks as `map`, `partition` and `evaluate` take them: graphs, and traffic matrices."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from procmap._util.errors import ConfigError
from procmap._util.source import Source
from procmap.graph._arcs import check_symmetrize
from procmap.graph._inputs import as_graph
from procmap.graph._opened import OpenedGraph
from procmap.traffic._inputs import as_traffic
from procmap.traffic._traffic import Traffic
from procmap.traffic.io import says_traffic

if TYPE_CHECKING:
    from procmap.graph._arcs import Symmetrize
    from procmap.graph._graph import Graph
    from procmap.graph._inputs import GraphLike
    from procmap.graph._loads import LoadsLike

    TasksLike: TypeAlias = GraphLike | Traffic | OpenedGraph


def as_tasks(
    tasks: TasksLike,
    vertex_weights: LoadsLike | None = None,
    *,
    symmetrize: Symmetrize = "error",
    stream: object = None,
    threads: int | None = None,
) -> Graph:
    """Return the graph of `tasks`, which are what `as_graph` takes or a traffic matrix.

    That is a `Traffic`, a square NumPy array, or the path of a file that only `read_traffic`
    reads. Two rows of two numbers are refused: they might as well be an edge index. So is the
    larger direction of traffic, as J counts both.
    """
    check_symmetrize(symmetrize)
    if isinstance(tasks, OpenedGraph):
        raise TypeError("an opened graph can only be mapped, partitioned and evaluated: read it")
    if isinstance(tasks, (str, os.PathLike)):
        tasks = Source.of(tasks)  # a pipe can be read only once
        is_traffic = says_traffic(tasks)
    else:
        is_traffic = isinstance(tasks, Traffic) or _is_square(tasks)
    if not is_traffic:
        return as_graph(
            tasks,  # type: ignore[arg-type]
            vertex_weights,
            symmetrize=symmetrize,
            stream=stream,
            threads=threads,
        )
    if symmetrize == "max":
        raise ConfigError(
            "symmetrize='max' is for graphs: J of traffic counts all that is sent, both directions"
        )
    graph = as_traffic(tasks).to_graph()  # type: ignore[arg-type]
    return graph if vertex_weights is None else graph.with_vertex_weights(vertex_weights)


def _is_square(tasks: object) -> bool:
    if not isinstance(tasks, np.ndarray):
        return False
    return tasks.ndim == 2 and tasks.shape[0] == tasks.shape[1] != 2
