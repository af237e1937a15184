# SPDX-License-Identifier: MIT
"""Machines from hwloc's XML."""

import shutil
import subprocess

import numpy as np
import pytest

import procmap
from procmap import ConfigError, FileError, Topology, TopologyError

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE topology SYSTEM "hwloc2.dtd">\n'


def cpuset(cpus):
    """Words of 32 bits, the highest first, as hwloc writes them."""
    bits = sum(1 << cpu for cpu in cpus)
    words = []
    while bits or not words:
        words.append(f"0x{bits & 0xFFFFFFFF:08x}")
        bits >>= 32
    return ",".join(reversed(words))


def element(kind, children=(), cpus=None, extra=""):
    """An object, its CPUs being those of its children."""
    own = sorted(cpu for _, part in children for cpu in part) if cpus is None else cpus
    inner = extra + "".join(text for text, _ in children)
    return f'<object type="{kind}" cpuset="{cpuset(own)}">{inner}</object>\n', own


def core(*cpus):
    return element("Core", [element("PU", cpus=[cpu]) for cpu in cpus])


def document(*tops):
    return HEAD + '<topology version="2.0">\n' + "".join(text for text, _ in tops) + "</topology>\n"


def two_sockets(host="node7"):
    """2 packages of 2 L3 caches, each with its NUMA node and 4 cores of 2 threads: as on Epyc.

    Threads of core c are the CPUs c and c + 16, which Linux numbers so.
    """
    packages = []
    for package in range(2):
        caches = []
        for cache in range(2):
            first = 8 * package + 4 * cache
            cores = [core(c, c + 16) for c in range(first, first + 4)]
            numa = element("NUMANode", cpus=[cpu for _, own in cores for cpu in own])
            caches.append(element("L3Cache", [(numa[0], []), *cores]))
        packages.append(element("Package", caches))
    name = f'<info name="HostName" value="{host}"/>'
    return element("Machine", packages, extra=name)


@pytest.fixture
def read(tmp_path):
    def make(text, **options):
        path = tmp_path / "machine.xml"
        path.write_text(text)
        return Topology.from_hwloc_xml(path, **options)

    return make


def test_cores_of_two_packages_with_shared_caches(read):
    topology = read(document(two_sockets()))

    assert (topology.sizes, topology.distances) == ((4, 2, 2), (1, 2, 3))
    assert topology.places.hosts == ("node7",)
    assert topology.places.cpus[5] == (5, 21)
    assert topology.names[5] == "node7:core5"


@pytest.mark.parametrize(
    ("pe", "sizes", "cpus", "cores"),
    [
        ("pu", (2, 4, 2, 2), (16,), (1,)),
        ("numa", (2, 2), (4, 5, 6, 7, 20, 21, 22, 23), (4, 5, 6, 7)),
        ("package", (2,), (*range(8, 16), *range(24, 32)), tuple(range(8, 16))),
    ],
)
def test_other_objects_can_be_pes(read, pe, sizes, cpus, cores):
    topology = read(document(two_sockets()), pe=pe)

    assert topology.sizes == sizes
    assert topology.places.kind == pe
    assert topology.places.cpus[1] == cpus
    assert topology.places.cores[1] == cores


def test_memory_without_cpus_of_its_own_is_no_pe(read):
    packages = []
    for package in range(2):
        cores = [core(2 * package + i) for i in range(2)]
        own = [cpu for _, cpus in cores for cpu in cpus]
        usual, fast = element("NUMANode", cpus=own), element("NUMANode", cpus=own)
        packages.append(element("Package", [(usual[0], []), (fast[0], []), *cores]))
    of_a_gpu, of_all = element("NUMANode", cpus=[]), element("NUMANode", cpus=range(4))

    machine = read(
        document(element("Machine", [(of_all[0], []), *packages, (of_a_gpu[0], [])])), pe="numa"
    )

    assert [machine.places.cpus_of(pe) for pe in range(machine.num_pes)] == [(0, 1), (2, 3)]


def test_pes_with_different_numbers_of_cores_keep_them_apart(read, tmp_path):
    groups = [[0, 1], [2, 3, 4], [5]]
    packages = [element("Package", [core(cpu) for cpu in group]) for group in groups]
    topology = read(document(element("Machine", packages)), pe="package")

    mapping = procmap.reorder_ranks(np.zeros((3, 3)), topology)
    mapping.write(tmp_path / "rankfile", "rankfile")

    ranges = ["0-1", "2-4", "5"]
    slots = [line.split("slot=")[1] for line in (tmp_path / "rankfile").read_text().split("\n")[:3]]
    assert slots == [ranges[pe] for pe in mapping.blocks]


def test_distances_are_those_given(read):
    assert read(document(two_sockets()), distances=[1, 4, 9]).distances == (1, 4, 9)
    with pytest.raises(TopologyError, match=r"3 levels, innermost first at most 4:2:2, but .* 2 d"):
        read(document(two_sockets()), distances=[1, 4])


@pytest.mark.parametrize("levels", [2, 12])  # a hierarchy, and too many levels for one
def test_distances_of_readers_are_a_list_of_integers(read, levels):
    nested = element("Core")
    for _ in range(levels):
        nested = element("Group", [element("Core"), nested])
    text = document(element("Machine", [nested]))
    far = list(range(5, 5 + levels))

    for given in (far, np.array(far), range(5, 5 + levels), np.array(far, float)):
        assert read(text, distances=given).distance(0, levels) == far[-1]
    for given, culprit in (
        ([], "but there are 0 distances"),
        (5, "distances must be one-dimensional, got 5"),
        ([1.5] * levels, r"distances\[0\] = 1.5 is not an integer"),
        ([10**20] * levels, r"distances\[0\] is 1"),
    ):
        with pytest.raises(TopologyError, match=culprit):
            read(text, distances=given)


def test_cores_with_a_cache_of_their_own_meet_further_out_than_those_that_share_one(read):
    fast = [element("L2Cache", [core(cpu)]) for cpu in range(2)]
    slow = element("L2Cache", [core(cpu) for cpu in range(2, 6)])
    topology = read(document(element("Machine", [element("L3Cache", [*fast, slow])])))

    matrix = topology.distance_matrix()

    assert topology.sizes == ()
    assert matrix[0, 1] == 2
    assert matrix[0, 2] == 2
    assert (matrix[2:, 2:] == 1 - np.eye(4)).all()


def test_version_1_names_and_order_of_numa_and_sockets(read):
    numa = []
    for node in range(2):
        cores = [core(4 * node + c) for c in range(4)]
        caches = [
            (text.replace('type="L3Cache"', 'type="Cache" depth="3"'), own)
            for text, own in [element("L3Cache", cores)]
        ]
        numa.append(element("NUMANode", [element("Socket", caches)]))
    topology = read(document(element("Machine", numa)).replace(' version="2.0"', ""))

    assert topology.sizes == (4, 2)
    assert topology.places.hosts == ("localhost",)


def test_cpus_beyond_64_are_read(read):
    topology = read(document(element("Machine", [core(3), core(40), core(130, 131)])))

    assert topology.places.cpus == ((3,), (40,), (130, 131))


def test_several_machines_are_several_hosts(read):
    pair = element("System", [two_sockets("b"), two_sockets("a")])
    topology = read(document(pair))

    assert topology.sizes == (4, 2, 2, 2)
    assert topology.places.hosts == ("b", "a")
    assert topology.places.slot_of.tolist() == [*range(16), *range(16)]


def test_launchers_use_the_cpu_numbers(read, tmp_path):
    topology = read(document(two_sockets()))
    mapping = procmap.reorder_ranks(np.zeros((16, 16)), topology)

    mapping.write(tmp_path / "rankfile", "rankfile")
    mapping.write(tmp_path / "cpus", "cpus")

    first = int(mapping.blocks[0])
    assert f"rank 0=node7 slot={first}\n" in (tmp_path / "rankfile").read_text()
    assert (tmp_path / "cpus").read_text().startswith(f"{first},{first + 16}\n")


@pytest.mark.skipif(shutil.which("lstopo-no-graphics") is None, reason="hwloc is not installed")
@pytest.mark.parametrize("flags", ["none", "v1"])
def test_what_lstopo_writes(tmp_path, flags):
    path = tmp_path / "real.xml"
    synthetic = "package:2 numa:2 l3:1 core:5 pu:2"
    command = ["lstopo-no-graphics", "-i", synthetic, "--of", "xml", "--export-xml-flags", flags]
    subprocess.run([*command, str(path)], check=True)

    topology = Topology.read(path)

    assert topology.sizes == (5, 2, 2)
    assert topology.places.cpus[3] == (6, 7)
    assert Topology.read(path, pe="pu").sizes == (2, 5, 2, 2)


@pytest.mark.parametrize(
    ("text", "line", "culprit"),
    [
        ("", 1, "no element found"),
        ("<topology>\n<object>\n</topology>\n", 3, "mismatched tag"),
        ("<html/>", 1, "expected <topology>, found <html>"),
        ("<topology/>", 1, "no object of type Core"),
        (document(element("Machine")), 3, "no object of type Core"),
        ('<topology>\n<object type="Core" cpuset="0xzz"/></topology>', 2, "cpuset '0xzz'"),
        ('<!DOCTYPE t [\n<!ENTITY a "b">\n]><topology/>', 2, "entities are not allowed: a"),
        ('<!DOCTYPE t [<!ENTITY a SYSTEM "/etc/passwd">]><topology/>', 1, "entities are not"),
    ],
)
def test_malformed_files_are_refused_with_their_line(tmp_path, text, line, culprit):
    path = tmp_path / "machine.xml"
    path.write_text(text)

    with pytest.raises(FileError) as caught:
        Topology.read(path, "hwloc")

    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert culprit in str(caught.value)


def test_objects_nested_both_ways_are_refused(read):
    first = element("Package", [element("NUMANode", [core(0)])])
    second = element("NUMANode", [element("Package", [core(1)])])

    with pytest.raises(FileError, match="both inside and around"):
        read(document(element("Machine", [first, second])))


def test_options_and_missing_files(tmp_path, read):
    with pytest.raises(ConfigError, match="pe must be one of"):
        read(document(two_sockets()), pe="l3")
    with pytest.raises(FileError, match="missing"):
        Topology.from_hwloc_xml(tmp_path / "missing")
    (tmp_path / "binary.xml").write_bytes(b"<\xff\xfe\x00")
    with pytest.raises(FileError, match="not a text file"):
        Topology.from_hwloc_xml(tmp_path / "binary.xml")
