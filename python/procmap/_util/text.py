# SPDX-License-Identifier: MIT
"""Text files: reading with a limit on nonsense, errors as "PATH:LINE: ..."."""

from __future__ import annotations

import os

from procmap import _core
from procmap._util.errors import FileError
from procmap._util.messages import shortened
from procmap._util.source import Source

_LONGEST = 2000  # characters of a message


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a file; raise FileError if it cannot be read or is not UTF-8."""
    return Source.of(path).text


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file; raise FileError, and leave an older file as it was, if that fails."""
    _core.write_text(text.encode(), writable(path))


def writable(path: str | os.PathLike[str]) -> str:
    """Return a path for the core, which writes all files."""
    name = os.fsdecode(path)
    if "\0" in name:
        raise FileError(f"{name!a}: embedded null byte")
    return name


def error_at(path: str | os.PathLike[str], line: int, message: object) -> FileError:
    """Return an error about a line, counting from 1."""
    return FileError(f"{os.fspath(path)}:{line}: {shortened(str(message), _LONGEST)}")


def _unusable(path: str | os.PathLike[str], exc: Exception) -> FileError:
    reason = exc.strerror if isinstance(exc, OSError) and exc.strerror else exc
    return FileError(f"{os.fspath(path)}: {reason}")
