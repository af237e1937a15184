# SPDX-License-Identifier: MIT
"""The software bill of materials of a wheel: python packaging/sbom.py WHEEL > sbom.json.

CycloneDX 1.5. What is inside a wheel: procmap, pybind11's headers compiled into the module, and,
after auditwheel, the libraries it copied into procmap.libs, if any.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import zipfile
from pathlib import Path

GCC_LICENCE = "GPL-3.0-or-later WITH GCC-exception-3.1"
KNOWN = {"libgomp": GCC_LICENCE, "libstdc++": GCC_LICENCE, "libgcc_s": GCC_LICENCE}


def component(name: str, licence: str, **more: object) -> dict[str, object]:
    """Return an entry of the list."""
    return {"type": "library", "name": name, "licenses": [{"expression": licence}], **more}


def grafted(wheel: zipfile.ZipFile) -> list[dict[str, object]]:
    """Return the libraries that auditwheel copied; one without a known licence is an error."""
    found = []
    for file in wheel.namelist():
        match = re.fullmatch(r"procmap(?:_cuda13)?\.libs/([^/]+?)(-[0-9a-f]{8})?\.so[^/]*", file)
        if match is None:
            continue
        digest = hashlib.sha256(wheel.read(file)).hexdigest()
        hashes = [{"alg": "SHA-256", "content": digest}]
        found.append(component(match[1], KNOWN[match[1]], hashes=hashes))
    return found


def bill(path: Path) -> dict[str, object]:
    """Return the bill of a wheel."""
    file_name, version = path.name.split("-")[:2]
    name = file_name.replace("_", "-")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    with zipfile.ZipFile(path) as wheel:
        components = [component("pybind11", "BSD-3-Clause", scope="required"), *grafted(wheel)]
    if name != "procmap":  # packaging/plugin.py
        components.append(component("CUDA Runtime", "LicenseRef-NVIDIA-CUDA-Toolkit"))
    itself = component(
        name, "MIT", version=version, purl=f"pkg:pypi/{name}@{version}",
        hashes=[{"alg": "SHA-256", "content": digest}],
    )  # fmt: skip
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": itself},
        "components": components,
    }


if __name__ == "__main__":
    json.dump(bill(Path(sys.argv[1])), sys.stdout, indent=2)
    print()
