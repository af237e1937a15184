# SPDX-License-Identifier: MIT
"""Write version and SHA-256 of an sdist into the recipes: python packaging/set_release.py SDIST."""

import hashlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    """Replace both in both."""
    sdist = Path(sys.argv[1])
    found = re.fullmatch(r"procmap-([0-9.]+)\.tar\.gz", sdist.name)
    if found is None:
        print(f"{sdist.name} is no procmap-VERSION.tar.gz", file=sys.stderr)
        return 2
    digest = hashlib.sha256(sdist.read_bytes()).hexdigest()
    for recipe, version in (
        ("conda-forge/meta.yaml", r'(?<=set version = ")[0-9.]+'),
        ("spack/package.py", r'(?<=version\(")[0-9.]+'),
    ):
        path = HERE / recipe
        text = re.sub(version, found[1], path.read_text(), count=1)
        path.write_text(re.sub(r"[0-9a-f]{64}", digest, text, count=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
