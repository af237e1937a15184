# SPDX-License-Identifier: MIT
"""Text files: reading with a limit on nonsense, errors as "PATH:LINE: ..."."""

from __future__ import annotations

import os
from pathlib import Path

from procmap._errors import FileError


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a file; raise FileError if it cannot be read or is not UTF-8."""
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise FileError(f"{os.fspath(path)}: not a text file: {exc.reason}") from None
    except (OSError, ValueError) as exc:
        raise _unusable(path, exc) from None


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file; raise FileError if that fails."""
    try:
        Path(path).write_bytes(text.encode())
    except (OSError, ValueError) as exc:
        raise _unusable(path, exc) from None


def error_at(path: str | os.PathLike[str], line: int, message: object) -> FileError:
    """Return an error about a line, counting from 1."""
    return FileError(f"{os.fspath(path)}:{line}: {message}")


def _unusable(path: str | os.PathLike[str], exc: Exception) -> FileError:
    reason = exc.strerror if isinstance(exc, OSError) and exc.strerror else exc
    return FileError(f"{os.fspath(path)}: {reason}")
