# SPDX-License-Identifier: MIT
"""Exceptions and warnings, those of the C++ core included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from procmap._core import ConfigError, DeviceError, FileError, GraphError, TopologyError

if TYPE_CHECKING:
    from procmap._mapping import Mapping

__all__ = [
    "ConfigError",
    "DeviceError",
    "FileError",
    "GraphError",
    "InfeasibleError",
    "InfeasibleWarning",
    "TopologyError",
]


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


# Shown as procmap.GraphError etc., which is how users import them.
InfeasibleWarning.__module__ = "procmap"
InfeasibleError.__module__ = "procmap"
