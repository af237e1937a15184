# SPDX-License-Identifier: MIT
"""`experts`: placements of experts, against the greedy balancer of vLLM and SGLang."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

import numpy as np

from harness.report import CsvLog, print_table
from procmap.placement import place_experts

if TYPE_CHECKING:
    from numpy.typing import NDArray

sys.path.append(str(Path(__file__).parents[2] / "examples"))  # the greedy one, written anew
from eplb_greedy import eplb_greedy, gpu_loads, moves

FIELDS = ["size", "sigma", "layer", "side", "when", "excess", "moves", "seconds", "status"]
SIDES = ("greedy", "procmap")


def run(args: argparse.Namespace) -> int:
    """Place layers of log-normal loads, then the same layers with other loads."""
    log = CsvLog(args.out, FIELDS)
    for size in args.sizes:
        for sigma in args.sigma:
            for layer in range(args.layers):
                _measure(log, args, size, sigma, layer)
    _print(log.rows, args)
    return 0


def _measure(log: CsvLog, args: argparse.Namespace, size: str, sigma: float, layer: int) -> None:
    experts, slots, gpus, groups, nodes = _numbers(size)
    rng = np.random.default_rng(layer)
    first = rng.lognormal(0, sigma, experts)
    loads = {"first": first, "later": first * rng.lognormal(0, args.drift, experts)}
    old: dict[str, NDArray[np.int64] | None] = dict.fromkeys(SIDES)
    for when, load in loads.items():
        for side in SIDES:
            start = time.perf_counter()
            if side == "greedy":
                placed = eplb_greedy(load, slots, groups, nodes, gpus)
            else:
                kept = None if old[side] is None else old[side][None]
                grouped = {"groups": groups, "nodes": nodes} if groups > 1 else {}
                placed = place_experts(
                    load, gpus, num_slots=slots, old=kept, imbalance=args.imbalance, **grouped
                ).physical_to_logical[0]
            seconds = time.perf_counter() - start
            own = gpu_loads(placed, load, gpus)
            log.add({
                "size": size, "sigma": sigma, "layer": layer, "side": side, "when": when,
                "excess": own.max() / own.mean() - 1,
                "moves": 0 if old[side] is None else moves(placed, old[side], gpus),
                "seconds": seconds, "status": "ok",
            })  # fmt: skip
            old[side] = placed


def _numbers(size: str) -> list[int]:
    """Experts, slots, GPUs, and groups and nodes if they are to be kept."""
    numbers = [int(word) for word in size.split(":")]
    return [*numbers, 1, 1] if len(numbers) == 3 else numbers


def _print(rows: list[dict[str, str]], args: argparse.Namespace) -> None:
    def figure(size: str, sigma: float, side: str, when: str, field: str) -> float:
        return mean(
            float(row[field])
            for row in rows
            if (row["size"], float(row["sigma"]), row["side"], row["when"])
            == (size, sigma, side, when)
        )

    table = []
    for size in args.sizes:
        for sigma in args.sigma:
            line: list[object] = [size, f"{sigma}"]
            for when, field, scale in (
                ("first", "excess", 100), ("later", "excess", 100), ("later", "moves", 1),
                ("first", "seconds", 1000), ("later", "seconds", 1000),
            ):  # fmt: skip
                own = [figure(size, sigma, side, when, field) * scale for side in SIDES]
                line.append(" / ".join(f"{value:.2f}" if field == "excess" else f"{value:.0f}"
                                       for value in own))  # fmt: skip
            table.append(line)
    print_table(
        f"greedy / procmap, {args.layers} layers each; later: loads times log-normal {args.drift}, "
        f"procmap {args.imbalance:.1%} fuller than it could be",
        [
            "experts:slots:GPUs[:groups:nodes]", "sigma", "% above mean, first", "later", "moves",
            "ms, first", "ms, later",
        ],
        table,
    )  # fmt: skip


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `experts`."""
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
    parser.set_defaults(action=run)
