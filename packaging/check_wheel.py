# SPDX-License-Identifier: MIT
"""Whether wheels are as they should be: python packaging/check_wheel.py WHEEL ...

Size, what is inside, licences. What systems a wheel runs on is auditwheel's to say, and in part a
test's (tests/python/library).
"""

from __future__ import annotations

import re
import sys
import zipfile
from pathlib import Path

MOST_BYTES = {"procmap": 3_000_000, "procmap_cuda13": 60_000_000}  # PyPI takes 100 million
NEEDED = (
    r"procmap/_core\.[^/]+\.so",
    r"procmap/py\.typed",
    r"procmap/include/procmap/procmap\.hp?p?",
    r"procmap/include/procmap/procmap\.f90",
    r"procmap/include/procmap/metis/metis\.h",
    r"procmap/lib/libprocmap\.so\.[0-9.]+",
    r"procmap/lib/libprocmap_metis\.so\.5",
    r"procmap/lib/libprocmap_metis_i64r64\.so\.5",
    r"procmap/lib/cmake/procmap/procmapConfig\.cmake",
    r"procmap/lib/pkgconfig/procmap\.pc",
    r"procmap-[^/]+\.dist-info/licenses/LICENSE",
    r"procmap-[^/]+\.dist-info/licenses/packaging/licences/[^/]+",
)
FORBIDDEN = (r"tests/", r"benchmarks/", r".*\.(cpp|cu|o|a)$", r".*/__pycache__/")


def problems(path: Path) -> list[str]:
    """Return what is wrong with a wheel."""
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
    package = path.name.split("-")[0]
    if package != "procmap":  # packaging/plugin.py
        names = [re.sub(f"^{package}(?=[-/.])", "procmap", name) for name in names]
    found = [
        f"nothing is named {pattern}"
        for pattern in NEEDED
        if not (pattern.endswith("typed") and package != "procmap")
        and not any(re.fullmatch(pattern, name) for name in names)
    ]
    found += [
        f"{name} does not belong there"
        for name in names
        if any(re.match(pattern, name) for pattern in FORBIDDEN)
    ]
    size = path.stat().st_size
    if size > MOST_BYTES[package]:
        found.append(f"{size:,} bytes are more than {MOST_BYTES[package]:,}")
    return found


def main(paths: list[str]) -> int:
    """Check and print."""
    code = 0
    for path in map(Path, paths):
        found = problems(path)
        code = code or int(bool(found))
        print(
            f"{path.name}: {path.stat().st_size:,} bytes",
            *(found or ["as it should be"]),
            sep="\n  ",
        )
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
