# SPDX-License-Identifier: MIT
"""One mapping onto one machine in a process of its own; prints one line of JSON.

Run by path, in a fresh process each time. Seconds are those of the processor, on one thread, for
describing the machine and mapping, without starting Python and reading the graph.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.instance import read_instance
from harness.models import Dragonfly, Torus, parse_model
from harness.one_call import Program, Result, call, make_parser
from harness.verify import Machine

if TYPE_CHECKING:
    import procmap

# How Scotch can be told of a machine: as a torus; as a tree of groups, routers and PEs; by the
# distances of all pairs of PEs.
SCOTCH_TARGETS = {"torus": ["torus"], "dragonfly": ["tree", "distances"]}
# SCOTCH_STRAT... of its header scotch.h; all with the imbalance asked for.
SCOTCH_STRATEGIES = {"default": 0, "quality": 0x1, "recursive": 0x100, "quality-recursive": 0x101}


def procmap_mapping(args: argparse.Namespace) -> Result:
    """The preset `args.preset` of this library."""
    import procmap

    graph = procmap.Graph.read(args.graph)
    begin = time.process_time()
    mapping = procmap.map(
        graph,
        procmap_topology(args.machine),
        imbalance=float(args.imbalance),
        preset=args.preset,
        seed=args.seed,
        threads=1,
        device="cpu",
    )
    return time.process_time() - begin, mapping.blocks


def procmap_topology(machine: str) -> procmap.Topology:
    """Return procmap's description of a machine."""
    import procmap

    model = parse_model(machine)
    if isinstance(model, Torus):
        return procmap.Topology.torus(*model.sizes)
    if isinstance(model, Dragonfly):
        return procmap.Topology.dragonfly(model.groups, model.routers, model.pes)
    assert isinstance(model, Machine)
    return procmap.Topology.hierarchy(model.fan_out, model.distances)


def scotch_mapping(args: argparse.Namespace) -> Result:
    """Scotch, from the package `scotchpy64`, with `args.target` and `args.strategy`."""
    os.environ["SCOTCH_PTHREAD_NUMBER"] = "1"
    import scotchpy

    instance = read_instance(Path(args.graph))
    unit = bool((instance.vertex_weights == 1).all())
    loads = None if unit else instance.vertex_weights
    graph = scotch_graph(instance.offsets, instance.heads, instance.edge_weights, loads)
    blocks = scotch_numbers(np.zeros(len(instance.vertex_weights)))
    scotchpy.common.random_seed(args.seed)
    begin = time.process_time()
    target = scotch_target(args.machine, args.target)
    strategy = scotchpy.Strat()
    k = parse_model(args.machine).num_blocks
    strategy.graph_map_build(SCOTCH_STRATEGIES[args.strategy], k, float(args.imbalance))
    graph.map(target, strategy, blocks)
    return time.process_time() - begin, blocks


def scotch_target(machine: str, name: str) -> Any:
    """Return one of SCOTCH_TARGETS as a target architecture; PEs have procmap's numbers."""
    import scotchpy

    model = parse_model(machine)
    target = scotchpy.Arch()
    if isinstance(model, Torus):
        target.torus(*model.sizes)
    elif isinstance(model, Dragonfly) and name == "tree":
        sizes = [model.groups, model.routers, model.pes]  # outermost level first
        target.tleaf(scotch_numbers(sizes), scotch_numbers([3, 1, 1]))  # what it costs to cross it
    else:
        k = model.num_blocks
        here, there = (axis[~np.eye(k, dtype=bool)] for axis in np.indices((k, k)))
        distances = model.distance(here, there)
        machine_graph = scotch_graph(np.arange(k + 1) * (k - 1), there, distances, None)
        target.build(machine_graph, scotch_numbers(np.arange(k)), scotchpy.Strat())
    return target


def scotch_graph(
    offsets: np.ndarray, heads: np.ndarray, traffic: np.ndarray | None, loads: np.ndarray | None
) -> Any:
    """Return a graph of Scotch; None stands for weights of 1."""
    import scotchpy

    graph = scotchpy.Graph()
    arrays = {"verttab": offsets, "edgetab": heads, "edlotab": traffic, "velotab": loads}
    numbers = {key: None if a is None else scotch_numbers(a) for key, a in arrays.items()}
    graph.build(baseval=0, **numbers)
    return graph


def scotch_numbers(values: Any) -> np.ndarray:
    """Return the values as an array of Scotch's integers."""
    from scotchpy.common import proper_int

    return np.ascontiguousarray(values, dtype=proper_int)


PROGRAMS: dict[str, Program] = {
    "procmap": procmap_mapping,
    "scotch": scotch_mapping,
}


def has_scotch() -> bool:
    """Whether `scotchpy64` is installed."""
    return importlib.util.find_spec("scotchpy") is not None


def parse(arguments: list[str]) -> argparse.Namespace:
    """Return the options; `machines.py` passes all of them."""
    parser = make_parser(__doc__, PROGRAMS)
    parser.add_argument("--machine", required=True)
    parser.add_argument("--target", default="links")
    parser.add_argument("--strategy", default="default", choices=list(SCOTCH_STRATEGIES))
    return parser.parse_args(arguments)


if __name__ == "__main__":
    options = parse(sys.argv[1:])
    call(PROGRAMS[options.program], options, "cpu_seconds")
