# SPDX-License-Identifier: MIT
"""Whether a release can be made of this tree: python packaging/check_release.py vVERSION.

What only its makers can say (addresses, maintainers, the date) is missing until they say it. With
--tools instead of a version: what the tools of the extra `package` say of the workflow and of the
wheels that cibuildwheel would build.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("cp310", "cp311", "cp312", "cp313", "cp314")
WORKFLOW = ("check-jsonschema", "--builtin-schema", "vendor.github-workflows")


def said(text: str, pattern: str) -> str | None:
    """Return the first group of a pattern in a text, if it is there."""
    found = re.search(pattern, text, re.MULTILINE)
    return found[1] if found else None


def problems(tag: str, root: Path = ROOT) -> list[str]:
    """Return what is missing for a release under this tag."""
    project = (root / "pyproject.toml").read_text()
    citation = (root / "CITATION.cff").read_text()
    conda = (root / "packaging" / "conda-forge" / "meta.yaml").read_text()
    changes = (root / "CHANGELOG.md").read_text()
    version = said(project, r'^version = "(.*)"')
    date = said(changes, rf"^## \[{re.escape(str(version))}\] - (.*)$")
    missing = {
        f"the tag is {tag}, pyproject.toml has version {version}": tag == f"v{version}",
        "pyproject.toml has no [project.urls]": "[project.urls]" in project,
        "CITATION.cff has no repository-code": said(citation, "^(repository-code):"),
        "the recipe for conda-forge names no maintainer": "recipe-maintainers: []" not in conda,
        f"CHANGELOG.md has no date of {version}, but {date}": re.fullmatch(
            r"\d{4}-\d{2}-\d{2}", date or ""
        ),
    }
    return [problem for problem, kept in missing.items() if not kept]


def identifiers(arch: str) -> list[str]:
    """Return the wheels that cibuildwheel would build."""
    command = ["cibuildwheel", "--platform", "linux", "--archs", arch, "--print-build-identifiers"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.split()


def main(arguments: list[str]) -> int:
    """Check and print."""
    if arguments == ["--tools"]:
        files = (ROOT / ".github" / "workflows").glob("*.yml")
        subprocess.run([*WORKFLOW, *files], cwd=ROOT, check=True)
        for arch in ("x86_64", "aarch64"):
            wheels = identifiers(arch)
            if wheels != [f"{python}-manylinux_{arch}" for python in PYTHONS]:
                print(f"cibuildwheel would build {wheels}", file=sys.stderr)
                return 1
            print(f"cibuildwheel: {' '.join(wheels)}")
        return 0
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    found = problems(arguments[0])
    print(*(found or [f"{arguments[0]} can be released"]), sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
