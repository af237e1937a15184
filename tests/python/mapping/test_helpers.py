# SPDX-License-Identifier: MIT
"""Members of populations that workers or further devices make: the same mapping as alone."""

import functools
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import procmap
from failing_executor import Fails
from procmap import _core
from procmap.mapping import _helpers
from support import MACHINE, random_geometric

GRAPH = random_geometric(500, 8, seed=1)
STRONG = {"preset": "strong", "seed": 3}


@pytest.fixture(scope="module")
def expected():
    return procmap.map(GRAPH, MACHINE, **STRONG)


def test_workers_make_all_members_but_the_first(expected):
    counted = Fails()
    found = procmap.map(GRAPH, MACHINE, executor=counted, **STRONG)

    np.testing.assert_array_equal(found.blocks, expected.blocks)
    assert found.cost == expected.cost
    assert counted.jobs >= 3 * 3  # of the three levels of the machine; `default` has some too
    assert "members elsewhere" in {phase.name for phase in found.stats.phases}
    assert found.graph is GRAPH


@pytest.mark.parametrize(
    "options",
    [
        {"capacities": [60] * 11 + [0]},
        {"fixed": np.where(np.arange(500) < 12, np.arange(500), -1)},
        {"vertex_weights": np.stack([np.arange(500) % 5, np.arange(500) % 3], 1), "imbalance": 0.2},
        {"threads": 3},
    ],
    ids=lambda options: next(iter(options)),
)
def test_options_reach_the_workers(options):
    with ThreadPoolExecutor(2) as pool:
        found = procmap.map(GRAPH, MACHINE, executor=pool, **STRONG, **options)

    np.testing.assert_array_equal(found.blocks, procmap.map(GRAPH, MACHINE, **STRONG, **options))


def test_partitions_and_other_machines_have_populations_too():
    torus = procmap.Topology.torus(3, 4)
    with ThreadPoolExecutor(2) as pool:
        found = procmap.map(GRAPH, torus, executor=pool, **STRONG)
        parts = procmap.partition(GRAPH, 6, executor=pool, **STRONG)

    np.testing.assert_array_equal(found.blocks, procmap.map(GRAPH, torus, **STRONG))
    np.testing.assert_array_equal(parts.blocks, procmap.partition(GRAPH, 6, **STRONG))


def test_presets_with_small_populations_are_mapped_by_a_worker():
    counted = Fails()
    procmap.map(GRAPH, MACHINE, executor=counted)
    assert counted.jobs == 1
    procmap.map(GRAPH, MACHINE, executor=counted, repeats=2, **STRONG)
    assert counted.jobs == 1 + 2


def die(flag):
    """Kill this process, once."""
    try:
        Path(flag).touch(exist_ok=False)
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def test_members_of_a_killed_worker_are_made_again(tmp_path):
    # Until 3.11.4 a pool of Python hangs if its worker dies while more is on the way than a pipe
    # holds (python/cpython#94777).
    graph = random_geometric(150, 8, seed=1)
    spawn = multiprocessing.get_context("spawn")
    flag = str(tmp_path / "flag")
    pool = functools.partial(ProcessPoolExecutor, 1, spawn, initializer=die, initargs=(flag,))

    found = procmap.map(graph, MACHINE, executor=pool, retries=1, **STRONG)

    np.testing.assert_array_equal(found.blocks, procmap.map(graph, MACHINE, **STRONG).blocks)


def test_only_lost_members_are_made_again(expected):
    counted, whole = Fails(1, 2), Fails()
    found = procmap.map(GRAPH, MACHINE, executor=counted, retries=1, **STRONG)
    procmap.map(GRAPH, MACHINE, executor=whole, **STRONG)

    np.testing.assert_array_equal(found.blocks, expected.blocks)
    assert counted.jobs == whole.jobs + 2


def test_a_lost_member_is_an_error_that_names_it():
    with pytest.raises(procmap.WorkerError, match=r"^members\[1\]: its worker ended .*killed"):
        procmap.map(GRAPH, MACHINE, executor=Fails(1), **STRONG)


def test_errors_of_workers_are_raised(monkeypatch):
    def wrong(*_):
        raise MemoryError("no memory")

    monkeypatch.setattr(_core, "do_job", wrong)
    with pytest.raises(MemoryError, match="no memory"):
        procmap.map(GRAPH, MACHINE, executor=Fails(), **STRONG)


@pytest.mark.parametrize("answer", [b"", b"x" * 100, bytes(8)])
def test_answers_that_are_none_are_refused(monkeypatch, answer):
    monkeypatch.setattr(_core, "do_job", lambda *_: answer)
    with pytest.raises(procmap.ConfigError, match=r"no job of this version|something else than"):
        procmap.map(GRAPH, MACHINE, executor=Fails(), **STRONG)


def test_jobs_that_are_none_are_refused():
    kept = []

    class Keeps(Fails):
        def submit(self, fn, /, job, *args):
            kept.append(job)
            return super().submit(fn, job, *args)

    procmap.map(GRAPH, MACHINE, executor=Keeps(), **STRONG)
    job = kept[0]
    for bad in (b"", job[:-1], job + b"x", job[:40], job.replace(b"member ", b"nember ")):
        with pytest.raises(procmap.ConfigError, match=r"job of"):
            _core.do_job(bad, "cpu", 1)
    with pytest.raises(procmap.ConfigError, match="device"):
        _core.do_job(job, "gpu", 1)


@pytest.mark.parametrize("devices", [["cpu"], ["cpu"] * 2, ["cpu"] * 3], ids=len)
def test_devices_share_the_members_of_one_graph(devices, monkeypatch, expected):
    asked = []
    do_job = _core.do_job

    def noted(job, device, threads):
        asked.append((device, threading.get_ident()))
        return do_job(job, device, threads)

    monkeypatch.setattr(_core, "do_job", noted)
    found = procmap.map(GRAPH, MACHINE, devices=devices, **STRONG)

    np.testing.assert_array_equal(found.blocks, expected.blocks)
    assert found.stats.device == "cpu"
    assert {device for device, _ in asked} == set(devices[1:])
    assert threading.get_ident() not in {thread for _, thread in asked}
    assert (len(asked) > 0) == (len(devices) > 1)


def test_every_further_device_makes_one_member_at_a_time(monkeypatch):
    free = {"one": 0, "two": 0}
    most = []

    def at_work(_, device, __):
        free[device] += 1
        most.append(free[device])
        threading.Event().wait(0.01)
        free[device] -= 1
        return b"done"

    monkeypatch.setattr(_core, "do_job", at_work)
    helpers = _helpers.Devices(["one", "two"], 1)
    helpers.start([b""] * 8)
    assert helpers.finish() == [b"done"] * 8
    helpers.close()
    assert max(most) == 1


def test_devices_take_turns_with_attempts():
    found = procmap.map(GRAPH, MACHINE, devices=["cpu", "cpu"], repeats=3, seed=5)

    alone = procmap.map(GRAPH, MACHINE, repeats=3, seed=5)
    np.testing.assert_array_equal(found.blocks, alone.blocks)
    assert [attempt.seed for attempt in found.stats.attempts] == [5, 6, 7]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"devices": []}, "at least one device"),
        ({"devices": ["cpu"], "device": "cpu"}, "either device or devices"),
        ({"devices": ["cpu"], "executor": Fails()}, "either executor or devices"),
    ],
)
def test_wrong_devices_are_refused(wrong, message):
    with pytest.raises(procmap.ConfigError, match=message):
        procmap.map(GRAPH, MACHINE, **wrong)
