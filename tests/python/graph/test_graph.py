# SPDX-License-Identifier: MIT
"""Graphs from every source: the same graph, checked, and independent of the user's arrays."""

import pickle
import re

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import procmap
from procmap import Graph, GraphError
from support import csr, grid, grid_edges, random_weighted

PATH = ([0, 1, 3, 4], [1, 0, 2, 1])  # 0 - 1 - 2


def refuses(text):
    return pytest.raises(GraphError, match=re.escape(text))


def same(a, b):
    rows = [
        [sorted(zip(g.heads[i:j].tolist(), g.arc_weights[i:j].tolist(), strict=True))
         for i, j in zip(g.offsets[:-1], g.offsets[1:], strict=True)]
        for g in (a, b)
    ]  # fmt: skip
    return rows[0] == rows[1] and np.array_equal(a.vertex_weights, b.vertex_weights)


def test_arrays_show_what_was_given_and_are_read_only():
    graph = Graph.from_csr(*PATH, [7, 7, 9, 9], [1, 2, 3])

    assert (graph.num_vertices, graph.num_edges, graph.max_degree) == (3, 2, 2)
    assert graph.total_vertex_weight == 6
    assert graph.offsets.tolist() == PATH[0]
    assert graph.heads.tolist() == PATH[1]
    assert graph.arc_weights.tolist() == [7, 7, 9, 9]
    assert graph.vertex_weights.tolist() == [1, 2, 3]
    arrays = (graph.offsets, graph.heads, graph.arc_weights, graph.vertex_weights)
    assert [a.dtype for a in arrays] == [np.int64, np.int32, np.int64, np.int64]
    assert not any(a.flags.writeable for a in arrays)


def test_unit_weights_are_ones_that_take_no_memory():
    graph = Graph.from_csr(*PATH)

    assert graph.arc_weights.tolist() == [1] * 4
    assert graph.vertex_weights.tolist() == [1] * 3
    assert graph.arc_weights.strides == (0,)
    assert not graph.arc_weights.flags.writeable
    assert not graph.has_edge_weights
    assert not graph.has_vertex_weights


def test_repr_tells_size_and_weights():
    assert repr(Graph.from_csr(*PATH)) == "Graph(3 unit vertices, 2 unit edges)"
    assert "2 weighted edges" in repr(Graph.from_csr(*PATH, [7, 7, 9, 9]))


def test_constructor_points_to_the_factories():
    with pytest.raises(TypeError, match="from_csr"):
        Graph()


def test_later_changes_of_the_users_arrays_do_not_reach_the_graph():
    offsets, heads, weights = csr(400, grid_edges(20, 20))
    loads = np.ones(400, np.int64)
    graph = Graph.from_csr(offsets, heads, weights, loads)

    heads[:] = 2**30
    offsets[:] = -1
    weights[:] = -1
    loads[:] = -1

    assert same(graph, Graph.from_csr(*csr(400, grid_edges(20, 20))))


def test_without_copy_exact_arrays_are_borrowed_and_kept_alive():
    offsets, heads, weights = csr(400, grid_edges(20, 20))
    graph = Graph.from_csr(offsets, heads, weights, copy=False)

    assert np.shares_memory(graph.heads, heads)
    expected = heads.copy()
    del offsets, heads, weights
    assert np.array_equal(graph.heads, expected)


def test_array_of_a_graph_outlives_the_graph():
    heads = Graph.from_csr(*PATH).heads

    assert heads.tolist() == PATH[1]


@pytest.mark.parametrize("dtype", ["i1", "u1", ">i2", "u4", "i8", ">i8", "u8", "f4", "f8", "g"])
def test_any_exact_dtype_gives_the_same_graph(dtype):
    offsets, heads = (np.array(a, dtype) for a in PATH)
    weights, loads = np.array([7, 7, 9, 9], dtype), np.array([1, 2, 3], dtype)

    graph = Graph.from_csr(offsets, heads, weights, loads)

    assert same(graph, Graph.from_csr(*PATH, [7, 7, 9, 9], [1, 2, 3]))


def _read_only(a):
    a = np.array(a, np.int64)
    a.flags.writeable = False
    return a


def _unaligned(a):
    buffer = np.zeros(8 * len(a) + 1, np.uint8)
    view = np.frombuffer(buffer.data, np.int64, len(a), offset=1)
    buffer[1:] = np.frombuffer(np.array(a, np.int64).tobytes(), np.uint8)
    return view


LAYOUTS = {
    "list": list,
    "tuple": tuple,
    "every second": lambda a: np.repeat(np.array(a), 2)[::2],
    "reversed twice": lambda a: np.array(a)[::-1].copy()[::-1],
    "column": lambda a: np.asfortranarray(np.stack([a, a], axis=1))[:, 0],
    "row of Fortran": lambda a: np.asfortranarray(np.stack([a, a]))[0],
    "read-only": _read_only,
    "unaligned": _unaligned,
    "memoryview": lambda a: np.array(a, np.int64).data,
    "no mask": np.ma.masked_array,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("copy", [True, False])
def test_any_memory_layout_gives_the_same_graph(layout, copy):
    arrays = [LAYOUTS[layout](a) for a in (*PATH, [7, 7, 9, 9], [1, 2, 3])]

    graph = Graph.from_csr(*arrays, copy=copy)

    assert same(graph, Graph.from_csr(*PATH, [7, 7, 9, 9], [1, 2, 3]))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, np.nan, 1, 1], "arc_weights[1] = nan is not a finite number"),
        ([1, 1, np.inf, 1], "arc_weights[2] = inf is not a finite number"),
        ([1, 1, 0.3, 0.4], "weighs 3, but its reverse arc 2->1 (heads[3]) weighs 4 (traffic in un"),
        ([1, 1, -0.5, -0.5], "arc_weights[2] = -0.5 is negative"),
        ([1, 1, 1, 1e300], "weighs 1, but its reverse arc 2->1"),
        (np.full(4, 2**63, np.uint64), "arc_weights[0] = 9223372036854775808 does not fit int64"),
        ([True] * 4, "arc_weights must hold numbers, got dtype bool"),
        ([1j] * 4, "arc_weights must hold numbers, got dtype complex128"),
        (["1"] * 4, "arc_weights must hold numbers, got dtype <U1: arc_weights[0] is '1'"),
        ([1, None, 1, 1], "numbers, got dtype object: arc_weights[1] is None"),
        ([1, 1, 2**70, 1], "arc_weights[2] is 1180591620717411303424, beyond 64 bits"),
        ([1, 1, 1], "arc_weights has 3 entries, but there are 4 arcs"),
        ([], "arc_weights has 0 entries, but there are 4 arcs"),
        ([[1, 1], [1, 1]], "arc_weights must be one-dimensional, got shape (2, 2)"),
        ([[1], [1, 2]], "arc_weights is not an array: its rows differ in length"),
        (5, "arc_weights must be one-dimensional, got 5"),
        (np.ma.masked_array([1] * 4, [0, 0, 0, 1]), "arc_weights has masked values"),
        ([1, 1, 1, -4], "-4"),
    ],
)
def test_unusable_weights_are_named(weights, message):
    with refuses(message):
        Graph.from_csr(*PATH, weights)


def test_heads_and_offsets_are_never_wrapped_around():
    with refuses("heads[1] = 4294967296 does not fit int32"):
        Graph.from_csr([0, 1, 2], [1, 2**32])
    with refuses("offsets[1] = 0.5"):
        Graph.from_csr([0, 0.5, 2], [1, 0])
    with refuses("offsets is empty"):
        Graph.from_csr([], [])
    with pytest.raises(procmap.ConfigError, match="threads"):
        Graph.from_csr(*PATH, threads=0)


def test_largest_float_that_fits_is_exact():
    weight = 2.0**52 + 2

    graph = Graph.from_csr(*PATH, [weight] * 4)

    assert graph.arc_weights.tolist() == [2**52 + 2] * 4


@pytest.mark.parametrize(
    "make",
    [sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.lil_matrix, sp.csr_array, sp.coo_array],
)
@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_scipy_formats_give_the_same_graph(make, dtype):
    offsets, heads, weights = csr(400, grid_edges(20, 20), np.arange(760) % 7 + 1)
    matrix = make(sp.csr_matrix((weights, heads, offsets), (400, 400)).astype(dtype))

    graph = Graph.from_scipy(matrix)

    assert same(graph, Graph.from_csr(offsets, heads, weights))


@pytest.mark.parametrize(
    ("dtype", "weight"),
    [
        (np.uint8, 200),
        (np.int16, 20_000),
        (np.int32, 1_500_000_000),
        (np.uint32, 3_000_000_000),
        (np.float32, 2**24 + 2),
    ],
)
@pytest.mark.parametrize("make", [sp.coo_matrix, sp.coo_array, sp.bsr_array])
def test_entries_of_the_same_place_add_up_in_64_bits(make, dtype, weight):
    u, v = np.array([[0, 0, 1, 1], [1, 1, 0, 0]])
    weights = np.array([weight, weight - 1] * 2, dtype)
    if make is sp.bsr_array:
        matrix = make((weights.reshape(4, 1, 1), v, [0, 2, 4]), shape=(2, 2))
    else:
        matrix = make((weights, (u, v)), shape=(2, 2))
    total = int(weights[0]) + int(weights[1])

    assert Graph.from_scipy(matrix).arc_weights.tolist() == [total] * 2
    assert Graph.from_scipy(matrix, symmetrize="sum").arc_weights.tolist() == [2 * total] * 2


def test_entries_of_the_same_place_beyond_64_bits_are_refused():
    u, v = np.array([[0, 0, 1, 1], [1, 1, 0, 0]])
    matrix = sp.coo_array((np.full(4, 2**62), (u, v)), shape=(2, 2))

    with refuses("weights add up to 2^62 or more at weights[0]"):
        Graph.from_scipy(matrix)
    with refuses("symmetrize must be"):
        Graph.from_scipy(matrix, symmetrize="mean")


def test_unusable_scipy_matrices_are_refused():
    with refuses("must be square, got shape (2, 3)"):
        Graph.from_scipy(sp.csr_matrix((2, 3)))
    with refuses("dtype bool; use .astype"):
        Graph.from_scipy(sp.csr_matrix(np.array([[0, 1], [1, 0]], bool)))
    with refuses("arc_weights[0] = -0.5 is negative"):
        Graph.from_scipy(sp.csr_matrix([[0, -0.5], [-0.5, 0]]))
    with refuses("reverse"):
        Graph.from_scipy(sp.csr_matrix([[0, 1], [0, 0]]))


def test_networkx_nodes_keep_their_order():
    graph = nx.Graph()
    graph.add_nodes_from([("b", {"work": 5}), ("a", {}), ("c", {"work": 2})])
    graph.add_edge("c", "a", weight=4)
    graph.add_edge("a", "b", bytes=9)

    plain = Graph.from_networkx(graph)
    custom = Graph.from_networkx(graph, weight="bytes", load="work")
    unit = Graph.from_networkx(graph, [3, 4, 5], weight=None)

    assert same(plain, Graph.from_edges([(1, 2), (0, 1)], 3, [4, 1]))
    assert same(custom, Graph.from_edges([(1, 2), (0, 1)], 3, [1, 9], [5, 1, 2]))
    assert same(unit, Graph.from_edges([(1, 2), (0, 1)], 3, None, [3, 4, 5]))


def test_networkx_multigraph_adds_up_and_directed_is_refused():
    multi = nx.MultiGraph([(0, 1), (0, 1), (1, 1)])

    assert Graph.from_networkx(multi).arc_weights.tolist() == [2, 2]
    assert Graph.from_networkx(nx.Graph()).num_vertices == 0
    with refuses("directed"):
        Graph.from_networkx(nx.DiGraph([(0, 1)]))
    with refuses("not both"):
        Graph.from_networkx(multi, [1, 1], load="work")


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        ({"weight": lambda *_: 2}, "weight must be the name of an attribute, got <function"),
        ({"weight": False}, "weight must be the name of an attribute, got False"),
        ({"weight": ["bytes"]}, "weight must be the name of an attribute, got ['bytes']"),
        ({"load": True}, "load must be the name of an attribute, got True"),
        ({"load": []}, "load must be the name of an attribute, got []"),
        ({"load": ["work", 1]}, "load[1] must be the name of an attribute, got 1"),
    ],
)
def test_what_names_no_attribute_of_networkx_is_refused(options, culprit):
    with refuses(culprit):
        Graph.from_networkx(nx.path_graph(3), **options)


def test_edges_may_repeat_point_back_and_be_missing():
    graph = Graph.from_edges([(0, 1), (1, 0), (2, 2), (1, 2)], weights=[1, 2, 50, 4])

    assert same(graph, Graph.from_edges([(0, 1), (1, 2)], 3, [3, 4]))
    assert Graph.from_edges([]).num_vertices == 0
    assert Graph.from_edges(np.zeros((0, 2), int), 5).num_vertices == 5


@pytest.mark.parametrize(
    ("edges", "options", "message"),
    [
        ([(0, 1), (3, 1400)], {"num_vertices": 400}, "edges[1] = (3, 1400)"),
        ([(0, 1), (-1, 2)], {}, "edges[1] = (-1, 2)"),
        ([(0, 1, 2)], {}, "edges must have shape (m, 2), got (1, 3)"),
        ([0, 1], {}, "edges must have shape (m, 2), got (2,)"),
        ([(0, 1), (1,)], {}, "edges is not an array"),
        ([(0, 1), (0, 0.5)], {}, "edges[1, 1] = 0.5 is not an integer"),
        ([(0, 1), (0, 2**31)], {}, "edges[1] = (0, 2147483648) has an end that is not in"),
        (None, {}, "edges must have shape (m, 2), got None"),
        ([(0, 1)] * 4, {"weights": [2**60] * 4}, "weights add up to 2^62 or more at weights[3]"),
        ([(0, 1)], {"weights": [1, 2]}, "weights has 2 entries, but there are 1 edges"),
        ([(0, 1)], {"vertex_weights": [1]}, "vertex_weights has 1 entries"),
        ([(0, 1)], {"num_vertices": 2.5}, "num_vertices must be an integer"),
    ],
)
def test_unusable_edges_are_named(edges, options, message):
    with refuses(message):
        Graph.from_edges(edges, **options)


@pytest.mark.parametrize("num_weights", [1, 3])
def test_a_file_of_no_vertices_says_how_many_weights_they_have(tmp_path, num_weights):
    loads = np.zeros((0, num_weights), int)
    graph = procmap.Graph.from_edges([], 0, vertex_weights=loads)
    graph.write(tmp_path / "g.graph")

    assert procmap.read_graph(tmp_path / "g.graph").num_weights == graph.num_weights == num_weights


def test_metis_file_round_trip(tmp_path):
    for graph in (random_weighted(50, 100, seed=3), grid(4, 5), Graph.from_csr([0], [])):
        graph.write(tmp_path / "x.graph")

        assert same(Graph.read(tmp_path / "x.graph"), graph)
        assert same(Graph.read(str(tmp_path / "x.graph"), threads=1), graph)


def test_unreadable_files_are_os_errors_that_name_the_path(tmp_path):
    bad = tmp_path / "bad.graph"
    bad.write_text("2 1\n2\nx\n")

    with pytest.raises(procmap.FileError, match=r"bad\.graph:3: "):
        Graph.read(bad)
    with pytest.raises(OSError, match=r"missing\.graph"):
        Graph.read(tmp_path / "missing.graph")
    with pytest.raises(procmap.FileError, match="nowhere"):
        grid(2, 2).write(tmp_path / "nowhere" / "x.graph")


def test_other_loads_share_the_arcs():
    graph = grid(3, 3)

    loaded = graph.with_vertex_weights(range(9))

    assert loaded.vertex_weights.tolist() == list(range(9))
    assert np.shares_memory(loaded.heads, graph.heads)
    assert not graph.has_vertex_weights
    with refuses("vertex_weights has 2 entries"):
        graph.with_vertex_weights([1, 2])


@pytest.mark.parametrize("graph", [grid(3, 3), random_weighted(20, 40, seed=5)])
def test_pickle_keeps_the_graph(graph):
    assert same(pickle.loads(pickle.dumps(graph)), graph)


def test_traffic_has_one_name_in_all_constructors_and_the_other_is_accepted():
    rows, edges, index = ([0, 1, 2], [1, 0]), [(0, 1)], [[0, 1], [1, 0]]

    for name in ("weights", "arc_weights"):
        made = [
            Graph.from_csr(*rows, **{name: [7, 7]}),
            Graph.from_edges(edges, **{name: [7]}),
            Graph.from_edge_index(index, **{name: [7, 7]}),
        ]
        assert [graph.arc_weights.tolist() for graph in made] == [[7, 7]] * 3
    with refuses("weights and arc_weights are the same; give one of them"):
        Graph.from_csr(*rows, weights=[7, 7], arc_weights=[7, 7])


@pytest.mark.parametrize("name", ["ring.el", "ring.MTX", "ring.npz", "ring.csv.gz", "ring.bgf"])
def test_a_name_of_another_format_is_not_written(tmp_path, name):
    graph = grid(2, 3)

    with pytest.raises(procmap.FileError, match=f"{name}: graphs are written as METIS files"):
        graph.write(tmp_path / name)

    assert not list(tmp_path.iterdir())
