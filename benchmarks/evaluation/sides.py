# SPDX-License-Identifier: MIT
"""The programs that can take part, by the labels they have in logs and reports."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

OWN = "procmap"
ADAPTERS = ("sharedmap", "kahip", "kaminpar", "mtkahypar", "metis", "scotch")
UNAVAILABLE = {
    "IntMap": "no package; its binary can take part with --rival",
    "TopoMatch": "no package on PyPI (looked up in November 2026)",
    "GPU-HeiPa": "no package, needs CUDA and Kokkos; its recorded figures are marked as such",
    "Jet": "no package, needs Kokkos; KaMinPar-Jet is the same method on a CPU",
}


@dataclass(frozen=True)
class Side:
    """A program with its setting; `slow` ones get fewer seeds."""

    label: str
    adapter: str
    setting: str
    slow: bool = False

    @property
    def is_own(self) -> bool:
        """Whether this is procmap."""
        return self.adapter == OWN


@lru_cache
def known() -> dict[str, Side]:
    """Return all sides that have an adapter."""
    sides = {}
    for name in (OWN, *ADAPTERS):
        adapter = importlib.import_module(f"evaluation.adapters.{name}")
        for label in adapter.SETTINGS:
            sides[label] = Side(label, name, label, label in adapter.SLOW)
    return sides


def rank(label: str) -> tuple[int, str]:
    """Return where a program stands in tables: procmap first, commands last."""
    order = list(known())
    return (order.index(label) if label in order else len(order)), label


def rivals_of(python: str) -> tuple[list[Side], dict[str, str]]:
    """Return the rivals whose packages that interpreter can import, and why others cannot run."""
    found = []
    missing = dict(UNAVAILABLE)
    for name in ADAPTERS:
        module = importlib.import_module(f"evaluation.adapters.{name}").MODULE
        sides = [side for side in known().values() if side.adapter == name]
        if can_import(python, module):
            found += sides
        else:
            distribution = importlib.import_module(f"evaluation.adapters.{name}").DISTRIBUTION
            missing |= {side.label: f"{distribution} is not installed" for side in sides}
    return found, missing


def can_import(python: str, module: str) -> bool:
    """Whether an interpreter finds a module."""
    code = f"import importlib.util as u, sys; sys.exit(u.find_spec({module!r}) is None)"
    if python == sys.executable:
        return importlib.util.find_spec(module) is not None
    return subprocess.run([python, "-c", code], check=False, capture_output=True).returncode == 0


def parse_command(text: str) -> Side:
    """Return the side of `NAME=CMD`; raises ValueError without a name, {graph} or {out}."""
    name, equals, command = text.partition("=")
    if not equals or not name.strip():
        raise ValueError(f"--rival {text!r}: expected 'NAME=CMD {{graph}} {{k}} {{out}}'")
    for needed in ("{graph}", "{out}"):
        if needed not in command:
            raise ValueError(f"--rival {text!r}: the command does not name {needed}")
    if name.strip() in known():
        raise ValueError(f"--rival {text!r}: {name.strip()!r} is the name of another program")
    return Side(name.strip(), "command", command.strip())


def choose(names: Iterable[str] | None, installed: list[Side]) -> list[Side]:
    """Return the installed sides of these names, all without; raises ValueError for others."""
    if names is None:
        return installed
    by_label = {side.label: side for side in installed}
    unknown = [name for name in names if name not in by_label]
    if unknown:
        raise ValueError(f"unknown or not installed: {', '.join(unknown)}; there are "
                         f"{', '.join(by_label) or 'none'}")  # fmt: skip
    return [by_label[name] for name in names]
