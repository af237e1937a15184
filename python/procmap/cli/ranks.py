# SPDX-License-Identifier: MIT
"""``procmap map --mpi``: the command under mpiexec, on a graph that no rank holds alone."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import procmap
from procmap import distributed
from procmap._util.errors import ConfigError
from procmap._util.limits import GATHER_ARCS
from procmap._util.ranks import Ranks
from procmap.cli.options import (
    check_room,
    columns_of,
    config_of,
    migration_cost_of,
    naming_files,
)
from procmap.cli.outputs import check_outputs
from procmap.cli.status import INFEASIBLE, OK
from procmap.cli.summary import result_dict, result_text
from procmap.cli.terminal import say
from procmap.mapping._infeasible import InfeasibleError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from procmap.distributed._report import LocalMapping

# What the ranks cannot do together, and what is said if it is not asked for.
_ALONE = {
    "format": None, "traffic": False, "num_vertices": None, "common": None,
    "symmetrize": "error", "report": None, "report_presets": "",
}  # fmt: skip


_BY_ROW = ("fixed", "initial", "vertex_sizes")


def add_ranks(sub: argparse.ArgumentParser) -> None:
    """Add --mpi."""
    sub.add_argument(
        "--mpi", action="store_true",
        help="map under mpiexec: every rank reads its rows of GRAPH, a ParHIP file, an npz file "
        "or a pattern of such files, 'mesh-*.npz', and writes its lines of the output",
    )  # fmt: skip
    sub.add_argument(
        "--gather-arcs", type=int, metavar="N",
        help=f"with --mpi: arcs that one rank can hold (default: {GATHER_ARCS})",
    )  # fmt: skip


def run_on_ranks(
    args: argparse.Namespace, machine_of: Callable[[argparse.Namespace], procmap.Topology]
) -> int:
    """Map with all ranks; rank 0 reports."""
    try:
        from mpi4py import MPI  # noqa: PLC0415 - mpi4py is optional, and starts MPI
    except ModuleNotFoundError as exc:
        raise ImportError("--mpi needs mpi4py: pip install 'procmap[mpi]'") from exc
    comm = MPI.COMM_WORLD
    if comm.Get_rank() > 0:  # errors reach all ranks; one of them says so
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - until the end
    for name, nothing in _ALONE.items():
        if getattr(args, name) != nothing:
            raise ConfigError(f"--{name.replace('_', '-')} cannot be used with --mpi")
    check_room(args)
    migration_cost_of(args)
    with Ranks(comm) as ranks:
        topology = machine_of(args)
        if ranks.rank == 0:
            check_outputs(args)
    mapping, fault = _mapped(args, comm, topology)
    if args.output is not None:
        distributed.write(comm, mapping, args.output)
    if comm.Get_rank() == 0:
        _print(args, mapping, comm.Get_size())
        if fault:
            say(f"procmap: warning: {fault}")
    return OK if mapping.feasible else INFEASIBLE


def _mapped(
    args: argparse.Namespace, comm: Any, topology: procmap.Topology
) -> tuple[LocalMapping, str]:
    """Return the mapping, and what is wrong with it if it is infeasible."""
    rows = distributed.read(comm, args.graph)
    with Ranks(comm) as ranks, naming_files(args):  # files may be there for some ranks only
        config = config_of(args)
        given = _columns_of(args, ranks, len(rows.offsets) - 1)  # type: ignore[arg-type]
    progress = say if args.verbose else None
    try:
        mapping = distributed.map(
            comm,
            rows,
            topology,
            imbalance=args.imbalance,
            allow_empty=args.allow_empty,
            config=config,
            seed=args.seed,
            device=args.device,
            threads=args.threads,
            repeats=args.repeats,
            time_limit=args.time_limit,
            migration_cost=migration_cost_of(args),
            gather_arcs=GATHER_ARCS if args.gather_arcs is None else args.gather_arcs,
            strict=True,
            progress=progress,
            **given,
        )
    except InfeasibleError as exc:
        return exc.mapping, str(exc)  # type: ignore[return-value]
    return mapping, ""


def _columns_of(args: argparse.Namespace, ranks: Ranks, own: int) -> dict[str, Any]:
    """Return what files say, of every vertex what is said of own rows."""
    given = columns_of(args, "capacities", *_BY_ROW)
    first, n = ranks.before(own), ranks.total(own)
    for name in filter(given.__contains__, _BY_ROW):
        if len(given[name]) != n:
            raise ConfigError(f"{name} has {len(given[name])} entries, but there are {n} vertices")
        given[name] = given[name][first : first + own]
    return given


def _print(args: argparse.Namespace, mapping: LocalMapping, ranks: int) -> None:
    graph: Any = SimpleNamespace(num_vertices=mapping.num_vertices, num_edges=mapping.num_edges)
    if args.json:
        values = {"command": args.command, "graph": args.graph, "ranks": ranks}
        values |= result_dict(graph, mapping.topology, mapping)
        print(json.dumps({**values, "seconds": mapping.seconds, "output": args.output}))
    elif args.output is None:
        print(result_text(graph, mapping.topology, mapping))
