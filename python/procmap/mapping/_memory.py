# SPDX-License-Identifier: MIT
"""`estimate_memory`: what a mapping takes on a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from procmap import _core
from procmap._util.arrays import as_integer
from procmap._util.errors import ConfigError
from procmap.mapping._options import chosen_config

if TYPE_CHECKING:
    from procmap.config._config import Config
    from procmap.config._fields import Preset

_MAX_ARCS = 2**48  # beyond any machine, and far from an overflow


def estimate_memory(
    num_vertices: int,
    num_edges: int,
    k: int,
    *,
    edge_weights: bool = False,
    vertex_weights: bool = False,
    on_device: bool = False,
    preset: Preset = "default",
    config: Config | None = None,
) -> int:
    """Estimate the memory that a mapping takes on a GPU at its peak.

    Parameters
    ----------
    num_vertices, num_edges : int
        Size of the graph; every edge counts once.
    k : int
        Number of PEs or blocks.
    edge_weights, vertex_weights : bool
        Whether the graph carries them.
    on_device : bool
        Whether the arrays of the graph lie on the GPU anyway and are not counted.
    preset, config
        As in `map`.

    Returns
    -------
    int
        Bytes. What a call had is ``mapping.stats.device_memory``.

    Raises
    ------
    ConfigError
        If a number is out of range.
    """
    return _core.estimate_device_memory(
        as_integer(num_vertices, "num_vertices", 0, 2**31 - 1, ConfigError),
        2 * as_integer(num_edges, "num_edges", 0, _MAX_ARCS // 2, ConfigError),
        as_integer(k, "k", 1, 2**31 - 1, ConfigError),
        bool(edge_weights),
        bool(vertex_weights),
        bool(on_device),
        chosen_config(preset, config)._native,
    )
