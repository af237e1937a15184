# SPDX-License-Identifier: MIT
"""The extension module of another distribution, with the CUDA backend inside, if it is installed.

The wheel of ``procmap`` is for the CPU. ``procmap-cuda13`` has the same extension module and the
same library, built from the same sources with CUDA (packaging/plugin.py); where it is installed,
its module is ``procmap._core``.
"""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

__all__ = ["FOLDER", "load"]

_PACKAGE, _DISTRIBUTION = "procmap_cuda13", "procmap-cuda13"
_MODULE = "procmap._core"


def load() -> Path | None:
    """Make the plugin's module ``procmap._core``, which must not be imported yet.

    Returns
    -------
    pathlib.Path or None
        Folder of the plugin; None if there is none.

    Raises
    ------
    ImportError
        If the plugin is of another version, for another Python, or cannot be loaded.
    """
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        return None
    _check_version()
    folder = Path(found.origin).parent
    _import_as_core(_module_spec(folder))
    return folder


def _check_version() -> None:
    own = version("procmap")
    try:
        other = version(_DISTRIBUTION)
    except PackageNotFoundError:
        other = "of an unknown version"
    if other != own:
        raise ImportError(
            f"{_DISTRIBUTION} {other} does not fit procmap {own}: "
            f"pip install {_DISTRIBUTION}=={own}, or pip uninstall {_DISTRIBUTION}"
        )


def _module_spec(folder: Path) -> ModuleSpec:
    for suffix in EXTENSION_SUFFIXES:
        path = folder / f"_core{suffix}"
        spec = spec_from_file_location(_MODULE, path) if path.exists() else None
        if spec is not None:
            return spec
    raise ImportError(
        f"{_DISTRIBUTION} has no module for Python {sys.version_info.major}."
        f"{sys.version_info.minor} in {folder}"
    )


def _import_as_core(spec: ModuleSpec) -> None:
    module = module_from_spec(spec)
    if spec.loader is None:
        raise ImportError(f"{spec.origin} cannot be loaded")
    spec.loader.exec_module(module)
    sys.modules[_MODULE] = module
    sys.modules["procmap"]._core = module  # type: ignore[attr-defined]


FOLDER = load()
