# SPDX-License-Identifier: MIT
"""Descriptions of machines and of traffic that others wrote, damaged at random places."""

import tempfile
from pathlib import Path

import numpy as np

import procmap

HWLOC = """\
<topology version="2.0"><object type="Machine" cpuset="0x0000000f">
<info name="HostName" value="n1"/>
<object type="Package" cpuset="0x00000003">
<object type="Core" cpuset="0x00000001"/><object type="Core" cpuset="0x00000002"/></object>
<object type="Package" cpuset="0x0000000c">
<object type="Core" cpuset="0x00000004"/><object type="Core" cpuset="0x00000008"/></object>
</object></topology>
"""
SWITCHES = "SwitchName=a Nodes=n[01-04]\nSwitchName=b Nodes=n[05-07]\nSwitchName=c Switches=a,b\n"
BLOCKS = "BlockName=a Nodes=n[1-4]\nBlockName=b Nodes=n[5-8]\nBlockSizes=4,8\n"
YAML = """\
- topology: t
  cluster_default: true
  tree:
    switches:
      - {switch: r, children: "s[1-2]"}
      - {switch: s1, nodes: "n[1-3]"}
      - {switch: s2, nodes: "n[4-5]"}
- topology: b
  block: {block_sizes: [2, 4], blocks: [{block: x, nodes: "m[1-2]"}]}
"""
NVIDIA = """\
     GPU0 GPU1 GPU2 NIC0
GPU0  X   NV4  SYS  PIX
GPU1 NV4   X   PXB  SYS
GPU2 SYS  PXB   X   SYS
"""
DECOMPOSITION = "deco\n0\n3 5\n2 1 4\n0 1 5\n1 1 3\n2\n7 5\n"

MACHINES = [
    ("hwloc", HWLOC),
    ("slurm", SWITCHES),
    ("slurm", BLOCKS),
    ("slurm-yaml", YAML),
    ("nvidia-smi", NVIDIA),
    ("scotch", "tleaf 3 4 20 2 10 8 1\n"),
    ("scotch", "torusXD 3 2 3 4\n"),
    ("scotch", DECOMPOSITION),
    ("distances", "0 1 4\n1 0 4\n4 4 0\n"),
    ("latencies", "0 1.5 4\n1.5 0 4\n4 4 0\n"),
]
TRAFFIC = [
    ("matrix", "0 1 4 2\n1 0 4 3\n4 4 0 3\n1 1 1 1\n"),
    ("matrix", "0,1.5\n1e3,0\n"),
    ("messages", "from,to,bytes\n0,1,5\n2,0,7\n1,2,9\n"),
    ("matrix-market", "%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 5\n2 3 4\n"),
]
TOKENS = [
    "0", "-1", "1e400", "nan", "0.5", "2147483648", "4611686018427387904", "9" * 30, "x", "\u00e9",
    "\0", "[", "[1-", "[1-99999999]", "n[1-3]", ",", "=", "\n", "\t", " ", "\\", "#", "%", "<",
    "<!ENTITY a 'b'>", "&a", "*a", "- ", ":", "{", "GPU0", "X", "NV1", "SwitchName=a", "Switches=a",
    "/>", "BlockSizes=4", "tleaf", "Core", "\f", "\u2028", "\\\n", '"\\UFFFFFFFF"',
    "%YAML 1.1\n---\n", "%YAML 1." + "9" * 5000, "---\n", "\ufeff", "1" * 5000,
]  # fmt: skip


def machine_is_read_or_refused(rng):
    """A file is a machine with as many names as PEs and true distances, or a FileError."""
    kind, text = rng.choice(MACHINES)
    damaged = damage(rng, text)
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, damaged)
        try:
            machine = procmap.Topology.read(path, rng.choice([kind, kind, kind, None]))
        except procmap.FileError as exc:
            assert str(exc).startswith(str(path))
            assert damaged != text
            return "refused"
    if machine.names is not None:
        assert len(set(machine.names)) == machine.num_pes
    if machine.num_pes <= 64:
        distances = machine.distance_matrix()
        assert np.isfinite(distances).all()
        assert (distances >= 0).all()
        assert (distances == distances.T).all()
        assert not distances.diagonal().any()
    return "accepted"


def traffic_is_read_or_refused(rng):
    """A file is traffic between ranks that there are, or a FileError."""
    kind, text = rng.choice(TRAFFIC)
    damaged = damage(rng, text)
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, damaged)
        try:
            traffic = procmap.read_traffic(path, format=rng.choice([kind, None]))
        except procmap.FileError as exc:
            assert str(exc).startswith(str(path))
            assert damaged != text
            return "refused"
    ranks = np.concatenate([traffic.senders, traffic.receivers])
    assert ((ranks >= 0) & (ranks < traffic.num_ranks)).all()
    assert (traffic.volumes >= 0).all()
    assert np.isfinite(traffic.volumes).all()
    return "accepted"


def damage(rng, text):
    """Insert, drop, repeat or replace something at a few places; sometimes nothing."""
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.randint(0, 12))
        part = rng.choice(["", text[start:end] * 2, rng.choice(TOKENS), rng.choice(TOKENS)])
        text = text[:start] + part + text[rng.choice([start, end]) :]
    return text


def write(folder, text):
    path = Path(folder) / "description"
    path.write_text(text, newline="")
    return path
