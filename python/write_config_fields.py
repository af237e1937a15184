# SPDX-License-Identifier: MIT
"""Write python/procmap/config/_fields.py, the parameters of the built core as classes of Python.

Run it after `pip install .` with a changed cpp/include/procmap/config_fields.def. A test compares.
"""

import textwrap
from pathlib import Path

from procmap import _core

FIELDS_FILE = Path(__file__).parent / "procmap" / "config" / "_fields.py"
HEAD = '''\
# SPDX-License-Identifier: MIT
"""The groups of parameters: written by python/write_config_fields.py, do not edit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from procmap.config._section import Section
'''
TYPES = {"boolean": "bool", "integer": "int", "real": "float"}


def text() -> str:
    """Return the module."""
    sections = _core.config_sections()
    classes = [section_class(section) for section in sections]
    table = [f'    "{section.path}": {section.type_name},' for section in sections]
    table = ["SECTIONS: dict[str, type[Any]] = {", *table, "}"]
    whole = ["@dataclass(frozen=True)", "class Parameters(Section):", '    """All of them."""', ""]
    whole += [declaration(f) for f in _core.config_fields() if "." not in f.path]
    for section in sections:
        kind = section.type_name
        whole.append(f"    {section.path}: {kind} = field(default_factory={kind})")
    names = ", ".join(f'"{name}"' for name in _core.Config.preset_names())
    presets = f"Preset: TypeAlias = Literal[{names}]"
    return (
        "\n\n\n".join([f"{HEAD}\n{presets}", *classes, "\n".join(table), "\n".join(whole)]) + "\n"
    )


def section_class(section: _core.ConfigSection) -> str:
    """Return the class of one group."""
    prefix = section.path + "."
    fields = [f for f in _core.config_fields() if f.path.startswith(prefix)]
    lines = ["@dataclass(frozen=True)", f"class {section.type_name}(Section):"]
    lines += [f'    """{section.description}', "", "    Attributes", "    ----------"]
    lines += [line for f in fields for line in documentation(f)]
    lines += ['    """', "", f'    _prefix: ClassVar[str] = "{prefix}"', ""]
    return "\n".join(lines + [declaration(f) for f in fields])


def documentation(f: _core.ConfigField) -> list[str]:
    """Return a parameter's lines in a docstring: what it does, its default and range."""
    values = f"Default {f.default!r}"
    if f.type in ("integer", "real"):
        low, high = (int(x) if x == int(x) else x for x in (f.min, f.max))
        values += f", in [{low}, {high}]"
    indent = " " * 8
    text = f"{f.description} {values}."
    lines = textwrap.wrap(text, 100, initial_indent=indent, subsequent_indent=indent)
    return [f"    {name_of(f)}", *lines]


def declaration(f: _core.ConfigField) -> str:
    """Return the line that declares a parameter."""
    kind = TYPES.get(f.type) or "Literal[" + ", ".join(f'"{name}"' for name in f.choices) + "]"
    default = f'"{f.default}"' if f.type == "choice" else repr(f.default)
    return f"    {name_of(f)}: {kind} = {default}"


def name_of(f: _core.ConfigField) -> str:
    """Return a parameter's name in its group."""
    return f.path.rpartition(".")[2]


if __name__ == "__main__":
    FIELDS_FILE.write_text(text(), encoding="utf-8")
