#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Benchmarks of procmap: one command per question.

quality    how good and how balanced are the mappings, against other programs?
partition  how good are partitions into k blocks, against other partitioners?
machines   how good are mappings onto a torus and a dragonfly, against Scotch?
weights    how good are partitions by several weights per vertex, against METIS?
ranks      how good are mappings of graphs that ranks of MPI hold, against PT-Scotch?
speed      how fast is procmap against another command, and with more threads?
growth     do time per arc and memory stay flat as graphs grow?
reader     how fast are METIS files read?
gpu        how fast is a GPU, against GPU-HeiPa?
boxes      do time and memory per arc stay flat on a GPU up to billions of arcs?
larger     do they over ranks of MPI, or with the arcs in a file?
sweep      what do changed fields of a preset bring, on many graphs at once?
ablation   what does every ingredient of a preset bring, and what does it cost?
busy       how long does a call take beside processes that never rest?
many       how fast are many small graphs in one call?
profile    where does the time of one call go, per phase, level and kernel?
experts    how even are placements of experts, and how many move, against the greedy balancer?
traces     how far do tokens go, and how long do pipeline stages take, against what is built in?
warm       what does improving an old mapping gain when weights change?
evaluate   the paper's protocol, with every rival that is installed
report     the report of such runs: profiles, speedups, who is better where
same       is J of two such logs the same?
pack       compress such logs for the repository
guard      is J of a small fixed set what it was?

Needs NumPy and an installed procmap. README.md in this folder says what is measured. With
--report FILE the tables are also written to a file that states commit, command and machine.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from evaluation import options
from harness import (
    ablation,
    boxes,
    busy,
    experts,
    figures,
    gpu,
    growth,
    larger,
    machines,
    many,
    partition,
    profiling,
    quality,
    ranks,
    results,
    speed,
    sweep,
    traces,
    warm,
    weight_sets,
    weights,
)
from harness.models import machine_name


def _graphs(parser: argparse.ArgumentParser) -> None:
    """Add which graphs are used."""
    parser.add_argument(
        "--graphs", type=Path, required=True, metavar="DIR", help="folder with NAME.graph (METIS)"
    )
    parser.add_argument(
        "--names", nargs="+", metavar="NAME", help="graphs to use (default: all of the folder)"
    )


def _common(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command on graphs."""
    _graphs(parser)
    parser.add_argument("--out", type=Path, metavar="CSV", help="log of every run")
    parser.add_argument(
        "--timeout", type=float, metavar="S", help="seconds after which one run counts as failed"
    )


def _machine(parser: argparse.ArgumentParser) -> None:
    """Add the options of a mapping task."""
    parser.add_argument(
        "--hierarchy", default="4:8:6", help="innermost level first (default: %(default)s)"
    )
    parser.add_argument("--distance", default="1:10:100", help="per level (default: %(default)s)")
    parser.add_argument(
        "--imbalance", default="0.03", help="eps, as a decimal (default: %(default)s)"
    )


def _add_quality(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    _machine(parser)
    parser.add_argument("--presets", nargs="+", default=["fast"], help="(default: fast)")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1], help="(default: 1)")
    parser.add_argument("--threads", type=int, help="threads of procmap (default: its own choice)")
    parser.add_argument(
        "--baselines", nargs="+", type=Path, default=[], metavar="CSV", help="figures of more peers"
    )
    parser.add_argument("--targets", type=Path, default=figures.TARGETS, metavar="CSV")
    parser.add_argument(
        "--resume", action="store_true", help="continue --out; with all runs there, only print"
    )
    parser.add_argument("--strict", action="store_true", help="fail if a target is missed")
    parser.set_defaults(action=quality.run)


def _add_partition(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument(
        "--k", nargs="+", type=int, default=[2, 8, 32, 128, 512], help="(default: 2 8 32 128 512)"
    )
    parser.add_argument("--imbalance", default="0.03", help="(default: %(default)s)")
    parser.add_argument("--presets", nargs="*", default=["default"], help="(default: default)")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1], help="(default: 1)")
    parser.add_argument(
        "--peers",
        nargs="*",
        metavar="PACKAGE",
        help="of pymetis, kaminpar, mtkahypar (default: those installed)",
    )
    parser.add_argument(
        "--resume", action="store_true", help="continue --out; with all runs there, only print"
    )
    parser.set_defaults(action=partition.run)


def _add_machines(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument(
        "--machines",
        nargs="+",
        type=machine_name,
        default=["torus:8x8x8", "dragonfly:9x8x4"],
        help="the second is groups x routers x PEs (default: torus:8x8x8 dragonfly:9x8x4)",
    )
    parser.add_argument("--imbalance", default="0.03", help="(default: %(default)s)")
    parser.add_argument("--presets", nargs="+", default=["default"], help="(default: default)")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1], help="(default: 1)")
    parser.add_argument(
        "--scotch",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="Scotch too, if scotchpy64 is installed",
    )
    parser.add_argument(
        "--resume", action="store_true", help="continue --out; with all runs there, only print"
    )
    parser.set_defaults(action=machines.run)


def _add_weights(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    _machine(parser)
    parser.add_argument(
        "--k", nargs="+", type=int, default=[8, 64, 192], help="blocks (default: 8 64 192)"
    )
    parser.add_argument("--wider", default="0.05", help="where METIS needs it (default: 0.05)")
    parser.add_argument(
        "--sets",
        nargs="+",
        choices=list(weight_sets.WEIGHT_SETS),
        default=list(weight_sets.WEIGHT_SETS),
        help="of weights (default: all)",
    )
    parser.add_argument(
        "--counts",
        nargs="+",
        type=int,
        choices=[2, 3],
        default=[2, 3],
        help="weights of a vertex (default: 2 3)",
    )
    parser.add_argument("--presets", nargs="*", default=["default"], help="(default: default)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--metis",
        action=argparse.BooleanOptionalAction,
        default=weights.metis_is_installed(),
        help="beside METIS (default: if libmetis is installed)",
    )
    parser.add_argument("--quick", action="store_true", help="two graphs, two weights, k = 8, 64")
    parser.add_argument(
        "--resume", action="store_true", help="continue --out; with all runs there, only print"
    )
    parser.set_defaults(action=weights.run)


def _add_ranks(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    _machine(parser)
    parser.add_argument("--ranks", type=int, default=4, help="(default: 4)")
    parser.add_argument(
        "--mpiexec",
        default="mpiexec.openmpi --allow-run-as-root --oversubscribe",
        metavar="CMD",
        help="without -n (default: %(default)s)",
    )
    parser.add_argument(
        "--share",
        type=float,
        default=0.25,
        help="of the arcs that one rank may gather (default: 0.25)",
    )
    parser.add_argument("--k", type=int, default=32, help="blocks of partitions (default: 32)")
    parser.add_argument("--preset", default="default")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0], help="(default: 0)")
    parser.add_argument(
        "--resume", action="store_true", help="continue --out; with all runs there, only print"
    )
    parser.set_defaults(action=ranks.run)


def _add_speed(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    _machine(parser)
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--threads", nargs="+", type=int, default=[1], help="one side per number (default: 1)"
    )
    parser.add_argument(
        "--runs", type=int, default=5, help="rounds; every side runs once per round"
    )
    parser.add_argument(
        "--cli", action="store_true", help="time the command `procmap map` instead of the call"
    )
    parser.add_argument(
        "--peer", metavar="CMD", help="command of the other side, with {graph} for the path"
    )
    parser.add_argument("--peer-name", metavar="NAME", help="heading of the other side")
    parser.add_argument(
        "--peer-seconds",
        metavar="REGEX",
        help="where the peer prints its seconds (default: wall time of the process)",
    )
    parser.set_defaults(action=speed.run)


def _add_growth(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    _machine(parser)
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.set_defaults(action=growth.run_growth)


def _add_reader(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("--runs", type=int, default=5)
    parser.set_defaults(action=growth.run_reader)


def _add_gpu(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    _machine(parser)
    parser.add_argument("--presets", nargs="+", default=["im", "hm"], help="(default: im hm)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--runs", type=int, default=5, help="after a first that does not count")
    parser.add_argument("--resident", action="store_true", help="graphs lie on the GPU already")
    parser.add_argument(
        "--host-threads", nargs="+", type=int, default=[], help="time such calls on the host, too"
    )
    parser.add_argument("--first-call", action="store_true", help="time those of fresh processes")
    parser.set_defaults(action=gpu.run)


def _add_boxes(parser: argparse.ArgumentParser) -> None:
    _machine(parser)
    parser.add_argument("--shape", choices=list(boxes.SHAPES), default="box")
    parser.add_argument("--sides", nargs="+", type=int, default=[34, 74, 159])
    parser.add_argument("--resident", action="store_true", help="graphs lie on the GPU already")
    parser.add_argument("--preset", default="im")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--runs", type=int, default=3, help="after a first that does not count")
    parser.add_argument("--out", type=Path, metavar="CSV", help="log of every box")
    parser.set_defaults(action=boxes.run)


def _add_larger(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sides", nargs="+", type=int, default=[34, 74, 158], metavar="N",
        help="boxes of N^3 cells: 74 are 10^7 arcs, 158 are 10^8, 339 are 10^9",
    )  # fmt: skip
    parser.add_argument(
        "--ranks", type=int, default=4, help="0: one process with the arcs in a file (default: 4)"
    )
    parser.add_argument("--k", type=int, default=6, help="blocks (default: %(default)s)")
    parser.add_argument("--gather-arcs", type=int, default=2**22, help="(default: 2^22)")
    parser.add_argument("--mpiexec", default="mpiexec", help="with its options")
    parser.add_argument("--folder", type=Path, default=Path("build"), help="of the file")
    parser.add_argument("--out", type=Path, metavar="CSV", help="log of every box")
    parser.set_defaults(action=larger.run)


def _add_warm(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    _machine(parser)
    parser.add_argument("--preset", default="default")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1], help="(default: 1)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--changed", type=float, default=0.05, help="share of the edge weights (default: 0.05)"
    )
    parser.add_argument(
        "--changed-loads", type=float, default=0, help="share of the vertex weights (default: 0)"
    )
    parser.add_argument(
        "--keep", type=float, default=0.95, help="share of the tasks to keep (default: 0.95)"
    )
    parser.set_defaults(action=warm.run)


def _add_busy(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    _machine(parser)
    parser.add_argument("--preset", default="default")
    parser.add_argument("--threads", nargs="+", type=int, default=[2], help="(default: 2)")
    parser.add_argument(
        "--neighbours", type=int, default=0, help="busy processes (default: as many as cores)"
    )
    parser.add_argument("--runs", type=int, default=5, help="of each, in turn")
    parser.add_argument(
        "--at-most",
        type=float,
        default=3,
        metavar="X",
        help="fail above (default: 3)",
    )
    parser.set_defaults(action=busy.run)


def _add_profile(parser: argparse.ArgumentParser) -> None:
    _graphs(parser)
    _machine(parser)
    parser.add_argument("--preset", default="default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, help="(default: procmap's own choice)")
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:N (default: cpu)")
    parser.add_argument("--runs", type=int, default=3, help="the median is shown (default: 3)")
    parser.set_defaults(action=profiling.run)


def _add_many(parser: argparse.ArgumentParser) -> None:
    _machine(parser)
    parser.add_argument("--count", type=int, default=1000, help="graphs (default: 1000)")
    parser.add_argument("--vertices", type=int, default=500, help="of each (default: 500)")
    parser.add_argument("--preset", default="default")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, help="of map_many (default: all)")
    parser.add_argument("--runs", type=int, default=3, help="of each, in turn")
    parser.add_argument("--out", type=Path, metavar="CSV", help="log of every run")
    parser.set_defaults(action=many.run)


def _add_experts(parser: argparse.ArgumentParser) -> None:
    sizes = ["64:72:8", "128:144:16", "256:288:32", "256:320:64", "256:288:32:8:4"]
    parser.add_argument(
        "--sizes", nargs="+", default=sizes, metavar="E:R:G[:GROUPS:NODES]",
        help=f"experts, slots, GPUs (default: {' '.join(sizes)})",
    )  # fmt: skip
    parser.add_argument(
        "--sigma", nargs="+", type=float, default=[0.5, 1.0], help="of the loads (default: 0.5 1)"
    )
    parser.add_argument("--drift", type=float, default=0.2, help="sigma of later loads over first")
    parser.add_argument(
        "--imbalance", type=float, default=0.005, help="of procmap (default: 0.005)"
    )
    parser.add_argument("--layers", type=int, default=6, help="of each (default: 6)")
    parser.add_argument("--out", type=Path, metavar="CSV", help="log of every run")
    parser.set_defaults(action=experts.run)


def _add_traces(parser: argparse.ArgumentParser) -> None:
    sizes = ["64:80:16", "128:144:16", "256:288:32", "256:320:64"]
    parser.add_argument(
        "--sizes", nargs="+", default=sizes, metavar="E:R:G",
        help=f"experts, slots, GPUs of nodes of 8 (default: {' '.join(sizes)})",
    )  # fmt: skip
    parser.add_argument("--tokens", type=int, default=8000, help="of a layer (default: 8000)")
    parser.add_argument("--imbalance", type=float, default=0.03, help="of procmap (default: 0.03)")
    parser.add_argument("--layers", type=int, default=3, help="of each (default: 3)")
    parser.add_argument(
        "--stages", nargs="+", type=int, default=[4, 8, 16], help="(default: 4 8 16)"
    )
    parser.set_defaults(action=traces.run)


def _add_ablation(parser: argparse.ArgumentParser) -> None:
    _common(parser)
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
    parser.set_defaults(action=ablation.run)


def _add_sweep(parser: argparse.ArgumentParser) -> None:
    _graphs(parser)
    parser.add_argument("--out", type=Path, metavar="CSV", help="log of every run")
    sweep.add_options(parser)
    parser.set_defaults(action=sweep.run)


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, add in (
        ("quality", _add_quality),
        ("partition", _add_partition),
        ("machines", _add_machines),
        ("weights", _add_weights),
        ("ranks", _add_ranks),
        ("speed", _add_speed),
        ("growth", _add_growth),
        ("reader", _add_reader),
        ("gpu", _add_gpu),
        ("boxes", _add_boxes),
        ("larger", _add_larger),
        ("ablation", _add_ablation),
        ("sweep", _add_sweep),
        ("warm", _add_warm),
        ("busy", _add_busy),
        ("many", _add_many),
        ("profile", _add_profile),
        ("experts", _add_experts),
        ("traces", _add_traces),
    ):
        command = commands.add_parser(name)
        command.add_argument(
            "--report", type=Path, metavar="MD", help="file for the tables and how they were made"
        )
        add(command)
    options.add(commands)
    given = sys.argv[1:] if arguments is None else arguments
    args = parser.parse_args(given)
    try:
        with results.written_to(getattr(args, "report", None), given):
            return int(args.action(args))
    except (FileNotFoundError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    sys.exit(main())
