# SPDX-License-Identifier: MIT
"""`boxes`: time and memory per arc on boxes or streets, made in memory, up to billions of arcs."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from harness import gpu
from harness.arguments import add_task
from harness.report import CsvLog, print_table
from harness.streets import streets

FIELDS = ["side", *gpu.FIELDS[1:-1], "check_ms"]


def run(args: argparse.Namespace) -> int:
    """Measure the preset on every box; 1 if a mapping is infeasible or its J is wrong."""
    import procmap

    topology = procmap.Topology.hierarchy(args.hierarchy, args.distance)
    log = CsvLog(args.out, FIELDS)
    failed = 0
    for side in args.sides:
        arrays = SHAPES[args.shape](side)
        graph = procmap.Graph.from_csr(*arrays, copy=False)
        if args.resident:
            graph = graph.to_device(args.device)
        row, mapping = gpu.measure(graph, topology, args.preset, args)
        failed += gpu.is_wrong(row)
        check_ms = _check_on_gpu(procmap, arrays) if mapping.stats.device != "cpu" else ""
        log.add({"side": side, **row, "check_ms": check_ms})
    _print(log.rows)
    return 1 if failed else 0


def box(side: int) -> tuple[np.ndarray, np.ndarray]:
    """Return offsets and heads of side^3 cells, each with its up to 26 neighbours."""
    return box_planes(side, 0, side)


def box_planes(side: int, begin: int, end: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of some planes of a box, side^2 cells each: heads are cells of all of it."""
    reach = np.arange(side)
    span = (reach > 0) + 1 + (reach + 1 < side)  # cells within one step, in one dimension
    degrees = np.multiply.outer(np.multiply.outer(span[begin:end], span), span).ravel() - 1
    offsets = np.zeros(len(degrees) + 1, np.int64)
    np.cumsum(degrees, out=offsets[1:])
    heads = np.empty(offsets[-1], np.int32)
    plane = side * side
    y, x = np.divmod(np.arange(plane), side)
    dz, dy, dx = (axis.ravel() - 1 for axis in np.indices((3, 3, 3)))
    inside = (y[:, None] + dy >= 0) & (y[:, None] + dy < side)
    inside &= (x[:, None] + dx >= 0) & (x[:, None] + dx < side)
    inside &= (dz != 0) | (dy != 0) | (dx != 0)
    steps = ((dz * side + dy) * side + dx).astype(np.int32)
    for z in range(begin, end):
        there = inside & (z + dz >= 0) & (z + dz < side)
        cells = np.arange(z * plane, (z + 1) * plane, dtype=np.int32)
        row = (z - begin) * plane
        heads[offsets[row] : offsets[row + plane]] = (cells[:, None] + steps)[there]
    return offsets, heads


SHAPES = {"box": box, "streets": streets}


def _check_on_gpu(procmap: Any, arrays: tuple[np.ndarray, np.ndarray]) -> float | str:
    """Return the milliseconds that checking the graph takes where it lies; nothing without CuPy."""
    try:
        import cupy
    except ImportError:
        return ""
    on_gpu = tuple(cupy.asarray(array) for array in arrays)
    cupy.cuda.Device().synchronize()
    seconds = []
    for _ in range(4):
        start = time.perf_counter()
        procmap.Graph.from_csr(*on_gpu)
        seconds.append(time.perf_counter() - start)
    return round(1e3 * median(seconds[1:]), 2)


def _print(rows: list[dict[str, Any]]) -> None:
    table: list[list[object]] = []
    for row in rows:
        ms, arcs = float(row["ms"]), max(1, int(row["arcs"]))
        per_arc = int(row["device_bytes"]) / arcs
        table.append([arcs, ms, 1e6 * ms / arcs, per_arc, row["check_ms"]])
    header = ["arcs", "ms", "ns/arc", "bytes/arc on the GPU", "ms to check it on the GPU"]
    print_table("Boxes", header, table)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `boxes`."""
    add_task(parser)
    parser.add_argument("--shape", choices=list(SHAPES), default="box")
    parser.add_argument("--sides", nargs="+", type=int, default=[34, 74, 159])
    parser.add_argument("--resident", action="store_true", help="graphs lie on the GPU already")
    parser.add_argument("--preset", default="im")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--runs", type=int, default=3, help="after a first that does not count")
    parser.add_argument("--out", type=Path, metavar="CSV", help="log of every box")
    parser.set_defaults(action=run)
