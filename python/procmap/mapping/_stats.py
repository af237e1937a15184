# SPDX-License-Identifier: MIT
"""Where the time of a call went."""

from __future__ import annotations

import dataclasses
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from procmap import _core


@dataclass(frozen=True)
class PhaseTime:
    """Time spent in one phase of the algorithm, summed over all levels.

    Attributes
    ----------
    name : str
        The phase.
    seconds : float
        Wall-clock time.
    calls : int
        How often it ran.
    """

    name: str
    seconds: float
    calls: int


@dataclass(frozen=True)
class LevelStats:
    """One refinement of one level.

    Attributes
    ----------
    stage : str
        "multisection 3" (level of the machine, outermost = largest) or "mapping".
    level : int
        0 is the finest graph.
    vertices, arcs : int
        Size of the graph of this level; every edge is two arcs.
    members : int
        Mappings refined together.
    rounds : int
        Refinement rounds.
    flow_cuts : int
        Minimum cuts computed between pairs of blocks.
    flow_cut_short : int
        ... in bands that `FlowConfig.max_band_vertices` kept small.
    cost : int
        Of the best member, in the stage's own objective (every edge twice).
    seconds : float
        Wall-clock time.
    """

    stage: str
    level: int
    vertices: int
    arcs: int
    members: int
    rounds: int
    flow_cuts: int
    flow_cut_short: int
    cost: int
    seconds: float


@dataclass(frozen=True)
class AttemptStats:
    """One mapping made on the way to the best, with `repeats` or `time_limit`.

    Attributes
    ----------
    seed : int
        Its seed.
    quick : bool
        Made with the preset "fast", to have a mapping if there is a time limit.
    finished : bool
        False if the time limit ended it.
    kept : bool
        It is the result.
    cost : int
        J in the units of the core, if finished.
    seconds : float
        Wall-clock time.
    """

    seed: int
    quick: bool
    finished: bool
    kept: bool
    cost: int
    seconds: float


@dataclass(frozen=True)
class Stats:
    """Where the time of a call went.

    Attributes
    ----------
    seconds : float
        Wall-clock time of the whole call.
    threads : int
        Threads used.
    device : str
        "cpu" or "cuda:N".
    device_reason : str
        Why this one: "asked for", "auto: ...", or "one of many graphs, ..." (`map_many`).
    device_memory : int
        Most bytes in use on the GPU, by other calls at the same time too; 0 on the CPU. A graph
        that lay there does not count.
    phases : tuple of PhaseTime
        Time per phase.
    levels : tuple of LevelStats
        What happened on each level.
    attempts : tuple of AttemptStats
        Mappings made, of which one is kept. Phases and levels are those of all.
    """

    seconds: float
    threads: int
    device: str
    device_reason: str
    device_memory: int
    phases: tuple[PhaseTime, ...]
    levels: tuple[LevelStats, ...]
    attempts: tuple[AttemptStats, ...]

    @classmethod
    def _from_core(cls, core: _core.Stats) -> Stats:
        phases = tuple(PhaseTime(p.name, p.seconds, p.calls) for p in core.phases)
        levels = tuple(LevelStats(*_figures_of(level)) for level in core.levels)
        attempts = tuple(
            AttemptStats(a.seed, a.quick, a.finished, a.kept, a.cost, a.seconds)
            for a in core.attempts
        )
        return cls(
            core.seconds,
            core.threads,
            core.device,
            core.device_reason,
            core.device_memory,
            phases,
            levels,
            attempts,
        )


_figures_of = operator.attrgetter(*(field.name for field in dataclasses.fields(LevelStats)))
