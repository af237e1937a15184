# SPDX-License-Identifier: MIT
"""The documentation: its Python blocks and procmap commands run, its links lead to tests."""

import re
import shlex
from pathlib import Path

import pytest

import procmap
from procmap.cli import main

pytest.importorskip("scipy")

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = [path for path in sorted(DOCS.rglob("*.md")) if BLOCK.search(path.read_text())]


def name_of(page):
    return str(page.relative_to(DOCS))


def run_commands(block):
    """Run the lines that call procmap; others install things or start MPI."""
    for line in block.splitlines():
        program, *arguments = shlex.split(line, comments=True) or [""]
        if program == "procmap":
            assert main(arguments) == 0, line


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_blocks_of_a_page_run_one_after_the_other(page, tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    caplog.set_level("INFO", "procmap")  # restores the level that a page may set
    names = {"__name__": page.stem}
    text = page.read_text()
    for match in BLOCK.finditer(text):
        language, block = match.groups()
        if language == "sh":
            run_commands(block)
        else:
            lines_before = "\n" * text.count("\n", 0, match.start(2))  # for the traceback
            exec(compile(lines_before + block, str(page), "exec"), names)


def test_linked_tests_exist_and_every_yes_has_one():
    text = (DOCS / "site" / "peers.md").read_text()
    links = re.findall(r"\]\(\.\./\.\./(tests/[^)]+)\)", text)
    ours = [row.split("|")[2].strip() for row in text.splitlines() if row.startswith("| ")]

    assert all((DOCS.parent / link).is_file() for link in links), links
    assert len(links) > 30
    assert "yes" not in ours


def test_examples_named_in_the_documentation_exist():
    named = {
        name
        for page in PAGES
        for name in re.findall(r"`((?:examples|docs|benchmarks)/[\w.]+)`", page.read_text())
    }

    assert len(named) > 5
    assert all((DOCS.parent / name).exists() for name in named), named


def test_every_public_name_is_in_the_reference():
    text = (DOCS / "site" / "python.md").read_text()

    described = set(re.findall(r"^::: procmap\.(\w+)$", text, re.MULTILINE))

    assert described == {*procmap.__all__, "compat"} - {"__version__"}
