# SPDX-License-Identifier: MIT
"""Processes that bind themselves by a file with the CPUs or the GPU of every rank."""

import os
import shutil
import subprocess

import pytest

from procmap import ConfigError, Topology
from support import mapped


def started(wrapper, command, **environment):
    """What a process says that a launcher starts with these variables."""
    return subprocess.run(
        ["bash", "-c", f"{wrapper} {command}"],
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


RANKS = {
    "slurm": "SLURM_PROCID",
    "mpich": "PMI_RANK",
    "intelmpi": "PMI_RANK",
    "rankfile": "OMPI_COMM_WORLD_RANK",
    "rankfile-relative": "OMPI_COMM_WORLD_RANK",
    "erf": "OMPI_COMM_WORLD_RANK",
    "lsf-geometry": "MP_CHILD",
}


@pytest.mark.skipif(shutil.which("taskset") is None, reason="taskset is not installed")
@pytest.mark.parametrize("name", RANKS)
def test_processes_bind_themselves_to_their_line_of_the_cpu_file(tmp_path, name):
    cpus = sorted(os.sched_getaffinity(0))[:2]
    topology = Topology.flat(max(cpus) + 1).with_hosts(["n"])
    mapping = mapped([cpus[-1], cpus[0]], topology)
    path = tmp_path / "cpu file"
    mapping.write(path, "cpus")
    line = mapping.launch_command("f", name, cpu_file=path)
    wrapper = line[line.index("bash -c ") :]

    shown = [
        started(wrapper, "grep Cpus_allowed_list /proc/self/status", **{RANKS[name]: str(rank)})
        for rank in (0, 1)
    ]
    assert [each.stdout.split()[1] for each in shown] == [str(cpus[-1]), str(cpus[0])]


@pytest.mark.parametrize("name", sorted({*RANKS} - {"slurm"}))
def test_the_rank_of_a_batch_script_is_nobodys(tmp_path, name):
    topology = Topology.hierarchy("4:2", "1:10").with_hosts("n[1-2]", kind="gpu")
    mapping = mapped([3, 7, 2], topology)
    mapping.write(tmp_path / "gpus", "cpus")
    line = mapping.launch_command("f", name, cpu_file=tmp_path / "gpus")
    wrapper = line[line.index("bash -c ") :]

    shown = started(
        wrapper, "printenv CUDA_VISIBLE_DEVICES", SLURM_PROCID="0", **{RANKS[name]: "2"}
    )
    assert shown.stdout == "2\n"


@pytest.mark.parametrize("kind", ["core", "gpu"])
def test_a_process_without_a_line_in_the_cpu_file_does_not_start(tmp_path, kind):
    mapping = mapped([0, 1], Topology.flat(2).with_hosts(["n"], kind=kind))
    mapping.write(tmp_path / "cpus", "cpus")
    missing = tmp_path / "missing"

    for path, rank in ((tmp_path / "cpus", {}), (tmp_path / "cpus", {"SLURM_PROCID": "2"}),
                       (missing, {"SLURM_PROCID": "0"})):  # fmt: skip
        wrapper = mapping.launch_command("f", "slurm", cpu_file=path).split("=none ")[1]
        done = started(wrapper, "echo started", **rank)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"{path}: no line for this rank" in done.stderr
        assert rank or "SLURM_PROCID: is not set" in done.stderr


def test_ranks_are_bound_to_their_gpus(tmp_path):
    topology = Topology.hierarchy("4:2", "1:10").with_hosts("n[1-2]", kind="gpu")
    alike, different = mapped([3, 7, 0, 4], topology), mapped([3, 7, 4, 0, 1], topology)

    assert alike.launch_command("f", "slurm").endswith(" --gpu-bind=map_gpu:3,0")
    assert alike.launch_command("f", "cray").endswith(" --gpu-bind=map_gpu:0,3")
    with pytest.raises(ConfigError, match="those of 'n2' use other GPUs"):
        mapped([3, 5, 0], topology).launch_command("f", "slurm")
    for name in ("mpich", "intelmpi", "rankfile", "rankfile-relative", "erf", "lsf-geometry"):
        with pytest.raises(ConfigError, match=f"{name} does not bind ranks to GPUs"):
            alike.launch_command("f", name)
        assert "GPU" not in alike.launch_command("f", name, bind=False)
    different.write(tmp_path / "gpus", "cpus")
    assert (tmp_path / "gpus").read_text() == "3\n3\n0\n0\n1\n"
    for name in ("slurm", "mpich", "rankfile"):
        line = different.launch_command("f", name, cpu_file=tmp_path / "gpus")
        wrapper = line[line.index("bash -c ") :]
        printed = "printenv CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER"
        assert started(wrapper, printed, **{RANKS[name]: "2"}).stdout == "0\nPCI_BUS_ID\n"
