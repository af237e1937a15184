# SPDX-License-Identifier: MIT
"""Several weights per vertex, as in the literature on multi-constraint partitioning.

`region` and `phase` are the two kinds of synthetic problems of Karypis and Kumar, "Multilevel
algorithms for multi-constraint graph partitioning" (1998): of connected regions of the graph, all
vertices weigh the same, or every weight is that of a phase of a computation in which only some
regions take part. `degree` balances vertices, edges and hubs.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from harness.instance import Instance, Ints

NUM_REGIONS, NUM_PHASE_REGIONS = 16, 32
ACTIVE_SHARE = (1.0, 0.75, 0.5)  # of the regions in phase 0, 1, 2
HUB_SHARE = 0.1  # of the vertices


def regions(instance: Instance, count: int, rng: np.random.Generator) -> Ints:
    """Grow `count` regions around random vertices, an edge per step; return that of every vertex.

    What no region reaches gets one at random.
    """
    n = len(instance.vertex_weights)
    tails = np.repeat(np.arange(n), np.diff(instance.offsets))
    heads = instance.heads.astype(np.int64)
    region = np.full(n, -1, np.int64)
    region[rng.permutation(n)[:count]] = np.arange(min(n, count))
    while True:
        step = (region[tails] >= 0) & (region[heads] < 0)
        if not step.any():
            break
        region[heads[step]] = region[tails[step]]
    lost = region < 0
    region[lost] = rng.integers(count, size=int(lost.sum()))
    return region


def by_region(instance: Instance, count: int, rng: np.random.Generator) -> Ints:
    """Every weight of every region is random, 0 to 19 (their type 1)."""
    values = rng.integers(0, 20, (NUM_REGIONS, count))
    return values[regions(instance, NUM_REGIONS, rng)]


def by_phase(instance: Instance, count: int, rng: np.random.Generator) -> Ints:
    """Weight i is 1 in the regions that are active in phase i (their type 2)."""
    active = np.zeros((NUM_PHASE_REGIONS, count), np.int64)
    for phase in range(count):
        share = round(ACTIVE_SHARE[phase % len(ACTIVE_SHARE)] * NUM_PHASE_REGIONS)
        active[rng.permutation(NUM_PHASE_REGIONS)[:share], phase] = 1
    return active[regions(instance, NUM_PHASE_REGIONS, rng)]


def by_degree(instance: Instance, count: int, rng: np.random.Generator) -> Ints:
    """All vertices; their degrees; with a third weight also the tenth of the largest degrees."""
    degree = np.diff(instance.offsets).astype(np.int64)
    n = len(degree)
    hub = np.zeros(n, np.int64)
    order = np.lexsort((rng.permutation(n), -degree))
    hub[order[: int(HUB_SHARE * n)]] = 1
    return np.stack([np.ones(n, np.int64), degree, hub], axis=1)[:, :count]


WEIGHT_SETS: dict[str, Callable[[Instance, int, np.random.Generator], Ints]] = {
    "region": by_region,
    "phase": by_phase,
    "degree": by_degree,
}


def make_weights(name: str, instance: Instance, count: int, seed: int = 1) -> NDArray[np.int64]:
    """Return one row per vertex with `count` weights, 2 or 3."""
    return WEIGHT_SETS[name](instance, count, np.random.default_rng([seed, count]))
