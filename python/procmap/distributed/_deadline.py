# SPDX-License-Identifier: MIT
"""When a call is to be over."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from procmap._util.ranks import Ranks

_LEAST = 1e-3  # seconds: something is always mapped


class Deadline:
    """The end of a call, or none.

    Parameters
    ----------
    ranks : Ranks
        Who must agree on it.
    seconds : float or None
        From now on.
    """

    def __init__(self, ranks: Ranks, seconds: float | None) -> None:
        self._ranks = ranks
        self._end = None if seconds is None else time.perf_counter() + seconds

    def is_over(self) -> bool:
        """Whether a rank has no time left; all ranks ask together and get the same answer."""
        if self._end is None:
            return False
        return bool(self._ranks.largest(int(time.perf_counter() >= self._end)))

    def options(self, calls: int = 1) -> dict[str, Any]:
        """Return what `procmap.map` is told on this rank, the first of so many such calls."""
        if self._end is None:
            return {}
        return {"time_limit": max(_LEAST, (self._end - time.perf_counter()) / max(1, calls))}
