# SPDX-License-Identifier: MIT
"""Files that cannot be written are named before any work, and none is made or changed by that."""

import os
import threading
from types import SimpleNamespace

import pytest

import procmap
from procmap._util.errors import FileError
from procmap._util.text import check_writable
from procmap.cli.outputs import check_outputs

MACHINE = ("-H", "2:2", "-D", "1:10")

# The input is missing too, which shows only once the outputs are found to be good.
WRITERS = {
    "map": (("map", "missing", *MACHINE), "-o"),
    "map, page": (("map", "missing", *MACHINE), "--report"),
    "partition": (("partition", "missing", "-k", "2"), "-o"),
    "partition, page": (("partition", "missing", "-k", "2", "-o", "out"), "--report"),
    "evaluate, page": (("evaluate", "missing", "blocks", "-k", "2"), "--report"),
    "reorder": (("reorder", "missing", *MACHINE), "-o"),
    "reorder, page": (("reorder", "missing", *MACHINE), "--report"),
    "reorder, CPUs": (("reorder", "missing", *MACHINE, "--hosts", "n[1-2]"), "--cpu-file"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_outputs_are_checked_before_inputs_are_read(name, run_cli, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("old")
    arguments, option = WRITERS[name]
    for path, reason in (
        ("no/out", "No such file or directory"),
        ("file/out", "Not a directory"),
        ("folder", "Is a directory"),
    ):
        result = run_cli(*arguments, option, path)

        assert (result.returncode, result.stdout) == (1, "")
        assert result.stderr == f"procmap: error: {path}: {reason}\n"
    for path in ("new", "file", "-", "/dev/null", "/dev/stdout"):
        assert "missing: No such file" in run_cli(*arguments, option, path).stderr
    assert (tmp_path / "file").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_presets_of_a_page_are_checked_before_inputs_are_read(run_cli):
    arguments = ("partition", "missing", "-k", "2", "--report-presets", "fast,best")

    for options, reason in (((), "is for --report"), (("--report", "page.html"), "best")):
        result = run_cli(*arguments, *options)

        assert (result.returncode, result.stdout) == (2, "")
        assert reason in result.stderr


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (("map", "g", *MACHINE, "-o", "g"), "-o would overwrite GRAPH: g"),
        (("map", "g", *MACHINE, "-o", "./link"), "-o would overwrite GRAPH: ./link"),
        (("map", "link", *MACHINE, "--report", "hard"), "--report would overwrite GRAPH: hard"),
        (("map", "g", *MACHINE, "-o", "x", "--report", "y/../x"), "-o would overwrite --report: x"),
        (("map", "g", "--topology", "m", "-o", "m"), "-o would overwrite --topology: m"),
        (("map", "g", *MACHINE, "--fixed", "m", "-o", "m"), "-o would overwrite --fixed: m"),
        (("evaluate", "g", "m", "-k", "2", "--report", "m"), "--report would overwrite MAPPING: m"),
        (("reorder", "m", *MACHINE, "-o", "m"), "-o would overwrite TRAFFIC: m"),
    ],
)
def test_no_output_overwrites_an_input_or_another_output(arguments, culprit, run_cli, tmp_path):
    (tmp_path / "g").write_text("2 1\n2\n1\n")
    (tmp_path / "m").write_text("0 1\n1 0\n")
    (tmp_path / "y").mkdir()
    (tmp_path / "link").symlink_to("g")
    os.link(tmp_path / "g", tmp_path / "hard")

    result = run_cli(*arguments)

    assert (result.returncode, result.stderr) == (2, f"procmap: error: {culprit}\n")
    assert (tmp_path / "g").read_text() == "2 1\n2\n1\n"


def test_no_output_overwrites_a_file_of_a_pattern(tmp_path):
    (tmp_path / "mesh-1.npz").write_text("")
    given = SimpleNamespace(
        graph=str(tmp_path / "mesh-*.npz"), output=str(tmp_path / "mesh-1.npz"), report=None
    )

    with pytest.raises(procmap.ConfigError, match="-o would overwrite GRAPH"):
        check_outputs(given)


def test_a_mapping_may_be_improved_where_it_lies(run_cli, tmp_path):
    (tmp_path / "g").write_text("2 1\n2\n1\n")
    (tmp_path / "m").write_text("1\n0\n")
    command = ("map", "g", *MACHINE)

    assert run_cli(*command, "--initial", "m", "-o", "m").returncode == 0
    assert run_cli(*command, "-o", "/dev/null", "--report", "/dev/null").returncode == 0


@pytest.mark.parametrize("name", ["", "new/", "no/out", "a\0b", "x" * 300, "loop", "astray"])
def test_names_that_cannot_be_are_file_errors(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "astray").symlink_to("no/out")

    with pytest.raises(FileError):
        check_writable(name)


def test_links_pipes_and_the_folder_itself_can_be_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("new")

    check = threading.Thread(target=check_writable, args=("pipe",), daemon=True)
    check.start()
    check.join(timeout=20)

    assert not check.is_alive()  # nobody reads the pipe yet, and to open it would wait for that
    for name in ("link", "new", tmp_path / "new", b"new", "/dev/full"):
        check_writable(name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe"]


def test_folders_and_files_of_others_are_refused(tmp_path):
    if os.getuid() == 0:
        pytest.skip("root may write them")
    (tmp_path / "file").write_text("old")
    (tmp_path / "file").chmod(0o400)
    (tmp_path / "kept").write_text("old")
    tmp_path.chmod(0o500)

    for name in ("file", "new"):
        with pytest.raises(FileError, match=f"{name}: Permission denied"):
            check_writable(tmp_path / name)
    check_writable(tmp_path / "kept")  # is written directly, as the folder takes no new file
    tmp_path.chmod(0o700)
