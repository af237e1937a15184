# SPDX-License-Identifier: MIT
"""The command line: output, files and exit codes."""

import json
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

import bad_files
import procmap
from procmap.cli import main, ranks
from procmap.cli.main import _parser
from support import MACHINE, OBEY_CTRL_C, grid, parhip
from thread_ranks import ThreadComm, World, on_ranks

MACHINE_OPTIONS = ("-H", "2:2:3", "-D", "1:10:100")


def assert_fails(result, code, text):
    """One line on standard error, nothing on standard output."""
    assert result.returncode == code, result
    assert result.stdout == ""
    assert result.stderr.startswith("procmap: error: ")
    assert result.stderr.count("\n") == 1
    assert text in result.stderr


def test_map_prints_a_summary(run_process, grid_file):
    result = run_process("map", grid_file, *MACHINE_OPTIONS)

    mapping = procmap.map(grid(20, 20), MACHINE)
    assert (result.returncode, result.stderr) == (0, "")
    lines = dict(line.split("  ", 1) for line in result.stdout.splitlines())
    assert lines["J"].strip() == f"{mapping.cost} (every edge twice)"
    assert lines["edge cut"].strip() == str(mapping.edge_cut)
    assert lines["traffic at level 3"].strip() == f"{mapping.level_traffic[3]} (distance 100)"
    assert lines["feasible"].strip() == "yes"
    assert "seconds" in lines


def test_output_file_holds_the_mapping_and_nothing_is_printed(run_cli, grid_file, tmp_path):
    result = run_cli("map", grid_file, *MACHINE_OPTIONS, "-o", "out", "--seed", 5, "--threads", 1)

    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    mapping = procmap.map(grid(20, 20), MACHINE, seed=5)
    assert procmap.read_mapping(tmp_path / "out").tolist() == mapping.blocks.tolist()


def test_json_is_one_object_that_agrees_with_the_library(run_process, grid_file):
    result = run_process("map", grid_file, *MACHINE_OPTIONS, "--json", "-v", "-e", "0.1")

    values = json.loads(result.stdout)
    mapping = procmap.map(grid(20, 20), MACHINE, imbalance=0.1)
    assert values["cost"] == mapping.cost
    assert values["level_traffic"] == mapping.level_traffic.tolist()
    assert values["imbalance_allowed"] == 0.1
    assert values["feasible"] is True
    assert values["phases"]
    assert result.stderr  # progress of -v


def test_partition_and_evaluate_agree(run_cli, grid_file):
    made = json.loads(run_cli("partition", grid_file, "-k", 7, "--json", "-o", "out").stdout)
    flat = json.loads(run_cli("evaluate", grid_file, "out", "-k", 7, "--json").stdout)
    tree = run_cli("evaluate", grid_file, "out", *MACHINE_OPTIONS, "-e", "1")

    for name in ("cost", "edge_cut", "imbalance", "level_traffic", "capacity", "feasible"):
        assert flat[name] == made[name]
    assert made["cost"] == 2 * made["edge_cut"]
    assert tree.returncode == 0
    assert "traffic at level 3" in tree.stdout


def test_parameters_come_from_preset_file_and_set_in_this_order(run_cli, grid_file, tmp_path):
    (tmp_path / "mine.toml").write_text("[refinement]\nrounds = 3\nweak_rounds = 1\n")
    options = ("--preset", "hm", "--config", "mine.toml", "--set", "refinement.rounds=2")

    run_cli("map", grid_file, *MACHINE_OPTIONS, *options, "-o", "out")

    config = procmap.Config.preset("hm").replace(refinement__rounds=2, refinement__weak_rounds=1)
    mapping = procmap.map(grid(20, 20), MACHINE, config=config)
    assert procmap.read_mapping(tmp_path / "out").tolist() == mapping.blocks.tolist()


def test_presets_are_listed_and_printed(run_cli, tmp_path):
    assert run_cli("presets").stdout.split() == list(procmap.Config.preset_names())

    (tmp_path / "fast.toml").write_text(run_cli("presets", "fast").stdout)

    assert procmap.Config.load(tmp_path / "fast.toml") == procmap.Config.preset("fast")


def test_check_describes_a_correct_graph(run_cli, tmp_path):
    graph = procmap.Graph.from_edges([(0, 1), (1, 2), (3, 4)], 7, [1, 2, 3])
    graph.write(tmp_path / "x.graph")

    text = run_cli("check", "x.graph").stdout
    values = json.loads(run_cli("check", "x.graph", "--json").stdout)

    assert "x.graph: correct" in text
    expected = {"vertices": 7, "edges": 3, "max_degree": 2, "isolated_vertices": 2, "components": 4}
    assert {name: values[name] for name in expected} == expected
    assert (values["edge_weights"], values["vertex_weights"]) == (True, False)


def test_version_and_help_go_to_standard_output(run_process, run_cli):
    assert run_process("--version").stdout == f"procmap {procmap.__version__}\n"
    assert "exit codes" in run_cli("map", "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "COMMAND"),
        (["fly"], "fly"),
        (["map", "G"], "-H"),
        (["map", "G", "-H", "4:x", "-D", "1:10"], "x"),
        (["map", "G", "-H", "4:8", "-D", "1"], "1"),
        (["map", "G", *MACHINE_OPTIONS, "-e", "-1"], "imbalance"),
        (["map", "G", *MACHINE_OPTIONS, "-e", "nan"], "imbalance"),
        (["map", "G", *MACHINE_OPTIONS, "-e", "x"], "-e"),
        (["map", "G", *MACHINE_OPTIONS, "--preset", "best"], "best"),
        (["map", "G", *MACHINE_OPTIONS, "--set", "refinement.rounds"], "NAME=VALUE"),
        (["map", "G", *MACHINE_OPTIONS, "--set", "refinement.rounds=x"], "refinement.rounds"),
        (["map", "G", *MACHINE_OPTIONS, "--set", "refinement.round=1"], "refinement.round"),
        (["map", "G", *MACHINE_OPTIONS, "--seed", "-1"], "seed"),
        (["map", "G", *MACHINE_OPTIONS, "--threads", "0"], "threads"),
        (["map", "G", *MACHINE_OPTIONS, "--device", "gpu"], "device must be"),
        (["partition", "G", "-k", "0"], "-k"),
        (["partition", "G", "-k", "2.5"], "-k"),
        (["evaluate", "G", "M"], "-k"),
        (["evaluate", "G", "M", "-k", "4", *MACHINE_OPTIONS], "not both"),
        (["presets", "best"], "best"),
    ],
)
def test_wrong_usage_exits_with_2(run_cli, grid_file, arguments, text):
    arguments = [grid_file if argument == "G" else argument for argument in arguments]

    assert_fails(run_cli(*arguments), 2, text)


def test_bad_files_exit_with_1(run_cli, grid_file, tmp_path):
    (tmp_path / "short").write_text("0\n1\n")
    (tmp_path / "far").write_text("0\n" * 399 + "9\n")
    (tmp_path / "text").write_text("0\nx\n")
    (tmp_path / "bad.toml").write_text("[refinement]\nrounds = 0\n")

    assert_fails(run_cli("check", "missing"), 1, "missing")
    assert_fails(run_cli("check", "."), 1, ".")
    assert_fails(run_cli("evaluate", grid_file, "short", "-k", 4), 1, "short: blocks has 2 entries")
    assert_fails(run_cli("evaluate", grid_file, "far", "-k", 4), 1, "far: blocks[399] = 9")
    assert_fails(run_cli("evaluate", grid_file, "text", "-k", 4), 1, "text:2: ")
    assert_fails(run_cli("partition", grid_file, "-k", 4, "-o", "no/out"), 1, "no/out")
    for toml, culprit in (("bad.toml", "refinement.rounds = 0"), ("missing.toml", "missing.toml")):
        assert_fails(run_cli("partition", grid_file, "-k", 4, "--config", toml), 1, culprit)


def test_infeasible_mapping_is_written_and_exits_with_3(run_cli, tmp_path):
    grid(20, 20).with_vertex_weights([10000] + [1] * 399).write(tmp_path / "x.graph")

    result = run_cli("partition", "x.graph", "-k", 4, "-o", "out", "--json")

    assert result.returncode == 3
    assert result.stderr.startswith("procmap: warning: the mapping is infeasible: block ")
    assert result.stderr.count("\n") == 1
    assert json.loads(result.stdout)["feasible"] is False
    assert len(procmap.read_mapping(tmp_path / "out")) == 400


@pytest.mark.parametrize(("options", "allowed"), [((), "3.00%"), (("-e", 0.5), "50.00%")])
def test_ranks_say_of_an_infeasible_mapping_what_was_allowed(
    run_cli, tmp_path, monkeypatch, options, allowed
):
    parhip(tmp_path / "g.parhip", grid(20, 20).with_vertex_weights([10000] + [1] * 399))
    world = SimpleNamespace(COMM_WORLD=ThreadComm(World(1), 0))
    monkeypatch.setitem(sys.modules, "mpi4py", SimpleNamespace(MPI=world))

    result = run_cli("map", "g.parhip", *MACHINE_OPTIONS, "--mpi", *options)

    assert result.returncode == 3
    assert result.stderr.startswith("procmap: warning: the mapping is infeasible: block ")
    assert result.stderr.endswith(f"allowed {allowed})\n")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("option", ["--fixed", "--capacities", "--config"])
def test_all_ranks_are_told_of_a_file_that_one_cannot_read(tmp_path, option):
    graph = parhip(tmp_path / "g.parhip", grid(20, 20))
    files = [tmp_path / "here", tmp_path / "missing"]
    files[0].write_text({"--fixed": "-1\n" * 400, "--capacities": "99\n" * 12}.get(option, ""))

    def program(comm):
        arguments = ["map", str(graph), *MACHINE_OPTIONS, option, str(files[comm.Get_rank()])]
        return ranks._mapped(_parser().parse_args(arguments), comm, MACHINE)

    for one in on_ranks(2, program):
        assert isinstance(one, procmap.FileError)
        assert str(one).startswith(f"rank 1: {files[1]}: ")


@pytest.mark.parametrize("lines", [399, 401])
def test_ranks_refuse_files_of_other_numbers_of_vertices(tmp_path, lines):
    graph, fixed = parhip(tmp_path / "g.parhip", grid(20, 20)), tmp_path / "fixed"
    fixed.write_text("-1\n" * lines)
    arguments = ["map", str(graph), *MACHINE_OPTIONS, "--fixed", str(fixed)]

    found = on_ranks(2, lambda comm: ranks._mapped(_parser().parse_args(arguments), comm, MACHINE))

    for one in found:
        assert f"--fixed: {fixed}: fixed has {lines} entries, but there are 400" in str(one)


def test_ctrl_c_exits_with_130(tmp_path):
    grid(500, 500).write(tmp_path / "x.graph")
    main = OBEY_CTRL_C + "import sys; from procmap.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", main, "map", "x.graph", *MACHINE_OPTIONS, "-v"]
    with subprocess.Popen(
        [*command, "--preset", "hm-ultra"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        process.stderr.readline()  # progress: the engine runs
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        code = process.wait(timeout=30)

    assert code == 130
    assert rest.endswith("procmap: error: interrupted\n")


@pytest.mark.parametrize("name", bad_files.MALFORMED)
def test_malformed_file_is_refused_with_its_line(run_cli, tmp_path, name):
    content, culprit = bad_files.MALFORMED[name]
    (tmp_path / f"{name}.graph").write_text(content)

    for command in (["check"], ["partition", "-k", 12, "-o", "out"]):
        result = run_cli(command[0], f"{name}.graph", *command[1:])

        assert_fails(result, 1, f"{name}.graph:")
        assert culprit in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", bad_files.LEGAL)
def test_legal_file_is_mapped(run_cli, tmp_path, name):
    (tmp_path / "x.graph").write_text(bad_files.LEGAL[name], newline="")

    checked = run_cli("check", "x.graph")
    result = run_cli("map", "x.graph", *MACHINE_OPTIONS, "-o", "out", "--json")

    assert checked.returncode == 0
    values = json.loads(result.stdout)
    blocks = procmap.read_mapping(tmp_path / "out")
    report = procmap.evaluate(tmp_path / "x.graph", blocks, MACHINE)
    assert result.returncode == (0 if name != "huge_vertex" else 3)
    assert (values["cost"], values["feasible"]) == (report.cost, report.feasible)


def test_a_wrong_argument_of_several_lines_is_told_on_one(run_process):
    assert_fails(run_process("check", "g", "a\nb"), 2, "unrecognized arguments: a b (see procmap")


def test_without_mpi4py_its_extra_is_named(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "mpi4py", None)

    assert main(["map", "g", "-H", "2", "-D", "1", "--mpi"]) == 1
    assert capsys.readouterr().err == (
        "procmap: error: --mpi needs mpi4py: pip install 'procmap[mpi]'\n"
    )
