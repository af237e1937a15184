# SPDX-License-Identifier: MIT
"""``procmap reorder``."""

import json

import numpy as np
import pytest

import procmap

MACHINE = ("-H", "2:2:3", "-D", "1:10:100")


@pytest.fixture
def traffic_file(tmp_path):
    """A ring of twelve shuffled ranks as a matrix of bytes."""
    rank = np.random.default_rng(2).permutation(12)
    matrix = np.zeros((12, 12), int)
    matrix[rank, np.roll(rank, 1)] = 4096
    np.savetxt(tmp_path / "ring.mat", matrix, fmt="%d")
    return tmp_path / "ring.mat"


def library(traffic_file, **options):
    topology = procmap.Topology.hierarchy("2:2:3", "1:10:100")
    return procmap.reorder_ranks(procmap.read_traffic(traffic_file), topology, **options)


def test_it_prints_a_summary_or_writes_what_the_library_does(run_cli, traffic_file, tmp_path):
    shown = run_cli("reorder", traffic_file, *MACHINE)
    quiet = run_cli("reorder", traffic_file, *MACHINE, "--seed", 3, "-o", "out")

    assert f"{library(traffic_file).cost} (every message once)" in shown.stdout
    assert "lower than in block order, the default of srun and mpirun" in shown.stdout
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")
    expected = library(traffic_file, seed=3).blocks.tolist()
    assert procmap.read_mapping(tmp_path / "out").tolist() == expected


def test_it_says_how_to_start_the_program(run_cli, traffic_file, tmp_path):
    names = ("--hosts", "node[1-3]", "--launcher")

    result = run_cli("reorder", traffic_file, *MACHINE, *names, "rankfile", "-o", "out")

    assert result.stdout == "mpirun -np 12 --rankfile out\n"
    library(traffic_file).write(tmp_path / "expected", "rankfile", hosts="node[1-3]")
    assert (tmp_path / "out").read_text() == (tmp_path / "expected").read_text()


def test_ranks_that_srun_cannot_bind_are_said_to_be_unbound(run_cli, traffic_file, tmp_path):
    line = (*MACHINE, "--hosts", "node[1-3]", "--launcher", "slurm", "-o", "hosts")

    unbound = run_cli("reorder", traffic_file, *line)
    bound = run_cli("reorder", traffic_file, *line, "--cpu-file", "cpus")

    start = "SLURM_HOSTFILE=hosts srun --distribution=arbitrary --ntasks=12"
    assert unbound.stdout == f"{start}\n"
    assert unbound.stderr.startswith("procmap: warning: ranks are not bound to cores")
    assert bound.stdout.startswith(f"{start} --cpu-bind=none bash -c ")
    assert bound.stderr == ""
    assert len((tmp_path / "cpus").read_text().split()) == 12


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        (("--topology", "nodes.conf"), "--cpu-file is for PEs that are cores or GPUs, but here"),
        ((*MACHINE, "--hosts", "n[1-3]", "--launcher", "cray"), "--cpu-file goes by ranks, which"),
        ((*MACHINE, "--hosts", "n[1-3]", "--launcher", "lsf"), "--cpu-file is for what starts"),
        ((*MACHINE, "--hosts", "n[1-3]", "--launcher", "torchrun"), "--cpu-file is not for torch"),
    ],
)
def test_a_cpu_file_that_cannot_be_used_is_refused_before_any_work(
    run_cli, tmp_path, options, culprit
):
    (tmp_path / "nodes.conf").write_text("SwitchName=s Nodes=n[1-12]\n")

    result = run_cli("reorder", "missing", *options, "-o", "out", "--cpu-file", "cpus")

    assert (result.returncode, result.stdout) == (2, "")
    assert culprit in result.stderr


def test_nothing_is_written_if_one_of_two_files_cannot_be_made(run_cli, traffic_file, tmp_path):
    cores = "<object type='Core'/>" * 12
    (tmp_path / "m.xml").write_text(f"<topology><object type='Machine'>{cores}</object></topology>")
    files = ("--launcher", "slurm", "-o", "out", "--cpu-file", "cpus")

    result = run_cli("reorder", traffic_file, "--topology", "m.xml", *files)

    assert (result.returncode, result.stdout) == (2, "")
    assert "no CPUs are known of PE" in result.stderr
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "cpus").exists()


def test_the_way_out_of_unbound_ranks_is_one_that_there_is(run_cli, traffic_file):
    line = (*MACHINE, "--hosts", "node[1-3]", "--fixed", "fixed", "-o", "out", "--launcher")
    (traffic_file.parent / "fixed").write_text("0\n1\n4\n6\n8\n9\n" + "-1\n" * 6)

    result = run_cli("reorder", traffic_file, *line, "slurm")

    assert "add --cpu-file: the launcher binds the processes of all hosts" in result.stderr
    assert "bind=False" not in result.stderr


def test_json_names_files_and_command(run_cli, traffic_file):
    options = ("--hosts", "a,b,c", "--launcher", "rankfile", "-o", "out", "--json")

    values = json.loads(run_cli("reorder", traffic_file, *MACHINE, *options).stdout)

    assert values["cost"] == library(traffic_file).cost
    assert values["launch_command"] == "mpirun -np 12 --rankfile out"
    assert values["output"] == "out"


def test_the_machine_can_come_from_the_scheduler(run_cli, traffic_file, tmp_path):
    switches = "SwitchName=s1 Nodes=n[1-4]\nSwitchName=s2 Nodes=n[5-8]\n"
    (tmp_path / "topology.conf").write_text(switches)
    machine = ("--topology", "topology.conf", "--nodes", "n[2,5-6]", "-H", "2:2", "-D", "1:3")

    result = run_cli("reorder", traffic_file, *machine, "--launcher", "rankfile", "-o", "out")

    topology = procmap.Topology.from_slurm_conf(
        tmp_path / "topology.conf", "n[2,5-6]", inside=procmap.Topology.hierarchy("2:2", "1:3")
    )
    mapping = procmap.reorder_ranks(procmap.read_traffic(traffic_file), topology)
    mapping.write(tmp_path / "expected", "rankfile")
    assert result.stdout == "mpirun -np 12 --rankfile out\n"
    assert (tmp_path / "out").read_text() == (tmp_path / "expected").read_text()


def test_map_and_evaluate_take_the_same_machine(run_cli, grid_file, tmp_path):
    (tmp_path / "m.tgt").write_text("tleaf 2 3 10 4 1\n")  # outermost first

    made = run_cli("map", grid_file, "--topology", "m.tgt", "-o", "out", "--json")
    same = run_cli("evaluate", grid_file, "out", "-H", "4:3", "-D", "1:10", "--json")
    also = run_cli("evaluate", grid_file, "out", "--topology", "m.tgt", "--json")

    costs = [json.loads(result.stdout)["cost"] for result in (made, same, also)]
    assert costs == [costs[0]] * 3


@pytest.mark.parametrize(
    ("options", "code", "culprit"),
    [
        (("--launcher", "slurm"), 2, "--launcher slurm needs --hosts"),
        (("--cpu-file", "cpus"), 2, "--cpu-file needs --hosts"),
        (("--hosts", "n[1-5]"), 2, "12 PEs cannot be dealt out evenly to 5 hosts"),
        (("--hosts", "n[1-"), 2, "unbalanced"),
        (("--nodes", "n1"), 2, "--nodes and --topology-format are for --topology"),
        (("--topology", "ring.mat"), 2, "-H and -D cannot be used with the format distances"),
        (("--topology", "missing"), 1, "missing: No such file"),
        (("--cores-per-pe", "2"), 2, "--cores-per-pe is for --hosts"),
        (("--launcher", "x"), 2, "invalid choice"),
        (("--slots-per-pe", "0"), 2, "slots_per_pe"),
        (("--format", "npz"), 1, "ring.mat: not an npz file"),
        (("-H", "2:2", "-D", "1:10"), 2, "12 ranks, but 4 PEs"),
    ],
)
def test_errors_are_one_line(run_cli, traffic_file, options, code, culprit):
    result = run_cli("reorder", traffic_file, *MACHINE, *options, "-o", "out")

    assert result.returncode == code
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert culprit in result.stderr


@pytest.mark.parametrize("content", ["", "# nothing\n", "from to bytes\n"])
def test_a_file_without_messages_is_bad_input(run_cli, tmp_path, content):
    (tmp_path / "log.txt").write_text(content)

    result = run_cli("reorder", "log.txt", "--format", "messages", *MACHINE)

    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        "procmap: error: log.txt: there are no messages, lines of 'sender receiver volume'\n"
    )


def test_a_launcher_without_a_file_is_refused_before_any_work(run_cli):
    result = run_cli("reorder", "missing", *MACHINE, "--hosts", "n[1-3]", "--launcher", "slurm")

    assert (result.returncode, result.stdout) == (2, "")
    assert "--launcher slurm needs -o FILE, the file to write" in result.stderr


def test_ranks_may_be_fixed_and_orders_improved(run_cli, traffic_file, tmp_path):
    (tmp_path / "fixed").write_text("5\n" + "-1\n" * 11)
    (tmp_path / "initial").write_text("".join(f"{pe}\n" for pe in range(12)))
    options = ("--fixed", "fixed", "--initial", "initial", "--repeats", 2, "--time-limit", 9)

    result = run_cli("reorder", traffic_file, *MACHINE, *options, "-o", "out")

    assert result.stderr == ""
    assert procmap.read_mapping(tmp_path / "out")[0] == 5


@pytest.mark.parametrize("command", ["evaluate", "map"])
@pytest.mark.parametrize("kind", ["npy", "mat", "messages"])
def test_traffic_is_evaluated_and_mapped_like_a_graph(
    run_cli, traffic_file, tmp_path, command, kind
):
    mapping = library(traffic_file)
    mapping.write(tmp_path / "blocks")
    np.save(tmp_path / "ring.npy", procmap.read_traffic(traffic_file).to_matrix())
    traffic = procmap.read_traffic(traffic_file)
    lines = zip(traffic.senders, traffic.receivers, traffic.volumes, strict=True)
    (tmp_path / "ring.messages").write_text("".join(f"{a} {b} {c}\n" for a, b, c in lines))
    extra = ["--traffic"] if kind == "messages" else []
    files = [f"ring.{kind}", *(["blocks"] if command == "evaluate" else [])]

    result = run_cli(command, *files, *MACHINE, *extra, "--json")

    assert result.stderr == ""
    assert json.loads(result.stdout)["cost"] == mapping.cost


def test_help_calls_things_by_their_names(run_cli):
    assert "Give every rank a PE of its own." in run_cli("reorder", "--help").stdout
    assert "Show version, devices" in run_cli("info", "--help").stdout
