# SPDX-License-Identifier: MIT
"""What `map`, `partition` and `evaluate` have in common: graphs of all kinds, and options."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any

from procmap import _core
from procmap._arcs import check_symmetrize
from procmap._arrays import as_integer, as_real, thread_count
from procmap._config import Config
from procmap._errors import ConfigError, GraphError
from procmap._graph import Graph
from procmap._objects import of_object

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import ArrayLike, NDArray

    from procmap._arcs import Symmetrize
    from procmap._objects import DGLGraph, IGraph, NetworkXGraph, PyGData, SparseMatrix

    GraphLike: TypeAlias = (
        Graph
        | SparseMatrix
        | NetworkXGraph
        | IGraph
        | DGLGraph
        | PyGData
        | NDArray[Any]
        | tuple[ArrayLike, ArrayLike]
        | tuple[ArrayLike, ArrayLike, ArrayLike | None]
        | str
        | os.PathLike[str]
    )

_IMBALANCE = 0.03


def as_graph(
    graph: GraphLike,
    vertex_weights: ArrayLike | None = None,
    *,
    symmetrize: Symmetrize = "error",
    stream: object = None,
    threads: int | None = None,
) -> Graph:
    """Make a `Graph` of anything that `map`, `partition` and `evaluate` take.

    Parameters
    ----------
    graph : graph_like
        One of

        - a `Graph`,
        - a SciPy sparse matrix or array of any format, as in `Graph.from_scipy`,
        - a tuple ``(offsets, heads)`` or ``(offsets, heads, weights)``, as in `Graph.from_csr`,
          also of arrays on a GPU,
        - a NetworkX or igraph graph, traffic in the edge attribute "weight" if there is one,
        - a PyTorch Geometric ``Data`` (traffic in ``edge_weight``), or its ``edge_index`` or any
          other integer array of shape (2, m), m != 2, as in `Graph.from_edge_index`,
        - a homogeneous DGL graph, traffic in ``edata["weight"]`` if it is there,
        - the path of a file, as in `Graph.read`.

        Arrays of the right type are borrowed and must not change while the graph exists.
    vertex_weights : array_like of int or float, shape (n,), optional
        Load of every task, instead of what `graph` says.
    symmetrize : {"error", "sum", "max"}
        What to make of traffic u->v and v->u that differ; see `Graph.from_csr`.
    stream : int or object, optional
        The CUDA stream that writes arrays on a GPU, see `Graph.from_csr`.
    threads : int, optional
        Threads for the check; all if None.

    Returns
    -------
    Graph

    Raises
    ------
    GraphError, FileError
        If the graph is malformed; the message names the first culprit.
    TypeError
        If it is none of these.
    """
    check_symmetrize(symmetrize)
    if isinstance(graph, Graph):
        return graph if vertex_weights is None else graph.with_vertex_weights(vertex_weights)
    if isinstance(graph, (str, os.PathLike)):
        read = Graph.read(graph, symmetrize=symmetrize, threads=threads)
        return read if vertex_weights is None else read.with_vertex_weights(vertex_weights)
    if isinstance(graph, tuple):
        return _of_tuple(graph, vertex_weights, symmetrize, stream, threads)
    sparse = sys.modules.get("scipy.sparse")  # whoever has such a matrix has imported it
    if sparse is not None and sparse.issparse(graph):
        return Graph.from_scipy(
            graph,  # type: ignore[arg-type]
            vertex_weights,
            symmetrize=symmetrize,
            copy=False,
            threads=threads,
        )
    tasks = of_object(graph, symmetrize)
    if tasks is not None:
        loads = tasks.loads if vertex_weights is None else vertex_weights
        return Graph._from_arcs(tasks.arcs, loads, threads)
    if _is_edge_index(graph):
        return Graph.from_edge_index(
            graph,  # type: ignore[arg-type]
            vertex_weights=vertex_weights,
            symmetrize=symmetrize,
            threads=threads,
        )
    raise TypeError(
        "graph must be a procmap.Graph, a SciPy sparse matrix, (offsets, heads[, weights]), a "
        "NetworkX, igraph, DGL or PyTorch Geometric graph, an edge index of shape (2, m) or the "
        f"path of a graph file, got {type(graph).__name__}"
    )


def _is_edge_index(graph: object) -> bool:
    """Whether this can only be tails and heads: two rows of integers, and no 2 x 2 matrix."""
    shape: tuple[int, ...] = getattr(graph, "shape", ())
    dtype = str(getattr(graph, "dtype", ""))
    return len(shape) == 2 and shape[0] == 2 != shape[1] and "int" in dtype


def _of_tuple(
    arrays: tuple[ArrayLike | None, ...],
    vertex_weights: ArrayLike | None,
    symmetrize: Symmetrize,
    stream: object,
    threads: int | None,
) -> Graph:
    if len(arrays) not in (2, 3):
        raise GraphError(f"a graph is (offsets, heads[, weights]), got {len(arrays)} arrays")
    offsets, heads, weights = (*arrays, None)[:3]
    if offsets is None or heads is None:
        raise GraphError("a graph is (offsets, heads[, weights]), got None instead of an array")
    return Graph.from_csr(
        offsets,
        heads,
        weights,
        vertex_weights,
        symmetrize=symmetrize,
        copy=False,
        stream=stream,
        threads=threads,
    )


def as_imbalance(imbalance: object) -> float | None:
    """Return `imbalance` as a number, if somebody said one; the core knows the range."""
    return None if imbalance is None else as_real(imbalance, "imbalance", ConfigError)


def allowed_imbalance(imbalance: float | None, graph: Graph, k: int) -> float:
    """Return `imbalance`, or what it is if nobody said one.

    Where every task of load 1 can have a PE of its own, 3 % more than the average would let PEs
    take two and leave others idle, which nobody wants who did not ask for it.
    """
    if imbalance is not None:
        return imbalance
    one_each = graph.num_vertices <= k and bool((graph.vertex_weights == 1).all())
    return 0.0 if one_each else _IMBALANCE


def core_options(
    preset: str,
    config: Config | None,
    seed: object,
    device: object,
    threads: object,
) -> tuple[int, str, int, _core.Config]:
    """Return the options as the core takes them, in its order, where they do not need the graph."""
    if config is None:
        config = Config.preset(preset)
    elif not isinstance(config, Config):
        raise TypeError(f"config must be a Config, got {type(config).__name__}")
    return (
        as_integer(seed, "seed", 0, 2**64 - 1, ConfigError),
        device_name(device),
        thread_count(threads),
        config._to_core(),
    )


def attempts(repeats: object, time_limit: object) -> tuple[int, float]:
    """Return how often and how long to try, as the core takes them; 0 means no wish."""
    count = 0 if repeats is None else as_integer(repeats, "repeats", 1, 2**31 - 1, ConfigError)
    seconds = 0.0 if time_limit is None else as_real(time_limit, "time_limit", ConfigError)
    if time_limit is not None and not seconds > 0:
        raise ConfigError(f"time_limit must be a positive number of seconds, got {time_limit!r}")
    return count, seconds


def device_name(device: object) -> str:
    """Return `device` if it may name one; whether it can be used is for the core to say."""
    if not isinstance(device, str) or not re.fullmatch(r"auto|cpu|cuda(:\d{1,9})?", device):
        raise ConfigError(f"device must be 'auto', 'cpu', 'cuda' or 'cuda:N', got {device!r}")
    return device
