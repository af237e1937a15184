# SPDX-License-Identifier: MIT
"""Print requirements that pyproject.toml lists, one per line: ``requirements.py project test``.

``build`` is what the build needs, ``project`` what procmap needs, every other name is an extra. pip
itself installs extras only together with a build of procmap.
"""

import sys
from pathlib import Path

try:
    import tomllib
except ImportError:  # Python 3.10
    from pip._vendor import tomli as tomllib

described = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
lists = described["project"]["optional-dependencies"]
lists |= {
    "build": described["build-system"]["requires"],
    "project": described["project"]["dependencies"],
}
for name in sys.argv[1:]:
    print(*lists[name], sep="\n")
