# SPDX-License-Identifier: MIT
"""Kinds of files: how each is called, told apart and read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from procmap._util.compressed import SUFFIXES
from procmap._util.errors import ConfigError
from procmap._util.messages import is_in, shown

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable

Read_co = TypeVar("Read_co", covariant=True)


@dataclass(frozen=True)
class Format(Generic[Read_co]):
    """A kind of file.

    Attributes
    ----------
    name : str
        What users call it.
    read : callable
        Reads a file of it; folders of readers differ in what comes back.
    suffixes : tuple of str
        Ends of the names of such files, in lower case.
    begins : callable, optional
        Whether a file that begins with these bytes is one.
    options : tuple of str
        Keyword arguments of `read` that users may give.
    """

    name: str
    read: Read_co
    suffixes: tuple[str, ...] = ()
    begins: Callable[[bytes], bool] | None = None
    options: tuple[str, ...] = ()


def named(formats: Iterable[Format[Read_co]], name: str) -> Format[Read_co]:
    """Return the format of this name.

    Raises
    ------
    ConfigError
        If there is none.
    """
    known = {each.name: each for each in formats}
    if not is_in(name, known):
        raise ConfigError(f"format must be one of {', '.join(known)}, got {shown(name)}")
    return known[name]


def plain_name(path: str | os.PathLike[str]) -> str:
    """Return the name of a file without that of a compression: x.el.gz is called x.el."""
    name = Path(path)
    return name.stem if name.suffix.lower() in SUFFIXES else name.name


def suffix_of(path: str | os.PathLike[str]) -> str:
    """Return the end of this name, in lower case, such as ".el"."""
    return Path(plain_name(path)).suffix.lower()


def of_suffix(
    formats: Iterable[Format[Read_co]], path: str | os.PathLike[str]
) -> Format[Read_co] | None:
    """Return the format that the name of a file says, if it says one."""
    suffix = suffix_of(path)
    return next((each for each in formats if suffix in each.suffixes), None)


def of_content(formats: Iterable[Format[Read_co]], start: bytes) -> Format[Read_co] | None:
    """Return the first format that a file with this beginning can be."""
    return next((each for each in formats if each.begins and each.begins(start)), None)
