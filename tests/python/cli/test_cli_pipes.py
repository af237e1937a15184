# SPDX-License-Identifier: MIT
"""Standard output that somebody stopped to read, or that takes no more."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import procmap
from support import grid

PROCMAP = [sys.executable, "-m", "procmap"]


@pytest.fixture
def files(tmp_path):
    grid(30, 30).write(tmp_path / "g.graph")
    (tmp_path / "blocks").write_text("0\n" * 450 + "1\n" * 450)
    return tmp_path


COMMANDS = {
    "evaluate": ["evaluate", "g.graph", "blocks", "-H", "2", "-D", "1"],
    "map": ["map", "g.graph", "-H", "2:2", "-D", "1:10", "--json"],
    "to standard output": ["map", "g.graph", "-H", "2:2", "-D", "1:10", "-o", "/dev/stdout"],
    "check": ["check", "g.graph"],
    "presets": ["presets"],
    "info": ["info"],
    "help": ["map", "--help"],
    "version": ["--version"],
}


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_broken_pipe_is_silent(name, unbuffered, files):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as pipe:
        result = subprocess.run(
            [*PROCMAP, *COMMANDS[name]], stdout=pipe, stderr=subprocess.PIPE, text=True,
            cwd=files, timeout=60, check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )  # fmt: skip

    assert (result.stderr, result.returncode) == ("", 141)


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_full_disk_is_one_line(name, unbuffered, files):
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*PROCMAP, *COMMANDS[name]], stdout=full, stderr=subprocess.PIPE, text=True,
            cwd=files, timeout=60, check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )  # fmt: skip

    assert result.returncode == 1
    assert result.stderr.startswith("procmap: error: ")
    assert result.stderr.endswith("No space left on device\n")
    assert result.stderr.count("\n") == 1


def test_closed_standard_output_is_no_mistake(files):
    result = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *PROCMAP, *COMMANDS["check"]],
        capture_output=True, text=True, cwd=files, timeout=60, check=False,
    )  # fmt: skip

    assert (result.returncode, result.stderr) == (0, "")


def without_standard_error(arguments, folder):
    return subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&-', "sh", *PROCMAP, *arguments],
        capture_output=True, text=True, cwd=folder, timeout=60, check=False,
    )  # fmt: skip


def test_without_standard_error_the_mapping_is_made_all_the_same(files):
    result = without_standard_error(["partition", "g.graph", "-k", "2", "-o", "out"], files)

    assert (result.returncode, result.stdout) == (0, "")
    assert procmap.read_mapping(files / "out").max() == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["check", "missing.graph"], 1),
        (["partition", "g.graph", "-k", "2", "--set", "nonsense"], 2),
        (["nonsense"], 2),
        (["evaluate", "g.graph", "unbalanced", "-k", "2"], 3),
        (["partition", "g.graph", "-k", "2", "-v", "-o", "out"], 0),
    ],
)
def test_without_standard_error_nothing_else_gets_what_is_said_there(arguments, code, files):
    (files / "unbalanced").write_text("0\n" * 899 + "1\n")

    result = without_standard_error(arguments, files)

    assert result.returncode == code
    assert "procmap:" not in result.stdout
    assert result.stdout == "" or code == 3  # the evaluation itself


@pytest.mark.parametrize(
    "arguments",
    [
        ["map", "missing.graph", "-H", "2:2", "-D", "1:10"],
        ["map", "missing.graph", "-H", "2:2", "-D", "1:10", "--json"],
        ["map", "g.graph", "-H", "2:2", "-D", "1:10", "--json", "-o", "no/such/folder"],
        ["map", "g.graph", "-H", "x"],
        ["evaluate", "g.graph", "missing", "-H", "2", "-D", "1"],
        ["check", "blocks", "--json"],
        ["nonsense"],
        [],
    ],
)
def test_nothing_of_an_error_goes_to_standard_output(arguments, files):
    result = subprocess.run(
        [*PROCMAP, *arguments], capture_output=True, text=True, cwd=files, timeout=60, check=False
    )

    assert result.returncode in (1, 2)
    assert result.stdout == ""
    assert result.stderr.startswith("procmap: error: ")


@pytest.mark.parametrize(
    ("encoding", "printed"),
    [("utf-8:strict", b"\xff\xc3\xa9.graph"), ("ascii:strict", rb"\udcff\xe9.graph")],
)
def test_any_name_of_a_file_is_printed(encoding, printed, files):
    name = b"\xff\xc3\xa9.graph"
    (files / "g.graph").rename(files / os.fsdecode(name))

    result = subprocess.run(
        [*PROCMAP, "check", name], capture_output=True, cwd=files, timeout=60, check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )  # fmt: skip

    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.splitlines()[0].split()[-2:] == [printed + b":", b"correct"]


def test_any_name_of_a_file_is_the_title_of_a_page(files, run_cli):
    name = os.fsdecode(b"\xffblocks")
    (files / "blocks").rename(files / name)

    assert run_cli("evaluate", "g.graph", name, "-k", 2, "--report", "r.html").returncode == 0
    assert r"<title>\udcffblocks</title>" in (files / "r.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("-H", b"2:\xff"), ("-D", b"1:\xff"), ("--preset", b"\xff"), ("--device", b"\xff"),
        ("--set", b"x\xff=1"), ("--set", b"refinement.rounds=\xff"),
    ],
)  # fmt: skip
def test_bytes_that_are_no_text_are_refused_in_one_line(files, run_cli, option, value):
    machine = {"-H": "2:2", "-D": "1:10"}
    given = {**machine, option: os.fsdecode(value)}

    answer = run_cli("map", files / "g.graph", *(word for pair in given.items() for word in pair))

    assert (answer.returncode, answer.stderr.count("\n")) == (2, 1)
    assert answer.stderr.startswith("procmap: error: ")
    assert r"\udcff" in answer.stderr
