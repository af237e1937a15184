# SPDX-License-Identifier: MIT
"""An old placement made to fit new loads by few moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap.placement._balance import MANY, replacements

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap.placement._packing import Packing

_STEPS = 2000


def repair(packing: Packing, old: NDArray[np.bool_], bound: int) -> None:
    """Bring the loads of GPUs below a bound, with as few moves as it goes.

    Every step takes from the fullest GPU and is the one that takes away most load above the bound
    per move; it ends where no step takes away any.

    Parameters
    ----------
    packing
        Changed in place.
    old : shape (E, G)
        Which GPU has the weights of which expert.
    bound
        The load that a GPU may have.
    """
    for _ in range(_STEPS):
        loads = packing.gpu_loads()
        fullest = int(np.argmax(loads))
        if loads[fullest] <= bound:
            return
        gain, change = max(
            _best_exchange(packing, loads, fullest, old, bound),
            _best_replica(packing, loads, fullest, old, bound),
            key=lambda found: found[0],
        )
        if gain <= 0:
            return
        _apply(packing, change)


def _apply(packing: Packing, change: tuple[str, int, int]) -> None:
    kind, i, j = change
    if kind == "exchange":
        packing.gpu[i], packing.gpu[j] = packing.gpu[j], packing.gpu[i]
    else:
        packing.expert[i] = j


def _over(loads: NDArray[np.int64], bound: int) -> NDArray[np.int64]:
    return np.maximum(loads - bound, 0)


def _per_move(gain: NDArray[np.int64], moves: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the load taken away per move; what moves nothing counts as a quarter of a move."""
    return np.where(moves > 0, 4 * gain // np.maximum(4 * moves, 1), 4 * gain)


def _best_exchange(
    packing: Packing,
    loads: NDArray[np.int64],
    gpu: int,
    old: NDArray[np.bool_],
    bound: int,
) -> tuple[int, tuple[str, int, int]]:
    mine, theirs = np.flatnonzero(packing.gpu == gpu), np.flatnonzero(packing.gpu != gpu)
    if not theirs.size:
        return 0, ("exchange", 0, 0)
    held, share, place = packing.held > 0, packing.shares, packing.gpu[theirs]
    less = share[mine][:, None] - share[theirs]
    before = _over(loads[gpu], bound) + _over(loads[place], bound)
    after = _over(loads[gpu] - less, bound) + _over(loads[place] + less, bound)
    i, j = packing.expert[mine], packing.expert[theirs]
    stays = old[i, gpu].astype(np.int64)[:, None] + old[j, place]
    comes = old[i][:, place].astype(np.int64) + old[j, gpu]
    gain = _per_move(before - after, stays - comes)
    gain = np.where(held[i][:, place] | held[j, gpu], 0, gain)
    best = int(np.argmax(gain))
    pair = int(mine[best // len(theirs)]), int(theirs[best % len(theirs)])
    return int(gain.flat[best]), ("exchange", *pair)


def _best_replica(
    packing: Packing,
    loads: NDArray[np.int64],
    gpu: int,
    old: NDArray[np.bool_],
    bound: int,
) -> tuple[int, tuple[str, int, int]]:
    slots, wanted, after = replacements(packing, gpu)
    if not after.size:
        return 0, ("replica", 0, 0)
    before = _over(loads, bound).sum()
    place = packing.gpu[slots]
    stays = old[packing.expert[slots], place].astype(np.int64)[:, None]
    comes = old[wanted][:, place].T
    gain = _per_move(before - np.minimum(_over(after, bound).sum(axis=2), before), stays - comes)
    gain = np.where(after.max(axis=2) < MANY, gain, 0)
    best = int(np.argmax(gain))
    change = int(slots[best // len(wanted)]), int(wanted[best % len(wanted)])
    return int(gain.flat[best]), ("replica", *change)
