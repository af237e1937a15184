# SPDX-License-Identifier: MIT
"""The hash of the core, of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def hashes(seed: NDArray[np.uint64] | int, ids: NDArray[np.int64] | int) -> NDArray[np.uint64]:
    """Return what ``hash(seed, id)`` of the core is for every id, or for every seed."""
    with np.errstate(over="ignore"):
        x = np.asarray(seed, np.uint64) + (np.asarray(ids).astype(np.uint64) + np.uint64(1)) * _STEP
        x = (x ^ (x >> np.uint64(30))) * _FIRST
        x = (x ^ (x >> np.uint64(27))) * _SECOND
    mixed: NDArray[np.uint64] = x ^ (x >> np.uint64(31))
    return mixed
