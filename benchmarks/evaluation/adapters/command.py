# SPDX-License-Identifier: MIT
"""Any command: it reads a METIS file and writes one block per line.

`{graph}`, `{k}` and `{out}` stand for the file, the number of PEs and the file to write;
`{hierarchy}`, `{distance}`, `{imbalance}`, `{seed}` and `{threads}` for what they say. Its time is
that of the process, reading included.
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from harness.process import last_words

from evaluation.problem import Problem, Task


def words(template: str, graph: Path, out: Path, task: Task) -> list[str]:
    """Return the command of a task, word by word; raises KeyError for an unknown name."""
    known = {"graph": graph, "out": out, "k": task.machine.num_blocks, **task.as_dict()}
    return [word.format(**known) for word in shlex.split(template)]


def prepare(problem: Problem, setting: str) -> tuple[Problem, str]:
    """Nothing: `setting` is the command."""
    return problem, setting


def solve(prepared: tuple[Problem, str], task: Task) -> np.ndarray:
    """Run the command; raises RuntimeError if it fails."""
    problem, template = prepared
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "blocks"
        command = words(template, problem.path, out, task)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"exit status {done.returncode}: {last_words(done.stderr)}")
        if not out.exists():
            raise RuntimeError(f"the command wrote no {{out}}: {shlex.join(command)}")
        return np.loadtxt(out, dtype=np.int32, ndmin=1)
