# SPDX-License-Identifier: MIT
"""Meshes: dual graphs of elements, OpenFOAM, Scotch's mappings, and part_mesh."""

import gzip
import itertools
import time

import numpy as np
import pytest

import procmap
from procmap import FileError, Graph, GraphError, Topology
from procmap.compat import part_mesh
from procmap.compat._metis import _most_common
from procmap.graph import _elements
from support import grid

rng = np.random.default_rng(3)


def quads(rows, columns):
    """Elements of a mesh of quadrilaterals."""
    node = np.arange((rows + 1) * (columns + 1)).reshape(rows + 1, columns + 1)
    corners = [node[:-1, :-1], node[:-1, 1:], node[1:, 1:], node[1:, :-1]]
    return np.stack(corners, axis=-1).reshape(-1, 4)


def neighbours(graph):
    tails = np.repeat(np.arange(graph.num_vertices), np.diff(graph.offsets))
    return set(zip(tails.tolist(), graph.heads.tolist(), strict=True))


def by_definition(elements, common):
    sets = [set(element) for element in elements]
    near = set()
    for a, b in itertools.permutations(range(len(sets)), 2):
        needed = max(1, min(common, min(len(sets[a]), len(sets[b])) - 1))
        if len(sets[a] & sets[b]) >= needed:
            near.add((a, b))
    return near


def test_the_dual_graph_of_quadrilaterals_is_a_grid():
    dual = Graph.from_elements(quads(7, 9), common=2)

    assert neighbours(dual) == neighbours(grid(7, 9))
    assert Graph.from_elements(quads(3, 3), common=1).max_degree == 8  # across corners too


@pytest.mark.parametrize("common", [1, 2, 3, 4])
@pytest.mark.parametrize("portion", [2**24, 50])
def test_elements_of_any_kind_are_neighbours_by_definition(monkeypatch, common, portion):
    monkeypatch.setattr(_elements, "_PAIRS", portion)
    elements = [
        rng.choice(30, size, replace=False).tolist() for size in rng.integers(1, 7, 60).tolist()
    ]

    dual = Graph.from_elements(elements, common=common)

    assert neighbours(dual) == by_definition(elements, common)


def test_no_elements_and_odd_numbers_of_nodes_are_fine():
    assert Graph.from_elements([], common=2).num_vertices == 0
    far = Graph.from_elements([[10**12, 5, 7], [7, 10**12, 9]], [3, 4], common=2)
    assert (far.num_edges, far.vertex_weights.tolist()) == (1, [3, 4])


@pytest.mark.parametrize("common", [2**31, 2**63, 2**70])
def test_more_common_nodes_than_elements_have_are_all_but_one(common):
    elements = [[0, 1, 2], [1, 2, 3], [3, 4, 5]]

    assert neighbours(Graph.from_elements(elements, common=common)) == {(0, 1), (1, 0)}
    assert Graph.from_elements([], common=common).num_vertices == 0


@pytest.mark.parametrize(
    ("elements", "common", "culprit"),
    [
        ([[0, 1], [1, -2]], 1, r"elements\[1\] has node -2"),
        (np.zeros(3, int), 1, r"shape \(m, nodes\), got \(3,\)"),
        (np.ones((2, 2)) / 2, 1, r"elements\[0, 0\] = 0.5 is not an integer$"),
        ([[0, 1], [1, 0.5]], 1, r"elements\[1\]\[1\] = 0.5 is not an integer$"),
        ([[0, 1], 7], 1, r"elements\[1\] must be a sequence of nodes, got 7"),
        (["ab"], 1, r"elements\[0\] must be a sequence of nodes, got 'ab'"),
        (None, 1, "elements must be sequences of nodes, got None"),
        ([[0, 1]], 0, "common must be an integer >= 1, got 0"),
    ],
)
def test_malformed_elements_are_refused(elements, common, culprit):
    with pytest.raises(GraphError, match=culprit):
        Graph.from_elements(elements, common=common)


HEADER = """/*--- C++ ---*\\
FoamFile {{ nothing }}
\\*-----------*/
FoamFile
{{
    version 2.0;
    format  {format};
    class   labelList;
    note    "nPoints:8 nCells:4 nFaces:6";
    object  {name};
}}
// * * * //

"""


def write_foam(folder, name, text, kind="ascii", opened=open):
    folder.mkdir(exist_ok=True)
    with opened(folder / name, "wt") as file:
        file.write(HEADER.format(format=kind, name=name.removesuffix(".gz")) + text)


def test_openfoam_meshes_are_read_and_mappings_written_back(tmp_path):
    mesh = tmp_path / "polyMesh"
    write_foam(mesh, "owner", "6\n(\n0\n1\n2\n0\n1\n3\n)\n// end\n")
    write_foam(mesh, "neighbour.gz", "3\n(\n1\n2\n3\n)\n", opened=gzip.open)

    cells = Graph.from_openfoam(mesh)
    mapping = procmap.map(cells, Topology.flat(2), imbalance=0)
    mapping.write(tmp_path / "cellDecomposition", "openfoam")

    assert neighbours(cells) == {(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)}
    text = (tmp_path / "cellDecomposition").read_text()
    assert "object      cellDecomposition;" in text
    numbers = "\n".join(map(str, mapping.blocks.tolist()))
    assert text.endswith(f"\n4\n(\n{numbers}\n)\n")


@pytest.mark.parametrize(
    ("neighbour", "kind", "culprit"),
    [
        ("3\n(\n1\n2\n)\n", "ascii", "neighbour: 3 labels expected, found 2"),
        ("nothing", "ascii", "neighbour: there is no list of labels"),
        ("2(1 1)", "binary", "neighbour: a binary file; convert it"),
        ("4(1 1 1 1)", "ascii", "neighbour: 4 internal faces, but owner has 2 faces"),
    ],
)
def test_malformed_openfoam_meshes_are_refused(tmp_path, neighbour, kind, culprit):
    write_foam(tmp_path, "owner", "2(0 0)")
    write_foam(tmp_path, "neighbour", neighbour, kind)

    with pytest.raises(FileError, match=culprit):
        Graph.from_openfoam(tmp_path)
    with pytest.raises(FileError, match="owner: No such file"):
        Graph.from_openfoam(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("owner", "neighbour", "culprit"),
    [
        ("2(0 2000000000)", "1(1)", "owner: cell 2000000000 makes 2000000001 cells for 3 entries"),
        ("2(0 0)", "1(1048576)", "neighbour: cell 1048576 makes 1048577 cells for 3 entries"),
        ("3(0 0 99999999999999999999)", "1(1)", "owner: label 99999999999999999999 is too large"),
        (f"2(0 {'9' * 5000})", "1(1)", r"owner: label 9{37}\.\.\. is too large"),
        ("2(0 0)", "1(\u0661)", "neighbour: there is no list of labels"),
        ("2(0 0)", "\u0661(1)", "neighbour: there is no list of labels"),
    ],
)
def test_cells_that_no_openfoam_mesh_has_are_refused(tmp_path, owner, neighbour, culprit):
    write_foam(tmp_path, "owner", owner)
    write_foam(tmp_path, "neighbour", neighbour)

    with pytest.raises(FileError, match=culprit):
        Graph.from_openfoam(tmp_path)


@pytest.mark.parametrize("opened", ["FoamFile{", "/* ", "FoamFile{ /* ", "1(1 ", "FoamFile "])
def test_what_is_never_closed_takes_linear_time(tmp_path, opened):
    (tmp_path / "owner").write_text(opened * 30_000)
    start = time.process_time()

    with pytest.raises(FileError, match="owner: there is no list of labels"):
        Graph.from_openfoam(tmp_path)
    assert time.process_time() - start < 8


def test_cells_of_openfoam_may_be_as_many_as_the_limit(tmp_path):
    write_foam(tmp_path, "owner", "2(0 0)")
    write_foam(tmp_path, "neighbour", "1(1048575)")

    assert Graph.from_openfoam(tmp_path).num_vertices == 2**20


def test_mappings_of_scotch_come_in_and_go_out(tmp_path):
    mapping = procmap.map(grid(4, 4), Topology.flat(4))
    path = tmp_path / "x.map"

    mapping.write(path, "scotch")

    assert path.read_text().startswith(f"16\n0\t{mapping.blocks[0]}\n1\t")
    assert procmap.read_mapping(path).tolist() == mapping.blocks.tolist()
    (tmp_path / "y").write_text("3\n3 7\n1 5\n2 6\n")
    assert procmap.read_mapping(tmp_path / "y", "scotch").tolist() == [5, 6, 7]
    mapping.write(tmp_path / "plain.map")
    assert procmap.read_mapping(tmp_path / "plain.map").tolist() == mapping.blocks.tolist()
    with pytest.raises(procmap.ConfigError, match="format must be blocks or scotch, got 'x'"):
        procmap.read_mapping(path, "x")


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        ("2\n0 1\n", "2 vertices expected, found 1"),
        ("x\n0 1\n", ":1: expected a number of vertices, found 'x'"),
        ("9" * 5000 + "\n0 1\n", ":1: expected a number of vertices, found '999"),
        ("2\n0 1\n0 2\n", "each once"),
        ("1\n0 4294967296\n", "does not fit int32"),
        ("1\n0 1 2\n", ":2:"),
    ],
)
def test_malformed_mappings_of_scotch_are_refused(tmp_path, text, culprit):
    (tmp_path / "x.map").write_text(text)

    with pytest.raises(FileError, match=culprit):
        procmap.read_mapping(tmp_path / "x.map", "scotch")


def test_an_element_between_parts_goes_to_the_smallest_of_them():
    nodes_of = np.array([0, 0, 1, 1, 2, 2, 4])  # of five elements; the fourth has no nodes
    part = np.array([0, 0, 0, 1, 0, 1, 2])

    assert _most_common(nodes_of, part, 5, 3).tolist() == [0, 1, 0, 0, 2]


@pytest.mark.parametrize("gtype", ["dual", "nodal"])
def test_part_mesh_splits_elements_and_nodes_as_pymetis_does(gtype):
    elements = quads(20, 20)

    ours = part_mesh(4, elements.tolist(), gtype=gtype, ncommon=2)

    counts = np.bincount(ours.element_part, minlength=4)
    assert counts.max() <= 1.1 * 100
    assert len(ours.vertex_part) == 441
    nodes_of = [[ours.vertex_part[node] for node in element] for element in elements]
    agree = [part in nodes for part, nodes in zip(ours.element_part, nodes_of, strict=True)]
    assert all(agree)
    pymetis = pytest.importorskip("pymetis")
    kind = getattr(pymetis.GType, gtype.upper())
    theirs = pymetis.part_mesh(4, elements.tolist(), gtype=kind, ncommon=2)
    dual = Graph.from_elements(elements, common=2)

    def cut(found):  # of the graph that is partitioned; pymetis does not know that of the dual one
        if gtype == "nodal":
            return found.edge_cuts
        return procmap.evaluate(dual, found.element_part, Topology.flat(4)).edge_cut

    assert cut(ours) <= 1.05 * cut(theirs)
    assert part_mesh(4, elements, gtype=kind, ncommon=2).element_part == ours.element_part
    with pytest.raises(procmap.ConfigError, match="gtype must be nodal or dual, got 'x'"):
        part_mesh(4, elements, gtype="x")


@pytest.mark.parametrize("gtype", ["dual", "nodal"])
@pytest.mark.parametrize("node", [2**20, 10**9, 2**62])
def test_part_mesh_names_the_element_whose_node_is_beyond_the_limit(gtype, node):
    with pytest.raises(
        GraphError, match=rf"elements\[2\] has node {node}, but the limit is 1048576"
    ):
        part_mesh(2, [[0, 1], [], [1, node]], gtype=gtype)


def test_part_mesh_takes_nodes_up_to_the_limit():
    assert len(part_mesh(2, [[0, 1], [1, 2**20 - 1]], gtype="dual").vertex_part) == 2**20
