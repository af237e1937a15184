# SPDX-License-Identifier: MIT
"""What is said of mappings that are not balanced."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import TypeAlias

    from procmap.mapping._report import Report, WeightReport
    from procmap.mapping._result import Mapping

    Allowed: TypeAlias = float | tuple[float, ...] | None


class InfeasibleWarning(UserWarning):
    """A block of the returned mapping is heavier than the imbalance allows."""


class InfeasibleError(RuntimeError):
    """No balanced mapping was found and ``strict=True`` was given.

    Attributes
    ----------
    mapping : Mapping
        The best mapping found.
    """

    def __init__(self, message: str, mapping: Mapping) -> None:
        super().__init__(message)
        self.mapping = mapping

    def __reduce__(self) -> tuple[type[InfeasibleError], tuple[str, Mapping]]:
        """Pickle with both arguments."""
        return type(self), (str(self), self.mapping)


# Shown as procmap.InfeasibleError, which is how users import it.
InfeasibleWarning.__module__ = "procmap"
InfeasibleError.__module__ = "procmap"


def finish(mapping: Mapping, allowed: Allowed, strict: bool, culprit: str = "") -> Mapping:
    """Return a mapping; warn, or raise if `strict`, unless it is balanced.

    Messages begin with the `culprit`, such as "graphs[3]: ".
    """
    if mapping.feasible:
        return mapping
    message = culprit + infeasibility(mapping, allowed)
    if strict:
        raise InfeasibleError(message, mapping)
    warnings.warn(message, InfeasibleWarning, stacklevel=4)  # who called
    return mapping


def infeasibility(mapping: Report, allowed: Allowed) -> str:
    """Say which block is too heavy, in what and by how much, or that some are empty.

    What was allowed is None if capacities were given.
    """
    several = len(mapping.weights) > 1
    too_heavy = [
        _overload(weight, allowed[i] if isinstance(allowed, tuple) else allowed, several)
        for i, weight in enumerate(mapping.weights)
        if weight.excess.any()
    ]
    if not too_heavy:
        return "the mapping is infeasible: not every block could be given a vertex"
    return "the mapping is infeasible: " + "; ".join(too_heavy)


def _overload(weight: WeightReport, allowed: float | None, several: bool) -> str:
    worst = int(np.argmax(weight.block_weights - weight.capacities))
    what = f" in {weight.name!r}" if several else ""
    bound = "" if allowed is None else f", allowed {allowed:.2%}"
    return (
        f"block {worst} weighs {weight.block_weights[worst]}{what}, "
        f"{weight.excess[worst]} more than its capacity of {weight.capacities[worst]} "
        f"(imbalance {weight.imbalance:.2%}{bound})"
    )
