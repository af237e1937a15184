# SPDX-License-Identifier: MIT
"""One program in a process of its own: a line of JSON in, an answer per line out.

Run as `python -m evaluation.worker ADAPTER [BYTES]`. Whatever the program itself prints goes to
standard error. A line with "graph" and "setting" has the graph read and built, one with "task" is
a call on the graph that was read last.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from harness.child import memory

from evaluation.problem import Problem, Task


def main(adapter_name: str, memory_limit: str = "") -> None:
    """Answer requests until standard input ends; `memory_limit` is in bytes."""
    if memory_limit:
        resource.setrlimit(resource.RLIMIT_AS, (int(memory_limit), int(memory_limit)))
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    adapter = importlib.import_module(f"evaluation.adapters.{adapter_name}")
    prepared = None
    for line in sys.stdin:
        request = json.loads(line)
        if "graph" in request:
            prepared = None  # frees the graph before
            prepared = adapter.prepare(Problem(Path(request["graph"])), request["setting"])
            print(json.dumps({"version": version_of(adapter)}), file=answers)
        else:
            print(json.dumps(answer(adapter, prepared, request)), file=answers)


def version_of(adapter: Any) -> str:
    """Return the version of the package, nothing for a command."""
    name = getattr(adapter, "DISTRIBUTION", None)
    return "" if name is None else f"{name} {importlib.metadata.version(name)}"


def answer(adapter: Any, prepared: Any, request: dict[str, Any]) -> dict[str, object]:
    """Solve one task and save its blocks; what the program raises becomes the answer's error."""
    task = Task(**request["task"])
    try:
        if hasattr(adapter, "warm_up"):
            adapter.warm_up(prepared, task)
        begin, cpu_begin = time.perf_counter(), cpu_time()
        result = adapter.solve(prepared, task)
        seconds, cpu_seconds = time.perf_counter() - begin, cpu_time() - cpu_begin
    except Exception as error:  # a program that fails is a result
        return {"error": f"{type(error).__name__}: {error}"[:300]}
    blocks, extra = result if isinstance(result, tuple) else (result, {})
    np.save(request["blocks"], np.asarray(blocks, dtype=np.int32))
    measured = {"seconds": seconds, "cpu_seconds": cpu_seconds, "peak_bytes": memory("VmHWM")}
    return {**measured, **extra}


def cpu_time() -> float:
    """Seconds of the processor in this process and in those it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    main(*sys.argv[1:])
