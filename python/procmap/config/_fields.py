# SPDX-License-Identifier: MIT
"""The groups of parameters: written by python/write_config_fields.py, do not edit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from procmap.config._section import Section

Preset: TypeAlias = Literal["fast", "default", "strong", "im", "hm", "hm-ultra"]


@dataclass(frozen=True)
class CoarseningConfig(Section):
    """How a level of the hierarchy is made from the next finer one.

    Attributes
    ----------
    algorithm
        The next coarser level merges pairs of vertices (matching) or whole clusters of them
        (clustering) (measured; matching in the paper). Default 'clustering'.
    shrink_factor
        Clustering ends a level when there are this many times fewer clusters than vertices
        (measured). Default 5.0, in [1.1, 100].
    shrink_tolerance
        Clustering also ends a level when there are at most this share more clusters than
        `coarsening.shrink_factor` asks for (measured). Default 0.05, in [0, 1].
    clustering_rounds
        Clustering makes at most this many passes over all vertices of a level (measured). Default
        4, in [1, 100].
    clustering_subrounds
        A pass of clustering divides the vertices into this many hashed classes and moves one class
        after the other (measured). Default 4, in [1, 64].
    max_cluster_weight
        A cluster weighs at most this many times the average weight of a coarsest vertex (measured).
        Default 3.0, in [1, 1000].
    matching_rounds
        Matching makes at most this many rounds of proposals per level (bound; the paper repeats
        until nothing changes). Default 8, in [1, 1000].
    two_hop_above
        Two-hop matching follows if more than this share of the vertices is left without a partner
        (paper). Default 0.25, in [0, 1].
    max_matchmaker_degree
        Two-hop matching pairs vertices only through a common neighbour of at most this degree
        (measured). Default 64, in [1, 1000000].
    min_shrink
        A level is the last one if it removes less than this share of the vertices; so is a round of
        clustering in its level (measured). Default 0.03, in [0, 0.9].
    """

    _prefix: ClassVar[str] = "coarsening."

    algorithm: Literal["matching", "clustering"] = "clustering"
    shrink_factor: float = 5.0
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
        A bisection is grown greedily this many times, and the best one survives (measured). Default
        2, in [1, 1000].
    clustered_starts
        Of the starts of a bisection, this many go through levels of their own: they grow clusters
        of vertices, not single vertices (measured). Default 1, in [0, 1000].
    fm_passes
        A bisection is refined by at most this many passes of FM (measured). Default 6, in [0,
        1000].
    fm_stall
        A pass of FM ends after moves of this share of the vertices brought nothing (measured).
        Default 0.125, in [0, 1].
    fm_min_stall
        A pass of FM ends only after at least this many moves brought nothing (measured). Default
        60, in [1, 1000000].
    few_parts_min_stall
        If the outermost level of the machine has at most four parts, a pass of FM ends only after
        at least this many moves brought nothing, with several starts, too (measured). Default 240,
        in [0, 1000000].
    trial_patience
        With several starts, each gets one pass of FM that ends after this share of the usual moves
        that brought nothing (measured). Default 0.25, in [0, 1].
    """

    _prefix: ClassVar[str] = "initial."

    starts: int = 2
    clustered_starts: int = 1
    fm_passes: int = 6
    fm_stall: float = 0.125
    fm_min_stall: int = 60
    few_parts_min_stall: int = 240
    trial_patience: float = 0.25


@dataclass(frozen=True)
class RefinementConfig(Section):
    """Jet-style refinement (paper, section on refinement).

    Attributes
    ----------
    rounds
        Refinement of a level ends after this many rounds without progress (measured; 12 in the
        paper). Default 16, in [1, 100000].
    progress
        A round of refinement is progress if the cost falls below this share of the best so far
        (paper, phi). Default 0.999, in [0, 1].
    max_rounds
        Refinement of a level never takes more rounds than this (bound). Default 400, in [1,
        1000000].
    cut_filter_fine
        Jet's c, the loss that a move may risk, has this value for the edge cut on the finest graph
        (paper). Default 0.25, in [0, 1].
    cut_filter_coarse
        Jet's c, the loss that a move may risk, has this value for the edge cut on coarser graphs
        (paper). Default 0.75, in [0, 1].
    mapping_filter_fine
        Jet's c, the loss that a move may risk, has this value for the mapping cost on the finest
        graph; 0 admits no loss (measured). Default 0.0, in [0, 1].
    mapping_filter_coarse
        Jet's c, the loss that a move may risk, has this value for the mapping cost on coarser
        graphs; 0 admits no loss (measured). Default 0.0, in [0, 1].
    rebalancing
        Overloaded blocks give vertices away by buckets of loss (buckets) or in exact order of loss
        (sorted) (measured; buckets in the paper). Default 'sorted'.
    weak_rounds
        Bucket rebalancing makes this many weak rounds before a strong one (paper). Default 2, in
        [0, 1000].
    sigma_share
        Bucket rebalancing may fill a target block up to this share of its capacity, or further if
        `refinement.sigma_slack` allows more (paper). Default 0.99, in [0, 1].
    sigma_slack
        Bucket rebalancing may fill a target block up to its capacity minus this, or further if
        `refinement.sigma_share` allows more (paper, sigma). Default 100, in [0, 1000000000].
    rebalance_reserve
        Rebalancing looks at the cheapest vertices that together weigh this many times the excess
        (measured). Default 2.0, in [1, 1000000].
    heavy_vertex
        Rebalancing moves only vertices lighter than this many times the excess of their block over
        the average (paper). Default 1.5, in [0, 1000].
    heavy_rounds
        Sorted rebalancing spares heavy vertices for only this many rounds in a row (measured).
        Default 4, in [0, 1000000].
    last_resort_rounds
        Sorted rebalancing makes a strong round if it is stuck after this many rounds in a row
        (measured). Default 6, in [0, 1000000].
    repetitions
        Every level is refined this many times, with varying filters (paper: 18 in GPU-HM-ultra).
        Default 1, in [1, 1000].
    annealing_steps
        Every level of a split is refined in this many steps with smaller and smaller c of Jet, each
        of which goes on from where the one before ended; 1 leaves c as it is (measured; 17 in GPU-
        HM-ultra). Default 1, in [1, 1000].
    annealing_start
        Jet's c has this value in the first of several steps (paper, GPU-HM-ultra). Default 0.85, in
        [0, 1].
    annealing_end
        Jet's c has this value in the last of several steps, or that of the first if it is less
        (paper, GPU-HM-ultra). Default 0.05, in [0, 1].
    single_moves
        At the end, vertices move one by one where that lowers the cost, until there is no such move
        (measured). Default True.
    subtree_swaps
        Equal subtrees of the machine are exchanged after each level on which the mapping cost is
        refined (measured). Default True.
    max_swap_subtrees
        Subtrees are not exchanged at levels of the machine that have more of them than this
        (measured). Default 1024, in [1, 1000000].
    """

    _prefix: ClassVar[str] = "refinement."

    rounds: int = 16
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
    annealing_steps: int = 1
    annealing_start: float = 0.85
    annealing_end: float = 0.05
    single_moves: bool = True
    subtree_swaps: bool = True
    max_swap_subtrees: int = 1024


@dataclass(frozen=True)
class FlowConfig(Section):
    """Pairwise flow refinement: minimum cuts in bands around the borders of adjacent blocks.

    Attributes
    ----------
    rounds
        At most this many rounds compute minimum cuts, the first for every pair of adjacent blocks,
        others where a border has changed and the round before found a cheaper cut; 0 means no flow
        (measured). Default 2, in [0, 1000].
    least_gain
        A subgraph has another round of minimum cuts only if the last one lowered its cost by at
        least this share (measured). Default 0.0, in [0, 1].
    band
        A band around a border takes this share of a block, beyond the free room of the other block
        (measured). Default 0.12, in [0, 1].
    retries
        A cut that fits no capacity is tried again on this many smaller bands, the last without a
        share (measured). Default 5, in [0, 100].
    band_shrink
        Every time that a cut is tried again, its band has this share of the size before (measured).
        Default 0.5, in [0, 1].
    max_depth
        A band reaches at most this many steps from the border (measured). Default 16, in [1,
        1000000000].
    max_band_vertices
        A band holds at most this many vertices of each block, which bounds the work of a pair
        (measured). Default 8192, in [1, 1000000000].
    """

    _prefix: ClassVar[str] = "flow."

    rounds: int = 2
    least_gain: float = 0.0
    band: float = 0.12
    retries: int = 5
    band_shrink: float = 0.5
    max_depth: int = 16
    max_band_vertices: int = 8192


@dataclass(frozen=True)
class MultisectionConfig(Section):
    """Hierarchical multisection (paper, GPU-HM): one level of the machine after the other.

    Attributes
    ----------
    vertices_per_parent
        Coarsening ends when a subgraph to split has about this many vertices (measured). Default
        256, in [1, 1000000].
    vertices_per_block
        Coarsening leaves at least about this many vertices per block to be made (measured). Default
        32, in [1, 1000000].
    tournament_outer
        At the outermost level of the machine, this many splits of the coarsest graph compete
        (measured). Default 32, in [1, 1024].
    tournament_middle
        At the levels of the machine between outermost and innermost, this many splits of the
        coarsest graph compete (measured). Default 4, in [1, 1024].
    tournament_inner
        At the innermost level of the machine, this many splits of the coarsest graph compete
        (measured). Default 2, in [1, 1024].
    tournament_even
        On an even machine, whose innermost level makes an eighth of the mapping cost or more, this
        many splits of the coarsest graph compete at every level; several steps into PEs that are
        all equally far apart are such levels, too (measured). Default 4, in [1, 1024].
    refined_starts
        Of the competing splits of the coarsest graph only this share, the best ones as they are, is
        refined there (measured). Default 0.5, in [0, 1].
    population_outer
        At the outermost level of the machine, this many independent splits are made and combined
        (measured). Default 2, in [1, 64].
    population_middle
        At the levels of the machine between outermost and innermost, this many independent splits
        are made and combined (measured). Default 3, in [1, 64].
    population_inner
        At the innermost level of the machine, this many independent splits are made and combined
        (measured). Default 1, in [1, 64].
    population_even
        On an even machine (`multisection.tournament_even`), this many independent splits are made
        and combined at every level (measured). Default 2, in [1, 64].
    population_share
        Independent splits are made of a coarse graph with at most this share of the vertices
        (measured). Default 0.1, in [0, 1].
    max_population_vertices
        The coarse graph of `multisection.population_share` has at most this many vertices
        (measured). Default 50000, in [1, 1000000000].
    population_vertices
        Of graphs with at most this many vertices, and 32 times as many arcs, independent splits are
        made of the graph itself; at the outermost level twice as many, each with a quarter of the
        starts (measured). Default 32768, in [0, 1000000000].
    population_annealing
        Where independent splits of a whole graph are made of the graph itself, every second one has
        this for `refinement.annealing_steps`, twice as fine levels, and a quarter of the starts; 1
        means that all are alike (measured). Default 2, in [1, 1000].
    max_host_arcs
        On a GPU, levels of splits that have at most this many arcs, and 1,024 per thread of the
        host, are done by the host, for the same mapping (measured). Default 16384, in [0,
        1000000000].
    combine_starts
        Where independent splits are combined, at most this many new splits compete with them
        (measured). Default 16, in [1, 1024].
    few_vertices
        On graphs with fewer vertices per PE than this the mapping cost is refined at last, and the
        mapping of the preset fast is taken if it is better; on those with more than
        `multisection.population_vertices` they take the place of populations (measured). Default
        64, in [0, 1000000].
    few_vertices_per_part
        If all PEs are equally far apart, `multisection.few_vertices` is this instead, and there is
        one V-cycle more (measured). Default 256, in [0, 1000000].
    contains_default
        The mapping of the preset default is made, too, and the better one is kept (measured).
        Default False.
    inner_rounds
        At the innermost level of the machine, `refinement.rounds` is this instead (measured).
        Default 6, in [1, 100000].
    even_rounds
        On an even machine (`multisection.tournament_even`) `refinement.rounds` of its levels is
        this instead (measured). Default 8, in [1, 100000].
    fine_rounds
        On levels that are finer than the coarse graph of independent splits, `refinement.rounds` is
        at most this (measured). Default 8, in [1, 100000].
    fine_flow_gain
        On levels that are finer than the coarse graph of independent splits, `flow.least_gain` is
        at least this (measured). Default 0.03, in [0, 1].
    inner_flow_rounds
        At the innermost level of the machine, and at all levels of an even one
        (`multisection.tournament_even`) if V-cycles follow, `flow.rounds` is at most this
        (measured). Default 1, in [0, 1000].
    reuse_clusters
        Inner levels of the machine coarsen with the clusters of the outermost, split where they
        must be (measured). Default True.
    slack_share
        A level of the machine may use up this share of the imbalance that is left, if that is more
        than an even share (measured; 0 in the paper). Default 0.92, in [0, 1].
    final_rounds
        A last refinement of the mapping cost over all PEs has this for `refinement.rounds`; 0 means
        that there is none (measured). Default 0, in [0, 100000].
    final_filter
        A last refinement of the mapping cost over all PEs has this for Jet's c (measured). Default
        0.25, in [0, 1].
    final_flow_rounds
        A last refinement of the mapping cost over all PEs has at most this for `flow.rounds`
        (measured). Default 2, in [0, 1000].
    max_parts
        A level of the machine is split in steps of at most this many parts (measured). Default 32,
        in [2, 4194304].
    max_uneven_parts
        Where one PE holds more than twice as much as PEs on average, and a vertex has many more
        arcs than average, an integrated mapping with steps of at most this many parts competes if
        that is less (measured). Default 32, in [2, 4194304].
    v_cycles
        This many V-cycles over all blocks follow at the end if all PEs are equally far apart
        (measured). Default 1, in [0, 1000].
    """

    _prefix: ClassVar[str] = "multisection."

    vertices_per_parent: int = 256
    vertices_per_block: int = 32
    tournament_outer: int = 32
    tournament_middle: int = 4
    tournament_inner: int = 2
    tournament_even: int = 4
    refined_starts: float = 0.5
    population_outer: int = 2
    population_middle: int = 3
    population_inner: int = 1
    population_even: int = 2
    population_share: float = 0.1
    max_population_vertices: int = 50000
    population_vertices: int = 32768
    population_annealing: int = 2
    max_host_arcs: int = 16384
    combine_starts: int = 16
    few_vertices: int = 64
    few_vertices_per_part: int = 256
    contains_default: bool = False
    inner_rounds: int = 6
    even_rounds: int = 8
    fine_rounds: int = 8
    fine_flow_gain: float = 0.03
    inner_flow_rounds: int = 1
    reuse_clusters: bool = True
    slack_share: float = 0.92
    final_rounds: int = 0
    final_filter: float = 0.25
    final_flow_rounds: int = 2
    max_parts: int = 32
    max_uneven_parts: int = 32
    v_cycles: int = 1


@dataclass(frozen=True)
class IntegratedConfig(Section):
    """Integrated mapping (paper, GPU-IM): coarsen, multisect the coarsest graph, refine J.

    Attributes
    ----------
    vertices_per_block
        Coarsening ends at this many vertices per PE (measured; 8 in the paper). Default 64, in [1,
        1000000].
    coarsest_share
        Coarsening already ends at this share of the vertices if that is more than
        `integrated.vertices_per_block` asks for (measured; 0 in the paper). Default 0.25, in [0,
        1].
    coarsest_vertices
        Coarsening already ends at this many vertices, or an eighth of them if all PEs are equally
        far apart, if that is more than `integrated.vertices_per_block` asks for (measured; 0 in the
        paper). Default 0, in [0, 1000000000].
    max_arc_share
        Where coarsening leaves more than this share of the arcs, multisection of the finest graph
        takes no longer, and is the mapping (measured). Default 0.75, in [0, 1].
    least_cost_share
        Where the outermost split costs less than this share of what it cost on a graph as coarse as
        the coarsest one, coarse graphs hold no good mapping, and multisection of the finest graph
        is the mapping (measured). Default 0.5, in [0, 1].
    refine_coarsest
        The multisection of the coarsest graph is itself multilevel and refined (measured). Default
        True.
    coarsest_flow_rounds
        The multisection of the coarsest graph has this for `flow.rounds` (measured). Default 1, in
        [0, 1000].
    even_flow_rounds
        On an even machine (`multisection.tournament_even`) `flow.rounds` is at least this on the
        way back from the coarsest graph (measured). Default 0, in [0, 1000].
    fine_splits
        This many outer splits of the machine are made of the finest graph, and only the others of a
        coarse one, in which their borders are kept (measured; 0 in the paper). Default 0, in [0,
        64].
    fine_flow_rounds
        The splits of the finest graph have this for `flow.rounds` (measured). Default 1, in [0,
        1000].
    fine_population
        Where the finest graph is split, this is `multisection.population_outer`, and each has its
        share of `multisection.tournament_outer` (measured). Default 2, in [1, 64].
    fine_rounds
        Where the finest graph is split, this is `refinement.rounds` (measured). Default 8, in [1,
        100000].
    """

    _prefix: ClassVar[str] = "integrated."

    vertices_per_block: int = 64
    coarsest_share: float = 0.25
    coarsest_vertices: int = 0
    max_arc_share: float = 0.75
    least_cost_share: float = 0.5
    refine_coarsest: bool = True
    coarsest_flow_rounds: int = 1
    even_flow_rounds: int = 0
    fine_splits: int = 0
    fine_flow_rounds: int = 1
    fine_population: int = 2
    fine_rounds: int = 8


@dataclass(frozen=True)
class ImproveConfig(Section):
    """Improving a given mapping: a V-cycle inside its blocks.

    Attributes
    ----------
    vertices_per_block
        Coarsening inside the blocks of a given mapping ends at this many vertices per PE
        (measured). Default 64, in [1, 1000000].
    coarsen_with_migration
        A given mapping is coarsened also where migration costs, although few vertices will move
        (measured). Default False.
    migration_flow_rounds
        Where migration costs, `flow.rounds` is at most this (measured). Default 1, in [0, 1000].
    migration_flow_band
        Where migration costs, `flow.band` is at most this (measured). Default 0.03, in [0, 1].
    """

    _prefix: ClassVar[str] = "improve."

    vertices_per_block: int = 64
    coarsen_with_migration: bool = False
    migration_flow_rounds: int = 1
    migration_flow_band: float = 0.03


@dataclass(frozen=True)
class MachineConfig(Section):
    """Machines that are no hierarchies, one task per PE, and grids of tasks.

    Attributes
    ----------
    guide_parts
        On a machine that is no hierarchy, multisection follows a hierarchy of this many parts per
        level (measured). Default 4, in [2, 1000000].
    both_methods
        On a machine that is no hierarchy, a mapping by the other method is made, too, and the
        better one kept: multisection competes with the preset fast, or with default if it contains
        that (measured). Default True.
    more_starts
        On a machine that is no hierarchy, integrated mapping makes this many first mappings of
        other seeds, and the best of them is refined and competes, too (measured). Default 0, in [0,
        1000].
    v_cycles
        On a machine that is no hierarchy, this many V-cycles refine the mapping cost (measured).
        Default 2, in [0, 1000].
    vertices_per_block
        On a machine that is no hierarchy, coarsening of a V-cycle ends at this many vertices per PE
        (measured). Default 16, in [1, 1000000].
    rounds
        On a machine that is no hierarchy, a V-cycle has this for `refinement.rounds` (measured).
        Default 80, in [1, 100000].
    filter_fine
        On a machine that is no hierarchy, a V-cycle has this for Jet's c on the finest graph
        (measured). Default 0.25, in [0, 1].
    filter_coarse
        On a machine that is no hierarchy, a V-cycle has this for Jet's c on coarser graphs
        (measured). Default 0.5, in [0, 1].
    exchange_places
        Machines with more PEs than this have no table of all distances: groups of PEs, then blocks
        or tasks are annealed, but not exchanged as long as that helps (bound: memory). Default
        2048, in [0, 16384].
    annealing
        On a machine that is no hierarchy, simulated annealing tries this many exchanges per pair of
        blocks before the V-cycles (measured). Default 32, in [0, 1000].
    task_annealing
        With one task per PE, or few on a machine that is no hierarchy, simulated annealing tries
        this many exchanges of tasks per pair of PEs, a quarter on a hierarchy; with few on a
        hierarchy, eight times as many per task (measured). Default 64, in [0, 10000].
    few_tasks
        Tasks are annealed if there are at most this many per PE, or a quarter of that on a
        hierarchy (measured). Default 16, in [0, 1000000].
    block_kicks
        On a machine that is no hierarchy, this many random exchanges of blocks are tried when no
        other helps (measured). Default 500, in [0, 100000000].
    cartesian
        Tasks that form a grid are also cut along its axes, consecutive tasks put on consecutive
        PEs, and meshes laid out on grids of three dimensions; the best mapping is kept (measured).
        Default True.
    starts
        With one task per PE, this many mappings are tried, and fewer if the traffic is dense
        (measured). Default 4, in [1, 1000].
    kicks
        With one task per PE, this many random exchanges of tasks are tried when no other helps
        (measured). Default 256, in [0, 100000000].
    """

    _prefix: ClassVar[str] = "machine."

    guide_parts: int = 4
    both_methods: bool = True
    more_starts: int = 0
    v_cycles: int = 2
    vertices_per_block: int = 16
    rounds: int = 80
    filter_fine: float = 0.25
    filter_coarse: float = 0.5
    exchange_places: int = 2048
    annealing: int = 32
    task_annealing: int = 64
    few_tasks: int = 16
    block_kicks: int = 500
    cartesian: bool = True
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


@dataclass(frozen=True)
class Parameters(Section):
    """All of them."""

    method: Literal["integrated", "multisection"] = "multisection"
    coarsening: CoarseningConfig = field(default_factory=CoarseningConfig)
    initial: InitialConfig = field(default_factory=InitialConfig)
    refinement: RefinementConfig = field(default_factory=RefinementConfig)
    flow: FlowConfig = field(default_factory=FlowConfig)
    multisection: MultisectionConfig = field(default_factory=MultisectionConfig)
    integrated: IntegratedConfig = field(default_factory=IntegratedConfig)
    improve: ImproveConfig = field(default_factory=ImproveConfig)
    machine: MachineConfig = field(default_factory=MachineConfig)
