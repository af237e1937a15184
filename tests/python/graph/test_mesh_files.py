# SPDX-License-Identifier: MIT
"""Meshes in files: METIS's own, and those that meshio reads."""

import gzip
import sys

import numpy as np
import pytest

import procmap
from procmap import ConfigError, FileError, Graph, GraphError
from procmap.cli import main
from procmap.graph.io.mesh import SUFFIXES
from support import grid


def quads(rows, columns):
    node = np.arange((rows + 1) * (columns + 1)).reshape(rows + 1, columns + 1)
    corners = [node[:-1, :-1], node[:-1, 1:], node[1:, 1:], node[1:, :-1]]
    return np.stack(corners, axis=-1).reshape(-1, 4)


def same(one, other):
    return (
        one.offsets.tolist() == other.offsets.tolist()
        and one.heads.tolist() == other.heads.tolist()
    )


def metis_text(elements, header=None, weights=None):
    rows = [" ".join(map(str, np.asarray(row) + 1)) for row in elements]
    if weights is not None:
        rows = [f"{weight} {row}" for weight, row in zip(weights, rows, strict=True)]
    return "\n".join([header or str(len(rows)), *rows]) + "\n"


def test_a_mesh_of_metis_is_its_elements(tmp_path):
    path = tmp_path / "plate.mesh"
    path.write_text("% made by hand\n" + metis_text(quads(5, 7)))

    graph = Graph.from_mesh(path, common=2)

    assert same(graph, Graph.from_elements(quads(5, 7), common=2))
    assert graph.num_edges == grid(5, 7).num_edges
    assert same(Graph.from_mesh(path, common=1), Graph.from_elements(quads(5, 7), common=1))


def test_the_name_below_that_of_the_compression_counts(tmp_path):
    path = tmp_path / "plate.mesh.gz"
    path.write_bytes(gzip.compress(metis_text(quads(5, 7)).encode()))

    assert same(Graph.from_mesh(path, common=2), Graph.from_elements(quads(5, 7), common=2))


def test_elements_of_metis_may_have_weights_and_any_number_of_nodes(tmp_path):
    elements = [[0, 1, 2], [1, 2, 3, 4], [3, 4, 5], []]
    path = tmp_path / "mixed.mesh.gz"
    path.write_bytes(gzip.compress(metis_text(elements, "4 1", [5, 0, 7, 2]).encode()))

    graph = Graph.from_mesh(path, common=2, format="metis")

    assert graph.vertex_weights.tolist() == [5, 0, 7, 2]
    assert same(graph, Graph.from_elements(elements, common=2))
    given = Graph.from_mesh(path, [1, 2, 3, 4], common=2, format="metis")
    assert given.vertex_weights.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        ("", ":1: expected 'n' or 'n ncon', found ''"),
        ("x\n", ":1: expected 'n' or 'n ncon', found 'x'"),
        ("2 1 1\n", ":1: expected 'n' or 'n ncon'"),
        ("-2\n", ":1: expected 'n' or 'n ncon'"),
        ("1 9\n1 1 1 2\n", ":1: an element can have 8 weights at most, not 9"),
        ("2\n1 2 3\n", ": 2 elements expected, found 1"),
        ("1\n1 2 3\n2 3\n", ": 1 elements expected, found 2"),
        ("2\n1 2\n2 x\n", ":3: expected integers >= 0, found '2 x'"),
        ("2\n1 2\n2 -1\n", ":3: expected integers >= 0"),
        ("2\n1 2\n2 0\n", ":3: nodes count from 1, found 0"),
        ("2\n1 2\n2 9999999999999999999999\n", ":3: expected integers >= 0"),
        ("2\n1 2\n2 1_0\n", ":3: expected integers >= 0, found '2 1_0'"),
        ("2\n1 2\n2 +1\n", ":3: expected integers >= 0, found '2 +1'"),
        ("2\n1 2\n2 -0\n", ":3: expected integers >= 0, found '2 -0'"),
        ("2\n1 2\n2 \u0661\n", ":3: expected integers >= 0"),
        ("1 1\n1_0 2 3\n", ":2: expected integers >= 0, found '1_0 2 3'"),
        ("2\n1 2\n2 00\n", ":3: nodes count from 1, found 0"),
    ],
)
def test_malformed_meshes_of_metis_are_refused(tmp_path, text, culprit):
    path = tmp_path / "bad.mesh"
    path.write_text(text)

    with pytest.raises(FileError) as caught:
        Graph.from_mesh(path, common=2)
    assert f"{path}{culprit}" in str(caught.value)


def test_weights_of_metis_that_are_too_large_are_the_fault_of_the_file(tmp_path):
    path = tmp_path / "heavy.mesh"
    path.write_text(metis_text([[0, 1], [1, 2]], "2 1", [2**61, 2**61]))

    with pytest.raises(FileError, match=r"heavy\.mesh: vertex_weights add up to 2\^62 or more"):
        Graph.from_mesh(path, common=1)
    with pytest.raises(GraphError, match=r"^vertex_weights has 3 entries"):
        Graph.from_mesh(path, [1, 2, 3], common=1)


def test_common_must_be_given_for_metis(tmp_path):
    path = tmp_path / "plate.mesh"
    path.write_text(metis_text(quads(2, 2)))

    with pytest.raises(ConfigError, match=r"common must be given for .*plate\.mesh"):
        Graph.from_mesh(path)
    with pytest.raises(GraphError, match="common must be an integer >= 1"):
        Graph.from_mesh(path, common=0)
    with pytest.raises(FileError, match="No such file"):
        Graph.from_mesh(tmp_path / "nowhere.mesh", common=2)


def test_an_empty_mesh_is_an_empty_graph(tmp_path):
    path = tmp_path / "empty.mesh"
    path.write_text("0\n")

    assert Graph.from_mesh(path, common=2).num_vertices == 0


def test_the_command_line_takes_meshes(tmp_path, capsys):
    path = tmp_path / "plate.mesh"
    path.write_text(metis_text(quads(6, 6)))

    assert (
        main(["partition", str(path), "--common", "2", "-k", "4", "-o", str(tmp_path / "p")]) == 0
    )
    assert np.bincount(procmap.read_mapping(tmp_path / "p")).tolist() == [9, 9, 9, 9]
    assert main(["check", str(path)]) == 2
    assert "common must be given" in capsys.readouterr().err


def test_without_meshio_its_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "meshio", None)
    (tmp_path / "x.msh").write_text("")

    with pytest.raises(ImportError, match=r"pip install 'procmap\[meshio\]'"):
        Graph.from_mesh(tmp_path / "x.msh")


@pytest.fixture
def meshio():
    return pytest.importorskip("meshio")


def cube():
    """Nodes and elements of 2 x 3 x 4 hexahedra."""
    node = np.arange(3 * 4 * 5).reshape(3, 4, 5)
    low, high = slice(None, -1), slice(1, None)
    order = [(low, low, low), (high, low, low), (high, high, low), (low, high, low)]
    order += [(a, b, high) for a, b, _ in order]
    points = np.stack(np.unravel_index(np.arange(60), (3, 4, 5)), axis=1).astype(float)
    return points, np.stack([node[corner] for corner in order], axis=-1).reshape(-1, 8)


@pytest.mark.parametrize("name", ["cube.msh", "cube.vtk", "cube.mesh"])
def test_compressed_files_are_read(meshio, tmp_path, name):
    points, hexahedra = cube()
    meshio.Mesh(points, [("hexahedron", hexahedra)]).write(tmp_path / name)
    path = tmp_path / f"{name}.gz"
    path.write_bytes(gzip.compress((tmp_path / name).read_bytes()))
    (tmp_path / f"cut-{name}.gz").write_bytes(gzip.compress(b"MeshFormat"))

    assert same(Graph.from_mesh(path), Graph.from_mesh(tmp_path / name))
    assert main(["check", str(path)]) == 0
    with pytest.raises(FileError, match=rf"cut-{name}\.gz:"):
        Graph.from_mesh(tmp_path / f"cut-{name}.gz")
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(FileError, match="gz: the gzip file ends too early"):
        Graph.from_mesh(path)


@pytest.mark.parametrize("name", ["cube.msh", "cube.vtk", "cube.vtu", "cube.inp", "cube.mesh"])
def test_cells_of_the_highest_dimension_are_the_tasks(meshio, tmp_path, name):
    points, hexahedra = cube()
    sides = hexahedra[:, :4]
    meshio.Mesh(points, [("quad", sides), ("hexahedron", hexahedra)]).write(tmp_path / name)

    graph = Graph.from_mesh(tmp_path / name)

    assert same(graph, Graph.from_elements(hexahedra, common=4))
    assert graph.num_vertices == 24
    assert graph.num_edges == 1 * 3 * 4 + 2 * 2 * 4 + 2 * 3 * 3


def test_kinds_of_cells_may_be_mixed_and_curved(meshio, tmp_path):
    points = np.zeros((12, 3))
    blocks = [
        ("triangle6", np.array([[0, 1, 2, 9, 10, 11]])),
        ("quad", np.array([[1, 2, 4, 3]])),
        ("triangle6", np.array([[3, 4, 5, 9, 10, 11]])),
    ]
    meshio.Mesh(points, blocks).write(tmp_path / "mixed.vtu")

    graph = Graph.from_mesh(tmp_path / "mixed.vtu")

    assert same(graph, Graph.from_elements([[0, 1, 2], [1, 2, 4, 3], [3, 4, 5]], common=2))


def test_common_and_loads_may_be_given(meshio, tmp_path):
    points, hexahedra = cube()
    meshio.Mesh(points, [("hexahedron", hexahedra)]).write(tmp_path / "cube.vtu")

    graph = Graph.from_mesh(tmp_path / "cube.vtu", np.arange(24), common=1)

    assert same(graph, Graph.from_elements(hexahedra, common=1))
    assert graph.vertex_weights.tolist() == list(range(24))


@pytest.mark.parametrize("name", ["bad.msh", "bad.vtk", "bad.vtu", "bad.xyz"])
@pytest.mark.parametrize(
    "content", [b"", b"nonsense\n", b"$MeshFormat\n4.1 0 8\n", bytes(range(256))]
)
def test_what_meshio_cannot_read_is_an_error_and_nothing_printed(
    meshio, tmp_path, capfd, name, content
):
    del meshio
    (tmp_path / name).write_bytes(content)

    with pytest.raises(FileError, match=f"{name}: meshio: ."):
        Graph.from_mesh(tmp_path / name)
    assert capfd.readouterr() == ("", "")


def test_meshes_of_points_and_unknown_formats_are_refused(meshio, tmp_path):
    meshio.Mesh(np.zeros((2, 3)), [("vertex", np.array([[0], [1]]))]).write(tmp_path / "p.vtu")

    with pytest.raises(FileError, match="no cells of which a graph"):
        Graph.from_mesh(tmp_path / "p.vtu")
    with pytest.raises(ConfigError, match="format must be metis or one of meshio's, got 'x'"):
        Graph.from_mesh(tmp_path / "p.vtu", format="x")
    with pytest.raises(FileError, match="No such file"):
        Graph.from_mesh(tmp_path / "nowhere.vtu")


def test_suffixes_of_meshes_are_those_of_meshio(meshio):
    assert set(SUFFIXES) <= set(meshio.extension_to_filetypes)
