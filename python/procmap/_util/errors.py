# SPDX-License-Identifier: MIT
"""Exceptions of the C++ core, which all of the package raises."""

from procmap._core import ConfigError, DeviceError, FileError, GraphError, TopologyError

__all__ = ["ConfigError", "DeviceError", "FileError", "GraphError", "TopologyError"]
