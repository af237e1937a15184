# SPDX-License-Identifier: MIT
"""Machines from Slurm's descriptions."""

import numpy as np
import pytest

import procmap
from procmap import ConfigError, FileError, Topology, TopologyError

TREE = """\
# topology.conf: two racks behind a spine
SwitchName=leaf1 Nodes=node[01-04] LinkSpeed=900
SwitchName=leaf2 Nodes=node[05-08]
switchname=leaf3 nodes=gpu[1-2],fat1
SwitchName=spine \\
    Switches=leaf[1-3]
"""
NO_TREE = """\
SwitchName=a Nodes=n1
SwitchName=b Nodes=n2
SwitchName=c Nodes=n3
SwitchName=x Switches=a,b
SwitchName=y Switches=b,c
"""
BLOCKS = """\
BlockName=rack1 Nodes=node[01-18]
BlockName=rack2 Nodes=node[19-36]
BlockName=rack3 Nodes=node[37-54]
BlockName=rack4 Nodes=node[55-72]
BlockSizes=18,36
"""
YAML = """\
---
- topology: blocks
  block:
    block_sizes: [2, 4]
    blocks:
      - {block: b1, nodes: "n[1-2]"}
      - {block: b2, nodes: "n[3-4]"}
      - {block: b3, nodes: "n[5-6]"}
      - {block: b4, nodes: "n[7-8]"}
- topology: tree
  cluster_default: true
  tree:
    switches:
      - switch: root
        children: s[1-2]
      - switch: s1
        nodes: node[01-02]
      - switch: s2
        nodes: node[03-04]
- topology: nothing
  flat: true
"""


@pytest.fixture
def conf(tmp_path):
    def make(text, *args, **options):
        path = tmp_path / "topology.conf"
        path.write_text(text)
        return Topology.from_slurm_conf(path, *args, **options)

    return make


def test_nodes_below_switches(conf):
    topology = conf(TREE)

    assert topology.num_pes == 11
    assert topology.names[:2] == ("node01", "node02")
    assert topology.names[8:] == ("gpu1", "gpu2", "fat1")
    matrix = topology.distance_matrix()
    assert (matrix[0, 3], matrix[3, 4], matrix[0, 10], matrix[8, 10]) == (1, 10, 10, 1)


def test_what_the_scheduler_gave_is_a_part_with_the_distances_of_the_whole(conf):
    part = conf(TREE, "node[02,05-06],fat1")
    one_switch = conf(TREE, "node[05-08]", distances=[3, 7])
    even = conf(TREE, ["node08", "node01", "node07", "node02"])

    assert part.names == ("node02", "node05", "node06", "fat1")
    expected = [[0, 10, 10, 10], [10, 0, 1, 10], [10, 1, 0, 10], [10, 10, 10, 0]]
    assert part.distance_matrix().tolist() == expected
    assert (one_switch.sizes, one_switch.distances) == ((4,), (3,))
    assert (even.sizes, even.distances) == ((2, 2), (1, 10))
    assert even.names == ("node01", "node02", "node07", "node08")


def test_every_node_is_a_machine_of_its_own(conf):
    inside = Topology.hierarchy("4:2", "1:3")
    even = conf(TREE, "node[01-02,05-06]", inside=inside)
    uneven = conf(TREE, "node[01-03,05]", inside=inside)

    assert (even.sizes, even.distances) == ((4, 2, 2, 2), (1, 3, 30, 300))
    assert even.names[9] == "node02:core1"
    assert uneven.num_pes == 32
    matrix = uneven.distance_matrix()
    assert (matrix[0, 1], matrix[0, 7], matrix[7, 8], matrix[23, 24]) == (1, 3, 30, 300)
    assert uneven.names[31] == "node05:core7"
    one_group = Topology.hierarchy("4:2:1", "1:3:100")  # whose distance no two PEs have
    assert conf(TREE, "node[01-02,05-06]", inside=one_group).distances == (1, 3, 30, 300)


def test_cores_of_the_machine_inside_are_kept(conf):
    inside = Topology.hierarchy("4", "1").with_hosts(["any"], cores_per_pe=2, kind="numa")
    topology = conf(TREE, "node[01-02]", inside=inside)

    assert topology.places.hosts == ("node01", "node02")
    assert topology.names[5] == "node02:numa1"
    assert topology.places.cores_of(5) == (2, 3)
    with pytest.raises(TopologyError, match="one host, but it has 2"):
        conf(TREE, inside=Topology.hierarchy("4", "1").with_hosts("n[1-2]"))


def test_hosts_are_counted_in_the_order_of_the_job(conf, tmp_path):
    """PEs follow the switches, but +n0 is the first host that Slurm lists."""
    machine = conf(TREE, "fat1,node[05-06],gpu1", inside=Topology.hierarchy("2", "1"))
    mapping = procmap.reorder_ranks(np.ones((8, 8)), machine)

    assert machine.names[::2] == ("node05:core0", "node06:core0", "gpu1:core0", "fat1:core0")
    assert machine.places.hosts == ("fat1", "node05", "node06", "gpu1")
    mapping.write(tmp_path / "absolute", "rankfile")
    mapping.write(tmp_path / "relative", "rankfile-relative")
    absolute = (tmp_path / "absolute").read_text()
    for i, host in enumerate(machine.places.hosts):
        absolute = absolute.replace(f"={host} ", f"=+n{i} ")
    assert (tmp_path / "relative").read_text() == absolute
    mapping.write(tmp_path / "cray", "cray")
    first = (tmp_path / "cray").read_text().split(",")[0].strip().split("-")
    on = [machine.names[mapping.blocks[int(rank)]] for rank in first]
    assert on == ["fat1:core0", "fat1:core1"]


def test_block_order_and_round_robin_follow_the_hosts_of_the_job(conf):
    machine = conf(TREE, "fat1,node[05-06]", inside=Topology.hierarchy("2", "1"))
    graph = procmap.Graph.from_edges([(0, 1), (2, 3), (4, 5), (1, 2)], weights=[9, 9, 9, 1])

    comparison = procmap.evaluate(graph, range(6), machine).comparison

    assert comparison["block"].cost == 2 * (27 * 1 + 1 * machine.distance(4, 0))  # fat1 to node05
    assert comparison["round-robin"].level_traffic[1] == 0  # nothing stays on a host


def test_keys_and_values_are_read_as_slurm_reads_them(conf):
    quoted = 'switchname = a  NODES = "n[1-2]"\nSwitchName="b" Nodes=n[3-4] LinkSpeed=1\n'

    assert conf(quoted + "SwitchName=c Switches=a,b").names == ("n1", "n2", "n3", "n4")


def test_a_list_goes_on_in_the_next_line(conf):
    text = "SwitchName=a Nodes=n[1-2],\\\nn3,\\  # three of five\nn[4-\\\n5]\n"

    assert conf(text).names == ("n1", "n2", "n3", "n4", "n5")


@pytest.mark.parametrize("mark", ["\f", "\v", "\x1c", "\x85", "\u2028"])
def test_a_comment_goes_to_the_end_of_its_line(conf, mark):
    comment = f"# until May:{mark}SwitchName=old Nodes=n[8-9]\n"

    assert conf(f"{comment}SwitchName=a Nodes=n[1-2]\n").names == ("n1", "n2")
    with pytest.raises(FileError, match=r"topology\.conf:2: .* unbalanced"):
        conf(f"{comment}SwitchName=a Nodes=n[1-\n")


def test_leaves_at_different_depths_and_several_roots(conf):
    text = (
        "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\nSwitchName=c Switches=a,b\n"
        "SwitchName=lone Nodes=n[5-6]\n"
    )
    topology = conf(text)

    assert topology.distance_matrix()[0].tolist() == [0, 1, 10, 10, 100, 100]
    assert topology.distance(4, 5) == 1


def test_two_spines_over_the_same_leaves_are_one(conf):
    twice = conf(TREE + "SwitchName=spine2 Switches=leaf[1-3]\n")

    assert twice == conf(TREE)


def test_blocks_and_their_planning_sizes(conf):
    topology = conf(BLOCKS)

    assert (topology.sizes, topology.distances) == ((18, 2, 2), (1, 10, 100))
    assert topology.names[18] == "node19"
    assert conf(BLOCKS.replace("BlockSizes=18,36\n", "")).sizes == (18, 4)
    assert conf(BLOCKS.replace("18,36", "16,64")).sizes == (18, 4)
    assert conf(BLOCKS.replace("18,36", "16,32")).sizes == (18, 2, 2)


def test_yaml_has_several_topologies(tmp_path):
    pytest.importorskip("yaml")
    path = tmp_path / "any name"
    path.write_text(YAML)

    assert Topology.from_slurm_yaml(path).names == ("node01", "node02", "node03", "node04")
    assert Topology.read(path).sizes == (2, 2)
    assert Topology.from_slurm_yaml(path, name="blocks").sizes == (2, 2, 2)
    part = Topology.from_slurm_yaml(path, "n[2-3]", name="blocks")
    assert part.distance_matrix().tolist() == [[0, 10], [10, 0]]


def test_addresses_of_a_job():
    text = "root.s1.node1\nroot.s2.node3\nroot.s1.node2\nroot.s2.node4\n"
    topology = Topology.from_slurm_addresses(text)

    assert (topology.sizes, topology.distances) == ((2, 2), (1, 10))
    assert topology.names == ("node1", "node2", "node3", "node4")
    dotted = ["s1.n1.cluster.org", "s1.n2.cluster.org"]
    named = Topology.from_slurm_addresses(dotted, pattern="switch.node", distances=[7])
    assert (named.names, named.distances) == (("n1.cluster.org", "n2.cluster.org"), (7,))
    assert Topology.from_slurm_addresses(["lone"]).num_pes == 1


@pytest.mark.parametrize(
    ("addresses", "culprit"),
    [
        ([], "no addresses"),
        (["a..b"], "'a..b' is not an address"),
        (["s1.n1", "s2.n1"], "'n1' has two addresses"),
    ],
)
def test_malformed_addresses_are_refused(addresses, culprit):
    with pytest.raises(TopologyError, match=culprit):
        Topology.from_slurm_addresses(addresses)
    with pytest.raises(TopologyError, match="not an address"):
        Topology.from_slurm_addresses(["s1.n1"], pattern="switch.switch.node")


def test_a_job_on_nodes_of_three_switches_goes_to_the_launcher(conf, tmp_path):
    topology = conf(TREE, "node[01-02,05-06],gpu1", inside=Topology.hierarchy([2], [1]))
    ring = [(i, (i + 1) % 10) for i in np.random.default_rng(1).permutation(10)]
    traffic = procmap.Traffic.from_messages(*zip(*ring, strict=True), [8] * 10)

    mapping = procmap.reorder_ranks(traffic, topology)
    mapping.write(tmp_path / "hosts", "slurm")

    hosts = (tmp_path / "hosts").read_text().split()
    assert sorted(hosts) == sorted(["node01", "node02", "node05", "node06", "gpu1"] * 2)


@pytest.mark.parametrize(
    ("text", "line", "culprit"),
    [
        ("", 1, "neither a SwitchName nor a BlockName"),
        ("SwitchName=a Nodes=n[1-\n", 1, "unbalanced"),
        ("\nSwitchName=a Nodes\n", 2, "expected KEY=VALUE, found 'Nodes'"),
        ('SwitchName=a Nodes=n"1\n', 1, "expected KEY=VALUE, found 'Nodes=n\"1'"),
        ("SwitchName=a Knots=n1\n", 1, "unknown key 'knots'"),
        ("Nodes=n1\n", 1, "expected SwitchName="),
        ("SwitchName=a SwitchName=b\n", 1, "given twice"),
        ("SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n", 2, "'a' is defined twice"),
        ("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n1\n", 2, "'n1' is below two switches"),
        ("SwitchName=a Switches=b\n", 1, "'b' is not defined"),
        ("SwitchName=a Switches=b\nSwitchName=b Switches=a Nodes=n\n", 2, "below itself"),
        (NO_TREE, 5, "that is no tree"),
        ("BlockName=a Nodes=n1\nSwitchName=b Nodes=n2\n", 1, "either switches or blocks"),
        ("BlockName=a Nodes=n1\nBlockName=b Nodes=n1\n", 2, "'n1' is in two blocks"),
        ("BlockName=a Nodes=n1\nBlockSizes=4,x\n", 2, "BlockSizes=4,x"),
        ("BlockName=a Nodes=n1\nBlockSizes=4,6\n", 2, "4,6 do not grow"),
        ("BlockName=a Nodes=n1\nBlockSizes=4,12\n", 2, "4,12 do not grow"),
        ("BlockName=a Nodes=n1\nBlockSizes=4,4\n", 2, "4,4 do not grow"),
        ("BlockName=a Nodes=n1\nBlockSizes=0\n", 2, "do not grow"),
        ("BlockName=a Nodes=n1\nBlockName=a Nodes=n2\n", 2, "block 'a' is defined twice"),
        ("BlockName=a Nodes=n1\nBlockSizes=1\nBlockSizes=1,2\n", 3, "'BlockSizes' is given twice"),
        ("SwitchName=a Nodes=n1\nBlockSizes=4\n", 2, "either switches or blocks"),
        ("SwitchName=a Nodes=n1\nSwitchName= Nodes=n2\n", 2, "'SwitchName' has no value"),
    ],
)
def test_malformed_files_are_refused_with_their_line(tmp_path, text, line, culprit):
    path = tmp_path / "topology.conf"
    path.write_text(text)

    with pytest.raises(FileError) as caught:
        Topology.from_slurm_conf(path)

    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert culprit in str(caught.value)


TWO_BLOCKS = """\
- block:
    block_sizes: [1]
    blocks:
    - {block: b, nodes: n1}
    - {block: b, nodes: n2}
"""


@pytest.mark.parametrize(
    ("text", "line", "culprit"),
    [
        ("", 1, "no topology"),
        ("a: b\n", 1, "expected a list of topologies"),
        ("- a\n", 1, "expected a list of topologies"),
        ("- topology: [\n", 2, "not valid YAML"),
        ("- topology: a\n  flat: true\n", 1, "neither tree nor block"),
        ("- tree: 5\n", 1, "under 'tree'"),
        ("- tree:\n    switches: []\n", 2, "expected a list under 'switches'"),
        ("- tree:\n    switches:\n      - nodes: a\n", 3, "expected 'switch: NAME'"),
        ("- tree:\n    switches:\n    - {switch: s, nodes: [a]}\n", 3, "expected a list of names"),
        ("- tree:\n    switches:\n    - {switch: s, nodes: 'a['}\n", 3, "unbalanced"),
        ("- block:\n    block_sizes: [x]\n    blocks:\n    - {block: b}\n", 2, "block_sizes"),
        (TWO_BLOCKS, 5, "block 'b' is defined twice"),
        ("- topology: a\n  topology: b\n", 2, "given twice"),
        ("- topology: a\n  tre: {}\n", 1, "unknown key 'tre'"),
        ("- tree: {}\n  block: {}\n", 1, "either 'tree' or 'block'"),
        ("- tree:\n    switch: []\n", 2, "unknown key 'switch'"),
        ("- tree:\n    switches:\n    - {switch: s, node: a}\n", 3, "unknown key 'node'"),
        ("- tree:\n    switches:\n    - {switch: s, children: a, switches: b}\n", 3, "either"),
        ("- block:\n    block_size: [2]\n    blocks:\n    - {block: b}\n", 2, "'block_size'"),
        ("- block:\n    blocks:\n    - {block: b, node: a}\n", 3, "unknown key 'node'"),
        ("- &a [*a]\n", 1, "nested too deeply"),
        ("- " * 5000, 1, "nested too deeply"),
        ('- tree:\n    switch: "\\UFFFFFFFF"\n', 2, "not valid YAML: a number is too large"),
        ('- tree:\n    switch: "\\U00110000"\n', 2, "not valid YAML: a number is too large"),
        ("%YAML 1." + "1" * 5000 + "\n---\n- a\n", 1, "not valid YAML: a number is too large"),
        ("- tree:\n\n    switch: \x07\n", 3, "#x0007: special characters are not allowed"),
    ],
)
def test_malformed_yaml_is_refused_with_its_line(tmp_path, text, line, culprit):
    pytest.importorskip("yaml")
    path = tmp_path / "topology.yaml"
    path.write_text(text)

    with pytest.raises(FileError) as caught:
        Topology.from_slurm_yaml(path)

    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert culprit in str(caught.value)


def test_aliases_cannot_blow_up(tmp_path):
    pytest.importorskip("yaml")
    levels = [f"- &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 15)]
    (tmp_path / "t.yaml").write_text("- &a0 [x]\n" + "".join(levels))

    with pytest.raises(FileError, match="expected a list of topologies"):
        Topology.from_slurm_yaml(tmp_path / "t.yaml")


def test_nodes_and_options_that_do_not_fit(conf, tmp_path):
    with pytest.raises(TopologyError, match="knows no node 'node99'"):
        conf(TREE, "node[01,99]")
    with pytest.raises(TopologyError, match=r"2 levels, .* but there are 1 distances"):
        conf(TREE, distances=[1])
    with pytest.raises(TopologyError, match="inside must be a hierarchy"):
        conf(TREE, inside=Topology.torus(3))
    with pytest.raises(ConfigError, match="pe is no option of the format slurm"):
        Topology.read(tmp_path / "topology.conf", pe="core")
    pytest.importorskip("yaml")
    (tmp_path / "t.yaml").write_text(YAML)
    with pytest.raises(FileError, match="no topology 'x'"):
        Topology.from_slurm_yaml(tmp_path / "t.yaml", name="x")


@pytest.mark.parametrize("other", [5, ["a"], {"a": 1}, np.array([1, 2]), b"a"])
def test_options_of_other_types_are_refused_by_name(tmp_path, other):
    pytest.importorskip("yaml")
    (tmp_path / "t.yaml").write_text(YAML)

    with pytest.raises(TypeError, match="pattern must be a str such as"):
        Topology.from_slurm_addresses("s.n", pattern=other)
    with pytest.raises(TypeError, match="text must be a str"):
        Topology.from_nvidia_smi(text=other)
    with pytest.raises(ConfigError, match="pe must be one of core, numa,"):
        Topology.from_hwloc_xml(tmp_path / "x.xml", pe=other)
    with pytest.raises(ConfigError, match="quantity must be latencies or"):
        Topology.from_measurements([[0]], other)
    with pytest.raises(FileError, match="there is no topology"):
        Topology.from_slurm_yaml(tmp_path / "t.yaml", name=other)


@pytest.mark.parametrize("inside", [5, "4:2", [4, 2]])
def test_inside_that_is_no_topology_is_refused(tmp_path, inside):
    path = tmp_path / "topology.conf"
    path.write_text("SwitchName=s Nodes=n[1-4]\n")

    with pytest.raises(TypeError, match=f"inside must be a Topology, got {type(inside).__name__}"):
        Topology.read(path, inside=inside)
    with pytest.raises(TypeError, match="inside must be a Topology"):
        Topology.from_slurm_conf(path, inside=inside)
