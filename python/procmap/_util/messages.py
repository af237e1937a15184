# SPDX-License-Identifier: MIT
"""Values as messages show them: short, however large or deep they are."""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Container

_LONGEST, _LONGEST_VALUE = 40, 200  # characters


class _Short(reprlib.Repr):
    """Looks at no more of a value than it shows: aliases can make lists of 2**64 entries."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 2
        self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = self.maxdict = 4
        self.maxarray = self.maxdeque = 4
        self.maxstring = self.maxlong = self.maxother = _LONGEST

    def repr_str(self, x: str, level: int) -> str:
        del level
        return repr(shortened(x))

    def repr_bytes(self, x: bytes, level: int) -> str:
        del level
        return repr(x if len(x) <= _LONGEST else x[: _LONGEST - 3]) + "..." * (len(x) > _LONGEST)

    def repr_int(self, x: int, level: int) -> str:
        del level
        return str(x) if x.bit_length() <= 128 else f"an integer of {x.bit_length()} bits"


_SHORT = _Short()


def shown(value: object) -> str:
    """Return what ``repr`` does, but short."""
    try:
        return shortened(_SHORT.repr(value), _LONGEST_VALUE)
    except Exception:  # the repr of an object of the user
        return f"<{type(value).__name__}>"


def is_in(value: object, names: Container[str]) -> bool:
    """Whether a value is one of some names; what cannot be looked up, such as a list, is none."""
    return isinstance(value, str) and value in names


def form_of(values: Any, shape: tuple[int, ...]) -> str:
    """Return the shape of an array that should have another; what is none at all as it is."""
    if shape:
        return f"shape {shape}"
    return shown(values.item() if hasattr(values, "item") else values)


def utf8(text: str) -> str:
    """Return a text as the core takes it: bytes of a command line that are no UTF-8 as escapes."""
    return text.encode(errors="backslashreplace").decode()


def shortened(text: str, longest: int = _LONGEST) -> str:
    """Return a text, cut if it is too long for a message."""
    return text if len(text) <= longest else text[: longest - 3] + "..."
