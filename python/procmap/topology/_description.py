# SPDX-License-Identifier: MIT
"""Machines as files describe them; `Topology` builds itself of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from procmap.topology._places import Places


@dataclass(frozen=True)
class Hierarchy:
    """Levels, innermost first, and which PEs of the whole there are; all if None."""

    sizes: Sequence[int]
    distances: Sequence[int]
    pes: NDArray[np.int64] | None = None


@dataclass(frozen=True)
class Matrix:
    """Distances of all PEs, in any unit."""

    distances: NDArray[Any]


@dataclass(frozen=True)
class Regular:
    """A machine that a method of `Topology` makes of numbers."""

    kind: Literal["flat", "hypercube", "mesh", "torus"]
    numbers: Sequence[int]


Shape: TypeAlias = "Hierarchy | Matrix | Regular"


@dataclass(frozen=True)
class Description:
    """What a reader returns.

    Attributes
    ----------
    shape : Hierarchy, Matrix or Regular
        PEs and their distances.
    places : Places, optional
        Where they are.
    where : str
        ``PATH`` or ``PATH:LINE``, if numbers that make no machine are the fault of a file.
    """

    shape: Shape
    places: Places | None = None
    where: str = ""
