# SPDX-License-Identifier: MIT
"""Files that take their place only when they are whole: results cost hours."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """Open a file to write; whatever happens inside, an older one stays until the end."""
    if path.exists() and not path.is_file():  # a pipe or the like
        with path.open("w", newline="\n") as file:
            yield file
        return
    target = path.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with beside.open("w", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
