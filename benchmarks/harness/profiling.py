# SPDX-License-Identifier: MIT
"""`profile`: where the time of one call goes: per phase, per level and, on a GPU, per kernel."""

from __future__ import annotations

import argparse
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

import procmap
from harness.arguments import add_graphs, add_task
from harness.instance import find_graphs
from harness.report import print_table


@dataclass(frozen=True)
class Call:
    """One call and its times in seconds."""

    mapping: procmap.Mapping
    wall: float
    cpu: float


@dataclass(frozen=True)
class Event:
    """Something that CUDA did: microseconds on one clock."""

    name: str
    begin: float
    end: float
    on_gpu: bool


def run(args: argparse.Namespace) -> int:
    """Profile every graph and print its tables."""
    for path in find_graphs(args.graphs, args.names):
        graph = procmap.read_graph(path)
        call = _median_call(graph, args)
        print(f"\n## {path.stem}, {args.preset}, {call.mapping.stats.device}")
        _print_whole(call)
        _print_phases(call)
        _print_levels(call)
        if call.mapping.stats.device != "cpu":
            _print_device(graph, args)
    return 0


def _call(graph: procmap.Graph, args: argparse.Namespace) -> Call:
    machine = procmap.Topology.hierarchy(args.hierarchy, args.distance)
    begin = (time.perf_counter(), time.process_time())
    mapping = procmap.map(
        graph,
        machine,
        preset=args.preset,
        imbalance=float(args.imbalance),
        seed=args.seed,
        threads=args.threads,
        device=args.device,
    )
    return Call(mapping, time.perf_counter() - begin[0], time.process_time() - begin[1])


def _median_call(graph: procmap.Graph, args: argparse.Namespace) -> Call:
    """Return the call of median wall time, after a first that does not count."""
    _call(graph, args)
    calls = [_call(graph, args) for _ in range(args.runs)]
    middle = median(call.wall for call in calls)
    return min(calls, key=lambda call: abs(call.wall - middle))


def _print_whole(call: Call) -> None:
    stats = call.mapping.stats
    print_table(
        "The call",
        ["", "ms", "CPU ms", "cores in use", "threads", "J"],
        [
            [
                "whole",
                1e3 * call.wall,
                1e3 * call.cpu,
                call.cpu / call.wall,
                stats.threads,
                call.mapping.cost,
            ]
        ],
    )


def _print_phases(call: Call) -> None:
    phases = sorted(call.mapping.stats.phases, key=lambda phase: -phase.seconds)
    print_table(
        "Phases, summed over levels; those of several threads at once count each",
        ["phase", "ms", "calls", "us per call", "share of the call"],
        [
            [
                phase.name,
                1e3 * phase.seconds,
                phase.calls,
                1e6 * phase.seconds / max(1, phase.calls),
                phase.seconds / call.wall,
            ]
            for phase in phases
        ],
    )


def _print_levels(call: Call) -> None:
    print_table(
        "Levels",
        ["stage", "level", "vertices", "arcs", "rounds", "cuts", "ms", "ns per arc and round"],
        [
            [
                level.stage,
                level.level,
                level.vertices,
                level.arcs,
                level.rounds,
                level.flow_cuts,
                1e3 * level.seconds,
                1e9 * level.seconds / max(1, level.arcs * level.members * level.rounds),
            ]
            for level in call.mapping.stats.levels
        ],
    )


def _print_device(graph: procmap.Graph, args: argparse.Namespace) -> None:
    """Trace one more call with PyTorch's profiler, which sees all that CUDA does in the process."""
    try:
        import torch.profiler as tracing
    except ImportError:
        print("\nKernels: not traced, PyTorch is not installed.")
        return
    with tracing.profile(activities=[tracing.ProfilerActivity.CUDA]) as trace:
        call = _call(graph, args)
    events = list(_events(trace))
    busy = covered(event for event in events if event.on_gpu) / 1e6
    waits = [event for event in events if not event.on_gpu and "Synchronize" in event.name]
    on_gpu = [event for event in events if event.on_gpu]
    print_table(
        "The GPU in one traced call (tracing makes it longer)",
        ["", "ms", "GPU at work, ms", "share", "launches and copies", "host waits", "waiting, ms"],
        [
            [
                "whole",
                1e3 * call.wall,
                1e3 * busy,
                busy / call.wall,
                len(on_gpu),
                len(waits),
                sum(event.end - event.begin for event in waits) / 1e3,
            ]
        ],
    )
    _print_kernels(on_gpu)


def _print_kernels(events: list[Event]) -> None:
    times: dict[str, list[float]] = defaultdict(list)
    for event in events:
        times[short_name(event.name)].append(event.end - event.begin)
    most = sorted(times.items(), key=lambda item: -sum(item[1]))[:20]
    print_table(
        "Kernels and copies with the most time",
        ["kernel", "ms", "launches", "us per launch", "longest, us"],
        [[name, sum(us) / 1e3, len(us), sum(us) / len(us), max(us)] for name, us in most],
    )


def short_name(kernel: str) -> str:
    """Return the name of a kernel without scopes, and of its first type argument.

    >>> short_name("void procmap::resident_kernel<procmap::Matching, 8>(procmap::Matching, int)")
    'resident_kernel<Matching>'
    """
    text = re.sub(r"\w+::|\(anonymous namespace\)::", "", kernel.removeprefix("void "))
    found = re.match(r"(\w+)(?:<(\w+(?:<\w+)?))?", text)
    if found is None:
        return kernel[:40]
    name, argument = found.groups()
    if argument is None:
        return str(name)
    return f"{name}<{argument}{'>' * (1 + argument.count('<'))}"


def _events(trace: Any) -> Iterator[Event]:
    """Yield what a trace of PyTorch holds."""
    for event in trace.profiler.kineto_results.events():
        begin = event.start_ns() / 1e3
        yield Event(
            event.name(),
            begin,
            begin + event.duration_ns() / 1e3,
            str(event.device_type()).endswith("CUDA"),
        )


def covered(events: Iterable[Event]) -> float:
    """Return the length of the union of intervals."""
    covered = 0.0
    until = float("-inf")
    for event in sorted(events, key=lambda event: event.begin):
        covered += max(0.0, event.end - max(event.begin, until))
        until = max(until, event.end)
    return covered


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `profile`."""
    add_graphs(parser)
    add_task(parser)
    parser.add_argument("--preset", default="default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, help="(default: procmap's own choice)")
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:N (default: cpu)")
    parser.add_argument("--runs", type=int, default=3, help="the median is shown (default: 3)")
    parser.set_defaults(action=run)
