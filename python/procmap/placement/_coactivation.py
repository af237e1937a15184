# SPDX-License-Identifier: MIT
"""`count_coactivation`: experts that tokens have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap._util.arrays import as_array, as_integer
from procmap._util.errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def count_coactivation(chosen: ArrayLike, num_experts: int) -> NDArray[np.int64]:
    """Count the tokens that go to both of two experts.

    Parameters
    ----------
    chosen : array_like of int, shape (tokens, k)
        The experts of every token, in [0, num_experts), as routers give them (``topk_ids``); -1
        for none. One that a token names twice counts once.
    num_experts : int
        E.

    Returns
    -------
    numpy.ndarray of int64, shape (E, E)
        Symmetric, 0 on the diagonal. Add up those of all batches.

    Raises
    ------
    ConfigError
        If `chosen` is malformed.
    """
    count = as_integer(num_experts, "num_experts", 1, 2**16, ConfigError)
    ids = as_array(chosen, "chosen", ConfigError)
    if ids.ndim != 2 or ids.dtype.kind not in "iu":
        raise ConfigError(
            f"chosen must hold integers, shape (tokens, k), got {ids.dtype} of shape {ids.shape}"
        )
    bad = (ids < -1) | (ids >= count)
    if bad.any():
        token, j = np.argwhere(bad)[0]
        raise ConfigError(f"chosen[{token}, {j}] = {ids[token, j]} is not in [-1, {count})")
    ids = np.sort(ids.astype(np.int64), axis=1)
    ids[:, 1:][ids[:, 1:] == ids[:, :-1]] = -1  # a token goes to an expert once
    together = np.zeros((count, count), np.int64)
    for a in range(ids.shape[1]):
        for b in range(a):
            both = (ids[:, a] >= 0) & (ids[:, b] >= 0)
            # Not bincount, whose arrays of E^2 take longer than the few tokens of a batch.
            np.add.at(together.reshape(-1), ids[both, b] * count + ids[both, a], 1)
    together += together.T
    return together
