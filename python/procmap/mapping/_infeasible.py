# SPDX-License-Identifier: MIT
"""What is said of mappings that are not balanced."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from procmap.mapping._result import Mapping


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
