# SPDX-License-Identifier: MIT
"""What `map`, `partition` and `evaluate` have in common: graphs of all kinds, and options."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Literal

from procmap import _core
from procmap._arrays import as_integer, as_real, thread_count
from procmap._config import Config
from procmap._errors import ConfigError, GraphError
from procmap._graph import Graph

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import ArrayLike

    from procmap._csr import NetworkXGraph, SparseMatrix

    GraphLike: TypeAlias = (
        Graph
        | SparseMatrix
        | NetworkXGraph
        | tuple[ArrayLike, ArrayLike]
        | tuple[ArrayLike, ArrayLike, ArrayLike | None]
        | str
        | os.PathLike[str]
    )
    Device: TypeAlias = Literal["auto", "cpu", "cuda"]


def as_graph(
    graph: GraphLike, vertex_weights: ArrayLike | None = None, threads: int | None = None
) -> Graph:
    """Return `graph` as a Graph. Arrays are borrowed for as long as it lives."""
    if isinstance(graph, tuple):
        if len(graph) not in (2, 3):
            raise GraphError(f"a graph is (offsets, heads[, weights]), got {len(graph)} arrays")
        weights = graph[2] if len(graph) == 3 else None
        return Graph.from_csr(
            graph[0], graph[1], weights, vertex_weights, copy=False, threads=threads
        )
    sparse = sys.modules.get("scipy.sparse")  # whoever has such a matrix has imported it
    if sparse is not None and sparse.issparse(graph):
        return Graph.from_scipy(graph, vertex_weights, copy=False, threads=threads)  # type: ignore[arg-type]
    networkx = sys.modules.get("networkx")
    if networkx is not None and isinstance(graph, networkx.Graph):
        return Graph.from_networkx(graph, vertex_weights, threads=threads)
    if isinstance(graph, (str, os.PathLike)):
        graph = Graph.read(graph, threads=threads)
    if not isinstance(graph, Graph):
        raise TypeError(
            "graph must be a procmap.Graph, a SciPy sparse matrix, (offsets, heads[, weights]), "
            f"a NetworkX graph or the path of a METIS file, got {type(graph).__name__}"
        )
    return graph if vertex_weights is None else graph.with_vertex_weights(vertex_weights)


def core_options(
    imbalance: object,
    preset: str,
    config: Config | None,
    seed: object,
    device: object,
    threads: object,
) -> tuple[float, int, int, _core.Config]:
    """Return the options as the core takes them, in its order."""
    if config is None:
        config = Config.preset(preset)
    elif not isinstance(config, Config):
        raise TypeError(f"config must be a Config, got {type(config).__name__}")
    if device == "cuda":
        raise ConfigError("device='cuda' is not available in this version; use 'auto' or 'cpu'")
    if device not in ("auto", "cpu"):
        raise ConfigError(f"device must be 'auto', 'cpu' or 'cuda', got {device!r}")
    return (
        as_real(imbalance, "imbalance", ConfigError),
        as_integer(seed, "seed", 0, 2**64 - 1, ConfigError),
        thread_count(threads),
        config._to_core(),
    )
