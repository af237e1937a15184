# SPDX-License-Identifier: MIT
"""Recipes, citation and workflow agree with pyproject.toml; tools for wheels do what they say."""

import json
import re
import runpy
import zipfile
from pathlib import Path

import pytest

import procmap

ROOT = Path(__file__).parents[3]
PACKAGING = ROOT / "packaging"


def tool(name):
    return runpy.run_path(str(PACKAGING / name))


@pytest.mark.parametrize(
    ("file", "pattern"),
    [
        ("CITATION.cff", r"^version: (.*)$"),
        ("packaging/conda-forge/meta.yaml", r'set version = "(.*)"'),
        ("packaging/spack/package.py", r'version\("([^"]*)"'),
        ("packaging/spack/package.py", r'pypi = "procmap/procmap-(.*)\.tar\.gz"'),
    ],
)
def test_versions_are_those_of_the_project(file, pattern):
    assert re.findall(pattern, (ROOT / file).read_text(), re.MULTILINE) == [procmap.__version__]


def test_recipes_ask_for_what_the_project_asks_for():
    project = (ROOT / "pyproject.toml").read_text()
    recipes = [
        (PACKAGING / "conda-forge" / "meta.yaml").read_text(),
        (PACKAGING / "spack" / "package.py").read_text(),
    ]
    for version in ("pybind11>=3.0", "numpy>=1.26", 'cmake.version = ">=3.25"'):
        assert version in project
    assert all(word in recipes[0] for word in ("pybind11 >=3.0", "numpy >=1.26", "cmake >=3.25"))
    assert all(word in recipes[1] for word in ("pybind11@3:", "numpy@1.26:", "cmake@3.25:"))


def test_citation_and_workflow_can_be_read():
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "wheels.yml").read_text())

    assert citation["license"] == "MIT"
    assert set(workflow["jobs"]) == {"sdist", "wheels", "publish"}


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "procmap-9.8.7-cp311-cp311-manylinux_2_28_x86_64.whl"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("procmap/_core.cpython-311-x86_64-linux-gnu.so", b"")
        file.writestr("procmap.libs/libgomp-0123abcd.so.1.0.0", b"")
    return path


def test_a_wheel_is_checked(wheel):
    problems = tool("check_wheel.py")["problems"]
    found = problems(wheel)
    assert any("py" in line and "typed" in line for line in found)
    with zipfile.ZipFile(wheel, "a") as file:
        file.writestr("tests/x.py", b"")

    assert "tests/x.py does not belong there" in problems(wheel)


def test_the_bill_of_materials_names_what_was_copied(wheel):
    bill = tool("sbom.py")["bill"](wheel)

    assert bill["metadata"]["component"]["version"] == "9.8.7"
    assert [part["name"] for part in bill["components"]] == ["pybind11", "libgomp"]
    assert json.loads(json.dumps(bill)) == bill


def test_a_library_of_unknown_licence_is_no_part_of_a_bill(wheel):
    with zipfile.ZipFile(wheel, "a") as file:
        file.writestr("procmap.libs/libother-0123abcd.so.1", b"")

    with pytest.raises(KeyError, match="libother"):
        tool("sbom.py")["bill"](wheel)
