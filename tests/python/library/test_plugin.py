# SPDX-License-Identifier: MIT
"""procmap takes the extension module of procmap-cuda13 where that is installed, and no other."""

import os
import runpy
import shutil
import subprocess
import sys
import tarfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import procmap

ROOT = Path(__file__).parents[3]
SAYS = "import procmap, sys; print(procmap._core.__file__, procmap._core.__name__)"


@pytest.fixture
def plugin(tmp_path):
    """What pip installs of a plugin; the module is our own, which is as good as one with CUDA."""
    folder = tmp_path / "procmap_cuda13"
    shutil.copytree(ROOT / "packaging" / "cuda13" / "procmap_cuda13", folder)
    shutil.copy(procmap._core.__file__, folder / f"_core{EXTENSION_SUFFIXES[0]}")
    (folder / "lib").mkdir()
    describe(tmp_path, procmap.__version__)
    return folder


def describe(folder, version):
    for old in folder.glob("procmap_cuda13-*.dist-info"):
        shutil.rmtree(old)
    info = folder / f"procmap_cuda13-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.4\nName: procmap-cuda13\nVersion: {version}\n"
    )


def python(plugin, code):
    path = os.pathsep.join([str(plugin.parent), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120,
        env=os.environ | {"PYTHONPATH": path},
    )  # fmt: skip


def test_an_installed_plugin_is_what_procmap_uses(plugin):
    done = python(
        plugin,
        f"{SAYS}; print(procmap.get_library_dir()); "
        "print(procmap.partition(([0, 1, 2], [1, 0]), 2).blocks.tolist())",
    )

    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        f"{plugin / '_core'}{EXTENSION_SUFFIXES[0]} procmap._core",
        str(plugin / "lib"),
        "[0, 1]",
    ]


@pytest.mark.parametrize("version", ["0.0.9", None])
def test_a_plugin_of_another_version_is_refused(plugin, version):
    describe(plugin.parent, version or "1")
    if version is None:
        shutil.rmtree(plugin.parent / "procmap_cuda13-1.dist-info")
    done = python(plugin, SAYS)

    own = procmap.__version__
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: procmap-cuda13 {version or 'of an unknown version'} does not fit procmap "
        f"{own}: pip install procmap-cuda13=={own}, or pip uninstall procmap-cuda13"
    )


def test_a_plugin_for_another_python_is_refused(plugin):
    (plugin / f"_core{EXTENSION_SUFFIXES[0]}").unlink()
    done = python(plugin, SAYS)

    assert done.returncode == 1
    assert "procmap-cuda13 has no module for Python 3." in done.stderr.splitlines()[-1]


def test_the_plugin_is_made_of_procmaps_own_sources(tmp_path):
    """Its sdist differs from procmap's in nothing but who it is."""
    tomllib = pytest.importorskip("tomllib")
    folder = tmp_path / "procmap-1.2.3"
    (folder / "cpp").mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "cpp" / "x.cpp").write_text("x")
    (folder / "PKG-INFO").write_text(
        "Metadata-Version: 2.2\nName: procmap\nVersion: 1.2.3\nRequires-Dist: numpy>=1.26\n"
        "Provides-Extra: test\n\n# Read me\n"
    )
    with tarfile.open(tmp_path / "procmap-1.2.3.tar.gz", "w:gz") as file:
        file.add(folder, folder.name)

    write = runpy.run_path(str(ROOT / "packaging" / "plugin.py"))["write"]
    made = write(tmp_path / "procmap-1.2.3.tar.gz", tmp_path / "out")

    assert made.name == "procmap_cuda13-1.2.3.tar.gz"
    with tarfile.open(made) as file:
        texts = {
            member.name: file.extractfile(member).read().decode()
            for member in file
            if member.isfile()
        }
    assert texts["procmap_cuda13-1.2.3/cpp/x.cpp"] == "x"
    assert texts["procmap_cuda13-1.2.3/PKG-INFO"] == (
        "Metadata-Version: 2.2\nName: procmap-cuda13\nVersion: 1.2.3\n"
        "Requires-Dist: procmap==1.2.3\n"
    )
    project = tomllib.loads(texts["procmap_cuda13-1.2.3/pyproject.toml"])
    own = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["dependencies"] == ["procmap==1.2.3"]
    for file in project["project"]["license-files"]:
        assert list(ROOT.glob(file)), file
    assert not {"scripts", "entry-points", "optional-dependencies"} & set(project["project"])
    assert project["build-system"] == own["build-system"]
    define = project["tool"]["scikit-build"]["cmake"]["define"]
    assert define["PROCMAP_PACKAGE"] == "procmap_cuda13"
    assert define["PROCMAP_CUDA"]["default"] == "ON"
    (package,) = project["tool"]["scikit-build"]["wheel"]["packages"]
    assert (ROOT / package / "__init__.py").is_file()
