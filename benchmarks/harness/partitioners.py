# SPDX-License-Identifier: MIT
"""One call of one graph partitioner in a process of its own; prints one line of JSON.

Run by path, in a fresh process each time. Seconds are those of the call, on one thread, without
starting Python and without reading the graph. Programs other than procmap are optional.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.instance import read_instance
from harness.one_call import Program, Result, call, make_parser


def procmap(args: argparse.Namespace) -> Result:
    """The preset `args.preset` of this library."""
    import procmap

    graph = procmap.Graph.read(args.graph)
    begin = time.perf_counter()
    mapping = procmap.partition(
        graph,
        args.k,
        imbalance=float(args.imbalance),
        preset=args.preset,
        seed=args.seed,
        threads=1,
    )
    return time.perf_counter() - begin, mapping.blocks


def metis(args: argparse.Namespace) -> Result:
    """METIS, k-way, from the package `pymetis`."""
    import pymetis

    graph = read_instance(Path(args.graph))
    options = pymetis.Options(ufactor=round(1000 * float(args.imbalance)), seed=args.seed)
    unit = bool((graph.vertex_weights == 1).all())
    begin = time.perf_counter()
    result = pymetis.part_graph(
        args.k,
        pymetis.CSRAdjacency(graph.offsets, graph.heads),
        vweights=None if unit else graph.vertex_weights,
        eweights=graph.edge_weights,
        options=options,
        warn_on_copies=False,
    )
    return time.perf_counter() - begin, result.vertex_part


def kaminpar(args: argparse.Namespace) -> Result:
    """KaMinPar with its default context."""
    import kaminpar

    kaminpar.reseed(args.seed)
    graph = kaminpar.load_graph(args.graph, kaminpar.GraphFileFormat.METIS)
    solver = kaminpar.KaMinPar(1, kaminpar.default_context())
    begin = time.perf_counter()
    blocks = solver.compute_partition(graph, args.k, float(args.imbalance))
    return time.perf_counter() - begin, blocks


def mtkahypar(args: argparse.Namespace) -> Result:
    """Mt-KaHyPar with its preset `default`."""
    import mtkahypar

    mtkahypar.set_seed(args.seed)
    solver = mtkahypar.initialize(1, False)
    context = solver.context_from_preset(mtkahypar.PresetType.DEFAULT)
    context.set_partitioning_parameters(args.k, float(args.imbalance), mtkahypar.Objective.CUT)
    graph = solver.graph_from_file(args.graph, context, mtkahypar.FileFormat.METIS)
    begin = time.perf_counter()
    partitioned = graph.partition(context)
    seconds = time.perf_counter() - begin
    return seconds, partitioned.get_partition()


PROGRAMS: dict[str, Program] = {
    "procmap": procmap,
    "pymetis": metis,
    "kaminpar": kaminpar,
    "mtkahypar": mtkahypar,
}


def installed() -> list[str]:
    """Return the programs that can be imported."""
    return [name for name in PROGRAMS if importlib.util.find_spec(name) is not None]


def parse(arguments: list[str]) -> argparse.Namespace:
    """Return the options; `partition.py` passes all of them."""
    parser = make_parser(__doc__, PROGRAMS)
    parser.add_argument("--k", type=int, required=True)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    options = parse(sys.argv[1:])
    call(PROGRAMS[options.program], options, "seconds")
