# SPDX-License-Identifier: MIT
"""Multisection of a graph that no rank can hold: the outermost level first, the rest in parallel.

A graph that is too large for one rank is split among the groups of the machine's outermost level:
coarsened, split by one rank, and refined on the way back. The parts share nothing any more. Those
that are small enough are mapped by single ranks, all at the same time; the others are split again.
At the end, vertices move where that lowers J, over the whole machine.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap import _core
from procmap._util.limits import MAX_VERTICES
from procmap.distributed._band import improve_band
from procmap.distributed._coarsen import arcs_are_skewed, coarsen
from procmap.distributed._gathered import attempt, graph_at, map_gathered, sent_back
from procmap.distributed._parts import Part, child_capacities, enough, group_size, part_of
from procmap.distributed._previous import allowed_blocks
from procmap.distributed._refine import Goal, Refinement
from procmap.distributed._report import LevelReport
from procmap.mapping._report import UNLIMITED
from procmap.topology._topology import Topology

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from procmap._util.ranks import Ranks
    from procmap.config._config import Config
    from procmap.distributed._deadline import Deadline
    from procmap.distributed._level import Level
    from procmap.distributed._previous import Previous

_ATTEMPTS = 4  # of a split of the coarsest graph; ranks make them at the same time


@dataclass(frozen=True)
class Method:
    """How to map.

    Attributes
    ----------
    config : Config
        Parameters.
    seed, repeats, gather_arcs
        As in `map`.
    options : dict
        Of `procmap.map` for graphs that one rank holds.
    deadline : Deadline
        When to be done.
    """

    config: Config
    seed: int
    repeats: int | None
    gather_arcs: int
    options: dict[str, Any]
    deadline: Deadline


class Solver:
    """Maps one graph; keeps what happened on the way."""

    def __init__(
        self, ranks: Ranks, method: Method, progress: Callable[[str], None] | None
    ) -> None:
        self._ranks, self._method, self._progress = ranks, method, progress
        self._then = time.perf_counter()
        self._sent = ranks.messages, ranks.bytes
        self._small: list[Part] = []
        self._heavy_arcs_first: bool | None = None
        self.reports: list[LevelReport] = []

    def map(self, level: Level, goal: Goal) -> NDArray[np.int32]:
        """Return the PEs of own rows."""
        method = self._method
        if self._fits(level):
            return self._gathered(level, goal, method.options, attempts=1)
        if not goal.topology._native.is_hierarchy:
            return self._split(level, goal, method.seed, cut=False)
        blocks = np.zeros(level.num_rows, np.int32)
        self._descend(Part(level, goal, np.arange(level.num_rows), 0, 0), blocks)
        self._map_small(blocks)
        if goal.topology._native.is_flat:
            return blocks
        refined = self._refined(level, goal, blocks, 0, cut=False)
        return self._band_improved(level, goal, refined, method.seed)

    def improve(self, level: Level, goal: Goal, previous: Previous) -> NDArray[np.int32]:
        """Return the PEs of own rows in a mapping that is no worse than the previous one."""
        method = self._method
        if self._fits(level):
            options, by_row = previous.options()
            options = {**method.options, **options}
            return self._gathered(level, goal, options, attempts=1, by_row=by_row)
        start = allowed_blocks(previous.blocks, goal.capacities, goal.topology)
        if level.fixed is not None:
            start = np.where(level.fixed >= 0, level.fixed, start).astype(np.int32)
        if previous.pull is not None:  # few vertices move, and no clusters
            start = self._refined(level, goal, start, 0, cut=False, previous=previous)
            improved = self._band_improved(level, goal, start, method.seed, previous)
            self._note("improve", 0, level)
            return improved
        return self._v_cycle(level, goal, start)

    def _v_cycle(self, level: Level, goal: Goal, start: NDArray[np.int32]) -> NDArray[np.int32]:
        """Coarsen inside the blocks, and refine on the way back."""
        seed = self._method.seed
        held = np.zeros(level.num_rows, bool) if level.fixed is None else level.fixed >= 0
        with level.with_fixed((2 * start + held).astype(np.int32)):  # clusters have one label
            levels, coarse_of = self._coarsened(level, goal, seed)
        for coarse in levels[1:]:
            assert coarse.fixed is not None
            start = coarse.fixed // 2
            coarse.fixed = np.where(coarse.fixed % 2 == 1, start, -1).astype(np.int32)
        options = {**self._options(seed), "capacities": goal.capacities}
        blocks = self._gathered(
            levels[-1], goal, options, attempts=1, number=len(levels) - 1, by_row={"initial": start}
        )
        return self._brought_back(levels, coarse_of, blocks, goal, seed, cut=False)

    def _coarsened(
        self, level: Level, goal: Goal, seed: int
    ) -> tuple[list[Level], list[NDArray[np.int64]]]:
        """Return the levels, finest first, and where the rows of each go on the next."""
        config = self._method.config
        if self._heavy_arcs_first is None:  # of the whole graph
            self._heavy_arcs_first = arcs_are_skewed(level)
        levels, coarse_of = coarsen(
            level,
            _heaviest(level, goal, config),
            config.coarsening,
            seed,
            self._method.gather_arcs,
            heavy_arcs_first=self._heavy_arcs_first,
        )
        self._note("coarsen", len(levels) - 1, levels[-1])
        return levels, coarse_of

    def _band_improved(
        self,
        level: Level,
        goal: Goal,
        blocks: NDArray[np.int32],
        seed: int,
        previous: Previous | None = None,
    ) -> NDArray[np.int32]:
        """Improve the band, if there is time."""
        deadline = self._method.deadline
        if deadline.is_over():
            return blocks
        options = {**self._options(seed), **deadline.options()}
        return improve_band(level, goal, blocks, options, self._method.gather_arcs, previous)

    def _fits(self, level: Level) -> bool:
        return level.num_arcs <= self._method.gather_arcs and level.num_vertices <= MAX_VERTICES

    def _descend(self, part: Part, blocks: NDArray[np.int32]) -> None:
        """Split until parts are small; write the PEs of those that are a single one."""
        k = len(part.goal.capacities)
        if part.level.num_vertices == 0:
            return
        if k == 1:
            blocks[part.rows] = part.base
        elif self._fits(part.level):
            self._small.append(part)
        else:
            size = group_size(part.goal.topology)
            children = self._split_part(part, size)
            if size == 1:
                blocks[part.rows] = part.base + children
                return
            for child in range(k // size):
                self._descend(part_of(part, children, child, size), blocks)

    def _split_part(self, part: Part, size: int) -> NDArray[np.int32]:
        """Return to which group of so many PEs every row goes."""
        k = len(part.goal.capacities)
        depth = part.goal.topology._native.num_levels if size > 1 else 1
        total = self._ranks.total(int(part.level.loads.sum()))
        goal = Goal(
            Topology.flat(k // size),
            child_capacities(enough(part.goal.capacities, total), size, total, depth),
            part.goal.allow_empty,
            part.goal.threads,
        )
        fixed = part.level.fixed
        if fixed is not None:
            fixed = np.where(fixed >= 0, fixed // size, -1).astype(np.int32)
        seed = _core.hash(_core.hash(self._method.seed, part.depth), part.base)
        with part.level.with_fixed(fixed):
            return self._split(part.level, goal, seed, cut=True)

    def _split(self, level: Level, goal: Goal, seed: int, *, cut: bool) -> NDArray[np.int32]:
        """Coarsen, map the coarsest graph, refine on the way back."""
        levels, coarse_of = self._coarsened(level, goal, seed)
        options = {**self._options(seed), "capacities": goal.capacities}
        blocks = self._gathered(
            levels[-1], goal, options, attempts=_ATTEMPTS, number=len(levels) - 1
        )
        return self._brought_back(levels, coarse_of, blocks, goal, seed, cut=cut)

    def _brought_back(
        self,
        levels: list[Level],
        coarse_of: list[NDArray[np.int64]],
        blocks: NDArray[np.int32],
        goal: Goal,
        seed: int,
        *,
        cut: bool,
    ) -> NDArray[np.int32]:
        """Refine the blocks of the coarsest level on the way to the finest; drops the others."""
        for number in reversed(range(len(coarse_of))):
            blocks = levels.pop().of(coarse_of[number], blocks)
            blocks = self._refined(levels[-1], goal, blocks, number, cut=cut)
            blocks = self._band_improved(levels[-1], goal, blocks, seed)
            self._note("improve", number, levels[-1])
        return blocks

    def _options(self, seed: int) -> dict[str, Any]:
        options = {**self._method.options, "seed": seed, "repeats": 1}
        options.pop("imbalance", None)
        return options

    def _gathered(
        self,
        level: Level,
        goal: Goal,
        options: dict[str, Any],
        *,
        attempts: int,
        number: int = 0,
        by_row: dict[str, NDArray[Any]] | None = None,
    ) -> NDArray[np.int32]:
        """Map at single ranks as often as asked for, or else `attempts` times."""
        if level.num_vertices > MAX_VERTICES:
            raise OverflowError(
                f"the graph could be coarsened to {level.num_vertices} vertices only; one rank "
                "can hold 2**31 - 1"
            )
        attempts = self._method.repeats or attempts
        if self._method.repeats:
            options = {**options, "repeats": 1}
        blocks = map_gathered(
            level, goal.topology, attempts, options, by_row, self._method.deadline
        )
        self._note("map", number, level)
        return blocks

    def _refined(
        self,
        level: Level,
        goal: Goal,
        blocks: NDArray[np.int32],
        number: int,
        *,
        cut: bool,
        previous: Previous | None = None,
    ) -> NDArray[np.int32]:
        config = self._method.config.refinement
        fine = config.cut_filter_fine if cut else config.mapping_filter_fine
        coarse = config.cut_filter_coarse if cut else config.mapping_filter_coarse
        seed = _core.hash(self._method.seed, number)
        refinement = Refinement(level, goal, blocks, config, seed, previous)
        refinement.run(fine if number == 0 else coarse, self._method.deadline)
        refinement.settle(self._method.deadline)
        self._note("refine", number, level, refinement.rounds, refinement.cost)
        return refinement.best

    def _map_small(self, blocks: NDArray[np.int32]) -> None:
        """Map all parts that one rank can hold: part i at rank i modulo their number."""
        ranks = self._ranks
        for first in range(0, len(self._small), ranks.size):
            wave = self._small[first : first + ranks.size]
            gathered = [graph_at(part.level, root) for root, part in enumerate(wave)]
            mapping = None
            if ranks.rank < len(wave):
                part = wave[ranks.rank]
                graph, fixed = gathered[ranks.rank] or (None, None)
                assert graph is not None
                options = self._options(_core.hash(self._method.seed, part.base))
                room = enough(part.goal.capacities, graph.total_vertex_weight)
                waves = -(-(len(self._small) - first) // ranks.size)
                options |= self._method.deadline.options(waves)
                asked = {**options, "capacities": room, "fixed": fixed}
                mapping = attempt(graph, part.goal.topology, asked)
            for root, part in enumerate(wave):
                found = sent_back(part.level, mapping if root == ranks.rank else None, root)
                blocks[part.rows] = part.base + found
                self._note("map part", 0, part.level)
        self._small = []

    def _note(
        self, stage: str, number: int, level: Level, rounds: int = 0, cost: int | None = None
    ) -> None:
        ranks, now = self._ranks, time.perf_counter()
        messages, sent = self._sent
        self.reports.append(
            LevelReport(
                stage, number, level.num_vertices, level.num_arcs, rounds, cost,
                ranks.messages - messages, ranks.bytes - sent, now - self._then,
            )
        )  # fmt: skip
        self._then, self._sent = now, (ranks.messages, ranks.bytes)
        if self._progress is not None and ranks.rank == 0:
            found = "" if cost is None else f", cost {cost} after {rounds} rounds"
            self._progress(f"{stage}, level {number}: {level.num_vertices} vertices{found}")


def _heaviest(level: Level, goal: Goal, config: Config) -> int:
    """Return what a cluster may weigh."""
    total = level.ranks.total(int(level.loads.sum()))
    wanted = config.multisection.vertices_per_block * len(goal.capacities)
    heaviest = int(config.coarsening.max_cluster_weight * (total / wanted))
    usable = goal.capacities[goal.capacities > 0]
    return max(1, min(heaviest, int(usable.min(initial=UNLIMITED))))
