# SPDX-License-Identifier: MIT
"""Files for launchers, and the command lines that go with them."""

import json
import pickle
import re

import numpy as np
import pytest

import procmap
from procmap import ConfigError, FileError, Topology, TopologyError
from procmap.mapping import _files
from procmap.mapping._files import FORMATS
from support import mapped


@pytest.fixture
def mapping():
    """Six ranks on two hosts of four cores; core 2 of both hosts is idle."""
    topology = Topology.hierarchy("4:2", "1:10").with_hosts("node[01-02]")
    return mapped([3, 7, 0, 5, 1, 4], topology)


def written(mapping, path, *args, **kwargs):
    mapping.write(path, *args, **kwargs)
    return path.read_text()


def test_formats_without_hosts(mapping, tmp_path):
    path = tmp_path / "out"

    assert written(mapping, path) == "3\n7\n0\n5\n1\n4\n"
    assert written(mapping, path, "metis") == "3\n7\n0\n5\n1\n4\n"
    assert written(mapping, path, "permutation") == "3,7,0,5,1,4\n"
    assert written(mapping, path, "comm-split") == "2\n4\n-1\n0\n5\n3\n-1\n1\n"
    values = json.loads(written(mapping, path, "json"))
    assert values["blocks"] == [3, 7, 0, 5, 1, 4]
    assert values["pe_names"][:2] == ["node01:core3", "node02:core3"]


def test_formats_with_hosts(mapping, tmp_path):
    path = tmp_path / "out"

    assert written(mapping, path, "rankfile") == (
        "rank 0=node01 slot=3\nrank 1=node02 slot=3\nrank 2=node01 slot=0\n"
        "rank 3=node02 slot=1\nrank 4=node01 slot=1\nrank 5=node02 slot=0\n"
    )
    assert written(mapping, path, "rankfile-relative").startswith(
        "rank 0=+n0 slot=3\nrank 1=+n1 slot=3\n"
    )
    assert written(mapping, path, "slurm") == "node01\nnode02\n" * 3
    assert written(mapping, path, "mpich") == "node01:1\nnode02:1\n" * 3
    assert written(mapping, path, "intelmpi") == "node01:1\nnode02:1\n" * 3
    assert written(mapping, path, "cray") == "2,4,0,5,3,1\n"
    assert written(mapping, path, "lsf") == "node01 3\nnode02 3\n"
    assert written(mapping, path, "cpus") == "3\n3\n0\n1\n1\n0\n"
    assert written(mapping, path, "erf").splitlines()[3] == (
        "rank: 0: { hostname: node01; cpu: {3} ; gpu: * ; mem: * }"
    )


def test_machine_files_count_successive_ranks_on_a_host(tmp_path):
    topology = Topology.hierarchy("3:2", "1:10").with_hosts(["a", "b"])

    text = written(mapped([0, 1, 3, 4, 5, 2], topology), tmp_path / "out", "mpich")

    assert text == "a:2\nb:3\na:1\n"


def test_cray_order_puts_every_rank_on_the_slot_of_its_pe(tmp_path):
    topology = Topology.hierarchy("4:8:6", "1:10:100").with_hosts("n[1-6]")
    blocks = np.random.default_rng(1).permutation(192)

    text = written(mapped(blocks, topology), tmp_path / "out", "cray")

    ranks = []
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        ranks.extend(range(int(first), int(last or first) + 1))
    assert blocks[ranks].tolist() == list(range(192))


def test_cray_refuses_hosts_that_are_not_equally_full(tmp_path):
    topology = Topology.hierarchy("4:3", "1:10").with_hosts("n[1-3]")

    with pytest.raises(ConfigError, match="there are 1, 2, 1"):
        mapped([0, 4, 5, 8], topology).write(tmp_path / "out", "cray")
    assert written(mapped([0, 5, 4, 1, 8], topology), tmp_path / "out", "cray") == "0,3,2,1,4\n"


def dealt_out_by_srun(ranks, hosts):
    """How many ranks every host gets: one each in turn, see Slurm's slurm_step_layout.c."""
    return [ranks // hosts + (host < ranks % hosts) for host in range(hosts)]


@pytest.mark.parametrize("last", range(1, 5))
@pytest.mark.parametrize("hosts", [1, 2, 3])
def test_srun_fills_the_slots_that_a_cray_order_counts(hosts, last):
    topology = Topology.hierarchy([4, 5], [1, 10]).with_hosts("n[1-5]")
    n = 4 * (hosts - 1) + last
    mapping = mapped(list(range(n))[::-1], topology)
    per_host = [4] * (hosts - 1) + [last]

    if dealt_out_by_srun(n, hosts) == per_host:
        line = mapping.launch_command("f", "cray", bind=False)
        names = ",".join(f"n{host + 1}" for host in range(hosts))
        assert f" --nodes={hosts} --nodelist={names} --ntasks={n} --dist" in line
    else:
        with pytest.raises(ConfigError, match=f"they have 4 each and the last one {last}"):
            mapping.launch_command("f", "cray", bind=False)


def test_pes_of_several_cores(tmp_path):
    topology = Topology.hierarchy("2:2", "1:10").with_hosts("n[0-1]", cores_per_pe=4, kind="numa")
    mapping = mapped([1, 0, 3, 2], topology)

    assert "rank 0=n0 slot=4-7\n" in written(mapping, tmp_path / "out", "rankfile")
    assert "hostname: n0; cpu: {4-7} ;" in written(mapping, tmp_path / "out", "erf")
    assert written(mapping, tmp_path / "out", "cpus").startswith("4,5,6,7\n")
    assert mapping.launch_command("f", "slurm").endswith(" --cpu-bind=mask_cpu:0xf0,0xf")
    assert mapping.launch_command("f", "mpich").endswith(" -bind-to user:4+5+6+7,0+1+2+3")
    assert mapping.launch_command("f", "intelmpi").endswith("I_MPI_PIN_DOMAIN '[0xf0,0xf]'")


def test_ranks_on_whole_nodes_take_cores_in_turn(tmp_path):
    topology = Topology.hierarchy("2:2", "1:10").with_hosts("n[0-3]", kind="node")
    mapping = mapped([3, 1, 3, 3, 1], topology)

    text = written(mapping, tmp_path / "out", "rankfile")

    assert re.findall("=(.*)", text.replace(" slot=", ":")) == [
        "n3:0", "n1:0", "n3:1", "n3:2", "n1:1"
    ]  # fmt: skip
    assert topology.names == ("n0", "n1", "n2", "n3")
    assert "cpu" not in mapping.launch_command("f", "slurm")
    with pytest.raises(ConfigError, match="a PE is a node, which has no cores"):
        mapping.write(tmp_path / "out", "cpus")


def test_hosts_given_late_are_those_of_the_topology(mapping, tmp_path):
    bare = mapped(mapping.blocks, Topology.hierarchy("4:2", "1:10"))

    for name in FORMATS:
        if name not in ("json", "torchrun"):  # which wants successive ranks on a host
            late = written(bare, tmp_path / "out", name, hosts="node[01-02]")
            assert late == written(mapping, tmp_path / "out", name), name


def test_whether_processes_are_bound_is_true_or_false(mapping):
    with pytest.raises(ConfigError, match="bind must be True or False, got 'no'"):
        mapping.launch_command("f", "slurm", bind="no")


def test_resource_files_of_jsrun_count_hardware_threads(tmp_path):
    """Two cores of four threads, of which the operating system numbers every second one first."""
    threads = [[0, 2, 4, 6], [1, 3, 5, 7]]
    cores = "".join(
        f"<object type='Core' cpuset='{sum(1 << cpu for cpu in own):#x}'>"
        + "".join(f"<object type='PU' cpuset='{1 << cpu:#x}'/>" for cpu in own)
        + "</object>"
        for own in threads
    )
    (tmp_path / "smt.xml").write_text(
        f"<topology><object type='Machine' cpuset='0xff'>{cores}</object></topology>"
    )

    def erf(blocks, pe):
        machine = Topology.from_hwloc_xml(tmp_path / "smt.xml", pe=pe)
        text = written(mapped(blocks, machine), tmp_path / "out", "erf")
        assert "cpu_index_using: physical\n" in text
        return re.findall(r"cpu: \{(.*?)\}", text)

    assert erf([1, 0], "core") == ["1,3,5,7", "0,2,4,6"]
    assert erf([1, 4], "pu") == ["2", "1"]
    nodes = mapped([0, 0], Topology.flat(1).with_hosts("a", kind="node"))
    assert "logical\n" in written(nodes, tmp_path / "out", "erf")


def test_command_lines(mapping):
    line = mapping.launch_command("my hosts", "rankfile")
    assert line == "mpirun -np 6 --rankfile 'my hosts'"
    assert mapping.launch_command("f", "erf") == "jsrun --erf_input=f"
    assert mapping.launch_command("f", "lsf") == "bsub -hostfile f"
    line = mapping.launch_command("f", "slurm", bind=False)
    assert line == "SLURM_HOSTFILE=f srun --distribution=arbitrary --ntasks=6"
    assert mapping.launch_command("f", "cray") == (
        "MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE=f srun --nodes=2 "
        "--nodelist=node01,node02 --ntasks=6 --distribution=block,NoPack --cpu-bind=map_cpu:0,1,3"
    )


def test_open_mpi_is_told_that_ranks_share_cores(mapping):
    topology = mapping.topology
    shared = mapped([3, 7, 3], topology)

    for name in ("rankfile", "rankfile-relative"):
        line = shared.launch_command("f", name)
        assert line == "mpirun -np 3 --bind-to core:overload-allowed --rankfile f"
    threads = mapped([0, 0], Topology.flat(2).with_hosts("a", kind="pu"))
    assert threads.launch_command("f", "rankfile") == (
        "mpirun -np 2 --use-hwthread-cpus --bind-to hwthread:overload-allowed --rankfile f"
    )
    nodes = mapped([0, 0], Topology.flat(2).with_hosts("a,b", kind="node"))
    assert nodes.launch_command("f", "rankfile") == "mpirun -np 2 --rankfile f"


def test_cores_that_differ_between_hosts_are_not_lost_silently(mapping):
    with pytest.raises(ConfigError, match="those of 'node02' use other CPUs"):
        mapping.launch_command("f", "slurm")  # 3,0,1 on one host, 3,1,0 on the other
    for name in ("mpich", "intelmpi"):
        with pytest.raises(ConfigError, match="only successive ranks of a host, but those of 'n"):
            mapping.launch_command("f", name)
    line = mapping.launch_command("f", "slurm", cpu_file="c")
    assert "--cpu-bind=none bash -c " in line
    with pytest.raises(ConfigError, match=r"use other CPUs; give bind=False$"):
        mapped([3, 5, 0, 4], mapping.topology).launch_command("f", "cray")
    with pytest.raises(ConfigError, match="Cray"):
        mapping.launch_command("f", "cray", cpu_file="c")
    with pytest.raises(ConfigError, match="bsub only asks for hosts"):
        mapping.launch_command("f", "lsf", cpu_file="c")


def test_equal_cores_on_all_hosts_become_one_list():
    topology = Topology.hierarchy("4:2", "1:10").with_hosts("n[1-2]")
    scattered = mapped([3, 7, 0, 4, 1], topology)
    mapping = mapped([3, 0, 1, 7, 4], topology)

    for each in (scattered, mapping):
        assert each.launch_command("f", "slurm").endswith(" --cpu-bind=map_cpu:3,0,1")
    assert mapping.launch_command("f", "mpich").endswith("-f f -bind-to user:3,0,1")


def test_intel_mpi_binds_only_hosts_with_as_many_ranks_as_masks():
    topology = Topology.hierarchy("4:3", "1:10").with_hosts("n[1-3]")
    fewer, idle = mapped([2, 1, 6], topology), mapped([2, 1, 10, 9], topology)

    assert fewer.launch_command("f", "mpich").endswith(" -bind-to user:2,1")
    assert fewer.launch_command("f", "slurm").endswith(" --cpu-bind=map_cpu:2,1")
    with pytest.raises(ConfigError, match="every host, but 'n2' has 1 and another one 2; write"):
        fewer.launch_command("f", "intelmpi")
    assert idle.launch_command("f", "intelmpi").endswith(" I_MPI_PIN_DOMAIN '[0x4,0x2]'")


def test_missing_hosts_and_unknown_formats_are_refused(mapping, tmp_path):
    bare = mapped([0, 1], Topology.flat(4))
    for name in sorted(set(FORMATS) - {*_files._LABELS, "blocks", "metis", "html"}):
        with pytest.raises(ConfigError, match="hosts have no names"):
            bare.write(tmp_path / "out", name)
    with pytest.raises(TopologyError, match="4 PEs cannot be dealt out evenly to 3 hosts"):
        bare.write(tmp_path / "out", "slurm", hosts="n[1-3]")
    with pytest.raises(ConfigError, match=r"format must be one of blocks, .*, got 'x'"):
        mapping.write(tmp_path / "out", "x")
    with pytest.raises(ConfigError, match=r"launcher must be one of rankfile, .*, got 'json'"):
        mapping.launch_command("f", "json")
    with pytest.raises(FileError, match="no/out"):
        mapping.write(tmp_path / "no" / "out", "slurm")
    assert not (tmp_path / "out").exists()


def test_two_tasks_on_a_pe_are_no_permutation(tmp_path):
    mapping = mapped([1, 1], Topology.flat(2))

    with pytest.raises(ValueError, match="PE 1 has 2 tasks"):
        mapping.write(tmp_path / "out", "permutation")


def test_no_tasks_make_an_empty_file(tmp_path):
    mapping = mapped(np.zeros(0, int), Topology.flat(2).with_hosts(["a"]))

    for name in ("rankfile", "slurm", "mpich", "lsf", "cpus"):
        assert written(mapping, tmp_path / "out", name) == ""
        if name != "cpus":
            assert mapping.launch_command("f", name)


def test_topology_with_hosts_survives_pickling_and_comparison():
    topology = Topology.hierarchy("2:2", "1:10").with_hosts("n[1-2]")

    copy = pickle.loads(pickle.dumps(topology))

    assert copy == topology
    assert hash(copy) == hash(topology)
    assert copy.names == ("n1:core0", "n1:core1", "n2:core0", "n2:core1")
    assert topology != Topology.hierarchy("2:2", "1:10")
    assert topology != Topology.hierarchy("2:2", "1:10").with_hosts("m[1-2]")
    with pytest.raises(TopologyError, match="kind"):
        topology.with_hosts("n[1-2]", kind="x")


def test_lsf_places_the_ranks_of_every_host_of_the_allocation(tmp_path):
    topology = Topology.hierarchy("3:2", "1:10").with_hosts("a,b")
    mapping = mapped([3, 0, 4, 1, 2, 5], topology)

    assert written(mapping, tmp_path / "x", "lsf-geometry") == "{(1,3,4)(0,2,5)}\n"
    assert (
        mapping.launch_command("x", "lsf-geometry")
        == 'LSB_PJL_TASK_GEOMETRY="$(cat x)" mpirun.lsf -np 6'
    )
    assert mapping.launch_command("x", "lsf-geometry", cpu_file="c").count("taskset") == 1
    with pytest.raises(ConfigError, match="leave no host out, but 'a' has no rank"):
        mapped([3, 4], topology).write(tmp_path / "y", "lsf-geometry")


@pytest.mark.parametrize(
    ("blocks", "where", "culprit"),
    [
        ([1, 0, 3], {}, "rank 0, process 0 of its host, is on a:core1;"),
        ([0, 2, 4], {}, "rank 1, process 1 of its host, is on a:core2;"),
        ([0, 4, 3], {}, "rank 1, process 0 of its host, is on b:core1;"),
        ([0, 1, 3], {"cores_per_pe": 2}, "rank 0"),
        ([0, 1, 3], {"kind": "pu"}, "rank 0"),
    ],
)
def test_lsf_is_not_left_alone_with_other_cores_than_it_takes(blocks, where, culprit):
    topology = Topology.hierarchy("3:2", "1:10").with_hosts("a,b", **where)
    mapping = mapped(blocks, topology)

    with pytest.raises(ConfigError, match=f"binds no processes, .* {culprit}"):
        mapping.launch_command("x", "lsf-geometry")
    assert mapping.launch_command("x", "lsf-geometry", bind=False).endswith(" -np 3")
    assert "taskset" in mapping.launch_command("x", "lsf-geometry", cpu_file="c")


def test_comm_split_has_all_ranks_of_a_pe_on_a_line(tmp_path):
    mapping = mapped([1, 0, 1, 3], Topology.flat(4))

    assert written(mapping, tmp_path / "x", "comm-split") == "1\n0 2\n-1\n3\n"


def test_no_rank_is_bound_to_no_cpu(tmp_path):
    (tmp_path / "no-cpusets.xml").write_text(
        "<topology><object type='Machine'><object type='Core'/></object></topology>"
    )
    mapping = procmap.reorder_ranks([[0]], procmap.Topology.read(tmp_path / "no-cpusets.xml"))

    for name in ("slurm", "mpich", "intelmpi", "cray"):
        with pytest.raises(procmap.ConfigError, match="no CPUs are known of PE 0"):
            mapping.launch_command("file", name)
        assert "bind=" not in mapping.launch_command("file", name, bind=False)
    with pytest.raises(procmap.ConfigError, match="no CPUs are known of PE 0"):
        mapping.write(tmp_path / "cpus", "cpus")
