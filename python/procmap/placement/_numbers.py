# SPDX-License-Identifier: MIT
"""Arrays of amounts, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from procmap._util.arrays import as_array, check_numbers, first
from procmap._util.errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def as_numbers(values: ArrayLike, name: str) -> NDArray[np.float64]:
    """Return an array of finite numbers >= 0."""
    array = as_array(values, name, ConfigError)
    if array.size:
        check_numbers(array, name, ConfigError)
    numbers = array.astype(np.float64)
    bad = ~(np.isfinite(numbers) & (numbers >= 0))
    if bad.any():
        raise ConfigError(f"{first(bad, array, name)} is not a finite number >= 0")
    return numbers
