# SPDX-License-Identifier: MIT
"""What this installation is and can do."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from procmap import _core

_OPTIONAL = ("numpy", "scipy", "networkx", "igraph", "matplotlib", "rich", "yaml")
_DISTRIBUTIONS = {"yaml": "PyYAML"}


def info() -> dict[str, Any]:
    """Return version, compiler, devices, threads, and versions of packages it can work with.

    Returns
    -------
    dict
        ``version``, ``compiler``, ``python`` and ``platform`` as strings; ``devices``, the names
        that ``device=`` takes here, and ``no_gpu``, why there is only "cpu" (or None);
        ``threads``, how many are used if not told otherwise; ``packages``, name to version or
        None.
    """
    library = _core.library_info()
    return {
        "version": library["version"],
        "compiler": library["compiler"],
        "python": platform.python_version(),
        "platform": platform.platform(),
        "devices": library["devices"],
        "no_gpu": library["no_gpu"] or None,
        "threads": len(os.sched_getaffinity(0)),
        "packages": {name: _version(name) for name in _OPTIONAL},
    }


def _version(name: str) -> str | None:
    try:
        return version(_DISTRIBUTIONS.get(name, name))
    except PackageNotFoundError:
        return None
