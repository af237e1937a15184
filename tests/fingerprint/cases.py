# SPDX-License-Identifier: MIT
"""All cases by name, and how one is run."""

import hashlib
import warnings
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

import procmap
from fingerprint.demands import CHANGES, CONSTRAINTS, STARTS, options
from fingerprint.graphs import FILES, GENERATED, digest
from fingerprint.machines import MACHINES

_QUICK = ("fast", "default", "im", "hm")
_SLOW = ("hm-ultra", "strong")
_LARGE = {
    "PGPgiantcompo", "ca-CondMat", "cs4", "fe_4elt2", "grid2d_large", "grid3d_large", "ibm01",
    "memplus", "random_geometric_large", "rmat_large", "whitaker3", "wiki-Vote",
}  # fmt: skip
_SEEDS = (0, 1)


@dataclass(frozen=True)
class Case:
    """One call. The machine "k=7" is partition into 7 blocks, "slots=2" is reorder_ranks."""

    graph: str
    machine: str
    preset: str
    seed: int
    demand: str = ""
    call: str = "map"

    @property
    def name(self):
        parts = [self.graph, self.machine, self.preset, str(self.seed), self.demand, self.call]
        return " ".join(filter(None, parts[:-1] if self.call == "map" else parts))

    @property
    def on_two_threads(self):
        """Whether it is run with another number of threads too: one in eight."""
        return hashlib.sha256(self.name.encode()).digest()[0] % 8 == 0

    def run(self, folder, device="cpu"):
        """Return the entry of the record: digest of the blocks, J, whether it is feasible."""
        tasks = folder.graph(self.graph)
        found = self._answer(tasks, device, 1)
        if self.on_two_threads and self._answer(tasks, device, 2) != found:
            return ["not the same on 1 and 2 threads", *found[1:]]
        return found

    def _answer(self, tasks, device, threads):
        common = {"seed": self.seed, "device": device, "threads": threads}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", procmap.InfeasibleWarning)
                mapping = self._map(tasks, common)
        except (procmap.InfeasibleError, procmap.ConfigError, OverflowError) as exc:
            return [type(exc).__name__, None, None]
        blocks = digest(np.asarray(mapping.blocks, "<i4").tobytes())
        # Of traffic J counts every message once; the record holds what the core says.
        cost = mapping.cost if self.call in ("map", "partition") else 2 * mapping.cost
        return [blocks, cost, bool(mapping.feasible)]

    def _map(self, tasks, common):
        if self.call == "partition":
            k = int(self.machine.removeprefix("k="))
            asked = options(self.demand, self.preset, tasks, k)
            return procmap.partition(tasks, k, **asked, **common)
        machine = MACHINES[self.machine]()
        if self.call == "map":
            asked = options(self.demand, self.preset, tasks, machine.num_pes)
            return procmap.map(tasks, machine, **asked, **common)
        slots = int(self.call.removeprefix("slots="))
        return procmap.reorder_ranks(
            _traffic(tasks), machine, slots_per_pe=slots, preset=self.preset, **common
        )


def _traffic(tasks):
    """Return the matrix of what every rank sends."""
    n = tasks.num_vertices
    matrix = np.zeros((n, n), np.int64)
    tails = np.repeat(np.arange(n), np.diff(tasks.offsets))
    matrix[tails, tasks.heads] = tasks.arc_weights
    return matrix


def _shapes_and_presets():
    for graph, seed in product((*GENERATED, *FILES), _SEEDS):
        for preset in (*_QUICK, *_SLOW):
            if preset in _QUICK or graph not in _LARGE:
                yield Case(graph, "4:4:2", preset, seed)
        yield Case(graph, "torus4x4x2", "fast", seed)
        yield Case(graph, "k=7", "default", seed, call="partition")
    for graph in GENERATED:
        if graph not in _LARGE:
            yield Case(graph, "torus4x4x2", "default", 2)
            yield Case(graph, "dragonfly4x3x2", "default", 2)
            for k in (1, 2, 33, 100):
                yield Case(graph, f"k={k}", "fast", 2, call="partition")


def _machines():
    for machine, graph in product(MACHINES, ("random_geometric", "rmat", "weighted_geometric")):
        for preset, seed in product(_QUICK, (7, 8)):
            yield Case(graph, machine, preset, seed)
    for machine, preset in product(MACHINES, _SLOW):
        yield Case("weighted_rmat", machine, preset, 3)


def _one_task_per_pe():
    for machine, make in MACHINES.items():
        pes = make().num_pes
        if pes < 3:
            continue
        for preset, seed in product(("fast", "default", "strong", "im", "hm"), _SEEDS):
            yield Case(f"tasks{pes}", machine, preset, seed, call="slots=1")
        yield Case(f"tasks{pes - 1}", machine, "default", 0, call="slots=1")
        yield Case(f"tasks{2 * pes}", machine, "default", 0, call="slots=2")


def _demands():
    graphs = ("random_geometric", "preferential", "weighted_rmat", "grids_apart", "data")
    machines = ("4:4:2", "matrix11", "mesh4x6")
    for graph, machine, preset in product(graphs, machines, ("fast", "default")):
        for demand in (*CONSTRAINTS, *STARTS):
            yield Case(graph, machine, preset, 4, demand)
    for demand, preset in product((*CONSTRAINTS, *STARTS), (*_QUICK, *_SLOW)):
        yield Case("weighted_geometric", "k=12", preset, 5, demand, call="partition")
    for demand, preset in product((*CONSTRAINTS, *STARTS), ("im", "hm")):
        yield Case("stencil", "4:4:2", preset, 5, demand)


def _changes():
    for change, graph in product(CHANGES, ("random_geometric", "weighted_rmat")):
        for machine, preset in product(("4:4:2", "torus4x4x2"), ("default", "im")):
            yield Case(graph, machine, preset, 6, change)
        yield Case(graph, "4:8:6", "default", 6, f"{change}+dear_moves")


@cache
def all_cases():
    """Return the cases by name, sorted."""
    groups = (_shapes_and_presets, _machines, _one_task_per_pe, _demands, _changes)
    found = [case for group in groups for case in group()]
    by_name = {case.name: case for case in found}
    assert len(by_name) == len(found), "two cases of one name"
    return dict(sorted(by_name.items()))
