# SPDX-License-Identifier: MIT
"""Make the recipes name a released sdist: python packaging/set_release.py SDIST.

Before a release they build the tree that they lie in: there is nothing to download yet.
"""

import hashlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
ON_PYPI = "https://pypi.org/packages/source/p/procmap/procmap-{{ version }}.tar.gz"


def conda(text: str, version: str, digest: str) -> str:
    """Return conda-forge's recipe for a release."""
    text = re.sub(r'(?<=set version = ")[^"]+', version, text, count=1)
    source = f"source:\n  url: {ON_PYPI}\n  sha256: {digest}\n"
    return re.sub(r"^source:\n(  .*\n)+", lambda _: source, text, count=1, flags=re.MULTILINE)


def spack(text: str, version: str, digest: str) -> str:
    """Return Spack's recipe for a release, before which older ones stay."""
    text = re.sub(r"(?<=procmap/procmap-)[0-9.]+(?=\.tar)", version, text, count=1)
    line = f'    version("{version}", sha256="{digest}")  # noqa: F405\n'
    # What stands there without a sum, or with another one.
    old = rf'^    version\("({re.escape(version)}"|[^"]+"\)).*\n'
    text = re.sub(old, "", text, flags=re.MULTILINE)
    return re.sub(r'(?<=checked_by="procmap"\)\n)', line, text, count=1)


def main() -> int:
    """Write both."""
    sdist = Path(sys.argv[1])
    found = re.fullmatch(r"procmap-([0-9.]+)\.tar\.gz", sdist.name)
    if found is None:
        print(f"{sdist.name} is no procmap-VERSION.tar.gz", file=sys.stderr)
        return 2
    digest = hashlib.sha256(sdist.read_bytes()).hexdigest()
    for name, written in (("conda-forge/meta.yaml", conda), ("spack/package.py", spack)):
        path = HERE / name
        path.write_text(written(path.read_text(), found[1], digest))
    return 0


if __name__ == "__main__":
    sys.exit(main())
