# SPDX-License-Identifier: MIT
"""A worker process with limits on time and memory."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.process import RunError

BENCHMARKS = Path(__file__).resolve().parent.parent


START_SECONDS = 600.0  # to start Python, import the program and read the graph


class TimedOut(RunError):
    """A task took longer than it may."""


@dataclass(frozen=True)
class Limits:
    """Seconds per task, and bytes of address space of the process (None: any)."""

    seconds: float
    memory: int | None


class Worker:
    """`evaluation.worker`; `version` is that of the program, known after `prepare`."""

    def __init__(
        self,
        python: str,
        adapter: str,
        threads: int,
        limits: Limits,
        cores: Collection[int] | None = None,
    ) -> None:
        """Start it, on some cores alone if they are given."""
        self._limits = limits
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 it lives as long as the process
        command = [python, "-m", "evaluation.worker", adapter]
        command += [] if limits.memory is None else [str(limits.memory)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=BENCHMARKS,
            env={**os.environ, "OMP_NUM_THREADS": str(threads)},
            start_new_session=True,
        )
        if cores is not None:
            with contextlib.suppress(ProcessLookupError):  # it ended meanwhile, as will be seen
                os.sched_setaffinity(self._process.pid, cores)
        self._buffer = b""
        self.version = ""

    def prepare(self, setting: str, graph: Path) -> None:
        """Have a graph read and built; raises RunError, after which the worker is useless."""
        request = {"setting": setting, "graph": str(graph.resolve())}
        self.version = str(self._asked(request, START_SECONDS)["version"])

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Have one task done; raises TimedOut or RunError, after which the worker is useless."""
        return self._asked(request, self._limits.seconds)

    def kill(self) -> None:
        """End the process and all that it started; whoever waits for an answer gets a RunError."""
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # it ended meanwhile
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the process and give back what belongs to it."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
        self._errors.close()

    def _asked(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise RunError(self._last_words()) from error
        return self._answer(seconds)

    def _answer(self, seconds: float) -> dict[str, Any]:
        """Read one line before the time is over."""
        assert self._process.stdout is not None
        file = self._process.stdout.fileno()
        end = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([file], [], [], left)[0]:
                raise TimedOut(f"no result after {seconds:g} s")
            part = os.read(file, 1 << 16)
            if not part:
                raise RunError(self._last_words())
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _last_words(self) -> str:
        """Say how the process ended."""
        status = self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        return f"{how}: {lines[-1][:200] if lines else 'no message'}"
