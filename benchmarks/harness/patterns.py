# SPDX-License-Identifier: MIT
"""Communication patterns: periodic stencils, clusters that talk to each other, small programs."""

from __future__ import annotations

import numpy as np

from harness.families import Edges, Ints

CLUSTER = 32  # tasks of a mean cluster
PARTNERS = 6  # within the cluster, per task
HEAVY, LIGHT = 100, 10  # largest weights of traffic within clusters and between them
JOB_SIDE = 8  # tasks along the longer side of the largest of many small programs


def stencil(side: int) -> Edges:
    """Periodic stencil of side x side ranks with 8 neighbours each, in the order of a grid."""
    ids = np.arange(side * side, dtype=np.int64).reshape(side, side)
    shifts = ((0, 1), (1, 0), (1, 1), (1, -1))
    heads = [np.roll(ids, shift, (0, 1)).ravel() for shift in shifts]
    return side * side, np.tile(ids.ravel(), len(shifts)), np.concatenate(heads)


def clustered_traffic(scale: int) -> tuple[Edges, Ints]:
    """2^scale tasks in clusters of very different sizes, shuffled, and the weights of the edges.

    A task exchanges much with some of its cluster; one in four exchanges a little with any task,
    and every cluster has a task that all of the others report to.
    """
    rng = np.random.default_rng(3700 + scale)
    n = 1 << scale
    starts = np.unique(np.append(0, rng.integers(0, n, n // CLUSTER)))
    sizes = np.diff(np.append(starts, n))
    cluster = np.repeat(np.arange(len(starts)), sizes)
    task = np.arange(n, dtype=np.int64)
    tails = np.repeat(task, PARTNERS)
    own = cluster[tails]
    near = starts[own] + (rng.random(len(tails)) * sizes[own]).astype(np.int64)
    far = rng.choice(n, n // 4, replace=False)
    parts = [
        (tails, near, 1 + (rng.random(len(tails)) * HEAVY).astype(np.int64)),
        (far, (rng.random(len(far)) * n).astype(np.int64), 1 + rng.integers(0, LIGHT, len(far))),
        (task, starts[cluster], np.full(n, LIGHT, np.int64)),
        (starts[:-1], starts[1:], np.full(len(starts) - 1, LIGHT, np.int64)),
    ]
    tails, heads, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
    name = rng.permutation(n)
    return (n, name[tails], name[heads]), weights


def all_talk(count: int) -> tuple[Edges, Ints]:
    """Traffic of every pair of `count` ranks; much more within hidden groups of 16."""
    rng = np.random.default_rng(3900 + count)
    tails, heads = np.triu_indices(count, 1)
    group = rng.permutation(count) // 16
    weights = rng.integers(1, 100, len(tails)) + 200 * (group[tails] == group[heads])
    return (count, tails.astype(np.int64), heads.astype(np.int64)), weights


def independent_jobs(scale: int) -> Edges:
    """About 2^scale tasks of programs of 1 to 64 tasks that do not talk to each other.

    The tasks of a program form a grid; they are shuffled.
    """
    rng = np.random.default_rng(3800 + scale)
    tails, heads = [], []
    n = 0
    while n < 1 << scale:
        ids = n + np.arange(np.prod(sides := rng.integers(1, JOB_SIDE + 1, 2))).reshape(sides)
        tails += [ids[:-1].ravel(), ids[:, :-1].ravel()]
        heads += [ids[1:].ravel(), ids[:, 1:].ravel()]
        n += ids.size
    name = rng.permutation(n)
    return n, name[np.concatenate(tails)], name[np.concatenate(heads)]
