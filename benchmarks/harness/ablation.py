# SPDX-License-Identifier: MIT
"""`ablation`: every ingredient of a preset off, one at a time, and what that does to J and time."""

from __future__ import annotations

import argparse
import sys
from itertools import product
from pathlib import Path

from harness.arguments import add_runs
from harness.instance import find_graphs
from harness.process import RunError, run_child
from harness.report import CsvLog, geometric_mean, mean_results, print_table

FIELDS = ["graph", "hierarchy", "variant", "seed", "J", "feasible", "cpu_seconds", "status"]
FULL = "full preset"

# What is switched off, and how. An ingredient that the preset does not use comes out as 1.000.
VARIANTS: dict[str, dict[str, object]] = {
    FULL: {},
    "no tournament": {
        "multisection.tournament_outer": 1,
        "multisection.tournament_middle": 1,
        "multisection.tournament_inner": 1,
        "multisection.tournament_even": 1,
    },
    "no starts from clusters": {"initial.clustered_starts": 0},
    "population on the finest graph": {"multisection.population_share": 1},
    "clusters not reused": {"multisection.reuse_clusters": "false"},
    "no population": {
        "multisection.population_outer": 1,
        "multisection.population_middle": 1,
        "multisection.population_inner": 1,
        "multisection.population_even": 1,
    },
    "slack spread evenly over the levels": {"multisection.slack_share": 0},
    "matching instead of clustering": {"coarsening.algorithm": "matching"},
    "no flow": {"flow.rounds": 0},
    "flow in one round": {"flow.rounds": 1},
    "no smaller bands for cuts that do not fit": {"flow.retries": 0},
    "no negative filter": {
        "refinement.cut_filter_fine": 0,
        "refinement.cut_filter_coarse": 0,
    },
    "bucket rebalancing": {"refinement.rebalancing": "buckets"},
    "one start per bisection": {"initial.starts": 1},
    "no last refinement of the mapping cost": {"multisection.final_rounds": 0},
    "its flow left out": {"multisection.final_flow_rounds": 0},
    "no subtree swaps": {"refinement.subtree_swaps": "false"},
    "multisection on small graphs not multilevel": {"integrated.refine_coarsest": "false"},
    "the same small graph for large graphs": {"integrated.coarsest_share": 0},
    "no flow on small graphs": {"integrated.coarsest_flow_rounds": 0},
}
Results = dict[tuple[str, str], dict[str, tuple[float, float]]]  # instance -> variant -> J, s


def run(args: argparse.Namespace) -> int:
    """Run all combinations, variants in turn, and print the table; 1 if a run failed."""
    log = CsvLog(args.out, FIELDS, args.resume)
    done = {(row["graph"], row["hierarchy"], row["variant"], row["seed"]) for row in log.rows}
    paths = find_graphs(args.graphs, args.names)
    for path, hierarchy, seed in product(paths, args.hierarchies, args.seeds):
        for variant in VARIANTS:
            if (path.stem, hierarchy, variant, str(seed)) not in done:
                log.add(_measure(path, hierarchy, variant, seed, args))
                print(" ".join(log.rows[-1].values()), file=sys.stderr, flush=True)
    _print(_means(log.rows), args.preset)
    return 1 if any(row["status"] != "ok" or row["feasible"] != "1" for row in log.rows) else 0


def _measure(
    path: Path, hierarchy: str, variant: str, seed: int, args: argparse.Namespace
) -> dict[str, object]:
    """Map once in a fresh process, on one thread."""
    row: dict[str, object] = {
        "graph": path.stem,
        "hierarchy": hierarchy,
        "variant": variant,
        "seed": seed,
    }
    changes = ",".join(f"{field}={value}" for field, value in VARIANTS[variant].items())
    options: dict[str, object] = {"hierarchy": hierarchy, "distance": args.distance, "seed": seed}
    options |= {"imbalance": args.imbalance, "preset": args.preset, "threads": 1}
    try:
        report = run_child("map", path, {**options, "set": changes or None}, args.timeout)
    except RunError as error:
        return {**row, "status": str(error)}
    return {
        **row,
        "J": report["cost"],
        "feasible": report["feasible"],
        "cpu_seconds": report["cpu_seconds"],
        "status": "ok",
    }


def _means(rows: list[dict[str, str]]) -> Results:
    """Mean J and CPU seconds over the seeds."""
    return mean_results(
        rows, lambda row: (row["graph"], row["hierarchy"]), "variant", "J", "cpu_seconds"
    )


def _print(results: Results, preset: str) -> None:
    """Geometric means of J and CPU time of every variant over those of the full preset."""
    table: list[list[object]] = []
    for variant in VARIANTS:
        ratios = [
            (found[variant][0] / found[FULL][0], found[variant][1] / found[FULL][1])
            for found in results.values()
            if variant in found and FULL in found
        ]
        if ratios:
            table.append([variant, *(geometric_mean(c) for c in zip(*ratios, strict=True))])
    print_table(
        f"Ingredients of {preset} off, one at a time, over the full preset; geometric means over "
        f"{len(results)} instances",
        ["variant", "J", "CPU time"],
        table,
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `ablation`."""
    add_runs(parser)
    parser.add_argument(
        "--hierarchies", nargs="+", default=["4:8:2", "4:8:6"], help="(default: 4:8:2 4:8:6)"
    )
    parser.add_argument("--distance", default="1:10:100", help="(default: %(default)s)")
    parser.add_argument("--imbalance", default="0.03", help="(default: %(default)s)")
    parser.add_argument("--preset", default="default", help="(default: %(default)s)")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2], help="(default: 1 2)")
    parser.add_argument(
        "--resume", action="store_true", help="continue --out; with all runs there, only print"
    )
    parser.set_defaults(action=run)
