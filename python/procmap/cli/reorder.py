# SPDX-License-Identifier: MIT
"""``procmap reorder``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, get_args

import procmap
from procmap import launchers
from procmap._util.errors import ConfigError, TopologyError
from procmap._util.text import write_text
from procmap.cli.machine import add_machine, machine_of
from procmap.cli.options import (
    add_allow_empty,
    add_attempts,
    add_run_options,
    columns_of,
    config_of,
    naming_files,
    sentence,
)
from procmap.cli.outputs import check_outputs, write_report
from procmap.cli.status import EXPLANATION, OK
from procmap.cli.summary import result_dict, result_text
from procmap.cli.terminal import print_evaluation, progress_bar, say
from procmap.mapping._files import OF_RANKS
from procmap.traffic.io import TrafficFormat

if TYPE_CHECKING:
    import argparse

    from procmap.cli.options import Commands

_TEXT = "give every rank a PE of its own"


def add_to(commands: Commands) -> None:
    """Add the subcommand."""
    sub = commands.add_parser(
        "reorder", help=_TEXT, description=sentence(_TEXT), epilog=EXPLANATION
    )
    sub.add_argument("traffic", metavar="TRAFFIC", help="what every rank sends to every other one")
    sub.add_argument(
        "--format", choices=get_args(TrafficFormat), help="of TRAFFIC (default: by its content)"
    )
    sub.add_argument(
        "--num-ranks", type=int, metavar="N", help="of messages, if the last ranks are silent"
    )
    add_machine(sub)
    sub.add_argument("--hosts", metavar="LIST", help="names of the nodes, such as node[01-16]")
    sub.add_argument("--cores-per-pe", type=int, metavar="N", help="cores of a rank (default: 1)")
    sub.add_argument(
        "--slots-per-pe", type=int, default=1, metavar="N", help="ranks on a PE (default: 1)"
    )
    add_allow_empty(sub, "rank")
    sub.add_argument(
        "--launcher", choices=OF_RANKS, metavar="FORMAT",
        help=f"of the file of -o: {', '.join(OF_RANKS)} (default: blocks)",
    )  # fmt: skip
    sub.add_argument("--cpu-file", metavar="FILE", help="write the CPUs of every rank here")
    add_run_options(sub)
    for name, text in (
        ("fixed", "PE of every rank that must be there, -1 for the others, one per line"),
        ("initial", "order to improve, one PE per line"),
    ):
        sub.add_argument(f"--{name}", metavar="FILE", help=text)
    add_attempts(sub)
    sub.add_argument("--threads", type=int, metavar="N", help="threads (default: as many as help)")
    sub.add_argument("--json", action="store_true", help="print one JSON object")
    sub.add_argument("-v", "--verbose", action="store_true", help="progress on stderr")
    sub.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    if args.launcher is not None and args.output is None:
        raise ConfigError(f"--launcher {args.launcher} needs -o FILE, the file to write")
    topology = _machine(args)
    config = config_of(args)
    check_outputs(args)
    traffic = procmap.read_traffic(args.traffic, format=args.format, num_ranks=args.num_ranks)
    constraints = columns_of(args, "fixed", "initial")
    with progress_bar(args) as progress, naming_files(args):
        mapping = procmap.reorder_ranks(
            traffic,
            topology,
            slots_per_pe=args.slots_per_pe,
            allow_empty=args.allow_empty,
            **constraints,
            config=config,
            seed=args.seed,
            device=args.device,
            threads=args.threads,
            repeats=args.repeats,
            time_limit=args.time_limit,
            progress=progress,
        )
    command = _launch_command(args, mapping)
    _write(args, mapping)
    write_report(args, mapping)
    _print(args, traffic, mapping, command)
    return OK


def _write(args: argparse.Namespace, mapping: procmap.Mapping) -> None:
    """Write -o and --cpu-file, none of them if one cannot be made."""
    cpus = None if args.cpu_file is None else mapping._text("cpus")
    if args.output is not None:
        mapping.write(args.output, args.launcher or "blocks")
    if cpus is not None:
        write_text(args.cpu_file, cpus)


def _machine(args: argparse.Namespace) -> procmap.Topology:
    """Return the machine; refuse options that do not fit before any work."""
    topology = _named_machine(args)
    launcher = launchers.LAUNCHERS.get(args.launcher)
    if args.cpu_file is not None:
        if launcher is not None and launcher.no_cpu_file:
            raise ConfigError(f"--cpu-file {launcher.no_cpu_file}")
        if topology.places is not None and topology.places.kind == "node":
            raise ConfigError(
                "--cpu-file is for PEs that are cores or GPUs, but here they are whole nodes"
            )
    return topology


def _named_machine(args: argparse.Namespace) -> procmap.Topology:
    topology = machine_of(args)
    if args.hosts is not None:
        return _with_hosts(topology, args.hosts, args.cores_per_pe)
    if args.cores_per_pe is not None:
        raise ConfigError("--cores-per-pe is for --hosts")
    needy = args.launcher in launchers.LAUNCHERS or args.cpu_file is not None
    if needy and topology.places is None:
        asked = "--cpu-file" if args.launcher is None else f"--launcher {args.launcher}"
        raise ConfigError(
            f"{asked} needs --hosts, such as node[01-16], or a --topology that names them"
        )
    return topology


def _with_hosts(topology: procmap.Topology, hosts: str, cores: int | None) -> procmap.Topology:
    try:
        return topology.with_hosts(hosts, cores_per_pe=cores)
    except TopologyError as exc:
        option = "--cores-per-pe" if str(exc).startswith("cores_per_pe") else "--hosts"
        raise ConfigError(f"argument {option}: {exc}") from None


def _print(
    args: argparse.Namespace,
    traffic: procmap.Traffic,
    mapping: procmap.Mapping,
    command: str | None,
) -> None:
    """Print a summary, or how to start the program once the file is written."""
    graph = traffic.to_graph()
    if args.json:
        values = {"command": args.command, "traffic": args.traffic}
        values |= result_dict(graph, mapping.topology, mapping)
        print(json.dumps({**values, "output": args.output, "launch_command": command}))
    elif command is not None:
        print(command)
    elif args.output is None:
        print(result_text(graph, mapping.topology, mapping))
        print()
        print_evaluation(mapping.report())


def _launch_command(args: argparse.Namespace, mapping: procmap.Mapping) -> str | None:
    if args.output is None or args.launcher not in launchers.STARTERS:
        return None
    try:
        return mapping.launch_command(args.output, args.launcher, cpu_file=args.cpu_file)
    except ConfigError as exc:
        command = mapping.launch_command(args.output, args.launcher, bind=False)
        launcher = launchers.LAUNCHERS[args.launcher]
        hint = "" if launcher.no_cpu_file else ", add --cpu-file"
        reason = str(exc).removesuffix(f"; {launcher.way_out}")
        say(f"procmap: warning: ranks are not bound to cores or GPUs{hint}: {reason}")
        return command
