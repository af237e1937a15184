# SPDX-License-Identifier: MIT
"""Arrays of amounts, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap._util.arrays import as_array
from procmap._util.errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def as_numbers(values: ArrayLike, name: str) -> NDArray[np.float64]:
    """Return an array of finite numbers >= 0."""
    array = as_array(values, name, ConfigError)
    if array.dtype.kind not in "iuf":
        raise ConfigError(f"{name} must hold numbers, got dtype {array.dtype}")
    numbers = array.astype(np.float64)
    bad = ~(np.isfinite(numbers) & (numbers >= 0))
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        entry = f"[{', '.join(map(str, where))}]" if where else ""
        raise ConfigError(f"{name}{entry} = {array[where]} is not a finite number >= 0")
    return numbers
