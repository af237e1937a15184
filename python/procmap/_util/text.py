# SPDX-License-Identifier: MIT
"""Text files: reading with a limit on nonsense, errors as "PATH:LINE: ..."."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path

from procmap import _core
from procmap._util.errors import FileError
from procmap._util.messages import shortened
from procmap._util.source import Source, path_text

_LONGEST = 2000  # characters of a message
_LINE_END = re.compile(r"\r\n?|\n")


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a file; raise FileError if it cannot be read or is not UTF-8."""
    return Source.of(path).text


def lines_of(text: str) -> list[str]:
    """Return the lines of a text; nothing but a line feed or a carriage return ends one.

    For `str.splitlines` form feeds, U+2028 and others do, which stand in comments.
    """
    lines = _LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file; raise FileError, and leave an older file as it was, if that fails."""
    _core.write_text(text.encode(), writable(path))


def writable(path: str | os.PathLike[str]) -> str:
    """Return a path for the core, which writes all files."""
    name = path_text(path)
    if "\0" in name:
        raise FileError(f"{name!a}: embedded null byte")
    return name


def is_of_a_descriptor(name: str) -> bool:
    """Whether a name may stand for something that is open, or for a device."""
    return os.path.normpath(name).startswith(("/dev/", "/proc/"))


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise FileError if a file cannot be written for sure; make none and change none."""
    name = writable(path)
    if is_of_a_descriptor(name):
        return  # which may be open although its file is of others
    try:
        _check_place(name)
    except OSError as exc:
        raise FileError(f"{name}: {exc.strerror}") from None


def _check_place(name: str) -> None:
    target = Path(os.path.realpath(name))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        if not os.path.basename(name):  # noqa: PTH119 - a Path drops the slash at the end
            raise
        target = target.parent
        if not stat.S_ISDIR(target.stat().st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
        wanted = os.W_OK | os.X_OK
    else:
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        wanted = os.W_OK
    if not os.access(target, wanted):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def error_at(path: str | os.PathLike[str], line: int, message: object) -> FileError:
    """Return an error about a line, counting from 1."""
    return FileError(f"{os.fspath(path)}:{line}: {shortened(str(message), _LONGEST)}")
