# SPDX-License-Identifier: MIT
"""Make the sdist of procmap-cuda13 out of procmap's: python packaging/plugin.py SDIST FOLDER.

The plugin has the same sources and the same version; only pyproject.toml differs. Its wheel brings
the extension module and the library, both with the CUDA backend, and asks for that procmap.
"""

from __future__ import annotations

import io
import re
import sys
import tarfile
from pathlib import Path, PurePosixPath

NAME, PACKAGE = "procmap-cuda13", "procmap_cuda13"
LICENCE = "MIT AND LicenseRef-NVIDIA-CUDA-Toolkit"
NOTICE = "packaging/cuda13/cuda-runtime.txt"


def replaced(text: str, pattern: str, new: str) -> str:
    """Return the text with its one match replaced."""
    text, count = re.subn(pattern, lambda _: new, text, flags=re.MULTILINE | re.DOTALL)
    if count != 1:
        raise ValueError(f"pyproject.toml has {count} places that match {pattern!r}")
    return text


def project(text: str, version: str) -> str:
    """Return pyproject.toml of the plugin."""
    text = replaced(text, r'^name = "procmap"$', f'name = "{NAME}"')
    text = replaced(text, r'^description = "[^"\n]*"$', 'description = "CUDA 13 for procmap"')
    text = replaced(text, r"^dependencies = \[[^]]*\]", f'dependencies = ["procmap=={version}"]')
    text = replaced(text, r'^license = "MIT"$', f'license = "{LICENCE}"')
    text = replaced(text, r"^license-files = \[", f'license-files = ["{NOTICE}", ')
    # Extras, commands and entry points are procmap's own.
    text = replaced(text, r"^\[project\.optional-dependencies\]\n.*?(?=^\[tool\.)", "")
    text = replaced(
        text, r"^wheel\.packages = .*?$", f'wheel.packages = ["packaging/cuda13/{PACKAGE}"]'
    )
    text = replaced(
        text, r"^PROCMAP_PYTHON = true$", f'PROCMAP_PYTHON = true\nPROCMAP_PACKAGE = "{PACKAGE}"'
    )
    # Not AUTO: a plugin without CUDA would be worth nothing.
    return replaced(
        text, r'^PROCMAP_CUDA = \{ env = "PROCMAP_CUDA", default = "AUTO" \}$',
        'PROCMAP_CUDA = { env = "PROCMAP_CUDA", default = "ON" }',
    )  # fmt: skip


def metadata(text: str) -> str:
    """Return PKG-INFO of the plugin: what pip looks at before it builds."""
    kept = [
        line for line in text.split("\n\n", 1)[0].splitlines()
        if not line.startswith(("Requires-Dist:", "Provides-Extra:"))
    ]  # fmt: skip
    version = next(line.split(": ", 1)[1] for line in kept if line.startswith("Version: "))
    kept = [
        f"License-Expression: {LICENCE}" if line.startswith("License-Expression: ") else line
        for line in kept
    ]
    kept = [f"Name: {NAME}" if line.startswith("Name: ") else line for line in kept]
    return "\n".join([*kept, f"Requires-Dist: procmap=={version}", ""])


def write(sdist: Path, folder: Path) -> Path:
    """Write the plugin's sdist; return its path."""
    match = re.fullmatch(r"procmap-(\d[0-9.]*)\.tar\.gz", sdist.name)
    if match is None:
        raise ValueError(f"{sdist.name} is no procmap-VERSION.tar.gz")
    version = match[1]
    target = folder / f"{PACKAGE}-{version}.tar.gz"
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(sdist) as old, tarfile.open(target, "w:gz", format=tarfile.PAX_FORMAT) as new:
        for member in old:
            path = PurePosixPath(member.name)
            file = old.extractfile(member)
            data = file.read() if file else b""
            inside = PurePosixPath(*path.parts[1:])
            if inside == PurePosixPath("pyproject.toml"):
                data = project(data.decode(), version).encode()
            elif inside == PurePosixPath("PKG-INFO"):
                data = metadata(data.decode()).encode()
            member.name = str(PurePosixPath(f"{PACKAGE}-{version}", inside))
            member.size = len(data)
            new.addfile(member, io.BytesIO(data) if file else None)
    return target


def main() -> int:
    """Write and print."""
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    print(write(Path(sys.argv[1]), Path(sys.argv[2])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
