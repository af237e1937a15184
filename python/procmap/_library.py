# SPDX-License-Identifier: MIT
"""Where the C++ library is that this package brings along, for programs in other languages."""

from __future__ import annotations

from pathlib import Path

from procmap import _plugin

__all__ = ["get_cmake_dir", "get_include", "get_library_dir"]

_PACKAGE = _plugin.FOLDER or Path(__file__).parent


def get_include() -> str:
    """Return the folder of the headers: ``procmap/procmap.h``, ``procmap/procmap.hpp``, ...

    Returns
    -------
    str
        For a compiler's ``-I``.

    Raises
    ------
    FileNotFoundError
        If procmap was built without its library (``PROCMAP_LIBRARY=OFF``).
    """
    return _existing("include")


def get_library_dir() -> str:
    """Return the folder of ``libprocmap.so`` and of ``libprocmap_metis.so``, METIS's functions.

    Returns
    -------
    str
        For the loader: ``LD_PRELOAD=FOLDER/libprocmap_metis.so.5`` puts procmap in METIS's place.

    Raises
    ------
    FileNotFoundError
        If procmap was built without its library (``PROCMAP_LIBRARY=OFF``).
    """
    return _existing("lib")


def get_cmake_dir() -> str:
    """Return the folder of ``procmapConfig.cmake``.

    Returns
    -------
    str
        For CMake: ``cmake -Dprocmap_DIR=FOLDER``, then ``find_package(procmap)``.

    Raises
    ------
    FileNotFoundError
        If procmap was built without its library (``PROCMAP_LIBRARY=OFF``).
    """
    return _existing("lib/cmake/procmap")


def _existing(name: str) -> str:
    folder = _PACKAGE / name
    if not folder.is_dir():
        raise FileNotFoundError(
            f"this procmap was built without its C++ library: there is no {folder}"
        )
    return str(folder)
