# SPDX-License-Identifier: MIT
"""Files of which every rank reads and writes its part, and the command that does so."""

import errno
import json
import os
import stat
import threading
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import procmap
import procmap.distributed as pd
from procmap.distributed._files import _replaced
from support import parhip, random_weighted
from thread_ranks import dealt_out, even_cuts, on_ranks
from under_mpi import KINDS, start

GRAPH = random_weighted(120, 400, seed=3)


def assert_rows(found, graph):
    """All ranks together have the rows of a graph."""
    for one in found:
        if isinstance(one, Exception):
            raise one
    assert sum(len(rows.offsets) - 1 for rows in found) == graph.num_vertices
    degrees = np.concatenate([np.diff(rows.offsets) for rows in found])
    np.testing.assert_array_equal(degrees, np.diff(graph.offsets))
    np.testing.assert_array_equal(np.concatenate([rows.heads for rows in found]), graph.heads)
    for i, expected in ((2, graph.arc_weights), (3, graph.vertex_weights)):
        if found[0][i] is not None:
            np.testing.assert_array_equal(np.concatenate([rows[i] for rows in found]), expected)


@pytest.mark.parametrize("size", [1, 3, 7])
@pytest.mark.parametrize("options", [{}, {"weights": False}, {"narrow": True}], ids=str)
def test_every_rank_reads_its_part_of_a_parhip_file(tmp_path, size, options):
    path = parhip(tmp_path / "g.parhip", GRAPH, **options)

    found = on_ranks(size, lambda comm: pd.read(comm, path))

    assert_rows(found, GRAPH)
    assert (found[0].arc_weights is None) == (not options.get("weights", True))
    most = max(len(rows.heads) for rows in found)
    assert most < 2 * len(GRAPH.heads) / size


@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("scipy_format", [False, True])
def test_shards_are_dealt_out(tmp_path, size, scipy_format):
    for i, (offsets, heads, weights, loads) in enumerate(dealt_out(GRAPH, even_cuts(120, 4))):
        name = tmp_path / f"part-{i}.npz"
        if scipy_format:
            shape = len(offsets) - 1, 120
            scipy.sparse.save_npz(name, scipy.sparse.csr_array((weights, heads, offsets), shape))
        else:
            np.savez(name, offsets=offsets, heads=heads, arc_weights=weights, vertex_weights=loads)

    assert_rows(on_ranks(size, lambda comm: pd.read(comm, tmp_path / "part-*.npz")), GRAPH)


def test_a_shard_may_be_empty(tmp_path):
    np.savez(tmp_path / "0.npz", offsets=[0], heads=np.zeros(0, np.int32))
    np.savez(tmp_path / "1.npz", offsets=[0, 1, 2], heads=[1, 0])
    np.savez(tmp_path / "2.npz", offsets=[0], heads=np.zeros(0, np.int32))

    for size in (1, 2):
        found = on_ranks(size, lambda comm: pd.read(comm, tmp_path / "*.npz"))
        assert sum(len(rows.offsets) - 1 for rows in found) == 2
        assert np.concatenate([rows.heads for rows in found]).tolist() == [1, 0]


def test_one_npz_file_is_read_by_its_name_whatever_marks_it_has(tmp_path):
    path = tmp_path / "mesh[1].npz"
    np.savez(path, offsets=[0, 1, 2], heads=[1, 0])

    for found in on_ranks(2, lambda comm: pd.read(comm, path)):
        assert len(found.heads) in (0, 2)
    assert procmap.Graph.open(path).num_edges == 1
    assert procmap.Graph.open(tmp_path / "mesh[[]?].npz").num_edges == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: p / "no.parhip", "rank 0: .*no.parhip: No such file"),
        (lambda p: p / "no-*.npz", "no such file"),
        (lambda p: (p / "a").write_bytes(b"x" * 30) and p / "a", "no ParHIP header"),
        (lambda p: cut_short(parhip(p / "a", GRAPH)), "in the header take"),
        (
            lambda p: with_row_at(parhip(p / "a", GRAPH), 50, 3),
            r"row 50 begins at arc 3, expected \d+",
        ),
        (
            lambda p: with_row_at(parhip(p / "a", GRAPH), 1, 1, 4),
            r"row 1 begins at byte \d+, where",
        ),
        (lambda p: with_row_at(parhip(p / "a", GRAPH), 0, 1), "row 0 begins at arc 1, expected 0"),
        (lambda p: with_row_at(parhip(p / "a", GRAPH), 120, 1), "the last row ends at arc 1"),
        (lambda p: np.savez(p / "a.npz", heads=[1]) or p / "*.npz", "no array 'offsets'"),
        (lambda p: np.savez(p / "a.npz", offsets=[0, 2], heads=[1]) or p / "*.npz", "ends at 2"),
        (lambda p: np.savez(p / "a.npz", offsets=[1, 1], heads=[1]) or p / "*.npz", "begins at 1"),
        (lambda p: np.savez(p / "a.npz", offsets=[0, 1], heads=1) or p / "*.npz", "ends at 1"),
        (lambda p: shards_of_weights(p, "arc_weights", [5], [5, 6, 6]), "1 weights of 2 arcs"),
        (lambda p: shards_of_weights(p, "arc_weights", [], [5, 6]), "0 weights of 2 arcs"),
        (lambda p: shards_of_weights(p, "vertex_weights", [1, 1, 1], [1]), "3 weights of 2 vert"),
    ],
)
def test_bad_files_are_told_to_all(tmp_path, make, message):
    path = make(tmp_path)
    for one in on_ranks(3, lambda comm: pd.read(comm, path)):
        with pytest.raises(procmap.FileError, match=message):
            raise one


def shards_of_weights(path, name, *weights):
    """Write two files of two rows each, with these weights."""
    for i, own in enumerate(weights):
        heads = [2 * i + 1, 2 * i]
        np.savez(path / f"{i}.npz", offsets=[0, 1, 2], heads=heads, **{name: own})
    return path / "*.npz"


def with_row_at(path, row, arc, byte=0):
    """Change where a row begins in a ParHIP file of wide numbers."""
    content = bytearray(path.read_bytes())
    heads = 24 + 8 * (GRAPH.num_vertices + 1)
    content[24 + 8 * row : 24 + 8 * (row + 1)] = (heads + 8 * arc + byte).to_bytes(8, "little")
    path.write_bytes(content)
    return path


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-4])
    return path


def test_every_rank_writes_its_lines(tmp_path):
    blocks = np.arange(50) ** 2
    cuts = [0, 20, 20, 50]

    def program(comm, path):
        rank = comm.Get_rank()
        pd.write(comm, blocks[cuts[rank] : cuts[rank + 1]], path)

    assert on_ranks(3, lambda comm: program(comm, tmp_path / "out")) == [None] * 3
    assert procmap.read_mapping(tmp_path / "out").tolist() == blocks.tolist()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    for one in on_ranks(3, lambda comm: program(comm, tmp_path / "no" / "out")):
        assert isinstance(one, procmap.FileError)


def test_a_file_that_one_rank_cannot_write_is_not_left_unfinished(tmp_path, monkeypatch):
    opened, local = Path.open, threading.local()

    def open_(path, *arguments):
        if getattr(local, "rank", 0) == 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return opened(path, *arguments)

    def program(comm):
        local.rank = comm.Get_rank()
        pd.write(comm, [1, 2], tmp_path / "out")

    (tmp_path / "out").write_text("0\n")
    monkeypatch.setattr(Path, "open", open_)
    found = on_ranks(2, program)
    monkeypatch.undo()

    for one in found:
        assert str(one) == f"rank 1: {tmp_path / 'out'}: No space left on device"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out").read_text() == "0\n"


def test_what_is_no_file_stays_what_it_is(tmp_path):
    fifo, link, file = tmp_path / "fifo", tmp_path / "link", tmp_path / "file"
    os.mkfifo(fifo)
    link.symlink_to("file")
    file.write_text("0\n")
    file.chmod(0o640)
    texts = []
    reader = threading.Thread(target=lambda: texts.append(fifo.read_text()), daemon=True)
    reader.start()

    for path in (fifo, link):
        written = on_ranks(2, lambda comm, path=path: pd.write(comm, [comm.Get_rank()] * 2, path))
        assert written == [None] * 2
    reader.join(timeout=20)

    assert texts == ["0\n0\n1\n1\n"]
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    assert (link.is_symlink(), file.read_text()) == (True, texts[0])
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    for path, reason in ((tmp_path, "Is a directory"), ("a\0b", "null byte"), ("", "empty")):
        for one in on_ranks(2, lambda comm, path=path: pd.write(comm, [1], path)):
            assert isinstance(one, procmap.FileError)
            assert reason in str(one)


def test_no_file_takes_the_place_of_a_device(tmp_path):
    (tmp_path / "link").symlink_to("/dev/null")

    # Asked, not written: root may replace /dev/null, which other programs would miss.
    for name in ("/dev/null", "/dev/stdout", "/dev/../dev/full", str(tmp_path / "link")):
        assert _replaced(name) is None
    assert _replaced(str(tmp_path / "new")) == str(tmp_path / "new")


@pytest.mark.parametrize("kind", KINDS[:1])
def test_the_command_maps_under_mpiexec(tmp_path, kind):
    path = parhip(tmp_path / "g.parhip", GRAPH)
    machine = ["-H", "2:3", "-D", "1:10", "--preset", "fast"]
    out = tmp_path / "out"
    arguments = ["-m", "procmap", "map", path, *machine, "--mpi", "--gather-arcs", 300]

    done = start(kind, 2, *arguments, "-o", out, "--json")
    again = start(kind, 2, *arguments, "--initial", out, "--migration-cost", 1e9, "--json")
    wrong = start(kind, 2, *arguments, "--report", out)

    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    blocks = procmap.read_mapping(out)
    topology = procmap.Topology.hierarchy("2:3", "1:10")
    assert said["cost"] == procmap.evaluate(GRAPH, blocks, topology).cost
    assert (said["ranks"], said["num_vertices"], said["num_edges"]) == (2, 120, GRAPH.num_edges)
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["cost"] == said["cost"]
    assert wrong.returncode == 2
    assert wrong.stderr.count("procmap: error: --report cannot be used with --mpi") == 1
    lost = start(kind, 2, *arguments[:3], "missing", *machine, "--mpi", "-o", tmp_path)
    assert lost.returncode == 1
    assert lost.stderr.count(f"procmap: error: rank 0: {tmp_path}: Is a directory") == 1
