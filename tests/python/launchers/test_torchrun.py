# SPDX-License-Identifier: MIT
"""The script of torchrun, run by bash with a torchrun that says what it was asked for."""

import os
import shlex
import subprocess

import pytest

from procmap import ConfigError, Topology
from support import mapped

FAKE = """\
#!/bin/bash
echo "gpus=${CUDA_VISIBLE_DEVICES-none}${CUDA_DEVICE_ORDER+ by bus} $*"
"""


@pytest.fixture
def run(tmp_path):
    """What a host starts, given its name."""
    (tmp_path / "torchrun").write_text(FAKE)
    (tmp_path / "torchrun").chmod(0o755)

    def on(mapping, host, **environment):
        mapping.write(tmp_path / "start.sh", "torchrun")
        return subprocess.run(
            ["bash", str(tmp_path / "start.sh"), "train.py", "--lr", "1 e"],
            env={
                "PATH": f"{tmp_path}:{os.environ['PATH']}",
                "SLURMD_NODENAME": host,
                **environment,
            },
            capture_output=True, text=True, check=False, timeout=20,
        )  # fmt: skip

    return on


@pytest.fixture
def mapping():
    """Host b has ranks 0 and 1, a 2 and 3."""
    return mapped([3, 2, 0, 1], Topology.flat(4).with_hosts("a,b.net", kind="gpu"))


def test_every_host_gets_its_node_rank_and_gpus(run, mapping):
    first, second = run(mapping, "b.net"), run(mapping, "a")

    line = (
        "gpus={} by bus --nnodes=2 --nproc-per-node=2 --node-rank={} --master-addr=b.net "
        "--master-port=29500 train.py --lr 1 e\n"
    )
    assert first.stdout == line.format("1,0", 0)
    assert second.stdout == line.format("0,1", 1)


def test_hosts_may_say_short_or_long_names(run, mapping):
    assert "--node-rank=0" in run(mapping, "b").stdout
    assert "--node-rank=1" in run(mapping, "a.some.net").stdout


def test_short_names_of_two_hosts_are_nobodys(run):
    mapping = mapped([0, 1], Topology.flat(2).with_hosts("n.x,n.y", kind="gpu"))

    assert "--node-rank=1" in run(mapping, "n.y").stdout
    assert run(mapping, "n").returncode == 1


def test_a_name_that_others_begin_with_is_its_own(run):
    mapping = mapped([0, 1], Topology.flat(2).with_hosts("n,n.y", kind="gpu"))

    assert "--node-rank=0" in run(mapping, "n").stdout
    assert "--node-rank=1" in run(mapping, "n.y").stdout


def test_a_host_without_ranks_is_told_so(run, mapping):
    done = run(mapping, "c")

    assert (done.returncode, done.stdout) == (1, "")
    assert "no rank for host c" in done.stderr


def test_address_and_port_may_be_given(run, mapping):
    out = run(mapping, "a", MASTER_ADDR="10.0.0.1", MASTER_PORT="1234").stdout

    assert "--master-addr=10.0.0.1 --master-port=1234 " in out


def test_cores_are_not_bound(run):
    mapping = mapped([1, 0], Topology.flat(2).with_hosts("a"))

    assert run(mapping, "a").stdout.startswith("gpus=none --nnodes=1 --nproc-per-node=2")


def test_the_command_names_the_hosts(mapping):
    assert mapping.launch_command("my start.sh", "torchrun") == (
        "srun --nodes=2 --nodelist=b.net,a --ntasks-per-node=1 bash 'my start.sh'"
    )
    with pytest.raises(ConfigError, match="cpu_file is not for torchrun"):
        mapping.launch_command("x", "torchrun", cpu_file="y")


@pytest.mark.parametrize(
    ("blocks", "culprit"),
    [
        ([0, 2, 1, 3], "rank 1 is on 'b' and rank 0 on 'a'"),
        ([0, 1, 2], "every host 2 ranks, but 'b' has 1"),
        ([0, 2, 3], "rank 1 is on 'b' and rank 0 on 'a'"),
    ],
)
def test_ranks_that_torchrun_cannot_place_are_refused(blocks, culprit, tmp_path):
    mapping = mapped(blocks, Topology.flat(4).with_hosts("a,b", kind="gpu"))

    with pytest.raises(ConfigError, match=culprit):
        mapping.write(tmp_path / "x", "torchrun")
    assert not (tmp_path / "x").exists()


def test_ranks_that_share_a_gpu_are_refused(tmp_path):
    mapping = mapped([0, 1, 3, 3], Topology.flat(4).with_hosts("a,b", kind="gpu"))

    with pytest.raises(ConfigError, match="GPU 1 of 'b' has 2 ranks"):
        mapping.write(tmp_path / "x", "torchrun")
    assert not (tmp_path / "x").exists()


def test_no_ranks_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="no rank to start"):
        mapped([], Topology.flat(2).with_hosts("a")).write(tmp_path / "x", "torchrun")


def test_an_order_of_ranks_needs_no_quotes(mapping):
    assert shlex.split(mapping.launch_command("x", "torchrun"))[-2:] == ["bash", "x"]
