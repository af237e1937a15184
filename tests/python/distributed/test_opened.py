# SPDX-License-Identifier: MIT
"""Graphs whose arcs stay in a file: mapped as ranks map them, checked as all graphs are."""

import functools

import numpy as np
import pytest

import procmap
import procmap.distributed as pd
from procmap._util.storage import GrowingWeights, Storage
from support import MACHINE, parhip, random_geometric, random_weighted
from thread_ranks import dealt_out, even_cuts, on_ranks

GRAPH = random_geometric(400, 8, seed=1)
WEIGHTED = random_weighted(120, 400, seed=3)


def shards(folder, graph, count, save=np.savez, *, mixed=False):
    """Rows in files; `mixed` has them in another order, with a loop and a parallel arc."""
    parts = dealt_out(graph, even_cuts(graph.num_vertices, count))
    if mixed:
        offsets, heads, weights, loads = parts[0]
        row = slice(0, offsets[1])
        rest = slice(offsets[1], None)
        offsets = offsets + 2 * (np.arange(len(offsets)) > 0)
        heads = np.concatenate([[0, heads[0]], heads[row][::-1], heads[rest]])
        weights = np.concatenate([[7, 0], weights[row][::-1], weights[rest]])
        parts[0] = offsets, heads, weights, loads
    names = ("offsets", "heads", "arc_weights", "vertex_weights")
    for i, part in enumerate(parts):
        save(folder / f"part-{i}.npz", **dict(zip(names, part, strict=True)))
    return folder / "part-*.npz"


@functools.cache
def on_two_ranks(graph, gather_arcs):
    rows = dealt_out(graph, even_cuts(graph.num_vertices, 2))

    def program(comm):
        own = rows[comm.Get_rank()]
        return pd.map(comm, own, MACHINE, gather_arcs=gather_arcs, preset="fast")

    return np.concatenate([one.blocks for one in on_ranks(2, program)])


@pytest.mark.parametrize("graph", [GRAPH, WEIGHTED], ids=["unit weights", "weights"])
@pytest.mark.parametrize(
    "write",
    [
        pytest.param(lambda to, g: parhip(to / "g", g), id="parhip"),
        pytest.param(lambda to, g: parhip(to / "g", g, narrow=True), id="parhip of 32 bits"),
        pytest.param(lambda to, g: shards(to, g, 1), id="npz"),
        pytest.param(lambda to, g: shards(to, g, 3), id="shards"),
        pytest.param(lambda to, g: shards(to, g, 2, np.savez_compressed), id="compressed"),
        pytest.param(lambda to, g: shards(to, g, 2, mixed=True), id="in any order"),
    ],
)
def test_an_opened_graph_is_mapped_as_by_any_number_of_ranks(tmp_path, graph, write):
    opened = procmap.Graph.open(write(tmp_path, graph), gather_arcs=700, scratch=tmp_path)

    found = procmap.map(opened, MACHINE, preset="fast")

    np.testing.assert_array_equal(found.blocks, on_two_ranks(graph, 700))
    assert found.cost == procmap.evaluate(graph, found.blocks, MACHINE).cost
    assert found.cost == procmap.evaluate(opened, found.blocks, MACHINE).cost
    assert (opened.num_vertices, opened.num_edges) == (graph.num_vertices, graph.num_edges)
    assert {"coarsen", "map", "refine"} <= {level.stage for level in found.levels}


def test_a_file_in_order_is_used_as_it_is(tmp_path):
    path = parhip(tmp_path / "g.parhip", GRAPH, weights=False, narrow=True)

    opened = procmap.Graph.open(path)

    assert not opened.heads.flags.writeable
    assert len(opened.arc_weights) == 0
    assert opened.vertex_weights is None
    found = procmap.partition(opened, 4, preset="fast")
    np.testing.assert_array_equal(found.blocks, procmap.partition(GRAPH, 4, preset="fast").blocks)


@pytest.mark.parametrize("kind", [">i4", ">i8", ">u4", "<u2", "i1"])
@pytest.mark.parametrize("names", [["heads"], ["arc_weights"], ["offsets", "heads", "arc_weights"]])
def test_numbers_of_files_may_be_of_any_kind(tmp_path, kind, names):
    graph = {"offsets": [0, 1, 3, 4], "heads": [1, 0, 2, 1], "arc_weights": [5, 5, 6, 6]}
    arrays = {name: np.array(values, np.int32) for name, values in graph.items()}
    saved(tmp_path / "g.npz", **arrays | {name: np.array(graph[name], kind) for name in names})

    opened = procmap.Graph.open(tmp_path / "g.npz")

    assert opened.heads.tolist() == graph["heads"]
    assert opened.arc_weights.tolist() == graph["arc_weights"]


@pytest.mark.parametrize("loop", [-1, 2**62, 2**63 - 1])
def test_weights_of_self_loops_do_not_count(tmp_path, loop):
    graph = {"offsets": [0, 2, 4, 6], "heads": [0, 1, 0, 2, 1, 2]}
    saved(tmp_path / "g.npz", **graph, arc_weights=[loop, 5, 5, 6, 6, loop])

    opened = procmap.Graph.open(tmp_path / "g.npz")

    assert opened.heads.tolist() == [1, 0, 2, 1]
    assert opened.arc_weights.tolist() == [5, 5, 6, 6]


def saved(path, **arrays):
    with path.open("wb") as file:  # or else savez would choose the name
        np.savez(file, **arrays)


def changed(path, at, by):
    """Add to a byte of a file."""
    data = bytearray(path.read_bytes())
    data[at] = (data[at] + by) % 256
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda _: None, procmap.FileError, "No such file"),
        (lambda p: p.write_bytes(b"x" * 30), procmap.FileError, "no ParHIP header"),
        (lambda p: saved(p, heads=[1]), procmap.FileError, "no array 'offsets'"),
        (
            lambda p: saved(p, offsets=[0, 2], heads=[1]),
            procmap.FileError,
            "bad: the last row ends at arc 2, expected 0 to 1$",
        ),
        (
            lambda p: saved(p, offsets=[0, 1], heads=[0, 0]),
            procmap.FileError,
            "bad: rows end at 1, but there are 2 arcs",
        ),
        (
            lambda p: saved(p, offsets=[1, 1], heads=[0]),
            procmap.FileError,
            "bad: row 0 begins at arc 1, expected 0$",
        ),
        (
            lambda p: saved(p, offsets=[0, 2, 1, 5, 2], heads=[1, 0]),
            procmap.FileError,
            "bad: row 2 begins at arc 1, expected 2$",
        ),
        (
            lambda p: saved(p, offsets=[0, 1, 3, 2], heads=[1, 0]),
            procmap.FileError,
            "bad: row 2 begins at arc 3, expected 1 to 2$",
        ),
        (
            lambda p: changed(parhip(p, GRAPH), 24 + 8 * 7, -1),
            procmap.FileError,
            r"bad: row 7 begins at byte \d+, where no head begins",
        ),
        (
            lambda p: saved(p, offsets=[0, 1], heads=[0.5]),
            procmap.FileError,
            "heads must be integers",
        ),
        (
            lambda p: saved(p, offsets=[0, 1, 2], heads=[1, 2]),
            procmap.GraphError,
            r"arc 1->2: heads\[.*\] = 2 is not in \[0, 2\)",
        ),
        (
            lambda p: saved(p, offsets=[0, 1, 1], heads=[1]),
            procmap.GraphError,
            "arc 0->1 has no reverse arc 1->0",
        ),
        (
            lambda p: saved(p, offsets=[0, 1, 2], heads=[1, 0], vertex_weights=[2**61, 2**61]),
            procmap.GraphError,
            r"bad: with vertex_weights\[1\] = 2305843009213693952 they add up to 2\^62 or more",
        ),
        (
            lambda p: saved(p, offsets=[0, 1, 2], heads=[1, 0], vertex_weights=[2**63 - 1] * 2),
            procmap.GraphError,
            r"bad: with vertex_weights\[0\] = 9223372036854775807 they add up to 2\^62 or more",
        ),
        (
            lambda p: saved(p, offsets=[0, 1, 2], heads=[1, 0], arc_weights=[2**61, 2**61]),
            procmap.GraphError,
            r"bad: with arc 1->0: arc_weights\[1\] = 2305843009213693952 they add up to 2\^62 or",
        ),
    ],
)
def test_bad_files_are_refused(tmp_path, make, error, message):
    path = tmp_path / "bad"
    make(path)
    with pytest.raises(error, match=message):
        procmap.Graph.open(path)


@pytest.mark.parametrize("piece", [1, 2, 3, 2**22])
def test_the_first_row_that_does_not_follow_is_named_in_any_portion(tmp_path, monkeypatch, piece):
    monkeypatch.setattr("procmap.graph._portions.PIECE", piece)
    saved(tmp_path / "bad", offsets=[0, 1, 2, 2, 1, 0, 2], heads=[1, 0])

    with pytest.raises(procmap.FileError, match=r"bad: row 4 begins at arc 1, expected 2$"):
        procmap.Graph.open(tmp_path / "bad")


@pytest.mark.parametrize("piece", [1, 3, 2**22])
@pytest.mark.parametrize(
    ("name", "weights", "culprit"),
    [
        ("arc_weights", ([2**61, 1, 5, 3], [3, 3, 2**61, 1]), r"arc 3->0: arc_weights\[2\] = 2305"),
        ("vertex_weights", ([2**61, 1], [1, 2**61]), r"vertex_weights\[1\] = 2305843009213693952 "),
    ],
)
def test_the_file_and_place_where_sums_become_too_large_are_named(
    tmp_path, monkeypatch, piece, name, weights, culprit
):
    monkeypatch.setattr("procmap.graph._portions.PIECE", piece)
    for file, values in zip("ab", weights, strict=True):
        rows = {"offsets": [0, 2, 4], "heads": [1, 3, 0, 2], name: values}
        saved(tmp_path / f"{file}.npz", **rows)

    with pytest.raises(procmap.GraphError, match=rf"b\.npz: with {culprit}"):
        procmap.Graph.open(tmp_path / "*.npz")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"initial": np.zeros(400, int)}, "initial cannot be given with an opened graph"),
        ({"time_limit": 1.0}, "time_limit cannot be given"),
        ({"symmetrize": "sum"}, "symmetrize cannot be given"),
    ],
)
def test_options_that_an_opened_graph_does_not_take(tmp_path, options, message):
    opened = procmap.Graph.open(parhip(tmp_path / "g", GRAPH))
    with pytest.raises(procmap.ConfigError, match=message):
        procmap.map(opened, MACHINE, **options)


@pytest.mark.parametrize(
    "option",
    [{"vertex_weights": np.arange(400)}, {"symmetrize": "sum"}, {"stream": 1}, {"device": "gpu"}],
)
def test_evaluating_an_opened_graph_ignores_no_option(tmp_path, option):
    opened = procmap.Graph.open(parhip(tmp_path / "g", GRAPH))
    with pytest.raises(procmap.ConfigError, match=next(iter(option))):
        procmap.evaluate(opened, np.zeros(400, int), MACHINE, **option)


def test_an_opened_graph_is_no_graph_in_memory(tmp_path):
    opened = procmap.Graph.open(parhip(tmp_path / "g", GRAPH))
    with pytest.raises(TypeError, match="an opened graph can only be mapped"):
        procmap.map_many([opened], MACHINE)
    with pytest.raises(procmap.GraphError, match="for one process"):
        raise on_ranks(2, lambda comm: pd.map(comm, opened, MACHINE))[0]
    with pytest.raises(procmap.FileError, match="no such folder"):
        procmap.Graph.open(tmp_path / "g", scratch=tmp_path / "nowhere")


@pytest.mark.parametrize("in_file", [False, True])
@pytest.mark.parametrize(
    ("pieces", "dtype"),
    [
        ([[1, 1], []], np.int64),
        ([[], [5, 1], []], np.uint32),
        ([[1, 1], [1, 2**33], [3, 4]], np.int64),
        ([[7, 1], [2**32, 1]], np.int64),
    ],
)
def test_weights_are_as_narrow_as_they_can_be(tmp_path, in_file, pieces, dtype):
    weights = GrowingWeights(Storage(tmp_path if in_file else None))
    expected = []
    for piece in pieces:
        weights.append(np.array(piece, np.int64), 2)
        expected += piece or [1, 1]

    found = weights.finish()

    assert found.dtype == dtype
    assert found.tolist() == ([] if set(expected) == {1} else expected)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("call", [procmap.map, procmap.partition])
def test_a_warning_names_who_mapped_an_opened_graph(tmp_path, call):
    opened = procmap.Graph.open(shards(tmp_path, GRAPH, 1), scratch=tmp_path)
    machine = 4 if call is procmap.partition else procmap.Topology.flat(4)

    with pytest.warns(procmap.InfeasibleWarning) as warned:
        call(opened, machine, fixed=np.zeros(400, int), preset="fast")

    assert [warning.filename for warning in warned] == [__file__]
