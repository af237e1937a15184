# SPDX-License-Identifier: MIT
"""What a case asks beside graph, machine, preset and seed: options of `procmap.map`, by name."""

import numpy as np

from fingerprint.random_integers import below
from procmap import Config


def _loads(graph):
    return np.asarray(graph.vertex_weights)


def _total(graph):
    return int(_loads(graph).sum())


def _capacities(graph, k):
    """Return uneven ones with a tenth to spare."""
    shares = 2 + np.arange(k) % 3
    return _total(graph) * 11 * shares // (10 * int(shares.sum())) + int(_loads(graph).max())


def _with_forbidden(graph, k):
    """Forbid every third PE but the first."""
    open_pes = np.arange(k) % 3 != 1
    each = _total(graph) * 11 // (10 * int(open_pes.sum())) + int(_loads(graph).max())
    return np.where(open_pes, each, 0)


def _few_fixed(graph, k):
    fixed = np.full(graph.num_vertices, -1)
    chosen = np.arange(0, graph.num_vertices, 17)
    fixed[chosen] = below(k, 1, 0, len(chosen))
    return fixed


def _half_fixed(graph, k):
    """Fix the first half, in order."""
    n = graph.num_vertices
    fixed = np.arange(n) * k // max(n, 1)
    fixed[n // 2 :] = -1
    return fixed


def _in_order(graph, k):
    n = graph.num_vertices
    return np.arange(n) * k // max(n, 1)


def _disturbed(graph, k):
    """In order, but every eighth vertex anywhere."""
    n = graph.num_vertices
    return np.where(below(8, 2, 0, n) == 0, below(k, 2, 1, n), _in_order(graph, k))


def _scattered(graph, k):
    return below(k, 3, 0, graph.num_vertices)


def _all_on_one(graph, k):
    return np.full(graph.num_vertices, k - 1)


def _sizes(graph):
    return below(5, 4, 0, graph.num_vertices)


CONSTRAINTS = {
    "balanced": lambda *_: {"imbalance": 0},
    "loose": lambda *_: {"imbalance": 0.5},
    "none_empty": lambda *_: {"allow_empty": False},
    "balanced_none_empty": lambda *_: {"allow_empty": False, "imbalance": 0},
    "capacities": lambda g, k: {"capacities": _capacities(g, k)},
    "forbidden": lambda g, k: {"capacities": _with_forbidden(g, k)},
    "few_fixed": lambda g, k: {"fixed": _few_fixed(g, k)},
    "half_fixed": lambda g, k: {"fixed": _half_fixed(g, k)},
    "all_fixed": lambda g, k: {"fixed": _scattered(g, k), "imbalance": 0.5},
    "fixed_balanced": lambda g, k: {"fixed": _few_fixed(g, k), "imbalance": 0},
    "fixed_capacities": lambda g, k: {
        "fixed": np.where(_few_fixed(g, k) % 3 == 1, -1, _few_fixed(g, k)),
        "capacities": _with_forbidden(g, k),
    },
    "loads": lambda g, _: {"vertex_weights": 1 + below(9, 6, 0, g.num_vertices)},
    "repeats": lambda *_: {"repeats": 3},
}

STARTS = {
    "from_order": lambda g, k: {"initial": _in_order(g, k)},
    "from_disturbed": lambda g, k: {"initial": _disturbed(g, k)},
    "from_scattered": lambda g, k: {"initial": _scattered(g, k)},
    "from_one": lambda g, k: {"initial": _all_on_one(g, k)},
    "cheap_moves": lambda g, k: {"initial": _disturbed(g, k), "migration_cost": 1},
    "dear_moves": lambda g, k: {"initial": _disturbed(g, k), "migration_cost": 40.5},
    "moves_by_size": lambda g, k: {
        "initial": _scattered(g, k),
        "migration_cost": 3,
        "vertex_sizes": _sizes(g),
    },
    "start_balanced": lambda g, k: {"initial": _disturbed(g, k), "imbalance": 0},
    "start_forbidden": lambda g, k: {
        "initial": _disturbed(g, k),
        "capacities": _with_forbidden(g, k),
        "migration_cost": 2,
    },
    "start_fixed": lambda g, k: {"initial": _disturbed(g, k), "fixed": _few_fixed(g, k)},
    "start_none_empty": lambda g, k: {"initial": _all_on_one(g, k), "allow_empty": False},
    "start_repeats": lambda g, k: {"initial": _scattered(g, k), "repeats": 2},
}

# Parameters that no preset has, or only together with others.
CHANGES = {
    "matching": {"coarsening.algorithm": "matching"},
    "clustering": {"coarsening.algorithm": "clustering"},
    "small_clusters": {"coarsening.max_cluster_weight": 1.5, "coarsening.clustering_rounds": 2},
    "two_hop": {"coarsening.two_hop_above": 0.0, "coarsening.max_matchmaker_degree": 8},
    "shrink_4": {"coarsening.shrink_factor": 4.0},
    "one_start": {"initial.starts": 1, "initial.fm_passes": 1},
    "bucket_rebalancing": {"refinement.rebalancing": "buckets"},
    "sorted_rebalancing": {"refinement.rebalancing": "sorted"},
    "no_swaps": {"refinement.subtree_swaps": False},
    "swaps": {"refinement.subtree_swaps": True},
    "repetitions": {"refinement.repetitions": 3},
    "filters": {"refinement.mapping_filter_fine": 0.5, "refinement.cut_filter_fine": 0.0},
    "no_flow": {"flow.rounds": 0},
    "more_flow": {
        "flow.rounds": 6,
        "flow.band": 0.2,
        "multisection.inner_flow_rounds": 3,
        "flow.least_gain": 0.01,
    },
    "deep_flow": {"flow.rounds": 2, "flow.max_depth": 4, "flow.max_band_vertices": 200},
    "fresh_clusters": {"multisection.reuse_clusters": False},
    "no_slack": {"multisection.slack_share": 0.0},
    "final": {"multisection.final_rounds": 5, "multisection.final_flow_rounds": 1},
    "populations": {
        "multisection.population_outer": 3,
        "multisection.population_middle": 3,
        "multisection.population_inner": 2,
        "multisection.population_even": 3,
        "multisection.population_share": 0.5,
        "multisection.max_population_vertices": 1500,
        "multisection.fine_flow_gain": 0.1,
    },
    "halves": {"multisection.max_parts": 2},
    "v_cycles": {"multisection.v_cycles": 2},
    "no_v_cycles": {"multisection.v_cycles": 0, "machine.v_cycles": 0},
    "integrated": {"method": "integrated"},
    "multisection": {"method": "multisection"},
    "coarsest": {"integrated.coarsest_share": 0.0, "integrated.refine_coarsest": False},
    "coarse_machine": {"machine.guide_parts": 2, "machine.vertices_per_block": 4},
    "no_annealing": {"machine.annealing": 0, "machine.block_kicks": 0},
    "few_places": {"machine.exchange_places": 4, "machine.kicks": 3, "machine.starts": 1},
    "migration_in_clusters": {
        "improve.coarsen_with_migration": True,
        "improve.migration_flow_rounds": 2,
    },
}


def options(name, preset, graph, num_pes):
    """Return the options of a demand: a constraint, a start, a change, or two joined by '+'."""
    made = {"preset": preset}
    for part in filter(None, name.split("+")):
        if part in CHANGES:
            made["config"] = Config.preset(preset).replace(CHANGES[part])
        else:
            made |= (CONSTRAINTS | STARTS)[part](graph, num_pes)
    return made
