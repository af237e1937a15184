# SPDX-License-Identifier: MIT
"""TOML, as much of it as configurations need."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from procmap._errors import FileError

if TYPE_CHECKING:
    from types import ModuleType


def _toml_reader() -> ModuleType:
    for name in ("tomllib", "tomli"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise ImportError("reading TOML on Python 3.10 needs the package tomli: pip install tomli")


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the content of a TOML file; raise FileError naming the file."""
    reader = _toml_reader()
    try:
        content: dict[str, Any] = reader.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as exc:
        raise FileError(f"{os.fspath(path)}: {exc.strerror}") from exc
    except ValueError as exc:  # not TOML, or not UTF-8
        raise FileError(f"{os.fspath(path)}: {exc}") from exc
    return content


def format_toml(data: dict[str, Any]) -> str:
    """Return a dictionary of scalars and of dictionaries of scalars as TOML."""
    lines = [f"{key} = {_scalar(value)}" for key, value in data.items() if not _is_table(value)]
    for name, table in data.items():
        if _is_table(table):
            lines += ["", f"[{name}]"]
            lines += [f"{key} = {_scalar(value)}" for key, value in table.items()]
    return "\n".join(lines) + "\n"


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'  # names of choices: nothing to escape
    return repr(value)
