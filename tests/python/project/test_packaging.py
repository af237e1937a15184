# SPDX-License-Identifier: MIT
"""Recipes, citation and workflow agree with pyproject.toml; tools for wheels do what they say."""

import contextlib
import json
import re
import runpy
import sys
import types
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


def test_recipes_build_this_tree_until_a_release_is_named():
    """Then an sdist by its sum; twice comes to the same, and the next version stays beside it."""
    module = tool("set_release.py")
    conda = (PACKAGING / "conda-forge" / "meta.yaml").read_text()
    spack = (PACKAGING / "spack" / "package.py").read_text()

    assert "path: ../.." in conda
    assert "sha256" not in conda + spack
    for version, digest in (("0.1.0", "a" * 64), ("0.1.0", "b" * 64), ("0.2.0", "c" * 64)):
        conda = module["conda"](conda, version, digest)
        spack = module["spack"](spack, version, digest)
    assert 'version = "0.2.0"' in conda
    assert re.findall("sha256: (.*)", conda) == ["c" * 64]
    assert re.findall(r'^    version\("(.*?)", sha256="(.)', spack, re.MULTILINE) == [
        ("0.2.0", "c"),
        ("0.1.0", "b"),
    ]
    assert "path:" not in conda
    assert "procmap-0.2.0.tar.gz" in spack


class SpackRecipe:
    """Enough of Spack to read a recipe: what its directives were told."""

    def __init__(self):
        self.told = []
        bases = ("CMakePackage", "PythonExtension")
        self.names = {name: type(name, (), {}) for name in bases}
        for name in ("conflicts", "depends_on", "extends", "license", "variant", "version"):
            self.names[name] = self.directive(name)
        self.names["when"] = lambda _: contextlib.nullcontext()

    def directive(self, name):
        return lambda *args, **_: self.told.append((name, args[0]))


def test_spack_reads_the_recipe_and_names_options_that_there_are(monkeypatch):
    spack = SpackRecipe()
    module = types.ModuleType("spack.package")
    module.__dict__.update(spack.names)
    monkeypatch.setitem(sys.modules, "spack", types.ModuleType("spack"))
    monkeypatch.setitem(sys.modules, "spack.package", module)
    path = PACKAGING / "spack" / "package.py"
    recipe = runpy.run_path(str(path))["Procmap"]

    variants = {what for name, what in spack.told if name == "variant"}
    used = set(re.findall(r'define_from_variant\("\w+", "(\w+)"', path.read_text()))
    used |= set(re.findall(r'satisfies\("\+(\w+)"', path.read_text()))
    options = re.findall(r'define(?:_from_variant)?\("(\w+)"', path.read_text())
    cmake = (ROOT / "CMakeLists.txt").read_text()

    assert recipe.__doc__
    assert used == variants == {"cuda", "python"}
    assert options
    for option in options:
        assert re.search(rf"(option|set)\(\s*{option}\b", cmake), option


def test_conda_reads_the_recipe():
    yaml = pytest.importorskip("yaml")
    text = (PACKAGING / "conda-forge" / "meta.yaml").read_text()
    # As conda does: first Jinja, of which there is little.
    text = re.sub(r"\{%.*?%\}", "", text).replace("{{ version }}", procmap.__version__)
    text = re.sub(r"\{\{ (.*?) \}\}", lambda found: re.sub(r"\W+", "_", found[1]), text)
    recipe = yaml.safe_load(text)

    assert set(recipe) == {
        "package", "source", "build", "requirements", "test", "about", "extra",
    }  # fmt: skip
    assert set(recipe["requirements"]) == {"build", "host", "run"}
    assert recipe["build"]["entry_points"] == ["procmap = procmap.cli:main"]
    for file in recipe["about"]["license_file"]:
        assert (ROOT / file).is_file()


def test_citation_and_workflow_can_be_read():
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "wheels.yml").read_text())

    assert citation["license"] == "MIT"
    assert set(workflow["jobs"]) == {"sdist", "wheels", "plugin", "publish"}


def test_a_release_needs_what_only_its_makers_can_say(tmp_path):
    check = tool("check_release.py")["problems"]
    version = procmap.__version__

    assert [line.split()[0] for line in check("v9.9")] == [
        "the", "pyproject.toml", "CITATION.cff", "the", "CHANGELOG.md",
    ]  # fmt: skip
    (tmp_path / "packaging" / "conda-forge").mkdir(parents=True)
    for file, old, new in (
        (
            "pyproject.toml",
            "[project.scripts]",
            '[project.urls]\nHome = "https://example.org"\n[x]',
        ),
        ("CITATION.cff", "license: MIT", "license: MIT\nrepository-code: https://example.org"),
        ("packaging/conda-forge/meta.yaml", "recipe-maintainers: []", "recipe-maintainers: [me]"),
        ("CHANGELOG.md", "Unreleased", "2027-01-31"),
    ):
        (tmp_path / file).write_text((ROOT / file).read_text().replace(old, new))

    assert check(f"v{version}", tmp_path) == []
    assert len(check("v9.9", tmp_path)) == 1


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


def test_a_plugin_is_checked_and_billed_with_the_runtime_of_cuda(wheel):
    plugin = wheel.rename(wheel.with_name(f"procmap_cuda13-{wheel.name.split('-', 1)[1]}"))
    with zipfile.ZipFile(plugin, "a") as file:
        file.writestr("procmap_cuda13/_core.cpython-311-x86_64-linux-gnu.so", b"")
        file.writestr("procmap_cuda13/lib/libprocmap.so.9.8", b"")

    bill = tool("sbom.py")["bill"](plugin)
    assert bill["metadata"]["component"]["purl"] == "pkg:pypi/procmap-cuda13@9.8.7"
    assert bill["components"][-1]["name"] == "CUDA Runtime"
    found = tool("check_wheel.py")["problems"](plugin)
    assert not any("_core" in line or "typed" in line for line in found)
    assert any("metis" in line for line in found)


def test_a_library_of_unknown_licence_is_no_part_of_a_bill(wheel):
    with zipfile.ZipFile(wheel, "a") as file:
        file.writestr("procmap.libs/libother-0123abcd.so.1", b"")

    with pytest.raises(KeyError, match="libother"):
        tool("sbom.py")["bill"](wheel)
