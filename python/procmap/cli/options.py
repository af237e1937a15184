# SPDX-License-Identifier: MIT
"""Options that several subcommands share, and what they mean."""

from __future__ import annotations

import argparse
import contextlib
from typing import TYPE_CHECKING, Any, NoReturn, get_args

import numpy as np

import procmap
from procmap._util.arrays import as_integer
from procmap._util.columns import read_columns
from procmap._util.errors import ConfigError, FileError
from procmap._util.source import Source
from procmap.cli.status import EXPLANATION, USAGE
from procmap.cli.terminal import say
from procmap.graph.io import FileFormat
from procmap.graph.io.mesh import says_mesh
from procmap.traffic.io import TrafficFormat, says_traffic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from _typeshed import SupportsWrite

    Run: TypeAlias = Callable[[argparse.Namespace], int]
    Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


class Parser(argparse.ArgumentParser):
    """A parser whose errors look like all others of the command."""

    def error(self, message: str) -> NoReturn:
        """Print one line and end with the exit code for wrong usage."""
        line = " ".join(message.splitlines())  # what was given may have several
        say(f"procmap: error: {line} (see {self.prog} --help)")
        self.exit(USAGE)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Write help or version; argparse's own would ignore that a disk is full."""
        if file is not None:
            file.write(message)


def add_command(commands: Commands, name: str, run: Run, text: str) -> argparse.ArgumentParser:
    """Add a subcommand that reads a graph."""
    sub = commands.add_parser(name, help=text, description=sentence(text), epilog=EXPLANATION)
    sub.add_argument("graph", metavar="GRAPH", help="graph file, a mesh, or a traffic matrix")
    sub.add_argument(
        "--format", choices=list(dict.fromkeys(get_args(FileFormat) + get_args(TrafficFormat))),
        metavar="FORMAT",
        help=f"of GRAPH: {', '.join(get_args(FileFormat))}; with --traffic "
        f"{', '.join(get_args(TrafficFormat))} (default: by its name or content)",
    )  # fmt: skip
    sub.add_argument(
        "--traffic", action="store_true",
        help="GRAPH says what every rank sends to every other one, and J is the sum of that times "
        "distance (default: if it is .npy, .mat or of mpisee)",
    )  # fmt: skip
    sub.add_argument(
        "--num-vertices", type=int, metavar="N",
        help="of an edge list, or of messages, whose last ones have none",
    )  # fmt: skip
    sub.add_argument(
        "--common", type=int, metavar="N",
        help="GRAPH is a mesh, and elements with so many nodes in common are neighbours (default: "
        "those of a side, if it is named .msh, .vtk, .vtu etc.; needed for METIS's .mesh)",
    )  # fmt: skip
    sub.add_argument(
        "--symmetrize", choices=("error", "sum", "max"), default="error",
        help="what to make of a directed graph (default: refuse it); of traffic both directions "
        "count, and max is refused",
    )  # fmt: skip
    sub.add_argument("--threads", type=int, metavar="N", help="threads (default: as many as help)")
    sub.add_argument("--json", action="store_true", help="print one JSON object")
    sub.add_argument("-v", "--verbose", action="store_true", help="progress on stderr")
    sub.set_defaults(run=run)
    return sub


def sentence(text: str) -> str:
    """Return a help text as a sentence; names such as PE stay as they are."""
    return f"{text[0].upper()}{text[1:]}."


def read_graph(args: argparse.Namespace) -> procmap.Graph:
    """Read the graph or the traffic of the command line."""
    source = Source.of(args.graph)
    if args.common is not None:
        as_integer(args.common, "argument --common", 1, None, ConfigError)
    only_traffic = args.format in get_args(TrafficFormat) and args.format not in get_args(
        FileFormat
    )
    if args.traffic or only_traffic or (args.format is None and says_traffic(source)):
        _refuse(args, "common", "traffic")
        if args.symmetrize == "max":
            raise ConfigError(f"--symmetrize max cannot be used with traffic: {args.graph}")
        return _read_traffic(source, args).to_graph()
    if args.format is None and (args.common is not None or says_mesh(source)):
        _refuse(args, "num_vertices", "a mesh")
        _refuse(args, "symmetrize", "a mesh", unless="error")
        return procmap.Graph.from_mesh(source, common=args.common, threads=args.threads)
    _refuse(args, "common", f"the format {args.format}")
    return procmap.Graph.read(
        source,
        format=args.format,
        num_vertices=args.num_vertices,
        symmetrize=args.symmetrize,
        threads=args.threads,
    )


def _read_traffic(source: Source, args: argparse.Namespace) -> procmap.Traffic:
    """Read traffic, whose ranks are the vertices here; errors call the option what it is called."""
    try:
        return procmap.read_traffic(source, format=args.format, num_ranks=args.num_vertices)
    except ConfigError as exc:
        if args.num_vertices is not None and str(exc).startswith("num_ranks "):
            message = str(exc).removeprefix("num_ranks ")
            raise ConfigError(f"argument --num-vertices: {message}") from None
        raise


def _refuse(args: argparse.Namespace, name: str, what: str, *, unless: str | None = None) -> None:
    """Refuse an option that would have no effect, unless it has its default."""
    if getattr(args, name) != unless:
        raise ConfigError(f"--{name.replace('_', '-')} cannot be used with {what}: {args.graph}")


def add_imbalance(sub: argparse.ArgumentParser) -> None:
    """Add -e."""
    sub.add_argument(
        "-e", "--imbalance", type=_imbalance, metavar="EPS[,EPS...]",
        help="a PE may carry (1 + EPS) times the average load (default: 0.03, or 0 if all tasks "
        "have load 1 and can have a PE each); one for each of several weights, or one for all",
    )  # fmt: skip


def _imbalance(text: str) -> float | tuple[float, ...]:
    try:
        numbers = tuple(float(word) for word in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number, nor numbers with commas between"
        ) from None
    return numbers[0] if len(numbers) == 1 else numbers


def add_run_options(sub: argparse.ArgumentParser) -> None:
    """Add how to compute: parameters, seed, device."""
    sub.add_argument("--preset", default="default", metavar="P", help="see 'procmap presets'")
    sub.add_argument("--config", metavar="FILE.toml", help="parameters; others as in the preset")
    sub.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE",
        help="one parameter, such as refinement.rounds=20; may be repeated",
    )  # fmt: skip
    sub.add_argument("--seed", type=int, default=0, metavar="N", help="default: 0")
    add_device(sub)
    sub.add_argument("-o", "--output", metavar="FILE", help="write one PE per line")
    add_report(sub)
    sub.add_argument(
        "--report-presets", metavar="P,P", default="",
        help="presets that the page compares with, by mapping once more with each",
    )  # fmt: skip


def add_report(sub: argparse.ArgumentParser) -> None:
    """Add --report."""
    sub.add_argument(
        "--report", metavar="FILE.html",
        help="write a page to look at: machine, traffic before and after, loads, levels",
    )  # fmt: skip


def add_constraints(sub: argparse.ArgumentParser) -> None:
    """Add what is asked of single PEs and tasks."""
    for name, text in (
        (
            "capacities",
            "load that every PE may carry, one per line; 0 forbids a PE; a column per weight",
        ),
        ("fixed", "PE of every task that must be there, -1 for the others, one per line"),
        ("initial", "mapping to improve, one PE per line"),
        ("vertex-sizes", "size of every task for --migration-cost, one per line"),
    ):
        sub.add_argument(f"--{name}", metavar="FILE", help=text)
    sub.add_argument(
        "--migration-cost", type=float, metavar="A",
        help="cost of moving one unit of size away from --initial, in units of J (default: 0)",
    )  # fmt: skip
    add_allow_empty(sub, "task")


def check_room(args: argparse.Namespace) -> None:
    """Refuse two answers to what a PE may carry, of which only the capacities would count."""
    if args.imbalance is not None and args.capacities is not None:
        raise ConfigError("give either --imbalance or --capacities, not both")


def migration_cost_of(args: argparse.Namespace) -> float:
    """Return what moving a unit costs; an error if there are sizes for which nobody said that."""
    if args.vertex_sizes is not None and args.migration_cost is None:
        raise ConfigError("--vertex-sizes has no effect without --migration-cost")
    cost: float = args.migration_cost or 0.0
    return cost


def add_allow_empty(sub: argparse.ArgumentParser, what: str) -> None:
    """Add --allow-empty; `what` is what PEs take."""
    sub.add_argument(
        "--allow-empty", action=argparse.BooleanOptionalAction, default=False,
        help=f"PEs may stay empty although there is a {what} for each (default: no)",
    )  # fmt: skip


def constraints_of(args: argparse.Namespace, num_weights: int) -> dict[str, Any]:
    """Return what `add_constraints` added, as `procmap.map` takes it; several weights of tasks."""
    asked = columns_of(args, "fixed", "initial", "vertex_sizes")
    if args.capacities is not None:
        columns = read_columns(args.capacities, "i" * num_weights)
        asked["capacities"] = columns[0] if num_weights == 1 else np.column_stack(columns)
    return {**asked, "migration_cost": migration_cost_of(args), "allow_empty": args.allow_empty}


def columns_of(args: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Return the files among these options as arrays, one number per line."""
    files = {name: getattr(args, name) for name in names}
    return {name: read_columns(path, "i")[0] for name, path in files.items() if path is not None}


@contextlib.contextmanager
def naming_files(args: argparse.Namespace) -> Iterator[None]:
    """Put the name of an option and of its file before what is wrong with its numbers."""
    try:
        yield
    except ConfigError as exc:
        for name in ("capacities", "fixed", "initial", "vertex_sizes"):
            path = getattr(args, name, None)
            if path is not None and str(exc).startswith((f"{name}[", f"{name} ")):
                option = name.replace("_", "-")
                raise ConfigError(f"argument --{option}: {path}: {exc}") from None
        raise


def add_attempts(sub: argparse.ArgumentParser) -> None:
    """Add how often and how long to try."""
    sub.add_argument(
        "--repeats", type=int, metavar="N", help="map N times with other seeds, keep the best"
    )
    sub.add_argument(
        "--time-limit", type=float, metavar="S",
        help="return the best mapping found in S seconds; depends on the speed of the machine",
    )  # fmt: skip


def add_device(sub: argparse.ArgumentParser) -> None:
    """Add --device."""
    sub.add_argument(
        "--device", default="auto", metavar="DEVICE",
        help="auto, cpu, cuda or cuda:N (default: auto, a GPU for large graphs)",
    )  # fmt: skip


def config_of(args: argparse.Namespace) -> procmap.Config:
    """Return the parameters: preset, then --config, then every --set."""
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
