# SPDX-License-Identifier: MIT
"""Descriptions of machines that are huge, deep or lie: near-linear time, short messages."""

import time

import numpy as np
import pytest

import procmap
from procmap import FileError, Topology, TopologyError
from procmap._util.messages import shown
from procmap.topology._hostlist import expand_hosts

SECONDS = 8  # of a processor, for what took 12 to 28, or for ever


@pytest.fixture(autouse=True)
def _is_fast():
    start = time.process_time()
    yield
    assert time.process_time() - start < SECONDS


def refused(tmp_path, text, format=None, **options):
    """Return the message, which is short and begins with the path."""
    path = tmp_path / "machine"
    path.write_text(text)
    with pytest.raises(FileError) as caught:
        Topology.read(path, format, **options)
    assert str(caught.value).startswith(f"{path}:")
    assert len(str(caught.value)) < 700
    return str(caught.value)


def test_long_node_lists():
    names = [f"host{i:05d}" for i in range(40_000)]

    assert expand_hosts(",".join(names)) == names
    numbers = ",".join(str(i) for i in range(60_000))
    assert len(expand_hosts(f"n[{numbers}]")) == 60_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("n" * 400_000 + "[", "unbalanced"),
        ("a[0-9" * 100_000, "unbalanced"),
        ("[0-9]" * 100_000, "more than 4194304 hosts"),
        ("n[1-4194304],m[1-2]", "more than 4194304 hosts"),
        ("x" * 100_000 + "[1-4000000]", "more than 268435456 characters"),
        ("a," * 200_000, "empty host name"),
        (("x" * 1000 + ",") * 2 + "y", "listed more than once"),
        ("n[" + "9" * 400_000 + "]", "is not a number or a range"),
        ("n[" + "1" * 18 + "-" + "9" * 18 + "]", "more than"),
    ],
)
def test_node_lists_that_grow_or_are_wrong(text, message):
    with pytest.raises(TopologyError, match=message) as caught:
        expand_hosts(text)
    assert len(str(caught.value)) < 300


def cores(cpusets):
    objects = "".join(f'<object type="Core" cpuset="{text}"/>\n' for text in cpusets)
    return f'<topology><object type="Machine">\n{objects}</object></topology>'


def machine_of(tmp_path, text):
    path = tmp_path / "machine.xml"
    path.write_text(text)
    return Topology.read(path, "hwloc")


def test_long_cpusets(tmp_path):
    words = ["0x80000001"] * 10_000

    machine = machine_of(tmp_path, cores([",".join(words), "0x2"]))

    assert len(machine.places.cpus[0]) == 20_000
    assert machine.places.cpus[0][:3] == (0, 31, 32)
    assert machine_of(tmp_path, cores(["0x1,,0xF", "0x10"])).places.cpus[0] == (0, 1, 2, 3, 64)


@pytest.mark.parametrize(
    "cpuset",
    [
        "-0x1",
        "+1",
        "1_0",
        "0x",
        "x1",
        "0x0x1",
        "0x123456789",
        "f" * 100_000,
        "0xf...f",
        "0x1 2",
        "\u0661",
    ],
)
def test_cpusets_that_are_none(tmp_path, cpuset):
    assert ":2: cpuset '" in refused(tmp_path, cores([cpuset]), "hwloc")


def test_very_many_cores(tmp_path):
    assert machine_of(tmp_path, cores(["0x1"] * 40_000)).num_pes == 40_000


def test_very_many_nodes(tmp_path):
    nodes = ",".join(f"n{i}" for i in range(40_000))
    path = tmp_path / "topology.conf"
    path.write_text(f"SwitchName=s Nodes={nodes}\n")
    assert Topology.read(path).num_pes == 40_000


def test_many_hosts_in_one_file(tmp_path):
    host = '<object type="Machine"><object type="Core" cpuset="0x1"/></object>'

    machine = machine_of(
        tmp_path, f'<topology><object type="System">{host * 12_000}</object></topology>'
    )

    assert len(machine.places.hosts) == 12_000
    assert not machine.places.slot_of.any()


def test_a_tree_that_needs_a_large_matrix_is_refused(tmp_path):
    switches = ["SwitchName=t Switches=s0,a"]
    for i in range(10):
        switches.append(f"SwitchName=s{i} Switches=s{i + 1},b{i}\nSwitchName=b{i} Nodes=n{i}")
    switches.append("SwitchName=s10 Nodes=z\nSwitchName=a Nodes=m[1-10000]")

    path = tmp_path / "topology.conf"
    path.write_text("\n".join(switches))
    with pytest.raises(FileError, match=r"topology\.conf: .* can have 10000 rows"):
        Topology.read(path)


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        (12, "distance[0][1] = 1000000000000 is not below 2^31"),
        (25, "on 26 levels, each ten times"),
    ],
)
def test_too_many_levels_for_distances_are_the_fault_of_the_file(tmp_path, levels, message):
    lines = [
        f"SwitchName=s{i} Switches=s{i + 1},t{i}\nSwitchName=t{i} Nodes=n{i}" for i in range(levels)
    ]
    text = "\n".join([*lines, f"SwitchName=s{levels} Nodes=z[1-2]"])

    assert message in refused(tmp_path, text, "slurm")
    with pytest.raises(TopologyError, match="levels"):
        Topology.read(tmp_path / "machine", "slurm", distances=[1])


def test_cores_that_need_a_large_matrix_are_refused(tmp_path):
    core, group = '<object type="Core" cpuset="0x1"/>', '<object type="Group">'
    many = f"{group}{group}{core * 10_000}</object>{f'{group}{core}</object>' * 30}</object>"
    few = f"{group}{group}{core}</object></object>" * 30
    text = f'<topology><object type="Machine">{many}{few}</object></topology>'

    assert "machine:1: 10060 PEs on 3 levels" in refused(tmp_path, text, "hwloc")


def test_nodes_that_are_machines_are_counted_before_they_are_made(tmp_path):
    path = tmp_path / "topology.conf"
    path.write_text("SwitchName=s Nodes=n[1-100000]\n")
    node = Topology.hierarchy("1000", "1")

    for make in (
        lambda: Topology.read(path, inside=node),
        lambda: Topology.cluster(node, "n[1-100000]"),
    ):
        with pytest.raises(TopologyError, match="100000 hosts of 1000 PEs are more than 4194304"):
            make()


@pytest.mark.parametrize("length", [2000, 20_000])
def test_chains_of_switches(tmp_path, length):
    lines = [f"SwitchName=s{i} Switches=s{i + 1} Nodes=n{i}" for i in range(length)]
    end = f"SwitchName=s{length} Nodes=end"
    circle = "SwitchName=x Switches=y\nSwitchName=y Switches=x Nodes=q\n"

    assert "more than 64 switches are above" in refused(tmp_path, "\n".join([*lines, end]))
    assert "'y' is below itself" in refused(tmp_path, circle)


def test_many_switches_above_the_same_ones(tmp_path):
    below = ",".join(f"s{i}" for i in range(500))
    lines = [f"SwitchName=s{i} Nodes=n{i}" for i in range(500)]
    lines += [f"SwitchName=t{i} Switches={below}" for i in range(500)]
    path = tmp_path / "topology.conf"
    path.write_text("\n".join(lines))

    assert Topology.read(path).num_pes == 500


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SwitchName=a Nodes=a[1-600000]\nSwitchName=b Nodes=b[1-600000]\n", "than 1048576 names"),
        ("SwitchName=a Nodes=a[1-4000000]\n", "more than 1048576 hosts"),
        ("SwitchName=" + "x" * 10**6 + " Nodes=a Nodes=b\n", "given twice"),
        ("BlockName=a Nodes=n1\nBlockSizes=" + "4," * 100_000 + "\n", "not a list"),
        ("SwitchName=a " + "y" * 10**6 + "\n", "expected KEY=VALUE"),
        ("\n" * 400_000 + "x", "neither"),
    ],
)  # fmt: skip
def test_hostile_topology_conf(tmp_path, text, message):
    if message != "neither":
        assert message in refused(tmp_path, text, "slurm")
    refused(tmp_path, text)


BOMB = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 15)
)


@pytest.mark.parametrize(
    "text",
    [
        "- topology: t\n  tree:\n    switches:\n      - " + BOMB.replace("\n", "\n        ")
        + "switch: s\n        nodes: *a14\n",
        "- topology: t\n  tree:\n    switches: [&a [x,x,x,x,x,x,x,x,x]"
        + "".join(f", &{c} [{','.join([f'*{chr(ord(c) - 1)}'] * 9)}]" for c in "bcdefghijk")
        + "]\n",
        "- topology: t\n  tree: &t {switches: [*t]}\n",
        "- " * 3000 + "topology: x",
        "topology: " + "[" * 3000,
        "- topology: t\n  tree:\n    switches:\n"
         "      - {switch: s, nodes: &n 'a[1-200000]'}\n"
        + "".join(f"      - {{switch: s{i}, nodes: *n}}\n" for i in range(500)),
        "- topology: t\n  tree:\n    switches:\n      - {switch: s, children: 'c'}\n" * 2 + "x: [",
    ],
)  # fmt: skip
def test_yaml_whose_values_are_endless(tmp_path, text):
    refused(tmp_path, text, "slurm-yaml")


@pytest.mark.parametrize(
    "text",
    [
        "<topology>" + "<object>" * 100_000,
        "<topology>" + "<object type='Machine'>" * 5000 + "</object>" * 5000 + "</topology>",
        "<" + "x" * 10**6 + "/>",
        "<topology " + " ".join(f"a{i}=''" for i in range(50_000)) + ">",
        "<!DOCTYPE x [<!ENTITY " + "e" * 10**6 + " 'y'>]><topology/>",
    ],
)
def test_deep_and_huge_xml(tmp_path, text):
    refused(tmp_path, text, "hwloc")


@pytest.mark.parametrize(
    "text",
    ["deco 1 10000 20000 " + "1 1 1 " * 20_000, "deco 0 10000 3 " + "1 1 1 " * 10_000, "x" * 10**6,
     "tleaf " + "9" * 10**6, "hcub 60\n", "meshXD 64 " + "9" * 18 + (" " + "9" * 18) * 63,
     "cmplt 99999999"],
)  # fmt: skip
def test_targets_that_promise_too_much(tmp_path, text):
    refused(tmp_path, text, "scotch")


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 10_000,
        "x = " + "{a=" * 10_000,
        "x = " + "1" * 10_000,
        "y" * 200_000 + " = 1",
        ".".join("a" * 2000) + " = 1",
        "refinement = " + "[" + "1," * 50_000 + "]",
        "refinement.rounds = '" + "x" * 200_000 + "'",
        "#" * 10**6,
    ],
)
def test_configurations_that_are_none(tmp_path, text):
    path = tmp_path / "c.toml"
    path.write_text(text)

    with pytest.raises((FileError, procmap.ConfigError)) as caught:
        procmap.Config.load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert len(str(caught.value)) < 1000


def test_messages_show_the_beginning_of_values():
    loop = []
    loop.append(loop)
    bomb = ["x"] * 9
    for _ in range(60):
        bomb = [bomb] * 9

    for value in (loop, bomb, "x" * 10**7, 10**5000, {1: bomb}, b"x" * 10**6, np.zeros(10**6)):
        assert len(shown(value)) < 500
    assert shown("it's") == repr("it's")
    assert shown(7) == "7"
    with pytest.raises(procmap.ConfigError) as caught:
        procmap.map(procmap.Graph.from_csr([0], []), Topology.flat(2), seed=10**5000)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["1:" * 100_000 + "1", "9" * 5000, "x" * 10**6])
def test_levels_without_end(text):
    for make in (
        lambda: Topology.hierarchy(text, "1"),
        lambda: Topology.hierarchy("1", text),
        lambda: Topology.hierarchy(text, "1", order="outer-first"),
        lambda: Topology.torus(text),
        lambda: Topology.hierarchy([1] * 100_000, [1] * 100_000),
    ):
        with pytest.raises(TopologyError) as caught:
            make()
        assert len(str(caught.value)) < 500
