# SPDX-License-Identifier: MIT
"""The command line: graph files of any kind, evaluations, information, progress."""

import json
import os
import pty
import subprocess
import sys

import numpy as np
import pytest

import procmap
from procmap.cli import main
from support import MACHINE, grid


@pytest.fixture
def edge_list(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("0 1 3\n1 0 4\n1 2 0.5\n")
    return str(path)


def test_format_and_symmetrize_reach_the_reader(edge_list, capsys):
    options = ["-k", "3", "-e", "0", "--json", "--format", "edges"]

    refused = main(["partition", edge_list, *options])
    error = capsys.readouterr().err
    assert (refused, "symmetrize" in error) == (1, True)
    for how, cost in (("sum", 15), ("max", 9)):
        assert main(["partition", edge_list, *options, "--symmetrize", how]) == 0
        assert json.loads(capsys.readouterr().out)["cost"] == cost
    assert main(["check", edge_list, "--format", "edges", "--symmetrize", "max"]) == 0


def test_the_number_of_vertices_or_ranks_reaches_the_reader(tmp_path, run_cli):
    (tmp_path / "x.el").write_text("0 1\n")
    (tmp_path / "x.csv").write_text("0,1,2\n1,0,3\n")
    line = ["--json", "-H", "4", "-D", "1"]

    checked = run_cli("check", "x.el", "--json", "--num-vertices", 4)
    ranked = run_cli("reorder", "x.csv", "--num-ranks", 4, *line)
    messages = run_cli("check", "x.csv", "--format", "messages", "--json", "--num-vertices", 4)

    assert json.loads(checked.stdout)["vertices"] == 4
    assert json.loads(messages.stdout)["vertices"] == 4
    assert json.loads(ranked.stdout)["num_vertices"] == 4
    refused = run_cli("check", "x.csv", "--format", "metis", "--num-vertices", 4)
    assert (refused.returncode, refused.stdout) == (2, "")
    wrong = run_cli("reorder", "x.csv", "--num-ranks", -1, *line)
    assert (wrong.returncode, "error: num_ranks must be an integer" in wrong.stderr) == (2, True)


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        (["--traffic", "--common", 2], "--common cannot be used with traffic: x"),
        (["--format", "edges", "--common", 2], "--common cannot be used with the format edges: x"),
        (["--common", 2, "--num-vertices", 4], "--num-vertices cannot be used with a mesh: x"),
        (["--common", 2, "--symmetrize", "sum"], "--symmetrize cannot be used with a mesh: x"),
        (
            ["--format", "matrix", "--num-vertices", 4],
            "argument --num-vertices: is for messages, but x is of the format matrix",
        ),
        (["--traffic", "--symmetrize", "max"], "--symmetrize max cannot be used with traffic: x"),
    ],
)
def test_options_that_would_have_no_effect_are_refused(tmp_path, run_cli, options, culprit):
    (tmp_path / "x").write_text("0 1\n")

    refused = run_cli("check", "x", *options)

    assert (refused.returncode, refused.stderr) == (2, f"procmap: error: {culprit}\n")
    alone = run_cli("map", "x", "-H", "2", "-D", "1", "--gather-arcs", 5)
    assert (alone.returncode, alone.stderr) == (2, "procmap: error: --gather-arcs is for --mpi\n")


def test_messages_do_not_command_the_terminal(tmp_path, run_cli):
    (tmp_path / "x.tgt").write_text("tleaf \x1b[31m2\x07 2 1\n")
    (tmp_path / "x.graph").write_text("2 1\n\x1b]0;title\x07\n1\n")

    target = run_cli("map", "x.graph", "--topology", "x.tgt")
    graph = run_cli("check", "x.graph")

    assert r"x.tgt:1: expected an integer >= 1, found '\x1b[31m2\x07'" in target.stderr
    for failed in (target, graph):
        assert failed.returncode == 1
        assert failed.stderr.rstrip("\n").isprintable()


def test_evaluate_prints_the_comparison(grid_file, tmp_path, capsys):
    mapping = procmap.map(grid(20, 20), MACHINE)
    mapping.write(tmp_path / "blocks")
    arguments = ["evaluate", str(grid_file), str(tmp_path / "blocks"), "-H", "2:2:3"]
    arguments += ["-D", "1:10:100", "-e", "0.05"]

    main(arguments)
    text = capsys.readouterr().out
    main([*arguments, "--json"])
    values = json.loads(capsys.readouterr().out)

    report = mapping.report()
    for line in str(report).splitlines()[:5]:
        assert line in text
    assert values["comparison"] == report.to_dict()["comparison"]
    assert values["communication_volume"] == report.to_dict()["communication_volume"]


def test_info_names_version_compiler_devices_and_threads(capsys):
    assert main(["info", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert main(["info"]) == 0
    text = capsys.readouterr().out

    assert values == procmap.info()
    assert values["version"] == procmap.__version__
    assert values["devices"][0] == "cpu"
    assert (values["no_gpu"] is None) == (len(values["devices"]) > 1)
    assert values["threads"] == len(os.sched_getaffinity(0))
    assert values["packages"]["numpy"]
    for key in ("version", "compiler", "devices", "threads", "numpy"):
        assert key in text


def in_terminal(*arguments):
    """Run the command with a terminal as stderr, and return what it wrote there."""
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "procmap", *arguments], stdout=subprocess.PIPE, stderr=slave
    ) as process:
        os.close(slave)
        output = b""
        while True:
            try:
                chunk = os.read(master, 1 << 16)
            except OSError:  # Linux's way to say that the other end is closed
                break
            if not chunk:
                break
            output += chunk
        process.stdout.read()
        assert process.wait(timeout=60) == 0
    os.close(master)
    return output.decode()


def test_terminal_gets_a_progress_bar_and_pipes_nothing(tmp_path, run_cli):
    pytest.importorskip("rich")
    grid(20, 20).write(tmp_path / "g.graph")
    arguments = ["map", str(tmp_path / "g.graph"), "-H", "2:2", "-D", "1:10"]

    shown, logged = in_terminal(*arguments), in_terminal(*arguments, "-v")

    assert "0:00:0" in shown
    assert "0:00:0" not in logged
    assert "multisection" in logged
    assert run_cli(*arguments).stderr == ""


def test_time_limit_makes_the_bar_say_how_much_is_left(tmp_path):
    pytest.importorskip("rich")
    grid(20, 20).write(tmp_path / "g.graph")
    arguments = ["map", str(tmp_path / "g.graph"), "-H", "2:2", "-D", "1:10"]

    assert "left:" in in_terminal(*arguments, "--time-limit", "1", "--repeats", "3")
    assert "left:" not in in_terminal(*arguments)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["pa"], ["partition"]),
        (["map", "g", "--pre"], ["--preset"]),
        (["map", "g", "--preset", "h"], ["hm", "hm-ultra"]),
        (["reorder", "t", "--launcher", "sl"], ["slurm"]),
        (["reorder", "t", "--fix"], ["--fixed"]),
        (["check", "wor"], ["words.txt"]),
    ],
)
def test_the_tab_key_completes_commands_options_and_files(tmp_path, capsys, words, expected):
    (tmp_path / "words.txt").write_text("")
    assert main(["completion", "bash"]) == 0
    line = " ".join(f"'{word}'" for word in ("procmap", *words))
    ask = f'COMP_WORDS=({line}); COMP_CWORD={len(words)}; _procmap; echo "${{COMPREPLY[@]}}"'

    done = subprocess.run(
        ["bash", "-c", capsys.readouterr().out + ask],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert (done.stdout.split(), done.stderr) == (expected, "")


def test_other_shells_have_scripts_of_their_own(capsys):
    assert main(["completion", "zsh"]) == 0
    assert "bashcompinit" in capsys.readouterr().out
    assert main(["completion", "fish"]) == 0
    fish = capsys.readouterr().out
    assert "-f -a evaluate -d 'say what a mapping costs'" in fish
    assert "__fish_seen_subcommand_from map' -l seed -r -d 'default: 0'" in fish


def test_callback_and_log_get_the_same_lines(caplog):
    lines = []

    with caplog.at_level("INFO", logger="procmap"):
        procmap.map(grid(20, 20), MACHINE, progress=lines.append)
    logged = [record.getMessage() for record in caplog.records]
    with caplog.at_level("WARNING", logger="procmap"):
        silent, of_ranks = [], []
        procmap.partition(grid(3, 4), 4, progress=silent.append)
        far_apart = np.roll(np.eye(12), 5, axis=0)  # in order there would be nothing to search for
        procmap.reorder_ranks(far_apart, MACHINE, progress=of_ranks.append)

    assert silent
    assert of_ranks
    assert lines == logged != []


def test_exception_of_a_callback_comes_out():
    def stop(line):
        raise RuntimeError(line)

    with pytest.raises(RuntimeError, match="level"):
        procmap.map(grid(20, 20), MACHINE, progress=stop)
    with pytest.raises(TypeError, match="progress must be callable, got int"):
        procmap.partition(grid(2, 2), 2, progress=5)


@pytest.mark.parametrize(
    ("machine", "topology"),
    [
        ("torus:3:4", procmap.Topology.torus(3, 4)),
        ("mesh:2:2:3", procmap.Topology.mesh(2, 2, 3)),
        ("hypercube:3", procmap.Topology.hypercube(3)),
        ("fat-tree:2:3", procmap.Topology.fat_tree(2, 3)),
        ("dragonfly:3:2:2", procmap.Topology.dragonfly(3, 2, 2)),
    ],
)
def test_regular_machines_have_short_names(grid_file, tmp_path, capsys, machine, topology):
    out = str(tmp_path / "out")

    assert main(["map", str(grid_file), "--machine", machine, "-o", out]) == 0
    assert main(["evaluate", str(grid_file), out, "--machine", machine, "--json"]) == 0

    expected = procmap.map(grid(20, 20), topology)
    assert procmap.read_mapping(out).tolist() == expected.blocks.tolist()
    assert json.loads(capsys.readouterr().out)["cost"] == expected.cost


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--machine", "ring:8"], "'ring:8' is not torus:8:8:8"),
        (["--machine", "torus"], "'torus' is not"),
        (["--machine", "torus:x"], "'torus:x' is not"),
        (["--machine", "hypercube:2:2"], "'hypercube:2:2' is not"),
        (
            ["--machine", "torus:4:0"],
            "argument --machine: 'torus:4:0': sizes[1] must be",
        ),
        (["--machine", "hypercube:23"], "argument --machine: 'hypercube:23': hypercube of 23"),
        (["-H", "2:2", "-D", "1"], "arguments -H and -D: distances '1': 1 levels"),
        (["-k", "0"], "error: argument -k must be an integer in [1, 4194304], got 0"),
        (["-k", "3", "-e", "x"], "argument -e/--imbalance: 'x' is not a number, nor numbers with"),
        (["--machine", "torus:3", "-H", "4", "-D", "1"], "--machine goes without"),
        (["--machine", "torus:3", "-k", "3"], "not both"),
        (["-k", "3", "--nodes", "n[1-3]"], "not both"),
        (["-k", "3", "--topology-format", "hwloc"], "not both"),
        (["-k", "3", "--cluster-distance", "5"], "not both"),
    ],
)
def test_other_machines_are_refused(grid_file, tmp_path, run_cli, arguments, message):
    (tmp_path / "blocks").write_text("0\n" * 400)

    answer = run_cli("evaluate", grid_file, "blocks", *arguments)

    assert (answer.returncode, answer.stdout) == (2, "")
    assert message in answer.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-H", "2", "-D", "1"], "node.xml: -H and -D cannot be used with the format hwloc"),
        (["--nodes", "n1"], "node.xml: --nodes cannot be used with the format hwloc"),
        (["--cluster", "n[1-"], "argument --cluster: 'n[1-' has unbalanced brackets"),
        (
            ["--cluster", "n[1-2]", "--cluster-distance", "0"],
            "argument --cluster-distance: distances = 0.0, but PEs of a node are up to 1",
        ),
        (["--hosts", "n[1-3]"], "argument --hosts: the machine has 1 host of 2 PEs"),
        (["--hosts", "n1", "--cores-per-pe", "0"], "argument --cores-per-pe: cores_per_pe must be"),
    ],
)
def test_options_of_machines_are_called_what_they_are_here(run_cli, tmp_path, options, message):
    (tmp_path / "t.mat").write_text("0 1\n1 0\n")
    cores = "<object type='Core' cpuset='0x1'/><object type='Core' cpuset='0x2'/>"
    (tmp_path / "node.xml").write_text(
        f"<topology><object type='Machine'>{cores}</object></topology>"
    )

    answer = run_cli("reorder", "t.mat", "--topology", "node.xml", *options)

    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith(f"procmap: error: {message}")


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("fixed", "0\n1\n", "fixed has 2 entries, expected one per vertex, 400"),
        ("fixed", "0\n" * 399 + "12\n", "fixed[399] = 12 is outside [-1, 4)"),
        ("initial", "-1\n" * 400, "initial[0] = -1 is outside [0, 4)"),
        ("capacities", "", "capacities has 0 entries, expected one per PE"),
        ("capacities", "100\n-1\n", "capacities[1] = -1 is negative"),
    ],
)
def test_files_of_options_are_named(grid_file, tmp_path, run_cli, option, text, message):
    (tmp_path / "numbers").write_text(text)

    answer = run_cli("partition", grid_file, "-k", "4", f"--{option}", "numbers")

    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == f"procmap: error: argument --{option}: numbers: {message}\n"


def test_imbalance_and_capacities_are_two_answers_to_one_question(run_cli):
    answer = run_cli("map", "g", "-H", "2", "-D", "1", "-e", "0.5", "--capacities", "c")

    assert answer.returncode == 2
    assert answer.stderr == ("procmap: error: give either --imbalance or --capacities, not both\n")


def test_sizes_without_a_cost_of_migration_are_refused(run_cli, grid_file, tmp_path):
    (tmp_path / "home").write_text("0\n1\n" * 200)
    given = ("-k", 2, "--initial", "home", "--vertex-sizes", "home")

    answer = run_cli("partition", grid_file, *given)

    assert answer.returncode == 2
    assert answer.stderr == (
        "procmap: error: --vertex-sizes has no effect without --migration-cost\n"
    )
    assert run_cli("partition", grid_file, *given, "--migration-cost", 0).returncode == 0


def test_a_number_of_common_nodes_is_looked_at_before_the_file(run_cli, grid_file):
    answer = run_cli("partition", grid_file, "-k", 2, "--common", 0)

    assert answer.returncode == 2
    assert answer.stderr == ("procmap: error: argument --common must be an integer >= 1, got 0\n")


def test_capacities_that_do_not_hold_what_is_fixed_are_not_called_an_imbalance(
    run_cli, grid_file, tmp_path
):
    (tmp_path / "room").write_text("100\n" * 4)
    (tmp_path / "fixed").write_text("0\n" * 101 + "-1\n" * 299)
    options = ("-k", 4, "--capacities", "room", "--fixed", "fixed")

    answer = run_cli("partition", grid_file, *options, "--json")

    assert (answer.returncode, json.loads(answer.stdout)["imbalance_allowed"]) == (3, None)
    assert answer.stderr.endswith("1 more than its capacity of 100 (imbalance 1.00%)\n")


@pytest.mark.parametrize("option", ["--machine=", "--report=", "--report-presets=", "--set=", "-o"])
def test_dashes_are_no_value(run_cli, grid_file, option):
    answer = run_cli("map", grid_file, f"{option}--")

    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == (
        f"procmap: error: argument {option.rstrip('=')}: '--' is no value (see procmap --help)\n"
    )


@pytest.mark.parametrize("arguments", [["map", ""], ["reorder", ""], ["map", "grid", "-o", ""]])
def test_an_empty_path_is_refused(run_cli, tmp_path, arguments):
    grid(2, 2).write(tmp_path / "grid")

    answer = run_cli(*arguments, "-H", "2:2", "-D", "1:10")

    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr == "procmap: error: path is empty, expected the name of a file\n"
