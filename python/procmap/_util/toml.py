# SPDX-License-Identifier: MIT
"""TOML, as much of it as configurations need."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

from procmap._util.errors import FileError
from procmap._util.messages import shortened
from procmap._util.text import read_text

if TYPE_CHECKING:
    from types import ModuleType

_LONGEST = 2**18  # characters; all parameters together have some thousand


def _toml_reader() -> ModuleType:
    for name in ("tomllib", "tomli"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise ImportError("reading TOML on Python 3.10 needs the package tomli: pip install tomli")


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the content of a TOML file; raise FileError naming the file."""
    reader, text = _toml_reader(), read_text(path)
    if len(text) > _LONGEST:
        raise FileError(f"{os.fspath(path)}: more than {_LONGEST} characters are no configuration")
    try:
        content: dict[str, Any] = reader.loads(text)
    except RecursionError:
        raise FileError(f"{os.fspath(path)}: nested too deeply") from None
    except ValueError as exc:
        raise FileError(f"{os.fspath(path)}: {shortened(str(exc), 200)}") from None
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
