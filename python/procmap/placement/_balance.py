# SPDX-License-Identifier: MIT
"""Exchanges and other replicas that take load off the fullest GPU."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from procmap.placement._packing import Packing, packed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MANY = 2**50  # more than any load
_STEPS = 2000  # of one layer; a fifth of that was never needed
_NEAR = 200  # a two-hundredth above the mean is even enough not to search on
_TRIALS = 6400  # replicas times trials: about as long as the rest takes, whatever their number


def most_even(loads: NDArray[np.int64], counts: NDArray[np.int64], num_gpus: int) -> Packing:
    """Return an even packing of so many replicas, or of other numbers if that is more even."""
    slots = int(counts.sum())
    if math.comb(slots - 1, len(loads) - 1) <= _TRIALS // slots:
        every = [
            _balanced(loads, other, num_gpus)
            for other in _all_counts(slots, len(loads))
            if other.max() <= num_gpus
        ]
        return min(every, key=lambda packing: int(packing.gpu_loads().max()))
    packing = _balanced(loads, counts, num_gpus)
    search(packing)
    return packing


def _balanced(loads: NDArray[np.int64], counts: NDArray[np.int64], num_gpus: int) -> Packing:
    packing = packed(loads, counts, num_gpus)
    balance(packing)
    return packing


def _all_counts(slots: int, experts: int) -> Iterator[NDArray[np.int64]]:
    """Yield all numbers of replicas that fill the slots."""
    for ends in itertools.combinations(range(1, slots), experts - 1):
        yield np.array([*ends, slots], np.int64) - np.array([0, *ends], np.int64)


def balance(packing: Packing) -> None:
    """Lower the largest load of a GPU by exchanges of replicas and by other replicas."""
    for _ in range(_STEPS):
        if not (_exchange(packing) or _replicate(packing)):
            return


def search(packing: Packing) -> None:
    """Try other replicas, each followed by `balance`, and keep what is more even.

    Only where loads are still uneven though no replica alone is too heavy: that is so if there are
    few replicas.
    """
    left = _TRIALS // len(packing.expert)
    found = True
    while found and left > 0:
        peak = int(packing.gpu_loads().max())
        mean = int(packing.loads.sum()) // packing.num_gpus
        if peak <= mean + mean // _NEAR or peak <= int(packing.shares.max()):
            return
        found = False
        for slot, expert in _changes(packing)[:left]:
            left -= 1
            trial = packing.copy()
            trial.expert[slot] = expert
            balance(trial)
            if trial.gpu_loads().max() < peak:
                packing.expert, packing.gpu = trial.expert, trial.gpu
                found = True
                break


def _changes(packing: Packing) -> list[tuple[int, int]]:
    """Return other experts for replicas: those that touch the fullest GPU first."""
    several = np.flatnonzero((packing.counts > 1)[packing.expert])
    fullest = int(np.argmax(packing.gpu_loads()))
    held = packing.held > 0
    near = held[:, fullest].astype(int)
    free = ~held[:, packing.gpu[several]].T  # shape (slots, experts)
    slot, expert = np.nonzero(free)
    far = (packing.gpu[several[slot]] != fullest) * (1 - near[expert])
    order = np.argsort(far, kind="stable")
    return list(zip(several[slot[order]].tolist(), expert[order].tolist(), strict=True))


def _exchange(packing: Packing) -> bool:
    """Exchange a replica of the fullest GPU such that neither GPU becomes as full as it was."""
    loads = packing.gpu_loads()
    fullest = int(np.argmax(loads))
    mine, theirs, allowed = _exchanges(packing, fullest)
    share = packing.shares
    less = share[mine][:, None] - share[theirs]
    peak = np.maximum(loads[fullest] - less, loads[packing.gpu[theirs]] + less)
    peak = np.where(allowed, peak, MANY)
    best = int(np.argmin(peak)) if peak.size else 0
    if not peak.size or peak.flat[best] >= loads[fullest]:
        return False
    i, j = mine[best // len(theirs)], theirs[best % len(theirs)]
    packing.gpu[i], packing.gpu[j] = packing.gpu[j], packing.gpu[i]
    return True


def _exchanges(
    packing: Packing, gpu: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return the replicas of a GPU, all others, and which may change places.

    Those may that do not put two replicas of an expert on a GPU.
    """
    mine = np.flatnonzero(packing.gpu == gpu)
    theirs = np.flatnonzero(packing.gpu != gpu)
    held = packing.held > 0
    there = held[packing.expert[mine]][:, packing.gpu[theirs]]
    here = held[packing.expert[theirs], gpu]
    return mine, theirs, ~there & ~here


def _replicate(packing: Packing) -> bool:
    """Give an expert of the fullest GPU one more replica, and one that has several one less."""
    loads = packing.gpu_loads()
    fullest = int(np.argmax(loads))
    slots, wanted, after = replacements(packing, fullest)
    if not after.size:
        return False
    peak = after.max(axis=2)
    best = int(np.argmin(peak))
    if peak.flat[best] >= loads[fullest]:
        return False
    packing.expert[slots[best // len(wanted)]] = wanted[best % len(wanted)]
    return True


def replacements(
    packing: Packing, gpu: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return what other replicas would do for a GPU.

    Returns
    -------
    slots : shape (a,)
        Replicas elsewhere whose expert has others.
    wanted : shape (b,)
        Experts of the GPU that could have one more.
    after : shape (a, b, G)
        Loads of all GPUs if a slot held a wanted expert; `MANY` where it must not, as the GPU of
        the slot has it already.
    """
    counts, held, loads = packing.counts, packing.held, packing.loads
    several = (counts > 1)[packing.expert] & (packing.gpu != gpu)
    slots = np.flatnonzero(several)
    wanted = np.unique(packing.expert[packing.gpu == gpu])
    gone, place = packing.expert[slots], packing.gpu[slots]
    more = loads[wanted] // (counts[wanted] + 1)
    less = loads[gone] // np.maximum(counts[gone] - 1, 1)
    by_wanted = (more - loads[wanted] // counts[wanted])[:, None] * held[wanted]
    by_gone = (less - loads[gone] // counts[gone])[:, None] * held[gone]
    after = packing.gpu_loads() + by_gone[:, None, :] + by_wanted[None, :, :]
    rows = np.arange(len(slots))
    after[rows, :, place] += more[None, :] - less[:, None]
    after[(held[wanted][:, place] > 0).T] = MANY
    return slots, wanted, after
