# SPDX-License-Identifier: MIT
"""The documentation: its Python blocks and procmap commands run, its links lead to tests."""

import re
import runpy
import shlex
from pathlib import Path

import pytest

import procmap
from procmap.cli import main

pytest.importorskip("scipy")

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SHOWN = re.compile(r"^```text\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = [path for path in sorted(DOCS.rglob("*.md")) if BLOCK.search(path.read_text())]
FOLLOWED = ("mpi", "meshes", "gnn", "networks", "placement", "research")  # by test_guides.py


def name_of(page):
    return str(page.relative_to(DOCS))


def run_commands(block):
    """Run the lines that call procmap; others install things or start MPI."""
    for line in block.splitlines():
        program, *arguments = shlex.split(line, comments=True) or [""]
        if program == "procmap":
            assert main(arguments) == 0, line


@pytest.mark.parametrize("page", [p for p in PAGES if p.stem not in FOLLOWED], ids=name_of)
def test_blocks_of_a_page_run_one_after_the_other(page, tmp_path, monkeypatch, caplog, capsys):
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
    printed = capsys.readouterr().out
    for shown in SHOWN.findall(text):
        assert shown in printed, f"the page shows what was not printed:\n{shown}"


def test_pictures_of_the_guides_are_what_is_drawn_of_their_commands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    drawing = runpy.run_path(str(DOCS / "draw_pictures.py"))

    for name, guide in (("parts", "meshes"), ("ranks", "mpi")):
        picture = DOCS / "site" / "guides" / f"{name}.svg"
        text = "\n".join(drawing[name]()) + "\n"
        assert text == picture.read_text(), "python docs/draw_pictures.py"
        assert f"({picture.name})" in (picture.parent / f"{guide}.md").read_text()


def test_linked_tests_exist_and_every_yes_has_one():
    text = (DOCS / "site" / "peers.md").read_text()
    links = re.findall(r"\]\(\.\./\.\./(tests/[^)]+)\)", text)
    ours = [row.split("|")[2].strip() for row in text.splitlines() if row.startswith("| ")]

    assert all((DOCS.parent / link).is_file() for link in links), links
    assert len(links) > 30
    assert "yes" not in ours


def test_reference_of_the_command_line_is_that_of_its_parsers():
    script = DOCS / "write_commands.py"

    assert runpy.run_path(str(script))["text"]() == (DOCS / "site" / "commands.md").read_text()


def anchor_of(heading):
    """The anchor that a heading gets on the web."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def test_links_of_the_texts_for_developers_lead_somewhere():
    texts = [*DOCS.glob("*.md"), *(DOCS / "design").glob("*.md")]
    texts += [ROOT / "README.md", ROOT / "tests" / "README.md", *ROOT.glob("benchmarks/**/*.md")]
    for text in texts:
        for link in re.findall(r"\]\(([^)\s]+)\)", text.read_text()):
            path, _, anchor = link.partition("#")
            if "://" in path:
                continue
            target = (text.parent / path).resolve() if path else text
            assert target.exists(), f"{text.name}: {link}"
            headings = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE) if anchor else []
            assert not anchor or anchor in map(anchor_of, headings), f"{text.name}: {link}"


def test_files_named_in_the_texts_for_developers_exist():
    folders = ("cpp", "cuda", "python", "tests", "benchmarks", "docs")
    files = [str(path) for folder in folders for path in (ROOT / folder).rglob("*.*")]
    for text in [DOCS / "contributing.md", *(DOCS / "design").glob("*.md")]:
        for name in re.findall(r"`([\w./]+\.(?:hpp|cpp|cu|cuh|def|py|md))`", text.read_text()):
            exists = (ROOT / name).exists() or any(f.endswith(f"/{name}") for f in files)
            assert exists or "NAME" in name, f"{text.name}: {name}"


def test_the_walk_through_the_code_names_functions_of_its_files():
    text = (DOCS / "design" / "index.md").read_text()
    steps = re.findall(r"^\| (\d+) \| `(\w+)` \| \[.*?\]\((.*?)\)", text, re.MULTILINE)

    assert [int(number) for number, *_ in steps] == list(range(1, 21))
    for _, function, file in steps:
        code = (DOCS / "design" / file).read_text()
        assert re.search(rf"[ :]{function}\(", code), f"{function} is not in {file}"


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

    packages = {"compat", "distributed", "launchers", "mpi", "placement"}
    assert described == packages | set(procmap.__all__) - {"__version__"}


def values_of(constant: str, file: str) -> list[str]:
    """What a constant of this name is set to in the sources, as they write it, but for types."""
    code = re.sub(r"//.*", "", (DOCS.parent / "cpp" / "src" / file).read_text())
    code = re.sub(r"[\w:]+\{(\d+)\}", r"\1", code)
    return re.findall(rf"\b{constant}(?:\[\])?\s*(?:=|\{{)\s*([^;,}}]+)", code)


def as_in_sources(value: str) -> str:
    return re.sub(r"^2\^(\d+)$", r"1 << \1", value.strip())


def test_constants_are_what_the_list_says():
    text = (DOCS / "design" / "constants.md").read_text()
    rows = [row.split("|")[1:-1] for row in text.splitlines() if row.startswith("| `")]

    assert len(rows) > 60
    for names, *cells in rows:
        (file,) = re.findall(r"`([\w/.]+)`", next(cell for cell in cells if "`" in cell))
        constants = re.findall(r"`([a-z]\w+)`", names)
        values = cells[0].split(",") if len(cells) == 4 else []
        for i, constant in enumerate(constants):
            found = values_of(constant, file)
            assert found, (file, constant)
            if len(values) == len(constants) and re.fullmatch(r"[\d.^ ]+", values[i]):
                assert as_in_sources(values[i]) in [value.strip() for value in found], constant
