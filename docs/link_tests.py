# SPDX-License-Identifier: MIT
"""Hook of MkDocs: pages may link the project's tests as ``../../tests/...``, as on the disk.

The site gets a copy of every test that is linked. A link to a test that is not there ends a strict
build as every other dead link does.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"\]\(\.\./\.\./(tests/[^)#]+)\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the linked tests to the files of the site."""
    pages = [file.content_string for file in files.documentation_pages()]
    linked = {path for page in pages for path in LINK.findall(page)}
    for path in sorted(linked):
        if (ROOT / path).is_file():
            files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Point the links to the copies; pages with such links are those at the top."""
    return LINK.sub(r"](\1)", markdown)
