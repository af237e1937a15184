# SPDX-License-Identifier: MIT
"""The task graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap import _core
from procmap._util.errors import ConfigError, FileError
from procmap._util.formats import of_suffix
from procmap._util.messages import shown
from procmap._util.scaling import Scale
from procmap._util.text import writable
from procmap.graph._device import GPU_NAMES, is_gpu_name, to_numpy
from procmap.graph._loads import as_loads, default_names
from procmap.graph._readers import GraphReaders
from procmap.graph.io import FORMATS, METIS

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from procmap.graph._arcs import Rows
    from procmap.graph._loads import LoadsLike


class Graph(GraphReaders):
    """An immutable, undirected task graph, checked completely when it is made.

    Vertices are tasks with a load (vertex weight), edges are traffic between two tasks (edge
    weight); both are numbers >= 0 and 1 if not given. Fractions are scaled to integers, see
    `traffic_scale` and `load_scale`. Self-loops are dropped, whatever they weigh, and parallel
    edges added up. Make one with `from_csr`, `from_scipy`, `from_networkx`, `from_edges`,
    `from_edge_index` or `read`, or of anything else that `procmap.map` takes with
    `procmap.as_graph`.

    Raises
    ------
    GraphError
        From all of these if the graph is malformed; the message names the first culprit.
    """

    __slots__ = ()

    def __init__(self) -> None:
        raise TypeError(
            "use Graph.from_csr, from_scipy, from_networkx, from_edges, from_edge_index or read"
        )

    def _like(
        self, core: _core.Graph, load_scales: tuple[Scale, ...], weight_names: tuple[str, ...]
    ) -> Graph:
        """Return a graph of the same edges."""
        traffic, kind, messages = self._traffic_scale, self._kind, self._messages
        return Graph._wrap(core, traffic, load_scales, kind, messages, weight_names)

    def to_device(self, device: str) -> Graph:
        """Return the same graph with its arrays on a GPU, for several calls that use it there.

        Parameters
        ----------
        device : str
            "cuda" or "cuda:N".

        Raises
        ------
        ConfigError, DeviceError
            If `device` names no GPU, or one that cannot be used.
        MemoryError
            If it has no room.
        """
        if not is_gpu_name(str(device)):
            raise ConfigError(f"device must be {GPU_NAMES}, got {shown(device)}")
        core = self._native.to_device(str(device))
        return self._like(core, self._load_scales, self._weight_names)

    @property
    def device(self) -> str:
        """Where the arrays lie: "cpu" or "cuda:N". Those of a GPU are copied if asked for."""
        return self._native.device

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the graph as a METIS file, scaled weights as the integers that they are.

        An existing file is replaced when the new one is whole, and stays as it was if that fails.

        Raises
        ------
        FileError
            If the file cannot be written, or its name is that of another format, as which it would
            be read.
        """
        name = writable(path)
        kind = of_suffix(FORMATS, name)
        if kind is not None and kind is not METIS:
            raise FileError(
                f"{name}: graphs are written as METIS files, but the name says {kind.name}"
            )
        _core.write_metis(self._native, name)

    @property
    def num_vertices(self) -> int:
        """Number of vertices n."""
        return self._native.num_vertices

    @property
    def num_edges(self) -> int:
        """Number of undirected edges m."""
        return self._native.num_edges

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Row u holds the arcs offsets[u] to offsets[u + 1] - 1; shape (n + 1,), read-only."""
        return self._native.offsets

    @property
    def heads(self) -> NDArray[np.int32]:
        """Head of every arc; shape (2m,), read-only."""
        return self._native.heads

    @property
    def arc_weights(self) -> NDArray[np.int64]:
        """Traffic of every arc in units of `traffic_scale`; shape (2m,), read-only.

        All-1 weights take no memory.
        """
        return _or_ones(self._native.arc_weights, self._native.num_arcs)

    @property
    def vertex_weights(self) -> NDArray[np.int64]:
        """Load of every vertex in units of `load_scale`; shape (n,), read-only.

        All-1 weights take no memory. Of several weights per vertex shape (n, c), in units of
        `load_scales`, a copy.
        """
        first = _or_ones(self._native.vertex_weights, self._native.num_vertices)
        if self.num_weights == 1:
            return first
        further = self._native.further_weights.reshape(-1, self.num_weights - 1)
        weights: NDArray[np.int64] = np.column_stack([first, further])
        weights.flags.writeable = False
        return weights

    @property
    def num_weights(self) -> int:
        """Weights of a vertex, c: 1 unless several were given."""
        return self._native.num_weights

    @property
    def weight_names(self) -> tuple[str, ...]:
        """What the weights of a vertex are called in reports."""
        return self._weight_names or default_names(self.num_weights)

    @property
    def traffic_scale(self) -> Scale:
        """What one step of `arc_weights` is worth in the user's unit."""
        return self._traffic_scale

    @property
    def load_scale(self) -> Scale:
        """What one step of `vertex_weights` is worth in the user's unit; of the first weight."""
        return self._load_scales[0]

    @property
    def load_scales(self) -> tuple[Scale, ...]:
        """The same of every weight of a vertex."""
        return self._load_scales

    @property
    def total_vertex_weight(self) -> int:
        """Sum of `vertex_weights`, of the first weight if there are several."""
        return self._native.total_vertex_weight

    @property
    def total_weights(self) -> tuple[int, ...]:
        """Sum of every weight over all vertices."""
        return tuple(self._native.total_weight(i) for i in range(self.num_weights))

    @property
    def max_degree(self) -> int:
        """Most neighbours of any vertex."""
        return self._native.max_degree

    @property
    def counts_messages(self) -> bool:
        """Whether this is `Traffic.to_graph`: J is the sum of messages times distance.

        An edge then weighs what its ends send to each other, both directions together, and J
        counts it once. Of all other graphs an edge says what goes in either direction, and J
        counts it twice.
        """
        return self._messages

    @property
    def has_edge_weights(self) -> bool:
        """Whether edges carry weights; False means that every edge weighs 1."""
        return self._native.has_arc_weights

    @property
    def has_vertex_weights(self) -> bool:
        """Whether vertices carry weights; False means that every vertex weighs 1."""
        return self.num_weights > 1 or self._native.has_vertex_weights

    def with_vertex_weights(self, vertex_weights: LoadsLike) -> Graph:
        """Return the same graph with other loads; the arcs are shared, on a GPU as well.

        Parameters
        ----------
        vertex_weights : array_like of int or float, shape (n,) or (n, c), or dict
            As in `from_csr`; also an array on a GPU. Of several weights the second and further ones
            lie in host memory.
        """
        loads: Any = vertex_weights
        if not isinstance(loads, Mapping):
            loads = to_numpy(loads, "vertex_weights")
        if self._native.device != "cpu":
            made = self._with_loads_on_gpu(loads)
            if made is not None:
                return made
        rows = (self.offsets, self.heads, self._stored_arc_weights())
        made = Graph._from_rows(rows, self._traffic_scale, loads, copy=True, threads=None)
        return self._like(made._native, made._load_scales, made._weight_names)

    def _with_loads_on_gpu(self, vertex_weights: LoadsLike) -> Graph | None:
        """Return the same where this graph lies; None if the host is to say what is wrong."""
        loads = as_loads(vertex_weights)
        place, device = _core.DeviceArray.from_weights, self._native.device
        placed = None if loads.first is None else place(loads.first, device)
        core = _core.Graph.from_device(*self._native.device_arrays(), placed, [], False)
        if core is not None and loads.further is not None:
            core = core.with_further_weights(loads.further, len(loads.scales) - 1)
        return None if core is None else self._like(core, loads.scales, loads.names)

    def _stored_arc_weights(self) -> NDArray[np.int64] | None:
        return self._native.arc_weights if self.has_edge_weights else None

    def __repr__(self) -> str:
        edges = "weighted" if self.has_edge_weights else "unit"
        loads = "weighted" if self.has_vertex_weights else "unit"
        if self.num_weights > 1:
            loads = f"{self.num_weights}-weighted"
        return f"Graph({self.num_vertices} {loads} vertices, {self.num_edges} {edges} edges)"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the arrays; the copy is checked again."""
        loads = self.vertex_weights if self.has_vertex_weights else None
        rows = (self.offsets, self.heads, self._stored_arc_weights())
        scales = (self._traffic_scale, self._load_scales)
        return _restore, (rows, loads, *scales, self._messages, self._weight_names)


def _restore(
    rows: Rows,
    loads: NDArray[np.int64] | None,
    traffic_scale: Scale,
    load_scales: tuple[Scale, ...],
    messages: bool = False,
    weight_names: tuple[str, ...] = (),
) -> Graph:
    graph = Graph._from_rows(rows, traffic_scale, loads, threads=None)
    return Graph._wrap(
        graph._native, traffic_scale, load_scales, messages=messages, weight_names=weight_names
    )


def _or_ones(weights: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    return weights if weights.size == count else np.broadcast_to(np.int64(1), count)
