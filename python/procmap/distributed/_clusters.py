# SPDX-License-Identifier: MIT
"""Clustering by the rules of one machine (cpp/src/coarsening/clustering.hpp), class by class.

Every decision follows from ids, hashes and exact sums, and all of a class are taken before any of
them is carried out; so clusters do not depend on who holds which row.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from procmap import _core
from procmap.distributed._hash import hashes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.config._fields import CoarseningConfig
    from procmap.distributed._level import Level

_NO_BLOCKS = np.zeros(0, np.int32)
_ANYTHING = np.zeros(0, np.int64)
_FEW_ISOLATED = 64  # one of so many vertices


class Clusters:
    """Clusters while they form.

    Attributes
    ----------
    leader : numpy.ndarray of int, shape (rows,)
        The vertex after which the cluster of every row is named.
    weight, size : numpy.ndarray of int, shape (rows,)
        Of the clusters that rows lead.
    """

    def __init__(
        self,
        level: Level,
        max_weight: int,
        config: CoarseningConfig,
        seed: int,
        *,
        heavy_arcs_first: bool,
    ) -> None:
        self.level = level
        self._max_weight, self._config, self._seed = max_weight, config, seed
        self._heaviest = _core.heaviest_arcs(level.native) if heavy_arcs_first else None
        # What it takes to join the cluster that a row leads; None: anything will do.
        self._least: NDArray[np.int64] | None = None
        self.leader = level.ids
        narrow = level.ranks.total(int(level.loads.sum())) < 2**31
        self.weight = level.loads.astype(np.int32 if narrow else np.int64)
        self.size = np.ones(level.num_rows, level.id_type)
        fixed = level.fixed
        self._fixed = _NO_BLOCKS if fixed is None else level.with_ghosts(fixed)
        self._native = self._seen()

    def release(self) -> None:
        """Forget all but the level: the clusters are not needed any more."""
        del self._native, self.leader, self.weight, self.size, self._fixed
        del self._heaviest, self._least

    def _seen(self) -> _core.RankClusters:
        """Return what the rules look at; of its own cluster a row knows the weight."""
        level = self.level
        leader = level.with_ghosts(self.leader)
        weight = level.with_ghosts(level.of(self.leader, self.weight))
        least = _ANYTHING
        if self._least is not None:
            least = level.with_ghosts(level.of(self.leader, self._least))
        return _core.RankClusters(leader, weight, self.size, self._fixed, least)

    def form(self) -> None:
        """Make clusters until there are few enough, or nothing helps."""
        config, ranks = self._config, self.level.ranks
        isolated = self._pair_isolated()
        count = self.count()
        n = self.level.num_vertices - isolated
        wanted = count - n + math.ceil(n / config.shrink_factor)
        enough = int(wanted * (1 + config.shrink_tolerance))
        for i in range(config.clustering_rounds):
            before = count
            seed = _core.hash(self._seed, i)
            anything = self._ask_for_heavy_arcs(i)
            for part in range(config.clustering_subrounds):
                if count <= enough:
                    return
                count -= ranks.total(self._subround(seed, part, count - wanted))
            if anything and before - count < config.min_shrink * n:
                break
        if count > enough:
            self._pair_leftovers()

    def _ask_for_heavy_arcs(self, number: int) -> bool:
        """Set what clusters take in this round; return whether that is anything.

        Half of the heaviest arc of the leader, then a quarter, and so on; anything in the last.
        """
        last = number + 1 >= self._config.clustering_rounds
        if self._heaviest is None:
            return True
        halvings = min(number + 1, 62)
        self._least = None if last else -(-self._heaviest >> halvings)
        self._native = self._seen()
        return last

    def count(self) -> int:
        """Return the number of clusters."""
        return self.level.ranks.total(int(np.count_nonzero(self._leads())))

    def _leads(self) -> NDArray[np.bool_]:
        leads: NDArray[np.bool_] = self.leader == self.level.ids
        return leads

    def _subround(self, seed: int, part: int, to_remove: int) -> int:
        """Move one class of vertices; return how many clusters of this rank's rows vanished."""
        parts = self._config.clustering_subrounds
        rows, wishes = _core.cluster_wishes(
            self.level.native, self._native, seed, part, parts, self._max_weight
        )
        order = np.argsort(wishes, kind="stable")
        movers, targets = rows[order], wishes[order]
        alone = self.leader[movers] == movers + self.level.first
        counts = self.level.counts_of(targets)
        asked, applicants = self.level.ranks.exchange(
            counts, targets, movers + self.level.first, self.level.loads[movers], alone
        )
        answers = self._admit((rows, wishes), applicants, seed, to_remove)
        _, (joins,) = self.level.ranks.exchange(asked, answers)
        joiners, alone = movers[joins], alone[joins]
        self._leave(joiners)
        self.leader[joiners] = targets[joins]
        self._native = self._seen()
        return int(alone.sum())

    def _admit(
        self,
        own: tuple[NDArray[np.int64], NDArray[np.int64]],
        applicants: list[NDArray[np.int64]],
        seed: int,
        limit: int,
    ) -> NDArray[np.bool_]:
        """Say who of those that apply to clusters here may join, and count them there.

        `own` are rows of this rank that want to move, in order, and where to.
        """
        targets, vertices, loads, alone = applicants
        first = self.level.first
        following = _found(*own, targets - first)
        safe = (following < 0) | ((following == vertices) & (vertices > targets))
        dissolving = self.level.ranks.total(int((safe & alone).sum()))
        if dissolving > limit:
            share = np.uint64(int(limit / dissolving * 2**32))
            noise = hashes(hashes(seed, vertices), 1)
            safe &= (noise >> np.uint64(32)) <= share
        asking = np.flatnonzero(safe)
        joins = _core.admitted(
            targets[asking], vertices[asking], loads[asking],
            self.weight, first, self._max_weight, seed,
        ).astype(bool)  # fmt: skip
        joining = asking[joins]
        np.add.at(self.weight, targets[joining] - first, loads[joining].astype(self.weight.dtype))
        np.add.at(self.size, targets[joining] - first, self.size.dtype.type(1))
        answers = np.zeros(len(targets), bool)
        answers[joining] = True
        return answers

    def _leave(self, joiners: NDArray[np.int64]) -> None:
        """Take rows out of the clusters in which they were."""
        level = self.level
        left, loads = self.leader[joiners], level.loads[joiners]
        order = np.argsort(left, kind="stable")
        _, (left, loads) = level.ranks.exchange(
            level.counts_of(left[order]), left[order], loads[order]
        )
        np.subtract.at(self.weight, left - level.first, loads.astype(self.weight.dtype))
        np.subtract.at(self.size, left - level.first, self.size.dtype.type(1))

    def _pair_isolated(self) -> int:
        """Pair isolated vertices where there are many; return how many there are then, else 0."""
        level = self.level
        rows = np.flatnonzero(level.offsets[1:] == level.offsets[:-1])
        isolated = level.ranks.total(len(rows))
        if isolated * _FEW_ISOLATED <= level.num_vertices:
            return 0
        if level.fixed is not None:
            rows = rows[level.fixed[rows] < 0]
        keys = (np.arange(len(rows)) + level.ranks.before(len(rows))) // 2
        self._pair(keys.astype(np.uint64), rows + level.first)
        return isolated

    def _pair_leftovers(self) -> None:
        """Pair vertices that found no cluster: leaves, twins, relatives."""
        level, config = self.level, self._config
        degree = level.with_ghosts(level.degrees())
        for kind in ("leaves", "twins", "relatives"):
            alone = self._leads() & (self.size == 1)
            if (
                level.ranks.total(int(np.count_nonzero(alone)))
                <= config.two_hop_above * level.num_vertices
            ):
                return
            native = self._seen()
            keys, ids = _core.two_hop_keys(
                level.native, native, kind, config.max_matchmaker_degree, self._seed, degree
            )
            self._pair(keys, ids)

    def _pair(self, keys: NDArray[np.uint64], ids: NDArray[np.int64]) -> None:
        """Pair vertices with equal keys, which meet at a rank that the key decides."""
        level = self.level
        ranks = level.ranks
        to = (hashes(keys, 0) % np.uint64(ranks.size)).astype(np.int64)
        order = np.argsort(to, kind="stable")
        counts = np.bincount(to, minlength=ranks.size)
        rows = ids[order] - level.first
        fixed = np.full(len(rows), -1, np.int32) if level.fixed is None else level.fixed[rows]
        asked, (key, lone, load, pe) = ranks.exchange(
            counts, keys[order], ids[order], level.loads[rows], fixed
        )
        _, (partners,) = ranks.exchange(
            asked, _core.pair_lone(key, lone, load, pe, self._max_weight)
        )
        loads = level.of(partners, level.loads)
        own = rows + level.first
        lower, higher = partners > own, partners < own
        self.leader[rows[higher]] = partners[higher]
        self.size[rows[higher]] = 0
        self.size[rows[lower]] = 2
        self.weight[rows[lower]] = self.weight[rows[lower]] + loads[lower]
        self._native = self._seen()


def _found(
    rows: NDArray[np.int64], wishes: NDArray[np.int64], of: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the wishes of some rows, -1 of those that have none."""
    if len(rows) == 0:
        return np.full(len(of), -1, np.int64)
    place = np.minimum(np.searchsorted(rows, of), len(rows) - 1)
    return np.where(rows[place] == of, wishes[place], -1)
