# SPDX-License-Identifier: MIT
"""The files that a command writes: checked before the work, and the page of --report."""

from __future__ import annotations

import glob
import itertools
import os
from typing import TYPE_CHECKING, Any

import procmap
from procmap._util.errors import ConfigError
from procmap._util.text import check_writable

if TYPE_CHECKING:
    import argparse

_OUTPUTS = {"output": "-o", "cpu_file": "--cpu-file", "report": "--report"}
# Of --initial only numbers like those of the output are lost, which is what "improve" may mean.
_INPUTS = {
    "graph": "GRAPH", "traffic": "TRAFFIC", "mapping": "MAPPING", "topology": "--topology",
    "config": "--config", "capacities": "--capacities", "fixed": "--fixed",
    "vertex_sizes": "--vertex-sizes",
}  # fmt: skip


def check_outputs(args: argparse.Namespace) -> None:
    """Refuse files that cannot be written, before the work whose result would be lost."""
    for preset in _report_presets(args):
        if args.report is None:
            raise ConfigError("--report-presets is for --report")
        procmap.Config.preset(preset)
    outputs = _files(args, _OUTPUTS)
    for _, path in outputs:
        check_writable(path)
    inputs = [(name, file) for name, path in _files(args, _INPUTS) for file in _matching(path)]
    for (name, path), (other, taken) in (
        *itertools.product(outputs, inputs), *itertools.combinations(outputs, 2),
    ):  # fmt: skip
        if _are_one_file(path, taken):
            raise ConfigError(f"{name} would overwrite {other}: {path}")


def _files(args: argparse.Namespace, options: dict[str, str]) -> list[tuple[str, str]]:
    """Return the options that are given and their files; --traffic of some commands is a flag."""
    given = ((name, getattr(args, option, None)) for option, name in options.items())
    return [(name, path) for name, path in given if isinstance(path, str)]


def _matching(path: str) -> list[str]:
    """Return a path, and the files that it stands for if it is a pattern of --mpi."""
    return [path, *glob.glob(path)]  # noqa: PTH207 - a pattern may be absolute


def _are_one_file(path: str, other: str) -> bool:
    """Whether what is written to one path is lost in, or found in, the other."""
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113 - any text
        return False  # a terminal or a pipe may be read and written
    try:
        return os.path.samefile(path, other)  # noqa: PTH121
    except (OSError, ValueError):  # one is not there
        return os.path.realpath(path) == os.path.realpath(other)


def write_report(args: argparse.Namespace, mapping: procmap.Mapping) -> None:
    """Write the page of --report, if there is to be one."""
    if args.report is not None:
        mapping.write(args.report, "html", presets=_report_presets(args))


def _report_presets(args: argparse.Namespace) -> list[Any]:
    return [name for name in getattr(args, "report_presets", "").split(",") if name]
