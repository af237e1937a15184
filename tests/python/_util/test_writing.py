# SPDX-License-Identifier: MIT
"""Files that procmap writes: the old one or the new one, and nothing in between."""

import contextlib
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import procmap
from procmap.mapping._files import FORMATS
from support import grid

MACHINE = procmap.Topology.hierarchy("50:50", "1:10").with_hosts("node[1-50]")
CHAIN = np.eye(2500, k=1, dtype=np.int64)
MAPPING = procmap.reorder_ranks(CHAIN, MACHINE, fixed=range(2500), preset="fast")
OLD = "the old file\n"


def write_graph(path):
    grid(60, 60).write(path)


def write_config(path):
    procmap.Config.preset("default").dump(path)


WRITERS = {
    "graph": write_graph,
    "config": write_config,
    **{format: lambda path, format=format: MAPPING.write(path, format) for format in FORMATS},
}


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "out"
    path.write_text(OLD)
    return path


@contextlib.contextmanager
def no_room():
    """Files end after 64 bytes, as if the disk were full.

    No fixture: pytest's own output may be a file too.
    """
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", WRITERS)
def test_full_disk_leaves_the_old_file(name, old):
    with no_room(), pytest.raises(procmap.FileError, match="out: File too large"):
        WRITERS[name](old)

    assert old.read_text() == OLD
    assert names_in(old.parent) == ["out"]


@pytest.mark.parametrize("name", WRITERS)
def test_new_file_keeps_mode_and_link(name, old):
    old.chmod(0o640)
    link = old.with_name("link")
    link.symlink_to("out")

    WRITERS[name](link)

    assert link.is_symlink()
    assert old.read_text() != OLD
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert names_in(old.parent) == ["link", "out"]


@pytest.mark.parametrize("name", WRITERS)
def test_pipe_gets_the_same_text(name, tmp_path):
    fifo, texts = tmp_path / "fifo", []
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: texts.append(fifo.read_bytes()))
    reader.start()

    WRITERS[name](fifo)
    reader.join(timeout=20)
    WRITERS[name](tmp_path / "file")

    assert texts == [(tmp_path / "file").read_bytes()]


@pytest.mark.parametrize("name", WRITERS)
def test_names_that_cannot_be_are_file_errors(name, tmp_path):
    with pytest.raises(procmap.FileError, match="No such file or directory"):
        WRITERS[name](tmp_path / "no" / "out")
    with pytest.raises(procmap.FileError, match="null byte"):
        WRITERS[name]("a\0b")
    with pytest.raises(procmap.FileError, match="Is a directory"):
        WRITERS[name](tmp_path)


def test_read_only_file_is_refused(old):
    if os.getuid() == 0:
        pytest.skip("root may write it")
    old.chmod(0o400)

    with pytest.raises(procmap.FileError, match="Permission denied"):
        MAPPING.write(old)

    assert old.read_text() == OLD


WRITE_FOR_EVER = """
import itertools, sys
import numpy as np, procmap
traffic = np.eye(1000, k=1, dtype=np.int64)
machine = procmap.Topology.hierarchy("40:25", "1:10").with_hosts("n[1-25]")
mapping = procmap.reorder_ranks(traffic, machine, preset="fast")
mapping.write(sys.argv[1], "rankfile")
print("ready", flush=True)
for i in itertools.count():
    mapping.write(sys.argv[1], "rankfile")
"""


@pytest.mark.parametrize("delay", [0.001, 0.01, 0.037])
def test_killed_process_leaves_a_whole_file(delay, tmp_path):
    path = tmp_path / "out"
    command = [sys.executable, "-c", WRITE_FOR_EVER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        whole = path.read_text()
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)

    assert process.returncode == -signal.SIGKILL
    assert path.read_text() == whole
    assert len(whole.splitlines()) == 1000


def test_standard_output_may_be_a_file_that_others_write_too(tmp_path):
    code = (
        "import procmap\n"
        "mapping = procmap.partition(procmap.Graph.from_edges([(0, 1)]), 1)\n"
        "print('before', flush=True)\n"
        "mapping.write('/dev/stdout')\n"
        "print('after', flush=True)\n"
    )
    with (tmp_path / "log").open("w") as log:
        subprocess.run([sys.executable, "-c", code], stdout=log, check=True, timeout=60)

    assert (tmp_path / "log").read_text() == "before\n0\n0\nafter\n"
