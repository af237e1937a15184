# SPDX-License-Identifier: MIT
"""Every guide is followed from nothing: its commands alone, in an empty folder."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
GUIDES = [ROOT / "docs" / "site" / "guides" / f"{name}.md" for name in
          ("mpi", "meshes", "gnn", "networks", "placement", "research")]  # fmt: skip
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SHOWN = re.compile(r"^```text\n(.*?)^```", re.DOTALL | re.MULTILINE)
RUN = "import subprocess; subprocess.run(['bash', '-euc', {!r}], check=True)\n"


def program_of(text):
    """The Python blocks of a page as one program, which hands the shell's blocks to bash."""
    return "\n".join(
        block if language == "python" else RUN.format(block)
        for language, block in BLOCK.findall(text)
    )


def packages_of(program):
    """What a program imports besides Python's own modules."""
    names = set()
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module.split(".")[0])
    return names - sys.stdlib_module_names


@pytest.fixture
def commands(tmp_path):
    """A folder with the command procmap, as installing the package makes it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "procmap"
    command.write_text(
        f"#!{sys.executable}\nfrom procmap.cli import main\nraise SystemExit(main())\n"
    )
    command.chmod(0o755)
    return folder


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_is_followed_from_nothing(guide, commands, tmp_path):
    program = program_of(guide.read_text())
    missing = packages_of(program) - {"procmap", "numpy"}
    for package in missing:
        pytest.importorskip(package)
    empty = tmp_path / "empty"
    empty.mkdir()
    (tmp_path / "guide.py").write_text(program)

    done = subprocess.run(
        [sys.executable, "-W", "error", str(tmp_path / "guide.py")],
        cwd=empty,
        env={
            "PATH": f"{commands}:{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "HOME": str(empty),
            "LC_ALL": "C.UTF-8",
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert done.returncode == 0, done.stderr
    assert "procmap" in program
    assert done.stdout, "a guide shows something"
    for shown in SHOWN.findall(guide.read_text()):
        assert shown in done.stdout, f"the page shows what was not printed:\n{shown}"


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_says_what_it_needs(guide):
    text = guide.read_text()

    for package in packages_of(program_of(text)) - {"procmap", "numpy"}:
        assert re.search(rf"pip install [^`]*{package}", text), package
