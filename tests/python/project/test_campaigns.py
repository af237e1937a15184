# SPDX-License-Identifier: MIT
"""How the evaluation of benchmarks/ makes its runs: log, rivals, suites, limits, workers."""

import os
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np
import pytest

from evaluation_rows import run_of
from support import grid

FOLDER = Path(__file__).parents[3] / "benchmarks"
sys.path.insert(0, str(FOLDER))

import run  # noqa: E402
from evaluation import (  # noqa: E402
    crew,
    elsewhere,
    instance_sets,
    limited,
    pieces,
    run_log,
    runs,
    same,
    seat,
    sides,
    suites,
)
from evaluation.adapters import command  # noqa: E402
from evaluation.problem import Problem, Task  # noqa: E402
from evaluation.report.build import build  # noqa: E402
from harness.instance import Header, read_header  # noqa: E402

BY_INDEX = (
    "import sys; n = int(open(sys.argv[1]).readline().split()[0]); k = int(sys.argv[2]); "
    "open(sys.argv[3], 'w').writelines(f'{v * k // n}\\n' for v in range(n))"
)

# Puts everything into block 0; if it has several cores, the first vertex into block 1.
CORNER = 2  # edges of the first vertex of a grid
CORES = (
    "import os, sys; n = int(open(sys.argv[1]).readline().split()[0]); "
    "alone = len(os.sched_getaffinity(0)) == 1; "
    "open(sys.argv[3], 'w').writelines(f'{0 if v else int(not alone)}\\n' for v in range(n))"
)


def test_a_log_is_continued_and_a_line_cut_off_is_forgotten(tmp_path):
    file = tmp_path / "runs.jsonl"
    log = run_log.RunLog(file)
    log.add({"session": "now"})
    log.add(run_of())
    log.add(run_of(seed=2, status="no result"))
    with file.open("a") as text:
        text.write('{"suite":"mapp')

    again, retried = run_log.RunLog(file), run_log.RunLog(file, retry=True)
    again.add(run_of(seed=2, J=7))

    assert [log.has(run_of(seed=seed)) for log in (again, retried) for seed in (1, 2, 3)] == [
        True, True, False, True, False, False,
    ]  # fmt: skip
    rows, sessions = run_log.read_all([file])
    assert [row["J"] for row in rows] == [100, 7]
    assert len(sessions) == 1


def test_packed_logs_say_the_same_with_fewer_digits(tmp_path):
    file = tmp_path / "runs.jsonl.xz"
    phases = {"matching": 0.12345}

    file.write_bytes(run_log.packed([{"session": "now"}, run_of(seconds=1.23456, phases=phases)]))

    rows, sessions = run_log.read_all([file])
    assert rows == [run_of(seconds=1.235, phases={"matching": 0.12})]
    assert sessions == [{"session": "now"}]


def test_commands_are_split_before_names_are_put_in():
    task = Task("4:8:2", "1:10:100", "0.03", 7, 1, "cpu")

    found = command.words("'my map' {graph} --k={k} -s {seed} {out}", Path("a b"), Path("o"), task)

    assert found == ["my map", "a b", "--k=64", "-s", "7", "o"]


@pytest.mark.parametrize(
    ("text", "named"),
    [("{graph} {out}", "NAME=CMD"), ("x={graph}", "{out}"), ("METIS={graph} {out}", "'METIS'")],
)
def test_wrong_rivals_are_refused_by_name(text, named):
    with pytest.raises(ValueError, match="--rival") as caught:
        sides.parse_command(text)

    assert named in str(caught.value)


def test_sides_have_labels_of_their_own_and_unknown_ones_are_refused():
    found = list(sides.known().values())

    assert [side.label for side in found if side.is_own] == [
        "fast", "default", "strong", "im", "hm", "hm-ultra",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="nothing"):
        sides.choose(["nothing"], found)


def test_other_machines_take_as_many_distances_as_they_have_levels():
    suite = suites.with_machines(suites.SUITES["mapping"], ["2:3", "2:2:2"], "1:5:25")

    assert suite.machines == (("2:3", "1:5"), ("2:2:2", "1:5:25"))
    with pytest.raises(ValueError, match="2:2 has 2 levels"):
        suites.with_machines(suite, ["2:2"], "1")


def test_suites_name_programs_and_machines_that_exist():
    for suite in suites.SUITES.values():
        assert set(suite.presets or ()) | set(suite.rivals or ()) <= set(sides.known())
        for machine in suite.machines:
            assert Task(*machine, "0.03", 1, 1, "cpu").machine.num_blocks > 1
    assert [suites.levels(count)[0].count(":") for count in range(1, 9)] == list(range(8))
    assert all(
        Task(*suites.levels(count), "0", 1, 1, "cpu").machine.num_blocks == 256
        for count in range(1, 9)
    )


@pytest.mark.parametrize("name", instance_sets.names())
def test_every_graph_of_a_set_is_known_or_said_where_it_comes_from(name):
    pytest.importorskip("scipy")
    from generate import FAMILIES, SHAPES  # noqa: PLC0415

    entries = instance_sets.read_set(instance_sets.set_path(name))

    assert len({entry.name for entry in entries}) == len(entries)
    for entry in entries:
        assert entry.kind in ("regular", "irregular")
        if entry.source == "generated":
            assert entry.name.rpartition("_")[0] in {*FAMILIES, *SHAPES}, entry.name


def test_graphs_of_suites_are_found_where_a_set_says():
    wave, other = instance_sets.named("wave"), instance_sets.named("rgg_14")

    assert (wave.kind, wave.source, other.source) == ("regular", "Walshaw archive", "generated")
    assert instance_sets.named("ibm14").kind == "irregular"


def test_graphs_of_another_size_or_of_no_folder_are_named(tmp_path):
    grid(4, 4).write(tmp_path / "small.graph")
    entry = instance_sets.Entry("small", "regular", "a collection", 17, None)

    with pytest.raises(ValueError, match="16 vertices, the set says 17"):
        instance_sets.locate(entry, tmp_path / "cache", [tmp_path])
    assert not instance_sets.is_missing(entry, tmp_path / "empty", [tmp_path])
    assert instance_sets.is_missing(entry, tmp_path / "empty", [])
    with pytest.raises(instance_sets.MissingGraph, match="small"):
        instance_sets.locate(entry, tmp_path / "empty", [])


def runs_of(folder, *arguments):
    """Run the command; return the runs of its log."""
    log = folder / "runs.jsonl"
    command = ["evaluate", "--graphs", str(folder), "--out", str(log), "--hierarchies", "2:3"]
    assert run.main([*command, "--seeds", "1", "--rivals", *arguments]) == 0
    return run_log.read_all([log])[0]


def test_runs_are_judged_limited_continued_and_reported(tmp_path, capsys):
    grid(16, 16).write(tmp_path / "small.graph")
    script = tmp_path / "by_index.py"
    script.write_text(BY_INDEX)
    rivals = {
        "by index": f"{sys.executable} {script} {{graph}} {{k}} {{out}}",
        "asleep": f"{sys.executable} -c 'import time; time.sleep(60)' {{graph}} {{out}}",
        "wrong": "cp {graph} {out}",
    }
    named = [word for name, line in rivals.items() for word in ("--rival", f"{name}={line}")]
    arguments = ["--presets", "fast", "--timeout", "1", *named]

    rows = runs_of(tmp_path, *arguments)
    first = capsys.readouterr().err
    again = runs_of(tmp_path, *arguments)

    status = {row["side"]: row["status"] for row in rows}
    assert status["fast"] == status["by index"] == "ok"
    assert status["asleep"] == "no result after 1 s"
    assert status["wrong"].startswith("ValueError")
    assert rows == again
    assert first.count("\n") == len(rows)
    assert "small" not in capsys.readouterr().err
    ours = next(row for row in rows if row["own"])
    assert all(ours[field] for field in ("J", "machine", "phases", "version"))

    page = build(*run_log.read_all([tmp_path / "runs.jsonl"]))
    assert "| by index |" in page.text
    assert "no result after 1 s" in page.text
    assert set(page.files) >= {"fig2_profile.svg", "pareto.svg", "losses.csv", "results.csv"}


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core")
def test_runs_at_once_have_a_core_each_and_the_same_j(tmp_path):
    script = tmp_path / "cores.py"
    script.write_text(CORES)
    rival = ("--rival", f"cores={sys.executable} {script} {{graph}} {{k}} {{out}}")
    presets = ("--presets", "im", "fast")
    before = os.sched_getaffinity(0)
    folders = [tmp_path / "two", tmp_path / "one"]
    for folder in folders:
        folder.mkdir()
        grid(16, 16).write(folder / "small.graph")

    two = runs_of(folders[0], *presets, *rival, "--jobs", "2")
    one = runs_of(folders[1], *presets, *rival)

    assert os.sched_getaffinity(0) == before
    costs = [{row["side"]: row["J"] for row in rows if row["own"]} for rows in (two, one)]
    assert costs[0] == costs[1]
    cuts = [row["edge_cut"] for row in (*two, *one) if row["side"] == "cores"]
    assert cuts == [0, CORNER]
    assert {row["at_once"] for row in two} <= {1, 2}
    assert {row["at_once"] for row in one} == {1}


class Dying(ThreadPoolExecutor):
    """The worker that gets the second piece dies."""

    pieces = 0

    def submit(self, fn, /, *args):
        type(self).pieces += 1
        if self.pieces == 2:
            future = Future()
            future.set_exception(BrokenProcessPool("killed"))
            return future
        return super().submit(fn, *args)


def test_workers_of_an_executor_do_a_campaign(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(elsewhere, "Dying", Dying, raising=False)
    log, known = tmp_path / "runs.jsonl", tmp_path / "known"
    known.mkdir()
    for folder in (tmp_path, known):
        for side in (4, 5):
            grid(side, side).write(folder / f"g{side}.graph")
    arguments = ["evaluate", "--graphs", str(tmp_path), "--out", str(log), "--hierarchies", "2:3"]
    arguments += ["--seeds", "1", "--rivals", "--presets", "im"]
    arguments += ["--executor", "evaluation.elsewhere:Dying"]

    lossy = run.main(arguments)
    some = run_log.read_all([log])[0]
    said = capsys.readouterr()
    later = run.main(arguments)
    rows = run_log.read_all([log])[0]

    assert (lossy, later) == (1, 0)
    assert len(some) == 1
    assert "lost with its worker: mapping g" in said.err
    assert "1 pieces were lost" in said.out
    expected = runs_of(known, "--presets", "im")
    assert sorted((r["graph"], r["J"]) for r in rows) == [(r["graph"], r["J"]) for r in expected]


def test_at_the_end_of_its_time_a_start_stops_and_the_next_goes_on(tmp_path):
    grid(16, 16).write(tmp_path / "small.graph")
    asleep = f"asleep={sys.executable} -c 'import time; time.sleep(60)' {{graph}} {{out}}"
    begin = time.monotonic()

    nothing = runs_of(tmp_path, "--until", "0")
    some = runs_of(tmp_path, "--presets", "im", "--until", "3", "--rival", asleep)
    more = runs_of(tmp_path, "--presets", "im", "fast")

    assert time.monotonic() - begin < 30
    assert nothing == []
    assert [row["side"] for row in some] == ["im"]
    assert [row["side"] for row in more] == ["im", "fast"]


def test_a_process_that_is_kept_takes_one_graph_after_the_other(tmp_path):
    found = []
    for name, side in (("a", 4), ("b", 5)):
        grid(side, side).write(tmp_path / f"{name}.graph")
        entry = instance_sets.Entry(name, "regular", "generated", None, None)
        path = tmp_path / f"{name}.graph"
        graph = pieces.Graph(entry, path, read_header(path))
        tasks = tuple(Task("2:2", "1:10", "0.03", seed, 1, "cpu") for seed in (1, 2))
        suite = suites.SUITES["mapping"]
        found.append(pieces.Piece(suite, graph, sides.known()["im"], tasks))
    log = run_log.RunLog(tmp_path / "runs.jsonl")
    with crew.Crew(1) as one:
        kept = seat.Seat(one, sys.executable, limited.Limits(60, None), None)
        having = runs.Runs(one, log, sys.executable, limited.Limits(60, None), "a machine")
        workers = {kept.worker(piece, 1) for piece in found}
        kept.leave()
        for piece in found:
            having.do_on_gpu(piece, None)
        having.close()

    assert len(workers) == 1
    rows = run_log.read_all([tmp_path / "runs.jsonl"])[0]
    assert [(row["graph"], row["n"], row["status"]) for row in rows] == [
        ("a", 16, "ok"), ("a", 16, "ok"), ("b", 25, "ok"), ("b", 25, "ok"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(("--jobs", "0"), "--jobs 0"), (("--jobs", "100000"), "a core for each"),
     (("--jobs", "2", "--device", "cuda"), "one at a time"),
     (("--executor", "no_module:pool"), "expected MODULE:FUNCTION"),
     (("--executor", "os:sep"), "no function that makes"),
     (("--executor", "os:getcwd", "--jobs", "2"), "leave --jobs and --device out")],
)  # fmt: skip
def test_jobs_that_cannot_be_are_refused(tmp_path, capsys, arguments, named):
    grid(4, 4).write(tmp_path / "small.graph")

    with pytest.raises(SystemExit):
        runs_of(tmp_path, *arguments)

    assert named in capsys.readouterr().err


def test_long_pieces_begin_and_further_seeds_of_slow_rivals_come_last():
    def graph(name, edges):
        entry = instance_sets.Entry(name, "regular", "generated", None, None)
        return pieces.Graph(entry, Path(name), Header(10, edges, False, False, 0))

    graphs = {"g": graph("g", 10), "h": graph("h", 90)}
    known = sides.known()
    plan = pieces.Plan(
        [suites.SUITES["mapping"], suites.SUITES["threads"]],
        [graphs["g"].entry, graphs["h"].entry, instance_sets.Entry("gone", "", "", None, None)],
        [known["im"]], [known["METIS"], known["KaHIP-S"]], [1, 2, 3], [1, 2], 1, "cpu", 4, 2,
    )  # fmt: skip

    found = pieces.pieces(plan, {**graphs, "rgg_20": graph("rgg_20", 9)})

    order = [(piece.suite.name, piece.graph.entry.name, piece.side.label) for piece in found]
    assert order == [
        ("mapping", "h", "KaHIP-S"), ("mapping", "h", "im"), ("mapping", "h", "METIS"),
        ("mapping", "g", "KaHIP-S"), ("mapping", "g", "im"), ("mapping", "g", "METIS"),
        ("threads", "rgg_20", "im"), ("mapping", "h", "KaHIP-S"), ("mapping", "g", "KaHIP-S"),
    ]  # fmt: skip
    assert [{task.seed for task in piece.tasks} for piece in found[:2]] == [{1}, {1, 2, 3}]
    assert [piece.is_alone for piece in found] == [False] * 6 + [True, False, False]


def test_what_a_program_says_of_its_mapping_is_checked(tmp_path):
    file, saved = tmp_path / "small.graph", tmp_path / "blocks.npy"
    grid(2, 2).write(file)
    np.save(saved, np.array([0, 0, 1, 1], np.int32))
    problem, task = Problem(file), Task("2", "5", "0", 1, 1, "cpu")

    judged = [
        runs.judged({"said_cost": cost, "said_feasible": True}, problem, task, saved)
        for cost in (20, 10)
    ]

    assert (judged[0]["status"], judged[0]["J"], judged[0]["edge_cut"]) == ("ok", 20, 2)
    assert judged[1]["status"] == "it said 10, recomputed 20"


def test_logs_with_another_j_are_told_apart():
    first = [run_of(), run_of(side="METIS", own=False, J=5)]

    assert same.costs(first) == same.costs([run_of(threads=4), run_of(device="cuda")])
    assert same.costs(first) != same.costs([run_of(J=101)])
