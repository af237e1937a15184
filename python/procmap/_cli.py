# SPDX-License-Identifier: MIT
"""The command ``procmap``."""

from __future__ import annotations

import argparse
import json
import logging
import sys
import warnings
from typing import TYPE_CHECKING, Any, NoReturn

import procmap
from procmap._api import infeasibility
from procmap._errors import ConfigError, FileError, InfeasibleWarning, TopologyError
from procmap._summary import align, graph_dict, result_dict, result_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

OK, BAD_INPUT, USAGE, INFEASIBLE, INTERRUPTED = 0, 1, 2, 3, 130

_EXIT_CODES = """\
exit codes: 0 done; 1 a file is bad; 2 wrong usage; 3 the mapping is not balanced (it is written
nevertheless); 130 interrupted"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"procmap: error: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process if None.
    """
    args = _parser().parse_args(argv)
    if args.verbose:
        logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(message)s")
    try:
        code: int = args.run(args)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except (ConfigError, TopologyError) as exc:
        return _fail(exc, USAGE)
    except MemoryError:
        return _fail("out of memory", BAD_INPUT)
    except (ValueError, OSError, OverflowError, ImportError) as exc:
        return _fail(exc, BAD_INPUT)
    return code


def _fail(message: object, code: int) -> int:
    text = " ".join(str(message).split())  # one line, whatever the message
    print(f"procmap: error: {text}", file=sys.stderr)
    return code


def _map(args: argparse.Namespace) -> int:
    topology = procmap.Topology.hierarchy(args.hierarchy, args.distances)
    return _run(args, topology)


def _partition(args: argparse.Namespace) -> int:
    return _run(args, _flat(args.blocks))


def _flat(k: int) -> procmap.Topology:
    try:
        return procmap.Topology.flat(k)
    except TopologyError as exc:
        raise ConfigError(f"argument -k: {exc}") from None


def _run(args: argparse.Namespace, topology: procmap.Topology) -> int:
    """Map, write and report: `map` and `partition` differ only in the machine."""
    config = _config(args)
    graph = procmap.Graph.read(args.graph, threads=args.threads)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InfeasibleWarning)  # said below, in one line
        mapping = procmap.map(
            graph,
            topology,
            imbalance=args.imbalance,
            config=config,
            seed=args.seed,
            device=args.device,
            threads=args.threads,
        )
    if args.output is not None:
        mapping.write(args.output)
    options = {"imbalance_allowed": args.imbalance, "seed": args.seed, "output": args.output}
    return _report(args, graph, topology, mapping, options)


def _config(args: argparse.Namespace) -> procmap.Config:
    config = procmap.Config.preset(args.preset)
    if args.config is not None:
        try:
            config = procmap.Config.load(args.config, base=config)
        except ConfigError as exc:
            raise FileError(str(exc)) from None  # the file is wrong, not the command
    for assignment in args.set:
        path, equals, value = assignment.partition("=")
        if not equals:
            raise ConfigError(f"argument --set: expected NAME=VALUE, got '{assignment}'")
        config = config.set_text(path.strip(), value.strip())
    return config


def _report(
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
    if report.feasible:
        return OK
    print(f"procmap: warning: {infeasibility(report, args.imbalance)}", file=sys.stderr)
    return INFEASIBLE


def _evaluate(args: argparse.Namespace) -> int:
    if args.blocks is not None:
        if args.hierarchy is not None or args.distances is not None:
            raise ConfigError("give either -k or -H and -D, not both")
        topology = _flat(args.blocks)
    elif args.hierarchy is None or args.distances is None:
        raise ConfigError("give -H and -D, or -k")
    else:
        topology = procmap.Topology.hierarchy(args.hierarchy, args.distances)
    graph = procmap.Graph.read(args.graph, threads=args.threads)
    blocks = procmap.read_mapping(args.mapping)
    try:
        report = procmap.evaluate(
            graph, blocks, topology, imbalance=args.imbalance, threads=args.threads
        )
    except ConfigError:
        raise
    except ValueError as exc:
        raise FileError(f"{args.mapping}: {exc}") from None
    return _report(args, graph, topology, report, {"imbalance_allowed": args.imbalance})


def _check(args: argparse.Namespace) -> int:
    values = graph_dict(procmap.Graph.read(args.graph, threads=args.threads))
    if args.json:
        print(json.dumps({"command": args.command, "graph": args.graph, **values}))
        return OK
    shown = {True: "yes", False: "no"}
    pairs = [
        (name.replace("_", " "), shown[value] if isinstance(value, bool) else str(value))
        for name, value in values.items()
    ]
    print(align([("graph", f"{args.graph}: correct"), *pairs]))
    return OK


def _presets(args: argparse.Namespace) -> int:
    if args.name is None:
        print("\n".join(procmap.Config.preset_names()))
    else:
        print(procmap.Config.preset(args.name).dumps(), end="")
    return OK


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="procmap", description=procmap.__doc__, epilog=_EXIT_CODES)
    parser.add_argument("--version", action="version", version=f"procmap {procmap.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    sub = _command(commands, "map", _map, "map a graph onto a machine")
    _add_machine(sub, required=True)
    _add_run_options(sub)

    sub = _command(commands, "partition", _partition, "split a graph into k blocks")
    sub.add_argument("-k", dest="blocks", type=int, required=True, help="number of blocks")
    _add_run_options(sub)

    sub = _command(commands, "evaluate", _evaluate, "say what a mapping costs")
    sub.add_argument("mapping", metavar="MAPPING", help="one PE per line, in vertex order")
    _add_machine(sub, required=False)
    sub.add_argument("-k", dest="blocks", type=int, help="number of blocks of a partition")
    _add_imbalance(sub)

    _command(commands, "check", _check, "say whether a graph file is correct")

    sub = commands.add_parser("presets", help="list the presets, or print one as TOML")
    sub.add_argument("name", metavar="NAME", nargs="?", help="print this one")
    sub.set_defaults(run=_presets, verbose=False)
    return parser


def _command(
    commands: argparse._SubParsersAction[_Parser],
    name: str,
    run: Callable[[argparse.Namespace], int],
    text: str,
) -> argparse.ArgumentParser:
    sub = commands.add_parser(
        name, help=text, description=text.capitalize() + ".", epilog=_EXIT_CODES
    )
    sub.add_argument("graph", metavar="GRAPH", help="METIS graph file")
    sub.add_argument("--threads", type=int, metavar="N", help="threads (default: all)")
    sub.add_argument("--json", action="store_true", help="print one JSON object")
    sub.add_argument("-v", "--verbose", action="store_true", help="progress on stderr")
    sub.set_defaults(run=run)
    return sub


def _add_machine(sub: argparse.ArgumentParser, *, required: bool) -> None:
    sub.add_argument(
        "-H", "--hierarchy", metavar="4:8:6", required=required,
        help="PEs per processor, processors per node, nodes: innermost first",
    )  # fmt: skip
    sub.add_argument(
        "-D", "--distances", metavar="1:10:100", required=required,
        help="distance of two PEs that first meet at each level",
    )  # fmt: skip


def _add_imbalance(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "-e", "--imbalance", type=float, default=0.03, metavar="EPS",
        help="a PE may carry (1 + EPS) times the average load (default: 0.03)",
    )  # fmt: skip


def _add_run_options(sub: argparse.ArgumentParser) -> None:
    _add_imbalance(sub)
    sub.add_argument("--preset", default="default", metavar="P", help="see 'procmap presets'")
    sub.add_argument("--config", metavar="FILE.toml", help="parameters; others as in the preset")
    sub.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE",
        help="one parameter, such as refinement.rounds=20; may be repeated",
    )  # fmt: skip
    sub.add_argument("--seed", type=int, default=0, metavar="N", help="default: 0")
    sub.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    sub.add_argument("-o", "--output", metavar="FILE", help="write one PE per line")
