# SPDX-License-Identifier: MIT
"""What all groups of parameters have in common. The core checks the values."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from procmap import _core
from procmap._util.messages import shown, utf8

_BITS = 63  # of the core's numbers
FIELDS = {f.path: f for f in _core.config_fields()}


@dataclass(frozen=True)
class Section:
    """A group of parameters; a value out of range cannot be stored."""

    _prefix: ClassVar[str] = ""

    def __post_init__(self) -> None:
        core = _core.Config()
        for f in dataclasses.fields(self):
            path = self._prefix + f.name
            if path in FIELDS:
                _set(core, path, getattr(self, f.name))
                object.__setattr__(self, f.name, core.get(path))  # in the parameter's own type


def _set(core: _core.Config, path: str, value: object) -> None:
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, float):  # as it was given: the core would say of 3.0 that 3 is no integer
        core.set_text(path, repr(plain))
        return
    if isinstance(plain, int) and plain.bit_length() > _BITS:  # whose digits nobody wants to read
        core.set_text(path, shown(plain))
        return
    try:
        core.set(path, plain)  # type: ignore[arg-type]
    except TypeError:  # neither a number nor a string: the core says what it should be
        core.set_text(path, utf8(str(value)))
