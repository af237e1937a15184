# SPDX-License-Identifier: MIT
"""Opened graphs in `map`, `partition` and `evaluate`: what maps them stands on a higher floor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from procmap._util.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    from procmap.graph._opened import OpenedGraph
    from procmap.mapping._options import Options
    from procmap.mapping._report import Report
    from procmap.topology._topology import Topology

_methods: dict[str, Callable[..., Any]] = {}
_TAKEN = (
    "imbalance", "capacities", "fixed", "allow_empty", "preset", "config", "seed", "device",
    "threads", "repeats", "strict", "progress",
)  # fmt: skip
_NOT_TAKEN: dict[str, Any] = {
    "vertex_weights": None, "symmetrize": "error", "initial": None, "migration_cost": 0.0,
    "vertex_sizes": None, "stream": None, "time_limit": None, "executor": None, "retries": 0,
}  # fmt: skip


def use(**methods: Callable[..., Any]) -> None:
    """Say what maps opened graphs: `map` and `evaluate` of procmap.distributed, on one rank."""
    _methods.update(methods)


def map_opened(graph: OpenedGraph, topology: Topology, given: Options) -> Any:
    """Return the mapping of an opened graph."""
    _refuse({name: getattr(given, name) for name in _NOT_TAKEN})
    asked = {name: getattr(given, name) for name in _TAKEN}
    return _methods["map"](graph, topology, **asked)


def evaluate_opened(
    graph: OpenedGraph,
    blocks: Any,
    topology: Topology,
    asked: dict[str, Any],
    not_taken: dict[str, Any],
) -> Report:
    """Say what a mapping of an opened graph costs."""
    _refuse(not_taken)
    report: Report = _methods["evaluate"](graph, blocks, topology, **asked)
    return report


def _refuse(options: dict[str, Any]) -> None:
    """Refuse options that would have no effect, unless they have their defaults."""
    for name, value in options.items():
        default = _NOT_TAKEN[name]
        if value is not default and (default is None or value != default):
            raise ConfigError(f"{name} cannot be given with an opened graph")
