# SPDX-License-Identifier: MIT
"""Random integers that no version of NumPy changes, unlike those of its generators."""

import numpy as np

_WORD = 2**64 - 1


def below(bound, seed, stream, count):
    """Return `count` integers in [0, bound): entry i depends on seed, stream and i only."""
    start = (seed * 0x9E3779B97F4A7C15 + stream * 0xD1B54A32D192ED03) & _WORD
    return below_of(bound, start, np.arange(count))


def below_of(bound, start, keys):
    """Return an integer in [0, bound) for every key: the mixing function of SplitMix64."""
    x = keys.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(start)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return (x % np.uint64(bound)).astype(np.int64)
