# SPDX-License-Identifier: MIT
"""What an installed procmap-cuda13 does: python packaging/check_plugin.py WITH WITHOUT.

WITH is the Python of an environment that has procmap and the plugin, WITHOUT of one that has
procmap alone. The plugin says at the end that it is of another version: uninstall it then.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

RUNS = 9
USE = """
import ctypes, pathlib, procmap
folder = pathlib.Path(procmap._core.__file__).parent
library = pathlib.Path(procmap.get_library_dir())
assert folder.name == "procmap_cuda13" and library == folder / "lib", (folder, library)
ctypes.CDLL(str(next(library.glob("libprocmap.so.*"))))
ring = procmap.Graph.from_edges([[i, (i + 1) % 64] for i in range(64)])
machine = procmap.Topology.hierarchy("4:4", "1:10")
mapping = procmap.map(ring, machine, device="cpu")
try:
    assert (procmap.map(ring, machine, device="cuda").blocks == mapping.blocks).all()
    print("on the GPU as on the CPU")
except procmap.DeviceError as error:
    assert "no CUDA backend" not in str(error), error
    print("without a GPU:", error)
"""


def run(python: str, code: str) -> subprocess.CompletedProcess[str]:
    """Run Python code far from any source."""
    return subprocess.run(
        [python, "-c", code], cwd="/", check=False, capture_output=True, text=True
    )


def seconds(python: str, code: str) -> float:
    """Return the processor seconds of a process."""
    child = subprocess.Popen([python, "-c", code], cwd="/")
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{python} cannot run {code}")
    return used.ru_utime + used.ru_stime


def print_import_times(with_plugin: str, without: str) -> None:
    """Print what `import procmap` takes, the least of some runs in turn, and NumPy's share."""
    kinds = {
        "NumPy": (without, "import numpy"),
        "procmap": (without, "import procmap"),
        "with the plugin": (with_plugin, "import procmap"),
    }
    times = [{name: seconds(*kind) for name, kind in kinds.items()} for _ in range(RUNS)]
    least = {name: 1000 * min(row[name] for row in times) for name in kinds}
    print("import, ms of a processor:", *(f"{name} {ms:.0f}" for name, ms in least.items()))


def pretend_another_version(python: str) -> None:
    """Change what the plugin's metadata say."""
    found = run(python, "import procmap_cuda13; print(procmap_cuda13.__file__)")
    packages = Path(found.stdout.strip()).parents[1]
    (metadata,) = packages.glob("procmap_cuda13-*.dist-info/METADATA")
    text = metadata.read_text()
    metadata.write_text(re.sub("^Version: .*", "Version: 0.0.1", text, count=1, flags=re.MULTILINE))


def main(arguments: list[str]) -> int:
    """Check and print."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with_plugin, without = arguments
    used = run(with_plugin, USE)
    print(used.stdout, used.stderr, sep="", end="")
    if used.returncode:
        return 1
    print_import_times(with_plugin, without)
    pretend_another_version(with_plugin)
    refused = run(with_plugin, "import procmap")
    message = refused.stderr.strip().splitlines()[-1]
    print(message)
    return 0 if "procmap-cuda13 0.0.1 does not fit procmap" in message else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
