# SPDX-License-Identifier: MIT
"""What the name of a host is, wherever it comes from."""

import dataclasses

import numpy as np
import pytest

import procmap
from procmap import ConfigError, FileError, Topology, TopologyError
from procmap.launchers import LAUNCHERS
from procmap.launchers.placement import lines

GOOD = ["a", "node01", "N-1.cluster.example.org", "10.0.0.7", "_x", "7", "a--b", "x" * 253]
# As text, and as XML writes it.
BAD = {
    "a\nrank 1=evil slot=0": "a&#10;rank 1=evil slot=0",
    "a\n": "a&#10;",
    "a\r": "a&#13;",
    "a b": "a b",
    "a\tb": "a&#9;b",
    " a": " a",
    "a:9": "a:9",
    "a;b": "a;b",
    "a,b": "a,b",
    "a=b": "a=b",
    "a}": "a}",
    "a#b": "a#b",
    "a[1]": "a[1]",
    "a'b": "a&apos;b",
    "$(reboot)": "$(reboot)",
    "a/b": "a/b",
    "a\\b": "a\\b",
    "a\u0085b": "a&#x85;b",
    "a\u2028b": "a&#x2028;b",
    "a\u202eb": "a&#x202e;b",
    "é": "é",
    "-n": "-n",
    "+n0": "+n0",
    ".a": ".a",
    "a.": "a.",
    "x" * 254: "x" * 254,
}

XML = """<topology><object type="Machine"><info name="HostName" value="{}"/>
<object type="Core" cpuset="0x1"><object type="PU" cpuset="0x1"/></object>
<object type="Core" cpuset="0x2"><object type="PU" cpuset="0x2"/></object>
</object></topology>
"""
TREE = "SwitchName=s1 Nodes=n1\nSwitchName=s2 Nodes={}\nSwitchName=s3 Switches=s[1-2]\n"
BLOCKS = "BlockName=b1 Nodes=n1\nBlockName=b2 Nodes={}\n"
YAML = """
- topology: t
  tree:
    switches:
      - switch: s1
        nodes: n1
      - switch: s2
        nodes: "{}"
      - switch: s3
        children: s[1-2]
"""


def read(folder, name, text, **options):
    (folder / name).write_text(text, encoding="utf-8")
    return Topology.read(folder / name, **options)


@pytest.mark.parametrize("name", GOOD)
def test_names_of_hosts(name, tmp_path):
    assert read(tmp_path, "a.xml", XML.format(name)).places.hosts == (name,)
    assert Topology.flat(2).with_hosts([name]).places.hosts == (name,)
    assert name in read(tmp_path, "topology.conf", TREE.format(name)).places.hosts


@pytest.mark.parametrize("name", BAD)
def test_hwloc_xml_with_another_name_is_refused_by_file_line_and_name(name, tmp_path):
    with pytest.raises(FileError) as error:
        read(tmp_path, "a.xml", XML.format(BAD[name]), format="hwloc")

    message = str(error.value)
    assert message.startswith(f"{tmp_path / 'a.xml'}:1: ")
    assert ascii(name if len(name) <= 40 else name[:37] + "...") in message
    assert message.isascii()
    assert message.isprintable()


# Of the rest some have a meaning in files of Slurm: several names, or a comment.
IN_SLURM = ["a:9", "a;b", "a'b", "$(reboot)", "a/b", "-n", "+n0", "é", "a\u202eb", "a.", "x" * 254]


@pytest.mark.parametrize("name", IN_SLURM)
@pytest.mark.parametrize(
    ("file", "text", "line"), [("topology.conf", TREE, 2), ("topology.conf", BLOCKS, 2),
                               ("topology.yaml", YAML, 7)],
)  # fmt: skip
def test_slurm_files_with_another_name_are_refused_by_line(name, file, text, line, tmp_path):
    if file.endswith("yaml"):
        pytest.importorskip("yaml")

    with pytest.raises(FileError, match=f"{file}:{line}: .*is not the name of a host"):
        read(tmp_path, file, text.format(name))


@pytest.mark.parametrize("name", BAD)
def test_every_other_way_refuses_too(name):
    machine = Topology.flat(1)
    mapping = procmap.map(procmap.Graph.from_edges([], 1), machine)
    if name not in ("a,b", "a[1]", " a", "a\n", "a\r"):  # two names, one name, blanks around it
        with pytest.raises(TopologyError):
            machine.with_hosts([name])
        with pytest.raises(TopologyError):
            mapping.launch_command("file", "slurm", hosts=[name])
        if len(name.splitlines()) == 1 and "." not in name:
            with pytest.raises(TopologyError):
                Topology.from_slurm_addresses(f"root.{name}")
    with pytest.raises(TopologyError):
        dataclasses.replace(machine.with_hosts("a").places, hosts=(name,))


def test_launchers_refuse_what_would_be_more_than_one_line():
    assert lines(["a", 1]) == "a\n1\n"
    for text in ("a\nb", "a\n", "a\rb"):
        with pytest.raises(ConfigError, match="more than one line"):
            lines([text])


@pytest.mark.parametrize("format", LAUNCHERS)
def test_name_smuggled_past_the_check_writes_no_line_of_its_own(format, tmp_path):
    machine = Topology.hierarchy("2:2", "1:10").with_hosts("n[1-2]")
    mapping = procmap.reorder_ranks(np.ones((4, 4)), machine, fixed=range(4))
    object.__setattr__(machine.places, "hosts", ("a\nevil", "b"))
    names_hosts = format not in ("rankfile-relative", "cray", "cpus", "lsf-geometry")

    if names_hosts:
        with pytest.raises(ConfigError, match="more than one line"):
            mapping.write(tmp_path / "out", format)
    else:
        mapping.write(tmp_path / "out", format)
        assert "evil" not in (tmp_path / "out").read_text()
