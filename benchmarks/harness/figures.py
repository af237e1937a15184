# SPDX-License-Identifier: MIT
"""Figures of other programs, and the targets that procmap sets itself against them."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from harness.report import geometric_mean

FIGURES = Path(__file__).resolve().parent.parent / "figures"
GPU_HEIPA = FIGURES / "gpu_heipa_h200.csv"
TARGETS = FIGURES / "targets.csv"

Costs = dict[str, dict[str, float]]  # label -> graph -> mean J


@dataclass(frozen=True)
class Target:
    """`preset` shall reach `limit` times the J of `peer`, as a geometric mean on `graphs`."""

    preset: str
    peer: str
    limit: float
    graphs: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """A target with what was measured; `missing` names graphs without a figure on one side."""

    target: Target
    ratio: float
    worst: str
    missing: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """`met` or `missed`, marked as partial when figures are missing; or `no data`."""
        if not self.worst:
            return "no data"
        verdict = "met" if self.met else "missed"
        return f"{verdict} (partial)" if self.missing else verdict

    @property
    def met(self) -> bool:
        """Whether the figures at hand keep the limit; true without any."""
        return not self.worst or self.ratio <= self.target.limit


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file; lines that start with `#` are comments."""
    with path.open(newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def load_peers(paths: Iterable[Path], hierarchy: str, distance: str, imbalance: str) -> Costs:
    """Read peers' figures for one machine; means over the seeds, feasible results only.

    A row needs `instance` or `graph`, `J`, and a label: `algorithm` with `config`, or `preset`.
    Columns `hierarchy`, `distance`, `eps` and `feasible` filter where they are present.
    """
    wanted = {"hierarchy": hierarchy, "distance": distance}
    costs: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for path in paths:
        for row in read_rows(path):
            other_machine = any(row.get(column, value) != value for column, value in wanted.items())
            other_balance = float(row.get("eps") or imbalance) != float(imbalance)
            if other_machine or other_balance or not row["J"] or row.get("feasible", "1") != "1":
                continue
            label = row["preset"] if "preset" in row else f"{row['algorithm']} {row['config']}"
            costs[label][row.get("instance") or row["graph"]].append(float(row["J"]))
    return {label: _means(graphs) for label, graphs in costs.items()}


def mean_costs(rows: Iterable[dict[str, str]]) -> Costs:
    """Return the mean J over the seeds of our own rows that are feasible."""
    costs: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["J"] and row["feasible"] == "1":
            costs[row["preset"]][row["graph"]].append(float(row["J"]))
    return {label: _means(graphs) for label, graphs in costs.items()}


def _means(graphs: dict[str, list[float]]) -> dict[str, float]:
    return {graph: sum(values) / len(values) for graph, values in graphs.items()}


def ratios(own: dict[str, float], peer: dict[str, float]) -> dict[str, float]:
    """Return own J over the peer's J on the graphs that both have."""
    return {graph: own[graph] / peer[graph] for graph in own if peer.get(graph, 0) > 0}


def load_targets(path: Path) -> list[Target]:
    """Read targets: preset, peer, limit, graphs (names separated by spaces)."""
    return [
        Target(
            row["preset"],
            row["peer"],
            float(row["limit"]),
            tuple(row["graphs"].split()),
        )
        for row in read_rows(path)
    ]


def judge(target: Target, own: Costs, peers: Costs) -> Outcome:
    """Hold our figures against one target, on the graphs that both sides have."""
    found = ratios(own.get(target.preset, {}), peers.get(target.peer, {}))
    found = {graph: found[graph] for graph in target.graphs if graph in found}
    missing = tuple(graph for graph in target.graphs if graph not in found)
    worst = max(found, key=lambda graph: found[graph], default="")
    return Outcome(target, geometric_mean(found.values()), worst, missing)
