# SPDX-License-Identifier: MIT
"""`training_traffic`: what the ranks of a training job send each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from procmap._util.arrays import as_integer, as_real
from procmap._util.errors import ConfigError
from procmap._util.limits import MAX_PES
from procmap._util.messages import shown
from procmap.traffic._traffic import Traffic

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CHAINS, _COMPLETE = ("pp",), ("ep",)  # if there are such dimensions
_MOST_MESSAGES = 2**26  # some 100 bytes each while they are put together


def training_traffic(
    sizes: Mapping[str, int],
    volumes: Mapping[str, float],
    *,
    chains: Iterable[str] = _CHAINS,
    complete: Iterable[str] = _COMPLETE,
) -> Traffic:
    """Return the traffic of ranks that are parallel in several dimensions.

    Parameters
    ----------
    sizes : mapping from str to int
        Number of ranks in every dimension, the one first whose neighbours have successive ranks:
        ``{"tp": 8, "dp": 4, "pp": 2}``, as Megatron-LM and PyTorch's device meshes (which write
        it last) number them. The product is the number of ranks.
    volumes : mapping from str to float
        What a rank sends in a step to others that differ only in this dimension, >= 0.
    chains : iterable of str
        Dimensions in which a rank sends to the next one, and the last one to nobody: pipelines.
    complete : iterable of str
        Dimensions in which a rank sends to all others evenly: all-to-all of experts. In all other
        dimensions it sends to the next one around a ring, as collective operations do.

    Returns
    -------
    Traffic

    Raises
    ------
    ConfigError
        If a number is out of range, a dimension has no size ("pp" and "ep" need none), or there
        are more than 2^26 messages.

    Examples
    --------
    >>> training_traffic({"tp": 2, "pp": 2}, {"tp": 100, "pp": 1}).volumes
    array([100., 100., 100., 100.,   1.,   1.])
    """
    for name, given in (("sizes", sizes), ("volumes", volumes)):
        if not isinstance(given, Mapping):
            raise ConfigError(f"{name} must be a dict by dimension, got {shown(given)}")
    extent = {
        name: as_integer(size, f"sizes[{name!r}]", 1, MAX_PES, ConfigError)
        for name, size in sizes.items()
    }
    chains = _names(chains, "chains", (*extent, *_CHAINS))
    complete = _names(complete, "complete", (*extent, *_COMPLETE))
    both = [name for name in extent if name in chains and name in complete]
    if both:
        raise ConfigError(f"{both[0]!r} is in both chains and complete, which exclude each other")
    unknown = [name for name in volumes if name not in extent]
    if unknown:
        raise ConfigError(f"volumes names {unknown[0]!r}, which has no size")
    count = int(np.prod(list(extent.values()), dtype=object))
    if count > MAX_PES:
        raise ConfigError(f"sizes make {count} ranks, more than {MAX_PES}")
    amount = {name: _volume(volumes.get(name, 0), name) for name in extent}
    steps = {
        name: range(1, size if name in complete else min(size, 2))
        for name, size in extent.items()
        if amount[name] > 0
    }
    messages = count * sum(map(len, steps.values()))
    if messages > _MOST_MESSAGES:
        raise ConfigError(f"sizes make {messages} messages, more than {_MOST_MESSAGES}")
    rank = np.arange(count).reshape(list(extent.values())[::-1])
    senders, receivers, amounts = [], [], []
    for axis, name in enumerate(reversed(extent)):
        for step in steps.get(name, ()):
            tails, heads = _step_along(rank, axis, step, name in chains)
            senders.append(tails)
            receivers.append(heads)
            amounts.append(np.full(len(tails), amount[name] / len(steps[name])))
    if not senders:
        return Traffic.from_messages([], [], [], count)
    return Traffic.from_messages(
        np.concatenate(senders[::-1]),
        np.concatenate(receivers[::-1]),
        np.concatenate(amounts[::-1]),
        count,
    )


def _step_along(
    rank: NDArray[np.int64], axis: int, step: int, is_chain: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return who sends and whom to, so many steps along a dimension; from its end to nobody."""
    sends = np.ones(rank.shape, bool)
    if is_chain:
        last = [slice(None)] * rank.ndim
        last[axis] = slice(-step, None)
        sends[tuple(last)] = False
    return rank[sends], np.roll(rank, -step, axis)[sends]


def _volume(value: object, name: str) -> float:
    """Return what a rank sends in a dimension."""
    volume = as_real(value, f"volumes[{name!r}]", ConfigError)
    if not 0 <= volume < float("inf"):
        raise ConfigError(f"volumes[{name!r}] must be finite and >= 0, got {shown(volume)}")
    return volume


def _names(names: Iterable[str], option: str, known: tuple[str, ...]) -> set[str]:
    """Return the dimensions that an option names."""
    if isinstance(names, (str, bytes)) or not isinstance(names, Iterable):
        raise ConfigError(f"{option} must be a list of names such as ['pp'], got {shown(names)}")
    listed = list(names)
    unknown = [name for name in listed if name not in known]
    if unknown:
        raise ConfigError(f"{option} names {shown(unknown[0])}, which has no size")
    return set(listed)
