# SPDX-License-Identifier: MIT
"""The parts of a configuration, field by field as in cpp/include/procmap/config.hpp."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from procmap import _core

FIELDS = {f.path: f for f in _core.config_fields()}


class Section:
    """A group of parameters; a value out of range cannot be stored."""

    _prefix: ClassVar[str] = ""

    def __post_init__(self) -> None:
        scratch = _core.Config()
        for f in dataclasses.fields(self):  # type: ignore[arg-type]
            path = self._prefix + f.name
            if path in FIELDS:
                value = getattr(self, f.name)
                scratch.set(path, to_text(path, value))
                object.__setattr__(self, f.name, _to_value(path, value))


def to_text(path: str, value: object) -> str:
    """Return `value` as text for the core, which explains what is wrong with it."""
    kind = FIELDS[path].type
    if isinstance(value, str):
        return value if kind == "choice" else repr(value)
    if isinstance(value, bool) or type(value).__name__ == "bool":  # numpy.bool too
        return str(bool(value)).lower()
    if kind == "real" and isinstance(value, float):
        return repr(float(value))
    return str(value)


def _to_value(path: str, value: Any) -> Any:
    convert = {"boolean": bool, "integer": int, "real": float, "choice": str}
    return convert[FIELDS[path].type](value)


def parse(path: str, text: str) -> object:
    """Return the value of a field from the core's text."""
    if FIELDS[path].type == "boolean":
        return text == "true"
    return _to_value(path, text)


@dataclass(frozen=True)
class CoarseningConfig(Section):
    """How a level of the hierarchy is made from the next finer one.

    Attributes
    ----------
    algorithm
        Merge pairs (matching) or groups (clustering) of vertices.
    shrink_factor
        Clustering ends a level at n / this clusters (measured) ...
    shrink_tolerance
        ... or when this share above it (measured).
    clustering_rounds
        Passes over all vertices per level.
    clustering_subrounds
        Hashed classes a pass moves one after the other.
    max_cluster_weight
        Times the average weight of a coarsest vertex.
    matching_rounds
        Proposals per level; the paper repeats until nothing changes.
    two_hop_above
        Two-hop matching if more than this share of the vertices is unmatched (paper).
    max_matchmaker_degree
        Relatives are matched only through vertices of at most this degree.
    min_shrink
        Coarsening ends when a level removes less than this share of the vertices.
    """

    _prefix: ClassVar[str] = "coarsening."

    algorithm: Literal["matching", "clustering"] = "clustering"
    shrink_factor: float = 2.5
    shrink_tolerance: float = 0.05
    clustering_rounds: int = 4
    clustering_subrounds: int = 4
    max_cluster_weight: float = 3.0
    matching_rounds: int = 8
    two_hop_above: float = 0.25
    max_matchmaker_degree: int = 64
    min_shrink: float = 0.03


@dataclass(frozen=True)
class InitialConfig(Section):
    """Recursive bisection of the coarsest graph, on the host.

    Attributes
    ----------
    starts
        Greedy growings per bisection; the best survives (measured).
    fm_passes
        At most, per bisection.
    fm_stall
        A pass ends after this share of the vertices brought nothing ...
    fm_min_stall
        ... but not before this many moves.
    trial_patience
        With several starts, each gets one pass with this share of the stall (measured).
    """

    _prefix: ClassVar[str] = "initial."

    starts: int = 2
    fm_passes: int = 6
    fm_stall: float = 0.125
    fm_min_stall: int = 60
    trial_patience: float = 0.25


@dataclass(frozen=True)
class RefinementConfig(Section):
    """Jet-style refinement (paper, section on refinement).

    Attributes
    ----------
    rounds
        Rounds without progress before a level ends (paper).
    progress
        Progress: the cost falls below this share of the best (paper, phi).
    max_rounds
        A level never takes more rounds than this.
    cut_filter_fine
        Jet's c for the edge cut on the finest graph (paper) ...
    cut_filter_coarse
        ... and on the others.
    mapping_filter_fine
        The same for the mapping cost on the finest graph; 0 admits no loss ...
    mapping_filter_coarse
        ... and on the others.
    rebalancing
        How overloaded blocks choose what to give away.
    weak_rounds
        Bucket rebalancing: weak rounds before a strong one (paper).
    sigma_share
        Bucket rebalancing: a target may weigh at least this share of the capacity (paper) ...
    sigma_slack
        ... and otherwise at most the capacity minus this (paper, sigma).
    rebalance_reserve
        Rebalancing looks at the cheapest vertices of this multiple of the excess (measured).
    heavy_vertex
        A vertex above this multiple of the excess over the average stays (paper).
    heavy_rounds
        Sorted rebalancing: ... but only for this many rounds in a row (measured).
    last_resort_rounds
        Sorted rebalancing: if stuck after this many rounds, one strong round (measured).
    repetitions
        Refine every level this often with varying filters (18: ultra).
    subtree_swaps
        Exchange equal subtrees of the machine after each level (mapping cost only).
    max_swap_subtrees
        Levels of the machine with more subtrees than this are not swapped.
    """

    _prefix: ClassVar[str] = "refinement."

    rounds: int = 12
    progress: float = 0.999
    max_rounds: int = 400
    cut_filter_fine: float = 0.25
    cut_filter_coarse: float = 0.75
    mapping_filter_fine: float = 0.0
    mapping_filter_coarse: float = 0.0
    rebalancing: Literal["buckets", "sorted"] = "sorted"
    weak_rounds: int = 2
    sigma_share: float = 0.99
    sigma_slack: int = 100
    rebalance_reserve: float = 2.0
    heavy_vertex: float = 1.5
    heavy_rounds: int = 4
    last_resort_rounds: int = 6
    repetitions: int = 1
    subtree_swaps: bool = True
    max_swap_subtrees: int = 1024


@dataclass(frozen=True)
class FlowConfig(Section):
    """Pairwise flow refinement: minimum cuts in bands around the borders of adjacent blocks.

    Attributes
    ----------
    rounds
        Over all pairs of blocks that changed in the round before; 0: no flow.
    band
        Share of a block that a band takes, beyond the free room of the other block.
    retries
        A cut that fits no capacity is tried again on this many smaller bands, the last without a
        share (measured) ...
    band_shrink
        ... each smaller by this factor.
    max_depth
        Steps from the border that a band may reach (measured).
    max_band_vertices
        Per block: bounds the work of a pair.
    """

    _prefix: ClassVar[str] = "flow."

    rounds: int = 4
    band: float = 0.08
    retries: int = 5
    band_shrink: float = 0.5
    max_depth: int = 16
    max_band_vertices: int = 16384


@dataclass(frozen=True)
class MultisectionConfig(Section):
    """Hierarchical multisection (paper, GPU-HM): one pass per level, outermost first.

    Attributes
    ----------
    vertices_per_parent
        Coarsest vertices per subgraph to split (measured) ...
    vertices_per_block
        ... and at least this many per block.
    tournament_outer
        Starts at the coarsest graph, outermost level of the machine (measured) ...
    tournament_middle
        ... levels between ...
    tournament_inner
        ... innermost level.
    population_outer
        Independent splits that are combined, outermost level of the machine (measured) ...
    population_middle
        ... levels between ...
    population_inner
        ... innermost level ...
    population_share
        ... of a coarse graph with at most this share of the vertices (measured).
    inner_rounds
        `RefinementConfig.rounds` at the innermost level.
    inner_flow_rounds
        `FlowConfig.rounds`, at most, at the innermost level (measured).
    reuse_clusters
        Inner levels coarsen with the clusters of the outermost, split where they must (measured).
    slack_share
        Of the imbalance left that a level may use up, if more than an even share (measured; 0 in
        the paper).
    final_rounds
        `RefinementConfig.rounds` of a last refinement of the mapping cost over all PEs; 0: none
        (measured) ...
    final_filter
        ... Jet's c of it ...
    final_flow_rounds
        ... `FlowConfig.rounds` of it, at most.
    max_parts
        A level of the machine is split in steps of at most this many parts (measured).
    v_cycles
        V-cycles over all blocks at the end, if all PEs are equally far apart (measured).
    """

    _prefix: ClassVar[str] = "multisection."

    vertices_per_parent: int = 256
    vertices_per_block: int = 32
    tournament_outer: int = 64
    tournament_middle: int = 8
    tournament_inner: int = 2
    population_outer: int = 2
    population_middle: int = 2
    population_inner: int = 1
    population_share: float = 0.1
    inner_rounds: int = 6
    inner_flow_rounds: int = 1
    reuse_clusters: bool = True
    slack_share: float = 0.85
    final_rounds: int = 0
    final_filter: float = 0.25
    final_flow_rounds: int = 2
    max_parts: int = 32
    v_cycles: int = 1


@dataclass(frozen=True)
class IntegratedConfig(Section):
    """Integrated mapping (paper, GPU-IM): coarsen, multisect the coarsest graph, refine.

    Attributes
    ----------
    vertices_per_block
        Coarsening ends at this times k vertices; 8 in the paper.
    coarsest_share
        Or at this share of the vertices, if that is more; 0 in the paper.
    refine_coarsest
        Multisection of the coarsest graph is itself multilevel and refined.
    coarsest_flow_rounds
        `FlowConfig.rounds` of it.
    """

    _prefix: ClassVar[str] = "integrated."

    vertices_per_block: int = 64
    coarsest_share: float = 0.25
    refine_coarsest: bool = True
    coarsest_flow_rounds: int = 1


@dataclass(frozen=True)
class ImproveConfig(Section):
    """Improving a given mapping: a V-cycle inside its blocks.

    Attributes
    ----------
    vertices_per_block
        Coarsening ends at this times k vertices.
    coarsen_with_migration
        Coarsen also where migration costs, and few vertices will move.
    migration_flow_rounds
        `flow.rounds`, at most, where migration costs (measured).
    migration_flow_band
        `flow.band`, at most, where migration costs (measured).
    """

    _prefix: ClassVar[str] = "improve."

    vertices_per_block: int = 64
    coarsen_with_migration: bool = False
    migration_flow_rounds: int = 1
    migration_flow_band: float = 0.03


@dataclass(frozen=True)
class MachineConfig(Section):
    """Machines that are no hierarchies, and one task per PE.

    Attributes
    ----------
    guide_parts
        No hierarchy: parts per level of the hierarchy that multisection follows (measured).
    v_cycles
        No hierarchy: V-cycles on the mapping cost (measured).
    vertices_per_block
        No hierarchy: coarsening of a V-cycle ends at this times k vertices (measured).
    rounds
        No hierarchy: `RefinementConfig.rounds` of a V-cycle (measured).
    filter_fine
        No hierarchy: Jet's c of a V-cycle on the finest graph (measured) ...
    filter_coarse
        ... and on the others (measured).
    exchange_places
        Blocks are not exchanged on machines with more PEs than this.
    annealing
        No hierarchy: exchanges per pair of blocks that simulated annealing tries before V-cycles
        (measured).
    block_kicks
        No hierarchy: random exchanges of blocks tried when no other helps (measured).
    starts
        One task per PE: mappings tried, fewer if traffic is dense (measured).
    kicks
        One task per PE: random exchanges tried when no other helps (measured).
    """

    _prefix: ClassVar[str] = "machine."

    guide_parts: int = 4
    v_cycles: int = 2
    vertices_per_block: int = 16
    rounds: int = 48
    filter_fine: float = 0.25
    filter_coarse: float = 0.5
    exchange_places: int = 2048
    annealing: int = 32
    block_kicks: int = 500
    starts: int = 4
    kicks: int = 256


SECTIONS: dict[str, type[Any]] = {
    "coarsening": CoarseningConfig,
    "initial": InitialConfig,
    "refinement": RefinementConfig,
    "flow": FlowConfig,
    "multisection": MultisectionConfig,
    "integrated": IntegratedConfig,
    "improve": ImproveConfig,
    "machine": MachineConfig,
}
