# SPDX-License-Identifier: MIT
"""Machines from nvidia-smi, Scotch's target files and matrices."""

import numpy as np
import pytest

from procmap import ConfigError, FileError, Topology, TopologyError

# A server with two sockets: GPUs 0-3 and 4-7 behind PCIe switches in pairs, NVLink within pairs.
PCIE_SERVER = """\
\t\x1b[4mGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m
GPU0\t X \tNV4\tPXB\tSYS\tPIX\t0-31\t0\t\tN/A
GPU1\tNV4\t X \tPXB\tSYS\tPIX\t0-31\t0\t\tN/A
GPU2\tPXB\tPXB\t X \tSYS\tSYS\t0-31\t0\t\tN/A
GPU3\tSYS\tSYS\tSYS\t X \tSYS\t32-63\t1\t\tN/A
NIC0\tPIX\tPIX\tSYS\tSYS\t X \t\t\t\t

Legend:

  X    = Self
  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes
  NV#  = Connection traversing a bonded set of # NVLinks

NIC Legend:

  NIC0: mlx5_0
"""


def nvswitch(gpus):
    names = [f"GPU{i}" for i in range(gpus)]
    rows = [
        [name, *("X" if i == j else "NV18" for j in range(gpus))] for i, name in enumerate(names)
    ]
    return "\n".join("\t".join(row) for row in [["", *names], *rows]) + "\n"


def cube_mesh():
    """A DGX-1: hybrid cube mesh of NVLinks, single and double."""
    words = [["SYS"] * 8 for _ in range(8)]
    single = [(0, 1), (0, 2), (1, 3), (2, 6), (3, 7), (4, 5), (4, 6), (5, 7)]
    double = [(0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (4, 7), (5, 6), (6, 7)]
    for pairs, word in ((single, "NV1"), (double, "NV2")):
        for i, j in pairs:
            words[i][j] = words[j][i] = word
    for i in range(8):
        words[i][i] = "X"
    names = [f"GPU{i}" for i in range(8)]
    rows = ["\t".join([name, *row]) for name, row in zip(names, words, strict=True)]
    return "\t".join(["", *names]) + "\n" + "\n".join(rows) + "\n"


def test_gpus_are_as_far_apart_as_their_connection_is_bad():
    topology = Topology.from_nvidia_smi(PCIE_SERVER, host="dgx1")

    matrix = topology.distance_matrix()
    assert matrix[0].tolist() == [0, 10, 60, 200]
    assert topology.names == ("dgx1:gpu0", "dgx1:gpu1", "dgx1:gpu2", "dgx1:gpu3")
    cheaper = Topology.from_nvidia_smi(PCIE_SERVER, costs={"SYS": 90})
    assert cheaper.distance_matrix()[0].tolist() == [0, 10, 60, 90]


def test_equal_connections_are_a_flat_hierarchy():
    topology = Topology.from_nvidia_smi(nvswitch(8))

    assert (topology.sizes, topology.distances) == ((8,), (10,))


def test_half_the_nvlinks_are_twice_as_far():
    topology = Topology.from_nvidia_smi(cube_mesh())

    assert (topology.distance(0, 3), topology.distance(0, 1), topology.distance(0, 7)) == (
        10, 20, 200
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        ("", "no line with GPU0"),
        (PCIE_SERVER.replace("GPU2\tPXB", "GPU9\tPXB"), "line 4: expected GPU2"),
        (PCIE_SERVER.partition("GPU3\tSYS")[0], "4 GPUs, but 3 lines"),
        (PCIE_SERVER.replace("GPU1\tNV4", "GPU1\tNV2"), "GPU0 to GPU1 is NV4, but back it is NV2"),
        (PCIE_SERVER.replace("NV4", "WARP"), "'WARP' is no connection"),
        (PCIE_SERVER.replace("NV4", "NV0"), "'NV0' is no connection"),
        (PCIE_SERVER.replace("NV4", "NV\u0664"), "'NV\u0664' is no connection"),
        (PCIE_SERVER.replace("NV4", "X"), "GPU0 and GPU1 are connected by 'X'"),
        (PCIE_SERVER.replace("GPU0\tGPU1\tGPU2", "GPU0\tNIC9\tGPU1\tGPU2"), "must be the first"),
        (PCIE_SERVER.replace("GPU3", "GPU4"), "line 1: column 4 is GPU4, expected GPU3"),
        ("GPU0 GPU0\nGPU0 X NV1\nGPU0 NV1 X\n", "line 1: column 2 is GPU0, expected GPU1"),
    ],
)
def test_malformed_output_of_nvidia_smi_is_refused(tmp_path, text, culprit):
    with pytest.raises(TopologyError, match=culprit):
        Topology.from_nvidia_smi(text)
    (tmp_path / "topo.txt").write_text(text)
    with pytest.raises(FileError, match=r"topo\.txt: "):
        Topology.read(tmp_path / "topo.txt", "nvidia-smi")


@pytest.mark.parametrize(
    ("costs", "culprit"),
    [
        ({"NV": "a"}, r"costs\['NV'\] must be an integer in \[0, 2147483647\], got 'a'"),
        ({"NV": 1.5}, r"costs\['NV'\] must be an integer .*, got 1.5"),
        ({"SYS": 90.5}, r"costs\['SYS'\] must be an integer .*, got 90.5"),
        ({"NV": float("nan")}, r"costs\['NV'\] must be an integer .*, got nan"),
        ({"NV": True}, r"costs\['NV'\] must be an integer .*, got True"),
        ({"PIX": -1}, r"costs\['PIX'\] must be an integer .*, got -1"),
        ({"NV": 2**70}, r"costs\['NV'\] must be an integer .*, got 1180591620717411303424"),
        ({"NV4": 3}, "costs names 'NV4', which is none of NV, PIX, PXB, PHB, NODE, SYS, SOC"),
        ({3: 4}, "costs names 3, which is none of"),
    ],
)
def test_costs_that_are_none_are_refused_and_not_the_file(tmp_path, costs, culprit):
    path = tmp_path / "topo.txt"
    path.write_text(PCIE_SERVER)

    for given in (PCIE_SERVER, path):
        with pytest.raises(TopologyError, match=f"^{culprit}"):
            Topology.from_nvidia_smi(given, costs=costs)
    with pytest.raises(TypeError, match="costs must be a mapping, got list"):
        Topology.from_nvidia_smi(path, costs=[10])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The example of TopoMatch's manual: 16 x 2 x 2 x 2, outermost level first.
        (
            "tleaf 4 16 500 2 100 2 50 2 10",
            lambda: Topology.hierarchy("2:2:2:16", "10:50:100:500"),
        ),
        ("tleaf\n3\n4 20\n2 10\n8 1\n", lambda: Topology.hierarchy("8:2:4", "1:10:20")),
        ("cmplt 7", lambda: Topology.flat(7)),
        ("hcub 4\n", lambda: Topology.hypercube(4)),
        ("mesh2D 3 5", lambda: Topology.mesh(5, 3)),
        ("mesh3D 3 5 7", lambda: Topology.mesh(7, 5, 3)),
        ("torus2D 3 5", lambda: Topology.torus(5, 3)),
        ("torusXD 4 2 3 4 5", lambda: Topology.torus(5, 4, 3, 2)),
    ],
)
def test_target_files(tmp_path, text, expected):
    path = tmp_path / "machine.tgt"
    path.write_text(text)

    assert Topology.from_scotch(path) == expected()
    assert Topology.read(path) == expected()


def test_neighbours_in_a_mesh_differ_in_the_first_dimension(tmp_path):
    path = tmp_path / "mesh.tgt"
    path.write_text("mesh2D 3 5")  # processor x + 3 y

    topology = Topology.from_scotch(path)

    assert topology.distance(0, 1) == 1
    assert topology.distance(0, 3) == 1
    assert topology.distance(2, 3) == 3


def test_decompositions_of_both_types(tmp_path):
    # A path of three processors with links of cost 2 and 5, labels in another order.
    raw = tmp_path / "raw.tgt"
    raw.write_text("deco\n0\n3 5\n2 1 4\n0 1 5\n1 1 3\n2\n7 5\n")
    compiled = tmp_path / "compiled.tgt"
    compiled.write_text(
        "deco 1\n3 5\n0 3 3\n0 2 2\n1 1 1\n2 1 1\n0 1 1\n"  # the parts: label, size, load
        "1\n1 1\n1 1 7\n1 1 5 2\n"  # distances of part i to parts 1, ..., i - 1
    )

    assert Topology.from_scotch(raw).distance_matrix().tolist() == [[0, 5, 2], [5, 0, 7], [2, 7, 0]]
    assert Topology.from_scotch(compiled).distance_matrix().tolist() == [
        [0, 5, 2], [5, 0, 7], [2, 7, 0]
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "culprit"),
    [
        ("", 1, "ends too early"),
        ("ltleaf 2 4 1", 1, "target 'ltleaf' is not supported: tleaf, cmplt,"),
        ("tleaf 2\n4 20\n2", 3, "ends too early"),
        ("tleaf 2\n4 20\n2 x", 3, "expected an integer >= 0, found 'x'"),
        ("tleaf 2 4 1 2 20", 1, "distances"),
        ("tleaf 99999999", 1, "too many"),
        ("cmplt 0", 1, "expected an integer >= 1, found '0'"),
        ("cmplt 5\n6", 2, "expected the end of the file, found '6'"),
        ("hcub 40", 1, "hypercube"),
        ("torusXD 1000", 1, "too many"),
        ("torus2D 5 99999999999999999999", 1, "expected an integer"),
        ("deco 2", 1, "type 2"),
        ("tleaf\f1\n\u20284 x", 2, "found 'x'"),
        ("deco 0 99999999 1", 1, "too many"),
        ("deco 1 3 1\n0 1 1\n", 2, "expected 3 processors, found 1"),
    ],
)
def test_malformed_target_files_are_refused_with_their_line(tmp_path, text, line, culprit):
    path = tmp_path / "machine.tgt"
    path.write_text(text)

    with pytest.raises(FileError) as caught:
        Topology.from_scotch(path)

    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert culprit in str(caught.value)


def test_matrices_of_distances_and_measurements(tmp_path):
    distances = np.array([[0, 1, 4], [1, 0, 4], [4, 4, 0]])
    np.savetxt(tmp_path / "d.txt", distances, fmt="%d")
    np.save(tmp_path / "d.npy", distances)
    latencies = np.array([[0.1, 1.0, 4.5], [1.5, 0.1, 4.0], [3.5, 4.0, 0.1]])
    np.savetxt(tmp_path / "l.csv", latencies, delimiter=",")

    for name in ("d.txt", "d.npy"):
        assert Topology.read(tmp_path / name).distance_matrix().tolist() == distances.tolist()
    measured = Topology.read(tmp_path / "l.csv", "latencies")
    assert measured.distance_matrix().tolist() == [[0, 1.25, 4], [1.25, 0, 4], [4, 4, 0]]
    speed = Topology.from_measurements([[0, 100, 25], [100, 0, 50], [25, 50, 0]], "bandwidths")
    assert speed.distance_matrix().tolist() == [[0, 1, 4], [1, 0, 2], [4, 2, 0]]


@pytest.mark.parametrize(
    ("matrix", "culprit"),
    [
        ([[0, 1, 2], [1, 0, 2]], "square"),
        ([[0, 0], [1, 0]], r"latencies\[0, 1\] = 0 is not"),
        ([[0, 1.0], [float("nan"), 0]], r"latencies\[1, 0\] = nan is not"),
        ([["a"]], "latencies must hold numbers"),
    ],
)
def test_malformed_measurements_are_refused(matrix, culprit):
    with pytest.raises(TopologyError, match=culprit):
        Topology.from_measurements(matrix, "latencies")


def test_malformed_matrix_files_and_unknown_formats_are_refused(tmp_path):
    path = tmp_path / "d.txt"
    for text, culprit in (
        ("0 1\n1\n", "d.txt:2: expected 2 numbers"),
        ("0 1\n2 0\n", r"d.txt: .*\[0, 1\]|d.txt: .*symmetric"),
        ("0 1 2\n1 0 2\n", "square"),
        ("hello\n", "not a description of a machine"),
        ("", "d.txt: the file is empty"),
    ):
        path.write_text(text)
        with pytest.raises(FileError, match=culprit):
            Topology.read(path)
    with pytest.raises(ConfigError, match="format must be one of"):
        Topology.read(path, "x")
    with pytest.raises(ConfigError, match="quantity"):
        Topology.from_measurements([[0]], "distances")
    (tmp_path / "x.npy").write_bytes(b"nonsense")
    with pytest.raises(FileError, match=r"x\.npy: not an array"):
        Topology.read(tmp_path / "x.npy")
    with pytest.raises(FileError, match="missing"):
        Topology.read(tmp_path / "missing")
