# SPDX-License-Identifier: MIT
"""Options of `map`, `partition` and `evaluate`, checked and as the core takes them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from procmap import _core
from procmap._util.arrays import as_flag, as_integer, as_integers, as_real, thread_count
from procmap._util.errors import ConfigError
from procmap._util.messages import shown
from procmap.config._config import Config
from procmap.graph._device import GPU_NAMES, is_gpu_name
from procmap.mapping._constraints import as_capacities, as_initial, check_room, per_vertex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from procmap.config._fields import Preset
    from procmap.graph._arcs import Symmetrize
    from procmap.graph._graph import Graph
    from procmap.graph._loads import LoadsLike
    from procmap.mapping._jobs import ExecutorLike
    from procmap.mapping._report import Units
    from procmap.mapping._result import Mapping

_IMBALANCE = 0.03


@dataclass(frozen=True)
class Options:
    """The keyword arguments of `map` and `partition`, as they were given."""

    vertex_weights: LoadsLike | None
    symmetrize: Symmetrize
    imbalance: float | Sequence[float] | None
    capacities: ArrayLike | None
    fixed: ArrayLike | None
    initial: ArrayLike | Mapping | None
    migration_cost: float
    vertex_sizes: ArrayLike | None
    allow_empty: bool
    preset: Preset
    config: Config | None
    seed: int
    device: str
    stream: object
    threads: int | None
    repeats: int | None
    time_limit: float | None
    executor: ExecutorLike | None
    retries: int
    devices: Sequence[int | str] | None
    strict: bool
    progress: Callable[[str], None] | None

    def to_core(self) -> _core.Options:
        """Return what the core can be told before there is a graph."""
        core = _core.Options()
        as_imbalance(self.imbalance, self.capacities)
        core.config = chosen_config(self.preset, self.config)._native
        core.seed = as_integer(self.seed, "seed", 0, 2**64 - 1, ConfigError)
        core.device = device_name(self.device)
        core.threads = thread_count(self.threads)
        core.repeats, core.time_limit = attempts(self.repeats, self.time_limit)
        core.allow_empty = as_flag(self.allow_empty, "allow_empty")
        as_flag(self.strict, "strict")
        return core

    def complete(self, core: _core.Options, graph: Graph, k: int, units: Units) -> None:
        """Add the rest, in the units of the core, which checks lengths and ranges."""
        if self.capacities is not None:
            core.capacities = room = as_capacities(self.capacities, units.loads)
            check_room(room, graph.total_weights, units.loads)
        n = graph.num_vertices
        if self.fixed is not None:
            fixed = as_integers(self.fixed, np.int32, "fixed", ConfigError)
            core.fixed = per_vertex(fixed, "fixed", n)
        if self.initial is not None:
            core.initial = per_vertex(as_initial(self.initial), "initial", n)
        cost = as_real(self.migration_cost, "migration_cost", ConfigError)
        if cost != 0:
            core.migration_cost = in_core_units(cost, units)
        if self.vertex_sizes is not None:
            sizes = as_integers(
                self.vertex_sizes, np.int64, "vertex_sizes", ConfigError, amounts=True
            )
            core.vertex_sizes = per_vertex(sizes, "vertex_sizes", n)
        core.imbalance, core.imbalances = core_imbalance(
            allowed_imbalance(as_imbalance(self.imbalance), graph, k)
        )


def in_core_units(cost: float, units: Units) -> float:
    """Return a cost in units of the core, which says what is wrong with one that is not finite."""
    if not math.isfinite(cost):
        return cost
    counted = 2 if units.messages else 1  # by the core, of what J counts once
    try:
        return float(counted * Fraction(cost) / (units.traffic.unit * units.distance.unit))
    except OverflowError:
        raise ConfigError(f"migration_cost = {cost} is too large beside the traffic") from None


def as_imbalance(imbalance: object, capacities: object = None) -> float | tuple[float, ...] | None:
    """Return `imbalance` as numbers, if somebody said some; the core knows the range."""
    check_one_answer(imbalance, capacities)
    if isinstance(imbalance, np.ndarray) and imbalance.ndim == 0:
        imbalance = imbalance[()]
    if isinstance(imbalance, (list, tuple, np.ndarray)):
        return tuple(
            as_real(value, f"imbalance[{i}]", ConfigError) for i, value in enumerate(imbalance)
        )
    return None if imbalance is None else as_real(imbalance, "imbalance", ConfigError)


def check_one_answer(imbalance: object, capacities: object) -> None:
    """Refuse two answers to what a PE may carry, of which only the capacities would count."""
    if imbalance is not None and capacities is not None:
        raise ConfigError("give either imbalance or capacities, not both")


def allowed_imbalance(
    imbalance: float | tuple[float, ...] | None, graph: Graph, k: int
) -> float | tuple[float, ...]:
    """Return `imbalance`, or what it is if nobody said one."""
    if isinstance(imbalance, tuple) and len(imbalance) != graph.num_weights:
        raise ConfigError(
            f"imbalance has {len(imbalance)} entries, but tasks have {graph.num_weights} weight"
            f"{'s' if graph.num_weights > 1 else ''}"
        )
    if imbalance is not None:
        return imbalance
    return default_imbalance(graph.num_vertices <= k and bool((graph.vertex_weights == 1).all()))


def core_imbalance(imbalance: float | tuple[float, ...]) -> tuple[float, list[float]]:
    """Return one imbalance and those of every weight, as the core takes them."""
    return (imbalance[0], list(imbalance)) if isinstance(imbalance, tuple) else (imbalance, [])


def default_imbalance(one_each: bool) -> float:
    """Return the imbalance that is allowed if nobody said one.

    Where every task of load 1 can have a PE of its own (`one_each`), 3 % more than the average
    would let PEs take two and leave others idle, which nobody wants who did not ask for it.
    """
    return 0.0 if one_each else _IMBALANCE


def chosen_config(preset: Preset, config: Config | None) -> Config:
    """Return the parameters that a call asks for."""
    if config is None:
        return Config.preset(preset)
    if not isinstance(config, Config):
        raise TypeError(f"config must be a Config, got {type(config).__name__}")
    return config


def attempts(repeats: object, time_limit: object) -> tuple[int, float]:
    """Return how often and how long to try, as the core takes them; 0 means no wish."""
    count = 0 if repeats is None else as_integer(repeats, "repeats", 1, 2**31 - 1, ConfigError)
    seconds = 0.0 if time_limit is None else as_real(time_limit, "time_limit", ConfigError)
    if time_limit is not None and not 0 < seconds < math.inf:
        raise ConfigError(
            f"time_limit must be a finite number of seconds > 0, got {shown(time_limit)}"
        )
    return count, seconds


def device_name(device: object, argument: str = "device") -> str:
    """Return `device` if it may name one; whether it can be used is for the core to say."""
    if isinstance(device, str) and (device in ("auto", "cpu") or is_gpu_name(device)):
        return device
    raise ConfigError(f"{argument} must be 'auto', 'cpu', {GPU_NAMES}, got {shown(device)}")


def checked_progress(progress: Callable[[str], None] | None) -> Callable[[str], None] | None:
    """Return who hears of progress; TypeError if it cannot be called."""
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be callable, got {type(progress).__name__}")
    return progress
