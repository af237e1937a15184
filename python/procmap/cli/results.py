# SPDX-License-Identifier: MIT
"""What `map`, `partition` and `evaluate` do alike: compute, write, report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import procmap
from procmap.cli.options import (
    check_room,
    config_of,
    constraints_of,
    migration_cost_of,
    naming_files,
    read_graph,
)
from procmap.cli.outputs import check_outputs, write_report
from procmap.cli.status import INFEASIBLE, OK
from procmap.cli.summary import result_dict, result_text
from procmap.cli.terminal import print_evaluation, progress_bar, say
from procmap.mapping._infeasible import InfeasibleError, infeasibility
from procmap.mapping._options import allowed_imbalance

if TYPE_CHECKING:
    import argparse


def run_mapping(args: argparse.Namespace, topology: procmap.Topology) -> int:
    """Map, write and report: `map` and `partition` differ only in the machine."""
    check_room(args)
    migration_cost_of(args)
    config = config_of(args)
    check_outputs(args)
    graph = read_graph(args)
    constraints = constraints_of(args, graph.num_weights)
    allowed = None
    if args.capacities is None:
        allowed = allowed_imbalance(args.imbalance, graph, topology.num_pes)
    with progress_bar(args) as progress, naming_files(args):
        try:
            mapping = procmap.map(
                graph,
                topology,
                imbalance=allowed,
                config=config,
                seed=args.seed,
                device=args.device,
                threads=args.threads,
                repeats=args.repeats,
                time_limit=args.time_limit,
                strict=True,
                progress=progress,
                **constraints,
            )
        except InfeasibleError as exc:
            mapping = exc.mapping  # written all the same, and said below in one line
    if args.output is not None:
        mapping.write(args.output, "blocks")
    write_report(args, mapping)
    options = {"imbalance_allowed": allowed, "seed": args.seed, "output": args.output}
    return print_report(args, graph, topology, mapping, options)


def print_report(
    args: argparse.Namespace,
    graph: procmap.Graph,
    topology: procmap.Topology,
    report: procmap.Report,
    options: dict[str, Any],
) -> int:
    """Print the result and return the exit code."""
    if args.json:
        values = {"command": args.command, "graph": args.graph}
        print(json.dumps({**values, **result_dict(graph, topology, report), **options}))
    elif options.get("output") is None:
        print(result_text(graph, topology, report))
        if isinstance(report, procmap.Evaluation):
            print()
            print_evaluation(report)
    if report.feasible:
        return OK
    reason = infeasibility(report, options["imbalance_allowed"])
    say(f"procmap: warning: {reason}")
    return INFEASIBLE
