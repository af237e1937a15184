# SPDX-License-Identifier: MIT
"""One measured call of procmap in a process of its own; prints one line of JSON.

Run by path, in a fresh process each time, so that times and peak memory belong to this
call alone. Times are those of the call, without starting Python and without reading.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import procmap


def memory(field: str) -> int:
    """Return VmHWM (peak) or VmRSS (now) of this process in bytes.

    `getrusage` is no substitute: its peak survives exec and may be that of the parent.
    """
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"no {field} in /proc/self/status")


def run_map(args: argparse.Namespace) -> dict[str, object]:
    """Read the graph, map it once, and report the call."""
    import procmap

    topology = procmap.Topology.hierarchy(args.hierarchy, args.distance)
    base = memory("VmRSS")
    begin = time.perf_counter()
    graph = procmap.Graph.read(args.graph)
    read_seconds = time.perf_counter() - begin
    after_read = memory("VmHWM")

    begin, cpu_begin = time.perf_counter(), time.process_time()
    mapping = procmap.map(
        graph,
        topology,
        imbalance=float(args.imbalance),
        config=changed_preset(args.preset, args.set),
        seed=args.seed,
        threads=args.threads,
    )
    seconds, cpu_seconds = time.perf_counter() - begin, time.process_time() - cpu_begin
    peak = memory("VmHWM")
    if args.blocks:
        np.save(args.blocks, np.asarray(mapping.blocks, dtype=np.int32))
    return {
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "read_seconds": read_seconds,
        "base_bytes": base,
        "read_peak_bytes": after_read,
        "peak_bytes": peak,
        "cost": int(mapping.cost),
        "feasible": bool(mapping.feasible),
    }


def changed_preset(preset: str, changes: str | None) -> procmap.Config:
    """Return a preset with fields changed: FIELD=VALUE,..."""
    import procmap

    config = procmap.Config.preset(preset)
    for change in changes.split(",") if changes else []:
        config = config.set_text(*change.split("=", 1))
    return config


def run_read(args: argparse.Namespace) -> dict[str, object]:
    """Read the file a few times and report every time; the first also warms the page cache."""
    import procmap

    plain_begin = time.perf_counter()
    size = len(Path(args.graph).read_bytes())
    plain = time.perf_counter() - plain_begin
    seconds, cpu_seconds = [], []
    for _ in range(args.repeats):
        begin, cpu_begin = time.perf_counter(), time.process_time()
        procmap.Graph.read(args.graph)
        seconds.append(time.perf_counter() - begin)
        cpu_seconds.append(time.process_time() - cpu_begin)
    return {"bytes": size, "plain": plain, "seconds": seconds, "cpu_seconds": cpu_seconds}


def parse(arguments: list[str]) -> argparse.Namespace:
    """Return the options; `run.py` passes all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=["map", "read"])
    parser.add_argument("graph")
    parser.add_argument("--hierarchy", default="4:8:6")
    parser.add_argument("--distance", default="1:10:100")
    parser.add_argument("--imbalance", default="0.03")
    parser.add_argument("--preset", default="default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--set", help="changes of the preset: FIELD=VALUE,...")
    parser.add_argument("--blocks", help="where to save the mapping (.npy)")
    parser.add_argument("--repeats", type=int, default=5)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    options = parse(sys.argv[1:])
    print(json.dumps(run_map(options) if options.action == "map" else run_read(options)))
