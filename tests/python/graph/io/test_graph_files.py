# SPDX-License-Identifier: MIT
"""Graph files besides METIS: read right, dispatched by name or content, refused with the place."""

import re

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

import procmap
from procmap import FileError, read_graph
from support import grid, random_weighted, tails

GRAPH = random_weighted(30, 60, seed=11)
LOADS = GRAPH.vertex_weights


def matrix(graph):
    n = graph.num_vertices
    return sp.csr_array((graph.arc_weights, graph.heads, graph.offsets), (n, n))


def same(a, b):
    return np.array_equal(matrix(a).toarray(), matrix(b).toarray())


def parhip(graph, flags, weights=True, loads=True):
    """Write the bytes of KaGen's and KaMinPar's format, by its description."""
    widths = ["<i4" if flags >> bit & 1 else "<i8" for bit in (2, 3, 4, 5)]
    start = 24 + (graph.num_vertices + 1) * int(widths[0][2])
    offsets = start + graph.offsets * int(widths[1][2])
    header = np.array([flags, graph.num_vertices, len(graph.heads)], "<u8").tobytes()
    parts = [header, offsets.astype(widths[0]).tobytes(), graph.heads.astype(widths[1]).tobytes()]
    if loads:
        parts.append(graph.vertex_weights.astype(widths[2]).tobytes())
    if weights:
        parts.append(graph.arc_weights.astype(widths[3]).tobytes())
    return b"".join(parts)


def lines(edges, weights=None, separator=" "):
    columns = [*edges.T] if weights is None else [*edges.T, weights]
    return "".join(separator.join(map(str, row)) + "\n" for row in zip(*columns, strict=True))


def edges_of(graph):
    once = tails(graph) < graph.heads
    return np.stack([tails(graph), graph.heads], 1)[once], graph.arc_weights[once]


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("dense", [False, True])
def test_matrix_market_as_scipy_writes_it(tmp_path, symmetry, dtype, dense):
    values = matrix(GRAPH).astype(dtype)
    path = tmp_path / "x.mtx"

    scipy.io.mmwrite(path, values.toarray() if dense else values, symmetry=symmetry)

    assert same(read_graph(path), GRAPH)


def test_matrix_market_pattern_and_fractions(tmp_path):
    pattern = tmp_path / "pattern.mtx"
    pattern.write_text(
        "%%MatrixMarket matrix coordinate pattern symmetric\n% a path\n\n3 3 3\n2 1\n2 2\n3 2\n"
    )
    half = tmp_path / "half.mtx"
    scipy.io.mmwrite(half, matrix(GRAPH) * 0.5)

    assert same(read_graph(pattern), procmap.Graph.from_edges([(0, 1), (1, 2)]))
    assert same(read_graph(half), GRAPH)
    assert read_graph(half).traffic_scale == procmap.Scale(2, 1)


def test_symmetric_matrix_market_may_be_stored_as_either_triangle(tmp_path):
    text = "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n"
    expected = procmap.Graph.from_edges([(0, 1), (1, 2)], 3, weights=[5, 6])
    for name, entries in (("lower", "2 1 5\n3 2 6\n"), ("upper", "1 2 5\n2 3 6\n")):
        path = tmp_path / f"{name}.mtx"
        path.write_text(text + entries)

        assert same(read_graph(path), expected)


def test_directed_matrix_market_needs_symmetrize(tmp_path):
    path = tmp_path / "x.mtx"
    path.write_text("%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 3\n2 1 4\n")

    assert read_graph(path, symmetrize="sum").arc_weights.tolist() == [7, 7]
    assert read_graph(path, symmetrize="max").arc_weights.tolist() == [4, 4]
    with pytest.raises(FileError, match=r"x\.mtx: arc 0->1 .* weighs 3, but its reverse"):
        read_graph(path)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("compressed", [True, False])
def test_npz_as_scipy_writes_it(tmp_path, form, compressed):
    sp.save_npz(tmp_path / "x.npz", matrix(GRAPH).asformat(form), compressed=compressed)

    assert same(read_graph(tmp_path / "x.npz"), GRAPH)


@pytest.mark.parametrize("flags", range(64))
def test_parhip_with_every_combination_of_widths(tmp_path, flags):
    has_weights, has_loads = not flags & 1, not flags & 2
    path = tmp_path / "x.bgf"
    path.write_bytes(parhip(GRAPH, flags, has_weights, has_loads))

    graph = read_graph(path)

    assert graph.heads.tolist() == GRAPH.heads.tolist()
    assert graph.offsets.tolist() == GRAPH.offsets.tolist()
    assert (
        graph.arc_weights.tolist()
        == (GRAPH.arc_weights.tolist() if has_weights else [1] * 120)[: len(GRAPH.heads)]
    )
    assert graph.vertex_weights.tolist() == (LOADS.tolist() if has_loads else [1] * 30)


@pytest.mark.parametrize("suffix", [".el", ".edges", ".csv", ".tsv"])
@pytest.mark.parametrize("twice", [False, True])
def test_edge_lists_have_edges_once_or_both_ways(tmp_path, suffix, twice):
    edges, weights = edges_of(GRAPH)
    path = tmp_path / f"x{suffix}"
    separator = {".csv": ",", ".tsv": "\t"}.get(suffix, " ")
    if twice:
        edges = np.concatenate([edges, edges[:, ::-1]])
        weights = np.concatenate([weights, weights])

    path.write_text("# tail head bytes\n" + lines(edges, weights, separator))

    n = edges.max() + 1
    assert np.array_equal(matrix(read_graph(path)).toarray(), matrix(GRAPH).toarray()[:n, :n])


def test_edge_list_without_weights_or_lines(tmp_path):
    path = tmp_path / "x.edges"
    path.write_text("0 1\r\n\r\n% comment\r\n1 2")

    assert same(read_graph(path), procmap.Graph.from_edges([(0, 1), (1, 2)]))
    path.write_text("0 1 0.5\n2 1 1e1\n")
    assert read_graph(path).arc_weights.tolist() == [1, 1, 20, 20]
    path.write_text(f"0 1 {2**53 + 1}\n")
    assert read_graph(path).arc_weights.tolist() == [2**53 + 1] * 2
    path.write_text("# nothing\n")
    assert read_graph(path).num_vertices == 0
    path.write_bytes(b"\x1f")  # what is left of a compressed file
    with pytest.raises(FileError, match=r"x\.edges:1: "):
        read_graph(path)


def test_last_vertices_of_an_edge_list_may_have_no_edge(tmp_path):
    path = tmp_path / "x.el"
    path.write_text("0 1\n1 2\n")

    assert same(read_graph(path, num_vertices=5), procmap.Graph.from_edges([(0, 1), (1, 2)], 5))
    assert same(read_graph(path, num_vertices=3), read_graph(path))
    with pytest.raises(FileError, match=r"x.el:2: vertex 2 is not in \[0, 2\)"):
        read_graph(path, num_vertices=2)
    with pytest.raises(procmap.ConfigError, match="num_vertices must be an integer"):
        read_graph(path, num_vertices="3")
    grid(2, 2).write(tmp_path / "x.graph")
    with pytest.raises(procmap.ConfigError, match=r"for edge lists, but .*x\.graph is of .* metis"):
        read_graph(tmp_path / "x.graph", num_vertices=4)


def test_edge_list_that_mixes_both_kinds_needs_symmetrize(tmp_path):
    path = tmp_path / "x.edges"
    path.write_text("0 1 3\n1 0 4\n1 2 5\n")

    with pytest.raises(FileError, match=r"edge 0 1 is there in both directions.*symmetrize"):
        read_graph(path)
    assert matrix(read_graph(path, symmetrize="sum")).toarray()[0].tolist() == [0, 7, 0]
    assert matrix(read_graph(path, symmetrize="max")).toarray()[1].tolist() == [4, 0, 5]


def test_content_decides_if_the_name_does_not(tmp_path):
    graph = grid(5, 5)
    metis, market, archive, binary = (tmp_path / name for name in ("a", "b.txt", "c", "d"))
    graph.write(metis)
    scipy.io.mmwrite(tmp_path / "b.mtx", matrix(graph))
    (tmp_path / "b.mtx").rename(market)
    sp.save_npz(tmp_path / "c.npz", matrix(graph))
    (tmp_path / "c.npz").rename(archive)
    binary.write_bytes(parhip(graph, 0))

    for path in (metis, market, archive, binary):
        assert same(read_graph(path), graph)
        assert procmap.partition(path, 3).cost == procmap.partition(graph, 3).cost


def test_format_overrides_the_name(tmp_path):
    path = tmp_path / "x.mtx"
    path.write_text("0 1\n")

    assert read_graph(path, format="edges").num_edges == 1
    with pytest.raises(procmap.ConfigError, match="format must be one of metis, "):
        read_graph(path, format="pdf")


MARKET = "%%MatrixMarket matrix coordinate integer general\n"
BAD_TEXT = {
    "no header.mtx": ("1 2 3\n", ":1: expected '%%MatrixMarket"),
    "complex.mtx": (MARKET.replace("integer", "complex"), ":1: 'complex' is none of real"),
    "skew.mtx": (MARKET.replace("general", "skew-symmetric"), ":1: 'skew-symmetric' is none"),
    "vector.mtx": (MARKET.replace("matrix c", "vector c"), ":1: expected"),
    "no sizes.mtx": (MARKET, ":2: expected 3 sizes, got ''"),
    "two sizes.mtx": (MARKET + "% x\n3 3\n", ":3: expected 3 sizes, got '3 3'"),
    "negative size.mtx": (MARKET + "-3 -3 1\n", ":2: expected 3 sizes, got '-3 -3 1'"),
    "huge size.mtx": (MARKET + f"3 3 {10**30}\n", ":2: size 1000000000"),
    "large size.mtx": (MARKET + f"{2**31} {2**31} 0\n", "makes 2147483648 vertices for 0"),
    "not square.mtx": (MARKET + "3 4 0\n", ":2: the matrix must be square, got 3 x 4"),
    "too few.mtx": (MARKET + "2 2 2\n1 2 1\n", ":2: the header says 2 entries, but there are 1"),
    "too many.mtx": (MARKET + "2 2 1\n1 2 1\n2 1 1\n", "1 entries, but there are 2"),
    "index 0.mtx": (MARKET + "2 2 1\n0 1 1\n", ":3: entry 1 is at (0, 1), outside [1, 2]"),
    "index n+1.mtx": (MARKET + "2 2 1\n1 3 1\n", "is at (1, 3), outside"),
    "float.mtx": (MARKET + "2 2 2\n1 2 1\n2 1 1.5\n", ":4: '1.5' is not a 64-bit integer"),
    "word.mtx": (MARKET + "2 2 2\n1 2 x\n2 1 x\n", ":3: 'x' is not a 64-bit integer"),
    "short.mtx": (MARKET + "2 2 2\n1 2\n2 1 1\n", ":3: expected 3 numbers, found 2"),
    "negative.mtx": (MARKET + "2 2 2\n1 2 -1\n2 1 -1\n", ":3: entry 1, -1, is negative"),
    "nan.mtx": (MARKET.replace("integer", "real") + "2 2 1\n1 2 nan\n", ":3: 'nan' is not a num"),
    "array.mtx": (MARKET.replace("coordinate", "array") + "2 2\n0\n1\n1\n", "says 4 entries, but"),
    "pattern array.mtx": ("%%MatrixMarket matrix array pattern general\n", "no pattern"),
    "both triangles.mtx": (
        MARKET.replace("general", "symmetric") + "3 3 4\n1 1 7\n3 2 1\n1 3 1\n2 3 1\n",
        ":6: entry 4 is at (2, 3), but (3, 2) is there too; a symmetric matrix is stored as its",
    ),
    "both triangles of a pattern.mtx": (
        "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 2\n2 1\n",
        ":3: entry 1 is at (1, 2), but (2, 1) is there too",
    ),
    "word.el": ("0 1\n1 b\n", ":2: 'b' is not a 64-bit integer"),
    "ragged.el": ("0 1\n1 2 3\n", ":2: expected 2 numbers, found 3"),
    "one column.el": ("# x\n5\n", ":2: expected 'u v' or 'u v weight', found 1 columns"),
    "large id.el": ("0 1\n1 3000000000\n", "makes 3000000001 vertices for 2"),
    "beyond 64 bits.el": (f"0 {2**63}\n", ":1: '9223372036854775808' is not a 64-bit integer"),
    "negative id.el": ("0 1\n-1 0\n", ":2: vertex -1 is not in [0, 2147483647)"),
    "infinite.csv": ("0,1,inf\n1,2,1.0\n", ":1: 'inf' is not a number"),
    "negative.el": ("# x\n1 1 -1\n\n0 1 -1\n", ":4: weight -1 is negative"),
    "beyond floats.el": ("0 1 1.5\n1 2 1e400\n", ":2: '1e400' is beyond 1.8e308"),
    "underscore.el": ("0 1_0\n", ":1: '1_0' is not a 64-bit integer"),
    "text.npz": ("no archive", "not an npz file"),
    "text.bgf": ("5 4\n", "no ParHIP header: 4 bytes"),
}


@pytest.mark.parametrize("name", BAD_TEXT)
def test_malformed_text_is_refused_with_its_place(tmp_path, name):
    text, message = BAD_TEXT[name]
    path = tmp_path / name
    path.write_text(text)

    with pytest.raises(FileError, match=re.escape(name) + ".*" + re.escape(message)):
        read_graph(path)


def test_a_vertex_beyond_those_that_there_are_is_named_with_its_line(tmp_path):
    (tmp_path / "x.el").write_text("0 1\n\n1 4\n")

    assert read_graph(tmp_path / "x.el", num_vertices=5).num_vertices == 5
    with pytest.raises(FileError, match=r"x\.el:3: vertex 4 is not in \[0, 4\)"):
        read_graph(tmp_path / "x.el", num_vertices=4)


BAD_NPZ = {
    "no format": ({"data": [1]}, "there is no array 'format': not a sparse matrix as scipy"),
    "other format": ({"format": b"dia"}, "'format' is 'dia'"),
    "no shape": ({"format": b"coo"}, "there is no array 'shape'"),
    "no column": ({"format": b"coo", "shape": [2, 2], "row": [0]}, "there is no array 'col'"),
    "not square": (
        {"format": b"csr", "shape": [2, 3], "indptr": [0], "indices": [0], "data": [0]},
        "must be square",
    ),
    "other size": (
        {"format": b"csr", "shape": [3, 3], "indptr": [0, 1, 2], "indices": [1, 0], "data": [1, 1]},
        "'shape' says 3 rows, indptr 2",
    ),
    "outside": (
        {"format": b"coo", "shape": [2, 2], "row": [0], "col": [2], "data": [1]},
        "entries[0] = (0, 2) has an end",
    ),
    "rows in two dimensions": (
        {"format": b"coo", "shape": [2, 2], "row": [[0, 1]], "col": [1, 0], "data": [1, 1]},
        "must be one-dimensional, got shape (1, 2)",
    ),
    "text as rows": (
        {"format": b"coo", "shape": [2, 2], "row": ["a", "b"], "col": [1, 0], "data": [1, 1]},
        "must hold integers, got dtype <U1",
    ),
    "complex data": (
        {"format": b"coo", "shape": [2, 2], "row": [0, 1], "col": [1, 0], "data": [1j, 1j]},
        "got dtype complex128",
    ),
}


@pytest.mark.parametrize("name", BAD_NPZ)
def test_malformed_archives_are_refused(tmp_path, name):
    arrays, message = BAD_NPZ[name]
    np.savez(tmp_path / "x.npz", **arrays)

    with pytest.raises(FileError, match="x.npz: .*" + re.escape(message)):
        read_graph(tmp_path / "x.npz")


@pytest.mark.parametrize("form", ["coo", "csr"])
@pytest.mark.parametrize("read", [read_graph, procmap.read_traffic])
@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (["a", "a"], "'shape' must hold two integers, got <U1 of shape (2,)"),
        ([b"2", b"2"], "'shape' must hold two integers, got |S1"),
        ([2.0, 2.0], "'shape' must hold two integers, got float64"),
        ([2j, 2j], "'shape' must hold two integers, got complex128"),
        ([True, True], "'shape' must hold two integers, got bool"),
        (np.array([2, 2], "M8[s]"), "'shape' must hold two integers, got datetime64[s]"),
        (2, "'shape' must hold two integers, got int64 of shape ()"),
        ([2], "'shape' must hold two integers, got int64 of shape (1,)"),
        ([[2, 2], [2, 2]], "'shape' must hold two integers, got int64 of shape (2, 2)"),
        (np.zeros((2, 0), int), "'shape' must hold two integers, got int64 of shape (2, 0)"),
        ([-2, -2], "-2"),
    ],
)
def test_shapes_that_no_matrix_has_are_refused(tmp_path, read, form, shape, message):
    matrix = sp.coo_array(np.ones((2, 2))).asformat(form)
    sp.save_npz(tmp_path / "whole.npz", matrix)
    arrays = {**np.load(tmp_path / "whole.npz"), "shape": shape}
    np.savez(tmp_path / "x.npz", **arrays)

    with pytest.raises(FileError, match="x.npz: .*" + re.escape(message)):
        read(tmp_path / "x.npz")


def test_pickled_objects_are_never_loaded(tmp_path):
    np.savez(tmp_path / "x.npz", format=np.array([{}], dtype=object))

    with pytest.raises(FileError, match="holds Python objects"):
        read_graph(tmp_path / "x.npz")


def test_parhip_of_any_other_length_is_refused(tmp_path):
    whole, path = parhip(grid(3, 3), 0), tmp_path / "x.bgf"

    for data in (whole[:-1], whole + b"\0", whole[:30], whole[:24], whole[:3], b""):
        path.write_bytes(data)
        with pytest.raises(FileError, match="bytes"):
            read_graph(path)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (0, 64, "no ParHIP header"),
        (1, 2**40, "at most 2"),
        (3, 8, "row 0 begins at byte 8, where no head begins"),
        (4, 105, "row 1 begins at byte 105"),
        (4, 2**63 + 8, "offsets[2] = 5 < offsets[1] = 1152921504606846"),
        (12, 24 + 80 + 8 * 23, "offsets[9] = 23, but heads has 24 entries"),
        (13, 77, "arcs[0] = (0, 77) has an end"),
        (-1, 2**64 - 1, "weights[23] = -1 is negative"),
    ],
)
def test_parhip_with_one_wrong_number_is_refused(tmp_path, place, value, message):
    numbers = np.frombuffer(parhip(grid(3, 3), 0), "<u8").copy()
    numbers[place] = value
    (tmp_path / "x.bgf").write_bytes(numbers.tobytes())

    with pytest.raises(FileError, match=r"x\.bgf: .*" + re.escape(message)):
        read_graph(tmp_path / "x.bgf")


def test_missing_and_unreadable_files_are_named(tmp_path):
    for name in ("missing.mtx", "missing.npz", "missing.bgf", "missing.el", "missing"):
        with pytest.raises(FileError, match=name + ".*No such file"):
            read_graph(tmp_path / name)
    (tmp_path / "folder.mtx").mkdir()
    with pytest.raises(FileError, match=r"folder\.mtx"):
        read_graph(tmp_path / "folder.mtx")
    with pytest.raises(FileError, match="null"):
        read_graph("a\0b.mtx")
