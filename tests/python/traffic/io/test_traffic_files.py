# SPDX-License-Identifier: MIT
"""Communication matrices from files of every kind."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest
import scipy.io
import scipy.sparse

import procmap
from bad_databases import mpisee
from procmap import ConfigError, FileError, read_traffic

MATRIX = np.array([[0, 5, 0, 2**40], [1, 0, 7, 0], [0, 0, 0, 3], [0, 0, 0, 0]])
FRACTIONS = MATRIX / 8


def write(path, text):
    path.write_text(text)
    return path


def rows(matrix, separator=" "):
    return "".join(separator.join(map(str, row)) + "\n" for row in matrix.tolist())


@pytest.mark.parametrize("matrix", [MATRIX, FRACTIONS], ids=["integers", "floats"])
def test_every_format_holds_the_same_matrix(tmp_path, matrix):
    np.save(tmp_path / "a.npy", matrix)
    np.savez(tmp_path / "a.npz", traffic=matrix)
    scipy.sparse.save_npz(tmp_path / "csr.npz", scipy.sparse.csr_array(matrix))
    scipy.sparse.save_npz(tmp_path / "csc.npz", scipy.sparse.csc_array(matrix))
    scipy.sparse.save_npz(tmp_path / "coo.npz", scipy.sparse.coo_array(matrix))
    scipy.io.mmwrite(tmp_path / "a.mtx", scipy.sparse.coo_array(matrix))
    write(tmp_path / "a.mat", rows(matrix))
    write(tmp_path / "a.csv", "# from my profiler\n" + rows(matrix, ","))
    u, v = np.nonzero(matrix)
    triples = zip(u.tolist(), v.tolist(), matrix[u, v].tolist(), strict=True)
    messages = "".join(f"{a},{b},{w}\n" for a, b, w in triples)
    write(tmp_path / "edges.csv", messages)
    write(tmp_path / "spreadsheet.csv", "\ufeff" + messages)
    write(tmp_path / "titles.csv", 'sender,"receiver",bytes\n' + messages)

    for path in sorted(tmp_path.iterdir()):
        traffic = read_traffic(path)

        np.testing.assert_array_equal(traffic.to_matrix(), matrix, err_msg=path.name)


def test_integers_beyond_the_floats_stay_exact(tmp_path):
    path = write(tmp_path / "a.mat", f"0 {2**60 + 1}\n0 0\n")

    assert read_traffic(path).to_matrix().tolist() == [[0, 2**60 + 1], [0, 0]]


def test_symmetric_and_pattern_matrices_are_completed_off_the_diagonal(tmp_path):
    text = "%%MatrixMarket matrix coordinate {} symmetric\n3 3 2\n2 1{}\n3 3{}\n"
    integer = write(tmp_path / "i.mtx", text.format("integer", " 4", " 9"))
    pattern = write(tmp_path / "p.mtx", text.format("pattern", "", ""))

    assert read_traffic(integer).to_matrix().tolist() == [[0, 4, 0], [4, 0, 0], [0, 0, 0]]
    assert read_traffic(pattern).to_matrix().tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]


def test_three_by_three_needs_the_format(tmp_path):
    path = write(tmp_path / "a.csv", "0,1,2\n1,0,3\n2,1,0\n")

    with pytest.raises(FileError, match="matrix or messages"):
        read_traffic(path)
    assert read_traffic(path, format="matrix").to_matrix()[0].tolist() == [0, 1, 2]
    assert read_traffic(path, format="messages").to_matrix()[0].tolist() == [0, 2, 0]
    assert read_traffic(write(tmp_path / "a.mat", path.read_text())).num_ranks == 3


def test_silent_ranks_at_the_end(tmp_path):
    path = write(tmp_path / "a.csv", "0,1,2\n1,0,3\n")

    assert read_traffic(path).num_ranks == 2
    assert read_traffic(path, num_ranks=5).num_ranks == 5
    with pytest.raises(FileError, match=r"a\.csv:2: rank 1 is not in \[0, 1\)"):
        read_traffic(path, num_ranks=1)


@pytest.mark.parametrize(
    ("name", "content", "culprit"),
    [
        ("a.mat", "0 1\n1\n", ":2: expected 2 numbers, found 1"),
        ("a.mat", "0 1\n1 x\n", ":2: 'x' is not a number"),
        ("a.mat", "0 1 2 3\n1 2 3 4\n", "square matrix, got shape (2, 4)"),
        ("a.mat", "0 -1\n1 0\n", "traffic[0, 1] = -1 "),
        ("a.mat", "0 nan\n1 0\n", "nan"),
        ("a.mat", "", "there are no numbers"),
        ("a.mat", "# nothing\n", "there are no numbers"),
        ("a.mat", "MATLAB 5.0 MAT-file, Platform: GLNXA64", "scipy.io.loadmat"),
        ("a.csv", "0,1,2\n0,1\n2,1,3\n4,5,6\n", ":2: expected 3 numbers, found 2"),
        ("a.csv", "0,1,2\n0,1.5,3\n", ":2: '1.5' is not a 64-bit integer"),
        ("a.csv", "0,-1,2\n", ":1: rank -1 is not in [0, "),
        ("a.csv", "0,1,2\n0,1,2\n\n0,1,-2\n0,1,3\n", ":4: volume -2 is negative"),
        ("a.csv", "0,1,2.5\n0,1,1e400\n", ":2: '1e400' is beyond 1.8e308"),
        ("a.csv", "u,v,w\n0,1,2\n0,1,z\n", ":3: 'z' is not"),
        ("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 5\n", "(3, 1)"),
        ("a.mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 0\n", ":1: "),
        ("a.npy", "\x93NUMPY", "not an array"),
        ("a.npz", "PK\x03\x04", "not an npz file"),
        ("a.db", "SQLite format 3\x00", "not a database of mpisee"),
    ],
)
def test_malformed_files_are_refused_with_their_name_and_line(tmp_path, name, content, culprit):
    path = tmp_path / name
    path.write_bytes(content.encode("latin-1"))

    with pytest.raises(FileError) as caught:
        read_traffic(path)

    assert str(caught.value).startswith(str(path))
    assert culprit in str(caught.value)


@pytest.mark.parametrize("content", ["", "\n\n", "# nothing\n", "sender,receiver,bytes\n"])
def test_a_file_without_messages_is_refused_unless_ranks_may_be_silent(tmp_path, content):
    path = write(tmp_path / "a.csv", content)

    with pytest.raises(FileError, match=r"a\.csv: there are no messages, lines of 'sender rec"):
        read_traffic(path, format="messages")
    assert read_traffic(path, format="messages", num_ranks=3).to_matrix().tolist() == [[0] * 3] * 3


@pytest.mark.parametrize("content", ["BZ9AY&SY>", "sender receiver", "'"])
def test_a_line_that_names_no_three_columns_is_no_title(tmp_path, content):
    with pytest.raises(FileError, match=":1: "):
        read_traffic(write(tmp_path / "a.csv", content), format="messages")


def test_missing_files_and_wrong_options(tmp_path):
    with pytest.raises(FileError, match="missing"):
        read_traffic(tmp_path / "missing")
    path = write(tmp_path / "a.mat", rows(MATRIX))
    with pytest.raises(ConfigError, match="num_ranks is for messages"):
        read_traffic(path, num_ranks=5)
    with pytest.raises(ConfigError, match="format must be one of"):
        read_traffic(path, format="x")
    np.save(tmp_path / "o.npy", np.array([[object()]]), allow_pickle=True)
    with pytest.raises(FileError, match="not an array"):
        read_traffic(tmp_path / "o.npy")
    np.savez(tmp_path / "two.npz", a=MATRIX, b=MATRIX)
    with pytest.raises(FileError, match="expected one array, found a, b"):
        read_traffic(tmp_path / "two.npz")


def test_mpisee_spreads_volumes_over_the_communicator(tmp_path):
    world = [(rank, 1, 1000) for rank in range(4)]
    pair = [(0, 2, 30), (0, 2, 20), (3, 2, 8)]
    trio = [(0, 3, 10), (1, 3, 10), (2, 3, 40)]
    alone = [(1, 4, 99)]
    comms = [(1, "W", 4), (2, "s0.1", 2), (3, "s0.2", 3), (4, "self", 1)]

    traffic = read_traffic(mpisee(tmp_path / "p.db", 4, comms, world + pair + trio + alone))

    expected = [[0, 5, 5, 50], [5, 0, 5, 0], [20, 20, 0, 0], [8, 0, 0, 0]]
    assert traffic.to_matrix().tolist() == expected


def test_mpisee_leaves_out_a_communicator_of_all_in_which_some_are_silent(tmp_path):
    world, pair = [(0, 1, 1000), (2, 1, 500)], [(0, 2, 50), (3, 2, 8)]

    path = mpisee(tmp_path / "p.db", 4, [(1, "W", 4), (2, "s0.1", 2)], world + pair)

    expected = [[0, 0, 0, 50], [0] * 4, [0] * 4, [8, 0, 0, 0]]
    assert read_traffic(path).to_matrix().tolist() == expected


@pytest.mark.parametrize(
    ("processes", "comms", "data", "culprit"),
    [
        (2, [(1, "W", 2)], [(0, 1, 5), (1, 1, 5)], "all traffic is in communicators of all 2"),
        (4, [(1, "c", 2)], [(0, 1, 5), (7, 1, 5)], "has rank 7"),
        (4, [(1, "c", 2)], [(0, 2, 5), (1, 2, 5)], "communicator 2"),
        (4, [(1, "c", 2)], [(0, 1, 5), (1, 1, 5), (2, 1, 5)], "size 2, but 3 ranks"),
        (4, [(1, "c", 2)], [(0, 1, -5), (1, 1, 5)], "volume -5"),
        (4, [(1, "c", 2)], [(0, 1, "x"), (1, 1, None)], "volume"),
        ("x", [(1, "c", 2)], [(0, 1, 5)], "number of processes"),
    ],
)
def test_databases_that_say_nothing_or_nonsense_are_refused(
    tmp_path, processes, comms, data, culprit
):
    path = mpisee(tmp_path / "p.db", processes, comms, data)

    with pytest.raises(FileError, match=culprit):
        read_traffic(path)


def test_another_database_is_refused(tmp_path):
    with closing(sqlite3.connect(tmp_path / "x.db")) as database, database:
        database.execute("CREATE TABLE t (a)")

    with pytest.raises(FileError, match="not a database of mpisee: no such table"):
        read_traffic(tmp_path / "x.db")


def test_what_is_read_can_be_reordered(tmp_path):
    path = write(tmp_path / "a.csv", rows(FRACTIONS, ","))

    mapping = procmap.reorder_ranks(read_traffic(path), procmap.Topology.flat(4))

    assert sorted(mapping.permutation.tolist()) == [0, 1, 2, 3]
    assert mapping.cost == pytest.approx(FRACTIONS.sum(), rel=1e-11)  # 0.125 beside 2**37


GOOD_COMMS = [(1, "c", 2)]
ENDLESS_VIEW = """
DROP TABLE metadata;
CREATE VIEW Metadata AS WITH RECURSIVE r(key, value) AS
  (SELECT 'x', 1 UNION ALL SELECT 'x', value + 1 FROM r) SELECT key, value FROM r
"""
GENERATED = """
DROP TABLE comms;
CREATE TABLE comms (id, name, size AS (length(zeroblob(500000000))));
INSERT INTO comms VALUES (1, 'c')
"""
HOSTILE = {
    "text": ("UPDATE data SET volume = 'many'", "volume 'many'"),
    "blob": ("UPDATE data SET volume = x'00'", "volume"),
    "null": ("UPDATE data SET volume = NULL", "volume None"),
    "negative in a sum": (
        "INSERT INTO data (rank, comm_id, volume) VALUES (0, 1, -2)",
        "volume -2",
    ),
    "endless view": (ENDLESS_VIEW, "'Metadata' is no plain table"),
    "generated column": (GENERATED, "'comms' is no plain table"),
    "huge name": ("UPDATE comms SET size = 1, name = printf('%.1000000c', 'x')", "has size 1"),
    "huge process count": (
        "UPDATE metadata SET value = printf('%.1000000c', '9')",
        "number of processes",
    ),
    "lying process count": ("UPDATE metadata SET value = '999999999'", "limit is 1048576"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_databases_cannot_run_programs_or_lose_text(tmp_path, name):
    script, culprit = HOSTILE[name]
    path = mpisee(tmp_path / "p.db", 4, GOOD_COMMS, [(0, 1, 5), (1, 1, 5)])
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(script)

    with pytest.raises(FileError, match=culprit) as caught:
        read_traffic(path)

    assert str(caught.value).startswith(f"{path}: ")
    assert len(str(caught.value)) < 500


def test_steps_in_a_database_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(procmap.traffic.io.mpisee, "_STEPS", 10)
    monkeypatch.setattr(procmap.traffic.io.mpisee, "_STEPS_AT_A_TIME", 10)
    monkeypatch.setattr(procmap.traffic.io.mpisee, "_STEPS_PER_BYTE", 0)
    path = mpisee(tmp_path / "p.db", 4, GOOD_COMMS, [(0, 1, 5), (1, 1, 5)])

    with pytest.raises(FileError, match="takes too many steps"):
        read_traffic(path)


def test_communicators_do_not_become_more_messages_than_fit(tmp_path):
    ranks = 10_000
    data = [(rank, 1, 1) for rank in range(ranks)]
    path = mpisee(tmp_path / "p.db", ranks + 1, [(1, "c", ranks)], data)

    with pytest.raises(FileError, match="more than 67108864 pairs"):
        read_traffic(path)
