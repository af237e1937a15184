# SPDX-License-Identifier: MIT
"""What the evaluation of benchmarks/ makes of its runs: means, profiles, the report, the guard."""

import math
import re
import sys
from pathlib import Path

import pytest

from evaluation_rows import run_of

FOLDER = Path(__file__).parents[3] / "benchmarks"
sys.path.insert(0, str(FOLDER))

from evaluation import guard, profiles, run_log, sides  # noqa: E402
from evaluation.means import Mean, label_of, mean_ratio, means, seconds_of  # noqa: E402
from evaluation.report import parts, svg  # noqa: E402
from evaluation.report.build import build  # noqa: E402
from evaluation.report.pages import Page, text_of  # noqa: E402

LATEST = FOLDER / "results" / "evaluation"


def found_of(**costs):
    """Return means of programs on instances 0, 1, ...: costs, and seconds of 1."""
    count = len(next(iter(costs.values())))
    return {
        (str(i), "m"): {
            name: Mean(values[i], 1.0, 1) for name, values in costs.items() if values[i]
        }
        for i in range(count)
    }


def test_means_are_arithmetic_over_seeds_and_geometric_over_instances():
    rows = [
        run_of(J=100), run_of(J=200, seed=2), run_of(graph="h", J=400),
        run_of(side="METIS", J=75), run_of(side="METIS", graph="h", J=100),
    ]  # fmt: skip

    found = means(rows)

    assert found[("g", "4:8:1")]["fast"] == Mean(150.0, 2.0, 2)
    assert mean_ratio(found, "fast", "METIS", "cost") == pytest.approx(math.sqrt(2 * 4))


def test_mappings_that_are_too_heavy_or_missing_do_not_count():
    rows = [run_of(), run_of(seed=2, feasible=False, J=1), run_of(seed=3, status="no result")]

    assert means(rows)[("g", "4:8:1")]["fast"] == Mean(100.0, 2.0, 1)


def test_times_are_of_the_processor_on_one_thread_and_of_the_wall_elsewhere():
    assert seconds_of(run_of()) == 2.0
    assert seconds_of(run_of(threads=2)) == 4.0
    assert seconds_of(run_of(device="cuda")) == 4.0
    assert label_of(run_of(device="cuda:1")) == "fast on GPU"


def test_a_profile_rises_where_a_program_comes_within_tau_of_the_best():
    found = found_of(a=[100, 100, 300], b=[100, 200, 200], c=[None, 150, 400])

    assert profiles.profile(found, "a") == [(1, 0), (1, 1 / 3), (1, 2 / 3), (1.5, 1)]
    assert profiles.profile(found, "c") == [(1, 0), (1.5, 1 / 3), (2, 2 / 3)]
    how = profiles.quality(found, "b")
    assert (how.solved, how.best, how.worst) == (3, 2 / 3, 2)
    assert how.excess == pytest.approx(2 ** (1 / 3))


def test_speedups_are_sorted_and_of_common_instances():
    found = {
        ("0", "m"): {"a": Mean(1, 2.0, 1), "b": Mean(1, 4.0, 1)},
        ("1", "m"): {"a": Mean(1, 1.0, 1), "b": Mean(1, 5.0, 1)},
        ("2", "m"): {"a": Mean(1, 1.0, 1)},
    }

    assert profiles.speedups(found, "a", "b") == [5.0, 2.0]


def test_only_what_nothing_beats_in_both_is_on_the_front():
    points = {"a": (1.0, 4.0), "b": (2.0, 1.0), "c": (2.0, 2.0), "d": (3.0, 1.0), "e": (1.5, 2.0)}

    assert profiles.pareto(points) == ["b", "e", "a"]


def test_losses_have_their_factor_and_classes_leave_slower_rivals_out():
    found = {
        ("0", "m"): {"own": Mean(110, 1.0, 1), "slow": Mean(100, 20.0, 1)},
        ("1", "m"): {"own": Mean(100, 1.0, 1), "slow": Mean(100, 20.0, 1)},
    }

    (loss,) = profiles.losses(found, "own", ["slow"])

    assert (loss.instance, loss.rival, loss.factor, loss.time) == (("0", "m"), "slow", 1.1, 20.0)
    assert profiles.best_in_class(found, "own", ["slow"], 10) == 1
    assert profiles.best_in_class(found, "own", ["slow"], 100) == 0.5


def test_phases_of_all_names_add_up():
    seconds = parts.phase_seconds(run_of())

    assert dict(zip(parts.PHASES, seconds, strict=True)) == {
        "Coarsening": 1.0, "Contraction": 0.0, "Initial mapping": 0.0, "Uncontraction": 0.0,
        "Refinement and rebalancing": 0.5, "Other": 0.5,
    }  # fmt: skip


def test_runs_have_an_order_of_their_own():
    rows = [run_of(side="a command"), run_of(side="METIS"), run_of(seed=2), run_of(graph="f")]

    found = run_log.in_order(rows, sides.rank)

    assert [(row["side"], row["graph"], row["seed"]) for row in found] == [
        ("fast", "f", 1), ("fast", "g", 2), ("METIS", "g", 1), ("a command", "g", 1),
    ]  # fmt: skip


def test_devices_are_compared_by_the_size_of_the_graph():
    gpu = {"device": "cuda", "seconds": 0.5}
    large = {"graph": "h", "m": 600_000, "cpu_seconds": 8.0}
    rows = [
        run_of(), run_of(**gpu), run_of(seed=2), run_of(seed=2, J=101, **gpu),
        run_of(**large), run_of(**{**large, **gpu}), run_of(side="im"),
    ]  # fmt: skip
    page = Page("folder")

    parts.devices(page, rows)

    assert "| fast | 2 of 3 | 4.000 | - | 16.000 | 8.000 | 16.000 |" in page.text
    assert "| im |" not in page.text


def test_recorded_figures_stand_beside_runs_on_both_devices():
    of = {"graph": "wave", "hierarchy": "4:8:6", "side": "im", "J": 3_895_409, "suite": "recorded"}
    page = Page("folder")

    parts.recorded(page, [run_of(**of), run_of(**of, device="cuda", seconds=0.042)])

    assert "| wave | GPU-HeiPa IM* | im | 0.500 | 84.000 | 42.000 | 2.000 | 2,000 |" in page.text


def test_the_page_says_how_busy_the_machine_was():
    start = {
        "session": "now", "commit": "c", "procmap": "p", "command": "x", "unavailable": {},
        "machine": "a machine, load 1.5 at the start", "limits": {"seconds": 1, "memory_gb": 1},
    }  # fmt: skip
    later = {**start, "machine": "a machine, load 12.0 at the start", "jobs": 13}

    page = build([run_of()], [start, {**later, "threads_per_core": 2}])

    assert "| runs at once | 13, each on a core of its own |" in page.text
    assert "| threads per core | 2 |" in page.text
    assert "| load at the start | 1.5 to 12.0 |" in page.text


def test_charts_leave_out_what_their_axes_cannot_show():
    axis = svg.Axis("x", log=True, low=1, high=2)

    text = svg.chart("A < B", axis, svg.Axis("y"), [svg.Series("a", [(0, 1), (1, 1), (3, 2)])])

    assert "A &lt; B" in text
    assert text.count("<path") == 2  # the line and its legend
    assert "nan" not in text
    assert svg.linear_ticks(0, 1) == [0, 0.2, 0.4, 0.6, 0.8, 1]
    assert svg.log_ticks(1, 1e4) == [1, 10, 100, 1000, 10000]


def test_names_of_points_do_not_cover_each_other():
    points = [svg.Series(f"name {i}", [(1, 1)], marks=True) for i in range(4)]

    text = svg.chart("points", svg.Axis("x"), svg.Axis("y"), [*points, svg.Series("l", [(2, 2)])])

    places = re.findall(r'<text x="([0-9.]+)" y="([0-9.]+)" font-size="11"', text)
    assert len(set(places)) == 4


def test_numbers_are_written_for_readers():
    assert [text_of(cell) for cell in (1234, 1.23456, 1234.5, math.nan, None, "a")] == [
        "1,234", "1.235", "1,234", "-", "-", "a",
    ]  # fmt: skip


@pytest.mark.skipif(not LATEST.is_dir(), reason="no recorded runs")
def test_the_page_of_the_documentation_is_what_the_recorded_runs_say():
    page = build(*run_log.read_all(sorted(LATEST.glob("*.jsonl.xz"))))
    site = FOLDER.parent / "docs" / "site"

    assert (site / "evaluation.md").read_text() == page.text
    for name, text in page.files.items():
        assert (site / "evaluation" / name).read_text() == text, name


def test_j_of_the_guarded_set_is_what_was_recorded():
    """Changed on purpose? `python benchmarks/run.py guard --update`, and say why in the commit."""
    assert guard.differences(guard.read(), guard.measure()) == []


def test_the_guard_says_what_changed():
    old, other, gone = guard.read()[:3]
    changed = guard.Entry(**{**vars(old), "cost": 2 * old.cost})
    redrawn = guard.Entry(**{**vars(other), "sha256": "0"})

    lines = guard.differences([old, other, gone], [changed, redrawn])

    assert all(map(str.__contains__, lines, ("x 2.0000", "another", "no longer")))
    assert len(lines) == 3
    assert guard.ratios([old], [changed])[0][3] == pytest.approx(2)
