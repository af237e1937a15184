# SPDX-License-Identifier: MIT
"""Ranks run where the files say: Open MPI and Hydra on this machine, oversubscribed.

Debian's packages openmpi-bin and mpich; `.ci/run` installs them.
"""

import dataclasses
import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

import procmap
from procmap import Topology

OPEN_MPI = shutil.which("mpirun.openmpi") or shutil.which("mpirun")
HYDRA = shutil.which("mpiexec.hydra")
needs_open_mpi = pytest.mark.skipif(OPEN_MPI is None, reason="mpirun is not installed")
needs_hydra = pytest.mark.skipif(HYDRA is None, reason="mpiexec.hydra is not installed")


def usable_cores():
    """The CPUs of every core that this process may use, as the kernel writes them, in order."""
    cores = set()
    for cpu in os.sched_getaffinity(0):
        topology = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology")
        siblings = (topology / "thread_siblings_list").read_text().strip()
        package = int((topology / "physical_package_id").read_text())
        cores.add((package, int(re.match(r"\d+", siblings)[0]), siblings))
    return [siblings for _, _, siblings in sorted(cores)]


CORES = usable_cores()


@pytest.fixture
def mapping():
    """Two ranks per core of this machine, in an order that is not the default one."""
    n = 2 * len(CORES)
    ring = [(i, (i + len(CORES)) % n) for i in range(n)]
    traffic = procmap.Traffic.from_messages(*zip(*ring, strict=True), [1] * n, n)
    topology = Topology.flat(len(CORES)).with_hosts([socket.gethostname()])
    mapping = procmap.reorder_ranks(traffic, topology, slots_per_pe=2, seed=3)
    assert mapping.blocks.tolist() != sorted(mapping.blocks.tolist())
    return mapping


def where(command, tmp_path, rank_variable, **environment):
    """Run a script under an MPI launcher and return the CPUs that every rank may use."""
    script = tmp_path / "show.sh"
    script.write_text(f'echo "${rank_variable}" $(grep Cpus_allowed_list /proc/self/status)\n')
    result = subprocess.run(
        [*command, "bash", str(script)],
        env={**os.environ, **environment}, cwd=tmp_path,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    lines = [line.split() for line in result.stdout.splitlines()]
    return {int(rank): cpus for rank, _, cpus in lines}


def open_mpi(mapping, path, format):
    """The command line of the library, as root and on more ranks than slots."""
    words = mapping.launch_command(path, format).split()
    assert words[0] == "mpirun"
    return [OPEN_MPI, "--allow-run-as-root", "--oversubscribe", *words[1:]]


@needs_open_mpi
def test_open_mpi_starts_ranks_where_the_rankfile_says(mapping, tmp_path):
    path = tmp_path / "rankfile"
    mapping.write(path, "rankfile")

    command = open_mpi(mapping, path, "rankfile")
    assert command[5:7] == ["--bind-to", "core:overload-allowed"]
    hosts = ["--host", f"{socket.gethostname()}:{len(mapping.blocks)}"]
    found = where([command[0], *hosts, *command[1:]], tmp_path, "OMPI_COMM_WORLD_RANK")

    assert found == {rank: CORES[pe] for rank, pe in enumerate(mapping.blocks)}


@needs_open_mpi
def test_open_mpi_starts_ranks_where_the_relative_rankfile_says(mapping, tmp_path):
    path = tmp_path / "rankfile"
    mapping.write(path, "rankfile-relative")
    host = socket.gethostname()
    allocation = {  # +n0 is a host of an allocation: pretend that Slurm made one
        "SLURM_JOBID": "1",
        "SLURM_JOB_ID": "1",
        "SLURM_NODELIST": host,
        "SLURM_JOB_NODELIST": host,
        "SLURM_TASKS_PER_NODE": str(len(mapping.blocks)),
        "SLURM_NNODES": "1",
    }

    command = open_mpi(mapping, path, "rankfile-relative")
    found = where(command, tmp_path, "OMPI_COMM_WORLD_RANK", **allocation)

    assert found == {rank: CORES[pe] for rank, pe in enumerate(mapping.blocks)}


@needs_hydra
def test_hydra_starts_ranks_in_the_order_of_the_machine_file(tmp_path):
    """Two names of this machine are two hosts; ranks bind themselves by the file of CPUs."""
    names = ["localhost", "127.0.0.1"]
    machine = Topology.hierarchy([len(CORES), 2], [1, 10])
    cpus = [int(re.match(r"\d+", siblings)[0]) for siblings in CORES] * 2
    places = dataclasses.replace(
        machine.with_hosts(names).places, cpus=tuple((cpu,) for cpu in cpus)
    )
    topology = machine._with(places)
    n = 2 * len(CORES)
    traffic = procmap.Traffic.from_messages(range(n - 1), range(1, n), [1] * (n - 1))
    mapping = procmap.reorder_ranks(traffic, topology, seed=1)
    mapping.write(tmp_path / "machines", "mpich")
    mapping.write(tmp_path / "cpus", "cpus")

    line = mapping.launch_command("machines", "mpich", cpu_file="cpus")
    found = where(
        ["bash", "-c", line.replace("mpiexec", f"{HYDRA} -launcher fork", 1) + ' "$@"', "bash"],
        tmp_path,
        "PMI_RANK",
    )

    assert found == {rank: str(cpus[pe]) for rank, pe in enumerate(mapping.blocks)}
