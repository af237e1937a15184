# SPDX-License-Identifier: MIT
"""`traces`: experts placed by what tokens have in common, and pipeline stages, on generated data.

Tokens are routed as in ``examples/moe_placement.py``, whose sources they share: log-normal loads,
and topics that like a group of experts each. Models have published shapes.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.report import print_table
from procmap import Topology
from procmap.placement import count_coactivation, place_experts, place_stages

if TYPE_CHECKING:
    from numpy.typing import NDArray

sys.path.append(str(Path(__file__).parents[2] / "examples"))  # the greedy one, written anew
from eplb_greedy import eplb_greedy, gpu_loads, moves

CHOSEN, SIGMA, LIKING = 8, 0.7, 2.0  # experts of a token; of loads; what a topic adds to a score
NODE = 8  # GPUs

# Layers, width, of the feed-forward part, words, of queries, of keys: arXiv 2408.00118 (Gemma 2),
# 2407.21783 (Llama 3).
MODELS = {
    "Gemma 2 9B": (42, 3584, 14336, 256_128, 4096, 2048),
    "Gemma 2 27B": (46, 4608, 36864, 256_128, 4096, 2048),
    "Llama 3 8B": (32, 4096, 14336, 128_256, 4096, 1024),
    "Llama 3 70B": (80, 8192, 28672, 128_256, 8192, 1024),
}


def run(args: argparse.Namespace) -> int:
    """Print a table of experts and one of stages."""
    rows = [row for size in args.sizes for row in _experts(size, args)]
    print_table(
        f"Experts, {args.layers} layers each, {args.tokens:,} tokens with {CHOSEN} experts; J and "
        f"nodes a token by what tokens have in common; procmap may be {args.imbalance:.0%} fuller",
        [
            "experts:slots:GPUs", "when", "side", "% above mean", "moves a layer",
            "J beside greedy", "nodes a token", "ms a layer",
        ],
        rows,
    )  # fmt: skip
    print_table(
        "Pipeline stages at a context of 8,192: the slowest stage above the mean",
        ["model", "stages", "equally many layers, %", "procmap, %", "less time a step, %", "ms"],
        [_stages(name, count) for name in MODELS for count in args.stages],
    )
    return 0


@dataclass
class Trace:
    """Experts of every token, shape (layers, tokens, chosen), and what follows."""

    chosen: NDArray[np.int64]
    experts: int

    @property
    def load(self) -> NDArray[np.int64]:
        """Tokens of every expert."""
        return np.stack([np.bincount(ids.ravel(), minlength=self.experts) for ids in self.chosen])

    @property
    def together(self) -> NDArray[np.int64]:
        """Tokens of every two experts."""
        return np.stack([count_coactivation(ids, self.experts) for ids in self.chosen])


def _traces(experts: int, args: argparse.Namespace) -> dict[str, Trace]:
    """Return tokens of today, and those when users ask for other things."""
    rng = np.random.default_rng(3)
    topics = experts // 16
    popularity = rng.lognormal(0, SIGMA, (args.layers, experts))
    liked = [rng.permutation(np.arange(experts) % topics) for _ in range(args.layers)]
    traces = {}
    for when, share in (
        ("first", np.full(topics, 1 / topics)),
        ("later", rng.dirichlet(np.full(topics, 10))),
    ):
        layers = []
        for layer in range(args.layers):
            topic = rng.choice(topics, (args.tokens, 1), p=share)
            score = np.log(popularity[layer]) + rng.gumbel(size=(args.tokens, experts))
            score += LIKING * (liked[layer] == topic)
            layers.append(np.argpartition(-score, CHOSEN, axis=1)[:, :CHOSEN])
        traces[when] = Trace(np.stack(layers), experts)
    return traces


def _experts(size: str, args: argparse.Namespace) -> list[list[object]]:
    experts, slots, gpus = (int(word) for word in size.split(":"))
    machine = Topology.hierarchy([NODE, gpus // NODE], [1, 10])
    rows: list[list[object]] = []
    old: dict[str, Any] = {"greedy": None, "procmap": None}
    for when, trace in _traces(experts, args).items():
        load, together = trace.load, trace.together
        found = {}
        for side, before in old.items():
            start = time.perf_counter()
            if side == "greedy":
                placed = np.stack([eplb_greedy(row, slots, 1, 1, gpus) for row in load])
            else:
                placed = place_experts(
                    load, machine, num_slots=slots, coactivation=together, old=before,
                    imbalance=args.imbalance,
                ).physical_to_logical  # fmt: skip
            found[side] = (placed, time.perf_counter() - start)
        usual = _traffic(found["greedy"][0], together, machine)
        for side, (placed, seconds) in found.items():
            rows.append([
                size, when, side, f"{100 * _excess(placed, load, gpus):.2f}",
                "-" if old[side] is None else f"{_moved(placed, old[side], gpus):.0f}",
                _traffic(placed, together, machine) / usual,
                f"{_nodes(placed, trace.chosen, gpus):.2f}",
                f"{1000 * seconds / args.layers:.0f}",
            ])  # fmt: skip
            old[side] = placed
    return rows


def _excess(placed: NDArray[np.int64], load: NDArray[np.int64], gpus: int) -> float:
    """How far the fullest GPU of all layers is above the mean."""
    loads = [gpu_loads(*pair, gpus) for pair in zip(placed, load, strict=True)]
    return max(float(own.max() / own.mean()) for own in loads) - 1


def _moved(placed: NDArray[np.int64], old: NDArray[np.int64], gpus: int) -> float:
    return float(np.mean([moves(*pair, gpus) for pair in zip(placed, old, strict=True)]))


def _traffic(placed: NDArray[np.int64], together: NDArray[np.int64], machine: Topology) -> float:
    """J of all layers from its definition: replicas share what their experts have in common."""
    total = 0.0
    gpu = np.arange(placed.shape[1]) // (placed.shape[1] // machine.num_pes)
    distances = machine.distance_matrix()[np.ix_(gpu, gpu)]
    for slots, pairs in zip(placed, together, strict=True):
        share = 1 / np.bincount(slots)[slots]
        total += float((pairs[np.ix_(slots, slots)] * share * share[:, None] * distances).sum())
    return total


def _nodes(placed: NDArray[np.int64], chosen: NDArray[np.int64], gpus: int) -> float:
    """On how many nodes a token has its experts, on average; replicas are used in turn."""
    total = 0.0
    for slots, ids in zip(placed, chosen, strict=True):
        order, counts = np.argsort(slots, kind="stable"), np.bincount(slots)
        turn = np.arange(len(ids))[:, None] % counts[ids]
        node = order[np.cumsum(counts)[ids] - counts[ids] + turn] * gpus // len(slots) // NODE
        there = node[:, :, None] == np.arange(gpus // NODE)
        total += float(there.any(axis=1).sum(axis=1).mean())
    return total / len(placed)


def _stages(name: str, count: int) -> list[object]:
    """Cut a model into stages on nodes of 8 GPUs; every other layer of Gemma 2 sees half."""
    layers, width, hidden, words, queries, keys = MODELS[name]
    cost = np.full(layers + 2, float(2 * width * (queries + keys) + 3 * width * hidden))
    cost[1:-1] += 2 * queries * 8192 / 2
    if name.startswith("Gemma"):
        cost[1:-1:2] -= 2 * queries * (8192 / 2 - 4096 * 3 / 4)
    cost[0], cost[-1] = 0, width * words
    shape = [count] if count <= NODE else [NODE, count // NODE]
    machine = Topology.hierarchy(shape, [1, 10][: len(shape)])

    start = time.perf_counter()
    plan = place_stages(cost, machine, traffic=np.full(layers + 1, cost[1] / 1000))
    seconds = time.perf_counter() - start

    even = np.concatenate([[0], np.arange(layers) * count // layers, [count - 1]])
    usual = np.bincount(even, cost)
    slowest = float(plan.stage_costs.max())
    return [
        name, count, f"{100 * (usual.max() / usual.mean() - 1):.1f}",
        f"{100 * (slowest / usual.mean() - 1):.1f}", f"{100 * (1 - slowest / usual.max()):.1f}",
        f"{1000 * seconds:.0f}",
    ]  # fmt: skip


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `traces`."""
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
    parser.set_defaults(action=run)
