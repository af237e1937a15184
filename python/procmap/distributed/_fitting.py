# SPDX-License-Identifier: MIT
"""Moves into blocks that have room for them, chosen by all ranks alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap._util.ranks import Ranks

    Ints = NDArray[np.int64]


def fitting(
    ranks: Ranks, vertex: Ints, load: Ints, gain: Ints, target: NDArray[np.int32], room: Ints
) -> tuple[Ints, NDArray[np.int32]]:
    """Return which vertices may move, of all ranks, and where: the best of every block that fit.

    Parameters
    ----------
    ranks : Ranks
        Who chooses.
    vertex, load, gain : numpy.ndarray of int64
        Of this rank's vertices that want to move: ids in the whole graph, and what moving gains.
    target : numpy.ndarray of int32
        Their blocks.
    room : numpy.ndarray of int64, shape (k,)
        What every block can still take.
    """
    # What a rank leaves out has more before it than there is room for, and so has all behind it:
    # who fits does not follow from where rows lie.
    order, before = _in_order(vertex, load, gain, target)
    offered = order[before <= room[target[order]]]
    vertex, load, gain, target = ranks.everywhere(
        vertex[offered], load[offered], gain[offered], target[offered]
    )
    order, before = _in_order(vertex, load, gain, target)
    fits = order[before + load[order] <= room[target[order]]]
    return vertex[fits], target[fits]


def _in_order(
    vertex: Ints, load: Ints, gain: Ints, target: NDArray[np.int32]
) -> tuple[NDArray[np.intp], Ints]:
    """Return the order of moves, by block, the best first, and what those before them weigh."""
    order = np.lexsort((vertex, -gain, target))
    blocks, loads = target[order], load[order]
    before = np.cumsum(loads) - loads
    return order, before - before[np.searchsorted(blocks, blocks)]
