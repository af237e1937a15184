# SPDX-License-Identifier: MIT
"""Whatever holds a graph can be mapped, and what cannot be one is refused by name."""

import re
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import procmap
from procmap import Graph, GraphError, as_graph
from support import assert_report_is_true, csr, grid, grid_edges, random_weighted, tails

GRID = grid(6, 7)
EDGES = grid_edges(6, 7)
BOTH_WAYS = np.concatenate([EDGES, EDGES[:, ::-1]]).T


def matrix(graph):
    n = graph.num_vertices
    rows = (graph.arc_weights, graph.heads, graph.offsets)
    return sp.csr_array(rows, (n, n)).toarray()


def same(a, b):
    return np.array_equal(matrix(a), matrix(b)) and np.array_equal(
        a.vertex_weights, b.vertex_weights
    )


class Tensor:
    """As much of a torch tensor as is needed: one that must be detached first."""

    def __init__(self, values):
        self.values = np.asarray(values)
        self.shape, self.dtype = self.values.shape, f"torch.{self.values.dtype}"

    def detach(self):
        return self.values


class DeviceTensor(Tensor):
    def detach(self):
        return self

    def __array__(self, *_, **__):
        raise TypeError("can't convert cuda:0 device type tensor to numpy")


class DGLGraph:
    is_homogeneous = True

    def __init__(self, tails, heads, n, **edata):
        self.arcs, self.n, self.edata = (Tensor(tails), Tensor(heads)), n, edata

    def num_nodes(self):
        return self.n

    def edges(self):
        return self.arcs


def pyg(edge_index, n, **more):
    return SimpleNamespace(edge_index=Tensor(edge_index), num_nodes=n, **more)


SOURCES = {
    "graph": GRID,
    "csr": (GRID.offsets, GRID.heads),
    "csr and weights": (GRID.offsets, GRID.heads, np.ones(len(GRID.heads), np.float32)),
    "csr of unsigned": (GRID.offsets.astype("u4"), GRID.heads.astype("u2")),
    "scipy coo": sp.coo_array(matrix(GRID)),
    "scipy csc of floats": sp.csc_matrix(matrix(GRID).astype(float)),
    "networkx": nx.convert_node_labels_to_integers(nx.grid_2d_graph(6, 7)),
    "edge index": BOTH_WAYS,
    "edge index of int32, Fortran": np.asfortranarray(BOTH_WAYS.astype(np.int32)),
    "edge index tensor": Tensor(BOTH_WAYS),
    "PyG data": pyg(BOTH_WAYS, 42),
    "PyG data with weights": pyg(BOTH_WAYS, None, edge_weight=Tensor(np.ones(142, "f4"))),
    "DGL": DGLGraph(*BOTH_WAYS, 42),
    "DGL with weights": DGLGraph(*BOTH_WAYS, 42, weight=Tensor(np.ones(142, "f4"))),
}


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_gives_the_same_graph_and_mapping(source):
    graph, machine = SOURCES[source], procmap.Topology.hierarchy("2:2", "1:10")

    mapping = procmap.map(graph, machine, threads=2)

    assert same(as_graph(graph), GRID)
    assert (mapping.blocks == procmap.map(GRID, machine).blocks).all()
    assert procmap.evaluate(graph, mapping, machine).cost == mapping.cost


def test_igraph_gives_the_same_graph():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph(42, EDGES.tolist())
    directed = igraph.Graph(42, EDGES.tolist(), directed=True)

    assert same(as_graph(graph), GRID)
    graph.es["weight"] = np.arange(71).tolist()
    assert same(as_graph(graph), Graph.from_edges(EDGES, 42, np.arange(71)))
    assert same(as_graph(directed, symmetrize="sum"), GRID)
    with pytest.raises(GraphError, match="igraph graph is directed"):
        as_graph(directed)


def test_loads_go_with_every_source():
    for source in SOURCES.values():
        assert as_graph(source, range(42)).vertex_weights.tolist() == list(range(42))


@pytest.mark.parametrize("how", ["sum", "max"])
def test_directed_traffic_becomes_the_sum_or_the_larger_one(how):
    rng = np.random.default_rng(7)
    traffic = rng.integers(0, 9, (20, 20)) * (rng.random((20, 20)) < 0.3)
    np.fill_diagonal(traffic, 0)
    sparse = sp.csr_array(traffic)
    expected = traffic + traffic.T if how == "sum" else np.maximum(traffic, traffic.T)
    coo = sparse.tocoo()
    index = np.stack(coo.coords)
    directed = nx.from_numpy_array(traffic, create_using=nx.DiGraph)
    dgl = DGLGraph(*index, 20, weight=Tensor(coo.data))

    graphs = [
        as_graph(source, symmetrize=how)
        for source in (
            sparse,
            (sparse.indptr, sparse.indices, sparse.data),
            directed,
            dgl,
            pyg(index, 20, edge_weight=coo.data),
        )
    ]
    graphs.append(Graph.from_edge_index(index, 20, coo.data, symmetrize=how))
    graphs.append(Graph.from_networkx(directed, symmetrize=how))

    assert all(np.array_equal(matrix(graph), expected) for graph in graphs)
    with pytest.raises(GraphError, match="reverse arc"):
        as_graph(sparse)


def test_parallel_arcs_add_up_before_the_larger_direction_is_taken():
    graph = Graph.from_edge_index([[0, 0, 1, 1], [1, 1, 0, 1]], 2, [2, 3, 4, 9], symmetrize="max")

    assert graph.arc_weights.tolist() == [5, 5]


@pytest.mark.parametrize("how", ["sum", "max"])
@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (([0, 1, 0, 2], [1, 0]), "offsets[2] = 0 < offsets[1] = 1"),
        (([1, 1, 2], [1, 0]), "offsets[0] = 1, expected 0"),
        (([0, 1, 3], [1, 0]), "offsets[2] = 3, but heads has 2 entries"),
        (([], []), "offsets is empty"),
        (([0, 1, 2], [1, 2]), "arcs[1] = (1, 2) has an end"),
        (([0, 1, 2], [1, -1]), "arcs[1] = (1, -1) has an end"),
        (([0, 1, 2], [1, 0], [1, -2]), "weights[1] = -2 is negative"),
        (([0, 1, 2], [1, 0], [1]), "weights has 1 entries, but there are 2 arcs"),
        (([0, 1, 2], [1, 0], [2**61, 2**61]), "add up to 2^62"),
    ],
)
def test_directed_rows_are_checked_too(how, rows, message):
    with pytest.raises(GraphError, match=re.escape(message)):
        as_graph(rows, symmetrize=how)


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        (np.eye(3), TypeError, "graph must be a"),
        (np.array([[0, 5], [5, 0]]), TypeError, "shape (2, 2) may be either"),
        (np.zeros((2, 5)), TypeError, "got ndarray of shape (2, 5), dtype float64"),
        (pyg([[0, 1, 2]], 3), GraphError, "edge_index must have shape (2, m), got (1, 3)"),
        (pyg([[0, 1], [1, 5]], 3), GraphError, "arcs[1] = (1, 5) has an end"),
        (pyg([[0], [1]], 2), GraphError, "has no reverse arc"),
        (pyg([[0, 1], [1, 0]], 2, edge_weight=[1]), GraphError, "weights has 1 entries"),
        (DGLGraph([0, 1], [1, 0, 1], 2), GraphError, "2 tails, but 3 heads"),
        (DGLGraph([0, 1], [1, 0], -2), GraphError, "num_vertices must be an integer"),
        (DeviceTensor(BOTH_WAYS), GraphError, "edge_index is not an array: can't convert cuda"),
        ((np.zeros(1), None), GraphError, "None instead of an array"),
        (([0],), GraphError, "got 1 arrays"),
    ],
)
def test_what_is_no_graph_is_refused_by_name(source, error, message):
    with pytest.raises(error, match=re.escape(message)):
        as_graph(source)


def test_graph_of_several_node_types_is_refused():
    graph = DGLGraph([0], [1], 2)
    graph.is_homogeneous = False

    with pytest.raises(GraphError, match="to_homogeneous"):
        as_graph(graph)


def test_unknown_symmetrize_is_refused_whatever_the_graph():
    for source in (GRID, (GRID.offsets, GRID.heads), nx.Graph(), "missing.graph"):
        with pytest.raises(GraphError, match="symmetrize must be 'error', 'sum' or 'max'"):
            procmap.partition(source, 2, symmetrize="mean")


def test_fractional_weights_are_reported_in_the_users_unit():
    machine = procmap.Topology.hierarchy("2:2", "1:10")
    weights, loads = np.full(142, 0.3), np.full(42, 0.25)
    rows = csr(42, EDGES)

    graph = Graph.from_csr(*rows[:2], weights, loads)
    mapping = procmap.map(graph, machine)
    whole = procmap.map(GRID, machine)

    assert (mapping.blocks == whole.blocks).all()
    assert mapping.cost == pytest.approx(0.3 * whole.cost, rel=1e-15)
    assert mapping.level_traffic == pytest.approx(0.3 * whole.level_traffic, rel=1e-15)
    assert mapping.block_weights.tolist() == (0.25 * whole.block_weights).tolist()
    assert (mapping.units.traffic, mapping.units.load) == (
        procmap.Scale(10, 1),
        procmap.Scale(2, 2),
    )
    assert mapping.units.traffic.exact


def test_rounded_weights_say_so_and_are_off_by_less_than_that():
    rng = np.random.default_rng(3)
    weights = rng.random(71) * 10.0 ** rng.integers(-3, 6, 71)
    graph = Graph.from_edges(EDGES, 42, weights)
    machine = procmap.Topology.flat(4)

    mapping = procmap.partition(graph, 4)

    assert_report_is_true(graph, mapping.blocks, machine, mapping, 0.03)
    assert not mapping.units.traffic.exact
    cut = sum(
        w
        for (u, v), w in zip(EDGES, weights, strict=True)
        if mapping.blocks[u] != mapping.blocks[v]
    )
    assert abs(mapping.edge_cut - cut) <= 71 * mapping.units.traffic.unit / 2 + 1e-9
    assert mapping.units.traffic.unit < 1e-6


def test_infeasible_fractions_are_named_in_the_users_unit():
    loads = np.full(42, 0.5)
    loads[0] = 100.5

    with pytest.warns(procmap.InfeasibleWarning, match=r"weighs 100\.5, "):
        procmap.partition(GRID, 4, vertex_weights=loads)


@pytest.mark.parametrize("weight", [2**28, 2**33 + 3])
@pytest.mark.parametrize("dtype", [np.int64, np.uint64, np.float64])
def test_large_weights_give_the_exact_cost(weight, dtype):
    machine = procmap.Topology.hierarchy("2:2:3", "1:10:100")
    graph = Graph.from_edges(EDGES, 42, np.full(71, weight, dtype))

    mapping = procmap.map(graph, machine)
    unit = procmap.evaluate(GRID, mapping, machine)

    assert mapping.cost == weight * unit.cost
    assert mapping.edge_cut == weight * unit.edge_cut
    assert_report_is_true(graph, mapping.blocks, machine, mapping, 0.03)


SELF_LOOPS = {
    "huge": (1e30, np.float64),
    "negative": (-1.5, np.float64),
    "fraction": (0.1, np.float64),
    "none": (np.nan, np.float64),
    "infinite": (np.inf, np.float32),
    "negative integer": (-1, np.int8),
    "other byte order": (-1, ">i4"),
    "largest": (2**62, np.int64),
    "beyond 63 bits": (2**64 - 1, np.uint64),
}


def looped(loop, dtype):
    """Return arcs of the grid with integer traffic, and one of every third vertex to itself."""
    loops = np.arange(0, 42, 3)
    index = np.concatenate([BOTH_WAYS, np.stack([loops, loops])], axis=1)
    weights = np.concatenate([np.tile(np.arange(71) % 7, 2), np.zeros(len(loops), int)])
    weights = weights.astype(dtype)
    weights[142:] = loop
    order = np.argsort(index[0], kind="stable")
    return index[:, order], weights[order]


@pytest.mark.parametrize("name", SELF_LOOPS)
@pytest.mark.parametrize("how", ["error", "sum"])
def test_traffic_of_a_task_with_itself_does_not_count_whatever_it_is(name, how):
    index, weights = looped(*SELF_LOOPS[name])
    offsets = np.searchsorted(index[0], np.arange(43))
    expected = Graph.from_edges(EDGES, 42, (np.arange(71) % 7) * (2 if how == "sum" else 1))
    sparse = sp.csr_array((weights, index[1], offsets), (42, 42))

    graphs = [
        as_graph((offsets, index[1], weights), symmetrize=how),
        as_graph(sparse, symmetrize=how),
        Graph.from_edge_index(index, 42, weights, symmetrize=how),
    ]

    for graph in graphs:
        assert same(graph, expected)
        assert graph.traffic_scale == expected.traffic_scale


def test_the_unit_of_fractions_is_that_of_traffic_between_tasks(tmp_path):
    text = "0 1 0.5\n1 2 0.25\n1 1 1e30\n"
    (tmp_path / "a.el").write_text(text)
    market = "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n"
    (tmp_path / "a.mtx").write_text(market + "2 1 0.5\n3 2 0.25\n2 2 1e30\n")

    for graph in map(Graph.read, sorted(tmp_path.iterdir())):
        assert graph.arc_weights.tolist() == [2, 2, 1, 1]
        assert graph.traffic_scale == procmap.Scale(2, 2)


def test_other_weights_are_refused_beside_self_loops():
    rows = ([0, 2, 3], [0, 1, 0])

    with pytest.raises(GraphError, match=r"arc_weights\[1\] = -0.5 is negative"):
        Graph.from_csr(*rows, [-1.0, -0.5, -0.5])
    with pytest.raises(GraphError, match=r"arc_weights\[1\] = -2 is negative"):
        Graph.from_csr(*rows, [-1, -2, -2])
    with pytest.raises(GraphError, match="arc_weights has 2 entries"):
        Graph.from_csr(*rows, [-1, 2])
    with pytest.raises(GraphError, match=r"offsets\[2\]"):
        Graph.from_csr([0, 2, 7], [0, 1, 0], [-1, 2, 2])


def test_sources_are_neither_changed_nor_kept():
    graph = random_weighted(30, 80, seed=4)
    index = np.stack([tails(graph), graph.heads])
    weights, before = graph.arc_weights.copy(), index.copy()

    made = Graph.from_edge_index(index, 30, weights)
    index[:] = 0
    weights[:] = -1

    assert same(made, Graph.from_edge_index(before, 30, graph.arc_weights))
