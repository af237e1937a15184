# SPDX-License-Identifier: MIT
"""Clusters of nodes that are all like one, and names for machines that know their hosts."""

import numpy as np
import pytest

import procmap
from procmap import Topology, TopologyError
from procmap.cli import main

SMI = "\tGPU0\tGPU1\nGPU0\t X \tNV2\nGPU1\tNV2\t X \n"
PCIE = "\tGPU0\tGPU1\tGPU2\nGPU0\tX\tPIX\tSYS\nGPU1\tPIX\tX\tSYS\nGPU2\tSYS\tSYS\tX\n"


def test_a_cluster_of_hierarchies_is_one():
    node = Topology.hierarchy("4:2", "1:5")

    machine = Topology.cluster(node, "n[1-3]", 50)

    assert machine.sizes == (4, 2, 3)
    assert machine.distances == (1, 5, 50)
    assert machine.names[8] == "n2:core0"
    assert Topology.cluster(node, ["a", "b"]).distances == (1, 5, 50)


def test_a_level_of_one_group_has_no_distance():
    node = Topology.hierarchy("4:2:1", "1:5:100")

    default, near, far = (Topology.cluster(node, "n[1-3]", d) for d in (None, 20, 100))

    assert (default.sizes, default.distances) == ((4, 2, 3), (1, 5, 50))
    assert (near.sizes, near.distances) == ((4, 2, 3), (1, 5, 20))
    assert far.distance(0, 8) == 100
    assert Topology.cluster(Topology.hierarchy("1", "7"), "n[1-3]").distance(0, 1) == 10
    with pytest.raises(TopologyError, match="4, but PEs of a node are up to 5 from"):
        Topology.cluster(node, "n[1-3]", 4)


def test_hosts_of_one_pe_may_be_at_any_distance():
    one = Topology.flat(1)

    assert Topology.cluster(one, "n[1-2]").distance(0, 1) == 10
    assert Topology.cluster(one, "n[1-2]", 0.5).distance(0, 1) == 0.5
    assert Topology.cluster(one, "n[1-2]", [[0, 0.5], [0.5, 0]]).distance(0, 1) == 0.5
    with pytest.raises(TopologyError, match="distances = -1"):
        Topology.cluster(one, "n[1-2]", -1)


def test_gpus_of_a_node_stay_gpus_of_every_node():
    machine = Topology.cluster(Topology.from_nvidia_smi(PCIE), "g[1-2]", 1000)

    assert machine.names == ("g1:gpu0", "g1:gpu1", "g1:gpu2", "g2:gpu0", "g2:gpu1", "g2:gpu2")
    assert [machine.distance(0, pe) for pe in range(6)] == [0, 50, 200, 1000, 1000, 1000]
    assert machine.distance(4, 5) == 200
    assert machine.places.bound_to(4) == (1,)


def test_distances_of_hosts_may_be_a_matrix_and_fractions():
    node = Topology.from_distance_matrix([[0, 0.5], [0.5, 0]])
    apart = np.array([[0, 2, 9], [2, 0, 2.5], [9, 2.5, 0]])

    machine = Topology.cluster(node, "n[1-3]", apart)

    expected = np.kron(apart, np.ones((2, 2)))
    for host in range(3):
        expected[2 * host : 2 * host + 2, 2 * host : 2 * host + 2] = [[0, 0.5], [0.5, 0]]
    np.testing.assert_allclose(machine.distance_matrix(), expected)


@pytest.mark.parametrize(
    ("node", "hosts", "distances", "culprit"),
    [
        (Topology.flat(4).with_hosts("a,b"), "n[1-2]", 10, "node must be one host, but it has 2"),
        (Topology.hierarchy("2:2", "1:9"), "n[1-2]", 5, "5, but PEs of a node are up to 9 from"),
        (Topology.flat(2), "n[1-2]", [[0, 1]], r"matrix of shape \(2, 2\), got \(1, 2\)"),
        (Topology.flat(2), "", 3, "no host|empty"),
        (Topology.torus(60, 60), "n[1-3]", 100, "10800 PEs need a matrix"),
        (Topology.flat(2), "n[1-2]", float("nan"), "nan"),
    ],
)
def test_what_makes_no_cluster_is_refused(node, hosts, distances, culprit):
    with pytest.raises(TopologyError, match=culprit):
        Topology.cluster(node, hosts, distances)


def test_other_names_keep_what_the_pes_are():
    gpus = Topology.from_nvidia_smi(SMI).with_hosts("dgx7")
    cores = Topology.hierarchy("2:2", "1:10").with_hosts("a,b", cores_per_pe=3)

    assert gpus.names == ("dgx7:gpu0", "dgx7:gpu1")
    assert cores.with_hosts("n[1-2]").places.cores_of(3) == (3, 4, 5)
    assert cores.with_hosts("n[1-4]", kind="gpu").names[1] == "n2:gpu0"


def test_hosts_are_not_split_silently():
    with pytest.raises(TopologyError, match=r"has 1 host of 2 PEs \(gpu\), which 2 names would"):
        Topology.from_nvidia_smi(SMI).with_hosts("n[1-2]")


def test_nvidia_smi_is_read_from_a_file_or_a_text(tmp_path):
    (tmp_path / "topo").write_text(SMI)
    (tmp_path / "bad").write_text("no matrix\n")

    machines = [
        Topology.from_nvidia_smi(tmp_path / "topo"),
        Topology.from_nvidia_smi(str(tmp_path / "topo")),
        Topology.from_nvidia_smi(SMI),
        Topology.from_nvidia_smi(text=SMI),
    ]

    assert machines == [machines[0]] * 4
    with pytest.raises(procmap.FileError, match="bad: there is no line with GPU0"):
        Topology.from_nvidia_smi(tmp_path / "bad")
    with pytest.raises(procmap.FileError, match="missing: No such file"):
        Topology.from_nvidia_smi("missing")
    with pytest.raises(TopologyError, match="give the path of a file"):
        Topology.from_nvidia_smi()


def test_eight_nodes_like_this_one_on_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "node").write_text(PCIE)
    np.save("traffic.npy", np.eye(24, k=1))
    machine = ["--topology", "node", "--cluster", "g[1-8]", "--cluster-distance", "1000"]
    command = ["reorder", "traffic.npy", *machine, "--launcher", "slurm", "-o", "hosts"]

    assert main(command) == 0
    assert main(["reorder", "traffic.npy", "--machine", "mesh:24", "--cluster-distance", "2"]) == 2

    hosts = (tmp_path / "hosts").read_text().split()
    assert {hosts.count(f"g{i}") for i in range(1, 9)} == {3}
    assert "--cluster-distance is for --cluster" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("distances", "message"),
    [
        ("far", r"distances must be a number or a matrix of shape \(2, 2\), got 'far'"),
        (np.ones(2), r"distances must be a number or .*, got \(2,\)"),
        ([[0, "a"], ["a", 0]], "distances must hold numbers, got dtype"),
        (1, "distances = 1, but PEs of a node are up to 10 from each other"),
        ([[0, 9], [9, 0]], r"distances\[0, 1\] = 9, but PEs of a node are up to 10 from each"),
    ],
)
def test_distances_that_are_none_are_named(distances, message):
    with pytest.raises(TopologyError, match=message):
        Topology.cluster(Topology.hierarchy("2:2", "1:10"), "n[1-2]", distances)


def test_hosts_may_be_as_far_from_each_other_as_a_float_can_say():
    cluster = Topology.cluster(Topology.hierarchy("2:2", "1:10"), "n[1-2]", 1e308)

    assert cluster.distance(0, 4) == pytest.approx(1e308)
    assert cluster.distance(0, 1) > 0


def test_integers_beyond_64_bits_are_distances_too():
    node = Topology.hierarchy("2:2", [1, 2**61])

    assert Topology.cluster(node, "n[1-2]").distance(0, 4) == 10 * 2**61
    assert Topology.cluster(node, "n[1-2]", 2**70).distance(0, 4) == 2**70
    with pytest.raises(TopologyError, match=r"distances = an integer of \d+ bits is beyond"):
        Topology.cluster(node, "n[1-2]", 10**400)
