# SPDX-License-Identifier: MIT
"""Result files: the tables of a run, with the commit, the command and the machine."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from pathlib import Path

from harness.whole_file import whole_file

ROOT = Path(__file__).resolve().parents[2]


@contextlib.contextmanager
def written_to(path: Path | None, arguments: Sequence[str]) -> Iterator[None]:
    """Also write what is printed inside to the file `path`; without a path just print."""
    if path is None:
        yield
        return
    facts = describe_run(arguments)
    printed = io.StringIO()
    with contextlib.redirect_stdout(_Both(sys.stdout, printed)):
        yield
    path.parent.mkdir(parents=True, exist_ok=True)
    title = f"# {arguments[0]}\n\n| | |\n|---|---|\n"
    rows = "".join(f"| {name} | {value} |\n" for name, value in facts.items())
    with whole_file(path) as file:
        file.write(f"{title}{rows}\n{printed.getvalue().strip()}\n")


def describe_run(arguments: Sequence[str]) -> dict[str, str]:
    """Return what somebody needs to know to repeat a run, by name."""
    import procmap

    info = procmap.info()
    return {
        "command": f"`python benchmarks/run.py {shlex.join(arguments)}`",
        "commit": commit_of(ROOT),
        "machine": machine(),
        "procmap": f"{info['version']}, {info['compiler']}, Python {info['python']}",
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
    }


def commit_of(folder: Path) -> str:
    """Return the commit that is checked out in a folder, and whether files differ from it."""
    commit = _output_of("git", "-C", str(folder), "rev-parse", "--short=12", "HEAD")
    if not commit:
        return "unknown"
    changes = _output_of("git", "-C", str(folder), "status", "--porcelain", "-uno")
    return f"{commit}, with uncommitted changes" if changes else commit


def machine() -> str:
    """Return processor, cores, memory, GPUs and system of this machine in a line."""
    gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    parts = [
        _processor(),
        f"{len(os.sched_getaffinity(0))} cores",
        f"{gigabytes:.0f} GB",
        *_output_of("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").splitlines(),
        f"{os.uname().sysname} {os.uname().release}",
        f"load {os.getloadavg()[0]:.1f} at the start",
    ]
    return ", ".join(parts)


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return os.uname().machine


def _output_of(*command: str) -> str:
    """Return what a command prints, nothing if it is not there or fails."""
    if shutil.which(command[0]) is None:
        return ""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


class _Both(io.TextIOBase):
    """Writes to two files at once."""

    def __init__(self, *files: io.TextIOBase) -> None:
        self._files = files

    def write(self, text: str) -> int:
        for file in self._files:
            file.write(text)
        return len(text)

    def flush(self) -> None:
        for file in self._files:
            file.flush()
