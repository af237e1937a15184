# SPDX-License-Identifier: MIT
"""Fresh processes: procmap in `child.py`, or any other command."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

CHILD = Path(__file__).with_name("child.py")


class RunError(Exception):
    """A measured command failed, ran out of time or printed something unexpected."""


def run(
    command: Sequence[str], timeout: float | None, env: dict[str, str] | None = None
) -> tuple[str, float]:
    """Run a command to its end; return its standard output and its wall time in seconds."""
    begin = time.perf_counter()
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            env={**os.environ, **(env or {})},
        )
    except subprocess.TimeoutExpired as error:
        raise RunError(f"no result after {timeout} s") from error
    except OSError as error:
        raise RunError(str(error)) from error
    seconds = time.perf_counter() - begin
    if done.returncode != 0:
        raise RunError(f"exit status {done.returncode}: {last_words(done.stderr)}")
    return done.stdout, seconds


def last_words(errors: str) -> str:
    """Return the last line of a program; mpiexec frames what it adds in lines of dashes."""
    own = errors.split("\n-----", maxsplit=1)[0].strip()
    return (own or errors.strip() or "no message").splitlines()[-1]


def run_child(
    action: str,
    graph: Path,
    options: dict[str, object],
    timeout: float | None = None,
    one_thread: bool = False,
    script: Path = CHILD,
) -> dict[str, Any]:
    """Run a script on a graph and return what it reports; None-valued options are left out."""
    command = [sys.executable, str(script), action, str(graph)]
    for name, value in options.items():
        if value is not None:
            command += [f"--{name}", str(value)]
    output, _ = run(command, timeout, {"OMP_NUM_THREADS": "1"} if one_thread else None)
    return report_in(output)


def report_in(output: str) -> dict[str, Any]:
    """Return the last line of JSON: those who start a program may print, too."""
    lines = [line for line in output.splitlines() if line.startswith("{")]
    try:
        report: dict[str, Any] = json.loads(lines[-1])
    except (IndexError, json.JSONDecodeError) as error:
        raise RunError(f"unexpected output {output[-200:]!r}") from error
    return report


def run_peer(
    template: str, graph: Path, pattern: str | None, timeout: float | None = None
) -> float:
    """Run a peer's command on a graph; return its seconds.

    `{graph}` in the template stands for the path and `{name}` for the instance. The seconds are the
    wall time of the process or, with `pattern`, the number in the first group of that regular
    expression, searched in the standard output.
    """
    command = [part.format(graph=graph, name=graph.stem) for part in shlex.split(template)]
    output, wall = run(command, timeout)
    if pattern is None:
        return wall
    found = re.search(pattern, output, re.MULTILINE)
    if found is None:
        raise RunError(f"{pattern!r} not found in {output[-200:]!r}")
    return float(found.group(1))
