# SPDX-License-Identifier: MIT
"""Every command of benchmarks/run.py does what it says, on a small graph and without a GPU."""

import itertools
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from support import grid
from under_mpi import is_installed, start

FOLDER = Path(__file__).parents[3] / "benchmarks"
sys.path.insert(0, str(FOLDER))
from harness.preset_order import print_order  # noqa: E402
from harness.process import RunError, report_in  # noqa: E402

COMMANDS = {
    "quality": ("--presets fast --seeds 1", "| small |"),
    "partition": ("--presets fast --k 2 --seeds 1", "| fast "),
    "machines": (
        "--no-scotch --machines torus:3x2 dragonfly:3x2x2 --presets fast default",
        "default / fast ",
    ),
    "speed": ("--runs 1 --preset fast", "| small |"),
    "growth": ("--preset fast --runs 1", "| small |"),
    "reader": ("--runs 1", "| small |"),
    "gpu": ("--presets im --device cpu --runs 1 --host-threads 1 2 --first-call", "| small |"),
    "ablation": ("--preset fast --hierarchies 2:3 --distance 1:10 --seeds 1", "| full preset "),
    "sweep": (
        "--preset fast --machines 2:3 torus:3x2 4 --seeds 1 --jobs 1 --variants flow.rounds=1",
        "| (1) flow.rounds=1 ",
    ),
    "busy": ("--runs 1 --preset fast --at-most 1e9", "| small "),
    "warm": ("--preset fast --runs 1 --hierarchy 2:3 --distance 1:10", "| small "),
}


@pytest.fixture(scope="module")
def graphs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("graphs")
    grid(20, 20).write(folder / "small.graph")
    return folder


def output_of(*arguments):
    command = [sys.executable, "run.py", *map(str, arguments)]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_what_a_program_reports_is_found_between_what_its_launcher_says():
    printed = 'binding to cores\n{"seconds": 1.5}\n\nall ranks have ended\n'

    assert report_in(printed) == {"seconds": 1.5}
    for other in ("", "no report", '{"seconds": '):
        with pytest.raises(RunError, match="unexpected output"):
            report_in(other)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_prints_its_table(command, graphs, tmp_path):
    options, row = COMMANDS[command]

    printed = output_of(
        command, "--graphs", graphs, "--out", tmp_path / "log.csv", *options.split()
    )

    assert row in printed
    assert len((tmp_path / "log.csv").read_text().splitlines()) > 1


def test_profile_shows_phases_and_levels(graphs):
    printed = output_of("profile", "--graphs", graphs, "--preset", "fast", "--runs", 1)

    assert "## small, fast, cpu" in printed
    for row in ("| whole |", "| clustering ", "| mapping "):
        assert row in printed


def test_several_weights_are_kept_and_judged(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    from harness.weights import metis_is_installed  # noqa: PLC0415

    options = "--names grid2d_20 --k 4 --counts 2 --presets fast --hierarchy 2:2 --distance 1:10"
    printed = output_of("weights", "--graphs", tmp_path, "--sets", "degree", *options.split())

    assert re.search(r"\| fast +\| +1 \| +1 \|", printed)
    if metis_is_installed():
        assert "| graph grid2d_20 " in printed


def test_sets_of_weights_are_what_they_say(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    from harness.instance import Instance  # noqa: PLC0415
    from harness.weight_sets import make_weights, regions  # noqa: PLC0415

    n = 200  # a path, whose regions are intervals
    offsets = np.concatenate([[0], 1 + 2 * np.arange(n - 1), [2 * n - 2]])
    heads = np.concatenate([[i - 1, i + 1] for i in range(n)])[1:-1].astype(np.int32)
    path = Instance(offsets, heads, None, np.ones(n, np.int64))

    grown = regions(path, 16, np.random.default_rng(1))
    assert len(np.unique(grown)) == 1 + (np.diff(grown) != 0).sum() == 16
    assert len(np.unique(make_weights("region", path, 2), axis=0)) <= 16
    phase = make_weights("phase", path, 3)
    assert phase[:, 0].all()
    assert set(np.unique(phase)) == {0, 1}
    degree = make_weights("degree", path, 3)
    assert degree.sum(axis=0).tolist() == [n, 2 * n - 2, 20]


@pytest.mark.skipif(not is_installed("openmpi"), reason="no Open MPI or no mpi4py")
def test_ranks_are_compared_with_one_machine(graphs, tmp_path, monkeypatch):
    monkeypatch.setenv("MPI4PY_MPIABI", "openmpi")
    options = "--ranks 2 --hierarchy 2:3 --distance 1:10 --k 3 --preset fast --share 0.6"

    printed = output_of("ranks", "--graphs", graphs, "--out", tmp_path / "log", *options.split())

    assert "| small " in printed
    assert re.search(r"\| ranks +\| +2 \| +0 \| +0 \|", printed)


@pytest.mark.parametrize("name", ["rank_program.py", "larger_program.py"])
@pytest.mark.skipif(not is_installed("openmpi"), reason="no Open MPI or no mpi4py")
def test_a_program_of_fewer_ranks_than_were_started_is_not_measured(name, graphs, tmp_path):
    saved = tmp_path / "blocks.npy"
    of_a_graph = "--ranks 2 --hierarchy 2:3 --distance 1:10 --imbalance 0.03 --share 0.6"
    arguments = {
        "rank_program.py": [graphs / "small.graph", *of_a_graph.split(), "--blocks", saved],
        "larger_program.py": [3, 2, 1000, 2],
    }

    done = start("openmpi", 1, FOLDER / "harness" / name, *arguments[name])

    assert done.returncode != 0
    assert "1 rank(s) where 2 were started: mpi4py loads Open MPI" in done.stderr
    assert not saved.exists()


def test_scotch_reads_what_is_written_for_it(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    from harness.instance import Instance  # noqa: PLC0415
    from harness.scotch_files import read_mapping, write_graph  # noqa: PLC0415

    offsets, heads = np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], np.int32)
    write_graph(tmp_path / "1", Instance(offsets, heads, None, np.ones(3, np.int64)))
    weights = np.array([5, 5, 7, 7])
    write_graph(tmp_path / "2", Instance(offsets, heads, weights, np.array([1, 2, 3])))
    (tmp_path / "map").write_text("3\n2\t0\n0\t1\n1\t1\n")

    assert (tmp_path / "1").read_text() == "0\n3 4\n0 000\n1 1\n2 0 2\n1 1\n"
    assert (tmp_path / "2").read_text() == "0\n3 4\n0 011\n1 1 5 1\n2 2 5 0 7 2\n3 1 7 1\n"
    assert read_mapping(tmp_path / "map").tolist() == [1, 1, 0]


def test_profile_names_kernels_shortly_and_counts_overlaps_once(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    from harness.profiling import Event, covered, short_name  # noqa: PLC0415

    kernel = "void procmap::resident_kernel<procmap::RefinementLoop<procmap::EdgeCut>, 8>(int)"
    assert short_name(kernel) == "resident_kernel<RefinementLoop<EdgeCut>>"
    assert short_name("Memcpy HtoD (Pageable -> Device)") == "Memcpy"
    events = [Event("", 0, 4, True), Event("", 6, 7, True), Event("", 1, 2, True)]
    assert covered(events) == 5


def test_a_result_file_says_how_its_tables_were_made(graphs, tmp_path):
    file = tmp_path / "results" / "reader.md"

    printed = output_of("reader", "--graphs", graphs, "--runs", 1, "--report", file)

    text = file.read_text()
    assert text.startswith("# reader\n")
    assert f"`python benchmarks/run.py reader --graphs {graphs}" in text
    assert all(f"\n| {fact} | " in text for fact in ("commit", "machine", "procmap", "date"))
    assert text.endswith(printed.strip() + "\n")


def test_machines_are_judged_by_the_distances_that_procmap_documents(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    from harness.mappers import procmap_topology  # noqa: PLC0415
    from harness.models import parse_model  # noqa: PLC0415

    machines = ["torus:5", "torus:4x3x2", "hierarchy:2x3x2"]
    machines += ["dragonfly:2x1x1", "dragonfly:9x4x2", "dragonfly:5x4x3", "dragonfly:4x7x1"]
    for machine in machines:
        model, topology = parse_model(machine), procmap_topology(machine)
        here, there = np.indices((topology.num_pes, topology.num_pes), np.int32)

        assert (model.distance(here, there) == topology.distance_matrix()).all(), machine


def test_calls_that_are_out_of_order_are_counted(capsys):
    def row(preset, seed, cost, seconds, status="ok"):
        facts = {"machine": "torus:4", "graph": "small", "seed": seed, "status": status}
        return facts | {"side": preset, "J": cost, "cpu_seconds": seconds}

    rows = [row("fast", "1", "100", "1"), row("default", "1", "104", "2")]
    rows += [row("fast", "2", "100", "1"), row("default", "2", "100.1", "2")]
    rows += [row("fast", "3", "100", "1"), row("default", "3", "", "", "timeout")]
    rows += [row("Scotch torus default", "1", "50", "1"), row("strong", "1", "104", "20")]

    print_order(rows, ["torus:4", "torus:5"])

    lines = [line.split("|")[1:-1] for line in capsys.readouterr().out.splitlines() if "/" in line]
    assert [[cell.strip() for cell in line] for line in lines] == [
        ["torus:4", "default / fast", "2", "1.020", "1.040", "1", "2.000"],
        ["torus:4", "strong / default", "1", "1.000", "1.000", "0", "10.000"],
    ]


def test_unknown_machines_are_refused_by_name():
    command = [sys.executable, "run.py", "machines", "--graphs", ".", "--machines", "ring:8"]

    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "'ring:8'" in done.stderr


def test_many_graphs_are_mapped_both_ways():
    printed = output_of("many", "--count", 5, "--vertices", 30, "--preset", "fast", "--runs", 1)

    assert "| one by one " in printed
    assert "| map_many " in printed


def test_experts_are_placed_by_both():
    printed = output_of("experts", "--sizes", "8:12:4", "8:8:4:4:2", "--sigma", 1, "--layers", 2)

    assert "| 8:12:4 " in printed
    assert "| 8:8:4:4:2 " in printed


def test_traces_are_placed_by_both_and_models_cut_into_stages():
    printed = output_of(
        "traces", "--sizes", "32:48:16", "--tokens", 300, "--layers", 1, "--stages", 4
    )

    rows = [line for line in printed.splitlines() if line.startswith("| 32:48:16 ")]
    assert [row.split("|")[3].strip() for row in rows] == ["greedy", "procmap"] * 2
    assert [float(row.split("|")[6]) for row in rows][::2] == [1, 1]
    assert all(float(row.split("|")[6]) < 1 for row in rows[1::2])
    assert "| Gemma 2 9B " in printed


def test_boxes_are_mapped_and_their_arcs_counted():
    printed = output_of("boxes", "--sides", 3, 5, "--device", "cpu", "--runs", 1)

    assert "| 316 " in printed
    assert "| 2,072 " in printed


@pytest.mark.parametrize("side", [1, 2, 3, 5])
def test_cells_of_a_box_see_all_cells_around_them(side, monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    from harness.boxes import box  # noqa: PLC0415

    offsets, heads = box(side)

    cells = np.array(list(itertools.product(range(side), repeat=3)))
    for v, cell in enumerate(cells):
        near = np.flatnonzero(np.abs(cells - cell).max(axis=1) == 1)
        assert heads[offsets[v] : offsets[v + 1]].tolist() == near.tolist()


def test_files_that_are_bad_on_purpose_are_refused_and_odd_ones_read(monkeypatch):
    """The page docs/site/bad_input.md has them all, and other programs."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import bad_input  # noqa: PLC0415

    outcomes = [
        bad_input.outcome("procmap", bad_input.MALFORMED["m too small"], legal=False),
        bad_input.outcome("procmap", bad_input.LEGAL["tabs"], legal=True),
        bad_input.failure(0, "error: no", "x.graph"),
        bad_input.judged([0, 0, 0, 1], "4 0\n" + "\n" * 4, ""),
        bad_input.judged([0, 1, 2], "4 0\n" + "\n" * 4, ""),
    ]

    assert outcomes == [
        "refused, line", "right", "*says no, exit 0*", "*unbalanced* (200 %)",
        "*3 blocks for 4 vertices*",
    ]  # fmt: skip
