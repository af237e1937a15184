# SPDX-License-Identifier: MIT
"""`executor=` and `devices=`: the same mappings wherever they are made, and nothing lost."""

import functools
import importlib.util
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import procmap
from failing_executor import Fails
from procmap.mapping._spread import even_shares
from support import MACHINE, grid, random_geometric

GRAPHS = [grid(4 + i % 3, 5 + i) for i in range(6)]
# Forked workers of a process with threads are no good idea, and Python 3.12 warns of them.
PROCESSES = functools.partial(ProcessPoolExecutor, 2, multiprocessing.get_context("spawn"))


@pytest.fixture(scope="module")
def processes():
    with PROCESSES() as pool:
        yield pool


@pytest.fixture(scope="module")
def expected():
    return procmap.map_many(GRAPHS, MACHINE, seed=3)


def assert_same(found, expected):
    assert [m.cost for m in found] == [m.cost for m in expected]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one.blocks, other.blocks)


def test_threads_make_the_same_mappings(expected):
    with ThreadPoolExecutor(2) as pool:
        assert_same(procmap.map_many(GRAPHS, MACHINE, seed=3, executor=pool), expected)


def test_processes_make_the_same_mappings(processes, expected):
    found = procmap.map_many(GRAPHS, MACHINE, seed=3, executor=processes)

    assert_same(found, expected)
    assert found[0].graph is GRAPHS[0]
    assert found[0].report().cost == found[0].cost


def test_attempts_are_jobs(processes):
    graph = random_geometric(300, 8, seed=1)
    serial = procmap.map(graph, MACHINE, seed=2**64 - 2, repeats=4)

    spread = procmap.map(graph, MACHINE, seed=2**64 - 2, repeats=4, executor=processes)

    assert_same([spread], [serial])
    for a, b in zip(spread.stats.attempts, serial.stats.attempts, strict=True):
        assert (a.seed, a.cost, a.kept, a.finished) == (b.seed, b.cost, b.kept, b.finished)
    assert {p.name for p in spread.stats.phases} == {p.name for p in serial.stats.phases}


@pytest.mark.parametrize("limit", [None, 60])
def test_progress_tells_of_every_attempt_that_workers_made(processes, limit, caplog):
    lines, threads = [], []

    def progress(line):
        lines.append(line)
        threads.append(threading.get_ident())

    options = {"seed": 7, "repeats": 3, "time_limit": limit, "progress": progress}
    with caplog.at_level("INFO", logger="procmap"):
        spread = procmap.map(GRAPHS[0], MACHINE, executor=processes, **options)

    attempts = spread.stats.attempts
    assert [line.split(" after ")[0] for line in lines] == [
        f"attempt with seed {a.seed}: 20 vertices, cost {a.cost}" for a in attempts
    ]
    assert set(threads) == {threading.get_ident()}
    assert [record.getMessage() for record in caplog.records] == lines


def test_progress_tells_of_the_attempts_of_devices():
    lines = []

    procmap.map(GRAPHS[0], MACHINE, repeats=3, devices=["cpu", "cpu"], progress=lines.append)

    assert [line.split(":")[0] for line in lines] == [f"attempt with seed {i}" for i in range(3)]


def test_what_progress_raises_ends_the_attempts_of_workers(monkeypatch):
    begun, told = [], threading.Event()
    attempt = procmap.mapping._calls._attempt

    def noted(*job):
        begun.append(job)
        if len(begun) > 1:
            told.wait(60)
        return attempt(*job)

    def stop(line):
        told.set()
        raise RuntimeError(line)

    monkeypatch.setattr(procmap.mapping._calls, "_attempt", noted)
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(RuntimeError, match="attempt with seed 0"):
            procmap.map(GRAPHS[0], MACHINE, repeats=1000, executor=pool, progress=stop)
        assert pool.submit(int, "3").result(timeout=60) == 3  # it stays open
    assert len(begun) < 1000
    with pytest.raises(TypeError, match="progress must be callable, got int"):
        procmap.map(GRAPHS[0], MACHINE, repeats=2, executor=Fails(), progress=5)


def test_attempts_of_many_graphs_are_jobs():
    counted = Fails()
    graphs = [(g.offsets, g.heads, np.full(len(g.heads), 0.1), None) for g in GRAPHS[:2]]
    graphs = [procmap.Graph.from_csr(*graph) for graph in graphs]

    found = procmap.map_many(graphs, MACHINE, repeats=3, executor=counted)

    assert_same(found, procmap.map_many(graphs, MACHINE, repeats=3))
    assert counted.jobs == 6


def without_room(seed):
    """Tasks of two weights, of which no mapping is feasible."""
    rng = np.random.default_rng(seed)
    edges = rng.integers(0, 40, (80, 2))
    loads = np.stack([rng.choice([1, 1, 1, 10], 40), rng.choice([0, 0, 0, 7], 40)], axis=1)
    return procmap.Graph.from_edges(edges, num_vertices=40, vertex_weights=loads)


@pytest.mark.filterwarnings("ignore::procmap.InfeasibleWarning")
@pytest.mark.parametrize("unit", [1, 0.1])
@pytest.mark.parametrize("seed", [37, 88, 132])
def test_infeasible_attempts_of_several_weights_are_compared_as_the_core_does(seed, unit):
    graph = without_room(seed)
    graph = graph.with_vertex_weights(graph.vertex_weights * unit)
    machine, options = procmap.Topology.hypercube(3), {"repeats": 4, "imbalance": 0.0}
    serial = procmap.map(graph, machine, **options)

    spread = procmap.map(graph, machine, devices=["cpu", "cpu"], **options)
    many = procmap.map_many([graph], machine, executor=Fails(), **options)

    assert not serial.feasible
    assert_same([spread, *many], [serial, serial])


def test_other_options_reach_the_workers(processes):
    fixed = np.full(GRAPHS[0].num_vertices, -1)
    fixed[:3] = [5, 6, 7]
    options = {"imbalance": 0.2, "fixed": fixed, "vertex_weights": np.full(len(fixed), 0.5)}
    options |= {"initial": procmap.map(GRAPHS[0], MACHINE).blocks, "migration_cost": 0.5}

    spread = procmap.map(GRAPHS[0], MACHINE, repeats=2, executor=processes, **options)

    assert_same([spread], [procmap.map(GRAPHS[0], MACHINE, repeats=2, **options)])
    assert spread.blocks[:3].tolist() == [5, 6, 7]


def test_partitions_use_workers_too():
    with ThreadPoolExecutor(2) as pool:
        spread = procmap.partition(GRAPHS[0], 4, repeats=3, executor=pool)
    assert_same([spread], [procmap.partition(GRAPHS[0], 4, repeats=3)])


def die(flag):
    """Kill this process, once."""
    try:
        Path(flag).touch(exist_ok=False)
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def killed_once(flag):
    """A pool whose first worker of all kills itself."""
    return ProcessPoolExecutor(
        1, multiprocessing.get_context("spawn"), initializer=die, initargs=(flag,)
    )


def test_a_killed_worker_is_an_error_that_names_the_job(tmp_path):
    with (
        killed_once(str(tmp_path / "flag")) as pool,
        pytest.raises(procmap.WorkerError, match=r"^graphs\[0\]: its worker ended .* 5 others"),
    ):
        procmap.map_many(GRAPHS, MACHINE, executor=pool)


def test_jobs_of_a_killed_worker_are_made_again(tmp_path, expected):
    pool = functools.partial(killed_once, str(tmp_path / "flag"))

    assert_same(procmap.map_many(GRAPHS, MACHINE, seed=3, executor=pool, retries=1), expected)


def test_what_is_finished_is_not_lost(expected):
    with pytest.raises(procmap.WorkerError, match=r"^graphs\[1\]: .* 1 others .*killed") as caught:
        procmap.map_many(GRAPHS, MACHINE, seed=3, executor=Fails(1, 4))

    kept = caught.value.mappings
    assert [mapping is None for mapping in kept] == [False, True, False, False, True, False]
    assert_same([kept[0], kept[5]], [expected[0], expected[5]])


def test_only_lost_jobs_are_made_again(expected):
    executor = Fails(1, 4, 6)

    found = procmap.map_many(GRAPHS, MACHINE, seed=3, executor=executor, retries=2)

    assert_same(found, expected)
    assert executor.jobs == 6 + 2 + 1


def test_lost_attempts_are_named():
    with pytest.raises(procmap.WorkerError, match=r"^attempts\[2\]: ") as caught:
        procmap.map(GRAPHS[0], MACHINE, repeats=3, executor=Fails(2))
    assert [mapping is None for mapping in caught.value.mappings] == [False, False, True]


def test_errors_of_a_mapping_are_raised_and_not_made_again():
    executor = Fails()
    with pytest.raises(procmap.ConfigError, match=r"^graphs\[1\]: "):
        procmap.map_many(
            [grid(1, 2), grid(5, 5)], procmap.Topology.flat(2), capacities=[2, 2], executor=executor
        )
    heavy = procmap.Graph.from_csr([0, 1, 2], [1, 0], vertex_weights=[9, 1])
    with pytest.warns(procmap.InfeasibleWarning):
        procmap.map_many([heavy], procmap.Topology.flat(2), executor=executor, retries=3)
    with pytest.raises(procmap.InfeasibleError, match=r"^graphs\[0\]: "):
        procmap.map_many([heavy], procmap.Topology.flat(2), executor=executor, strict=True)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"executor": 3}, TypeError, "executor must be a concurrent.futures.Executor"),
        ({"executor": int}, TypeError, r"executor\(\) must make"),
        ({"retries": 1}, procmap.ConfigError, "there is no executor"),
        ({"executor": Fails(), "retries": -1}, procmap.ConfigError, "retries"),
        ({"devices": "cuda"}, TypeError, "devices must be several"),
        ({"devices": ["cpu", "gpu"]}, procmap.ConfigError, r"devices\[1\] must be 'auto', 'cpu'"),
        ({"devices": []}, procmap.ConfigError, "at least one device"),
        ({"devices": [-1]}, procmap.ConfigError, r"devices\[0\] must be"),
        ({"devices": ["cpu"], "device": "cpu"}, procmap.ConfigError, "not both"),
    ],
)
def test_wrong_executors_and_devices_are_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        procmap.map_many(GRAPHS, MACHINE, **wrong)


def test_devices_share_the_graphs(expected):
    for executor in (None, Fails()):
        found = procmap.map_many(GRAPHS, MACHINE, seed=3, devices=["cpu", "cpu"], executor=executor)
        assert_same(found, expected)
    assert {mapping.stats.device_reason for mapping in found} == {"asked for"}


def test_every_device_has_a_thread_and_an_even_share(monkeypatch):
    assert even_shares([5, 1, 9, 4], 2) == [[2, 1], [0, 3]]
    assert even_shares([], 2) == [[], []]
    used = []
    both = threading.Barrier(2, timeout=60)
    attempt = procmap.mapping._calls._attempt

    def noted(tasks, topology, given):
        both.wait()
        used.append(threading.get_ident())
        return attempt(tasks, topology, given)

    monkeypatch.setattr(procmap.mapping._calls, "_attempt", noted)
    procmap.map_many(GRAPHS[:2], MACHINE, devices=["cpu", "cpu"])
    assert len(set(used)) == 2


def test_an_error_of_a_device_names_the_graph():
    if not procmap.info()["devices"] or procmap.info()["devices"] == ["cpu"]:
        with pytest.raises(procmap.DeviceError, match=r"^graphs\[\d\]: "):
            procmap.map_many(GRAPHS, MACHINE, devices=[0, 1])


@pytest.mark.skipif(importlib.util.find_spec("dask") is None, reason="no Dask")
def test_workers_of_dask_make_the_same_mappings():
    program = Path(__file__).with_name("on_dask.py")
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["same", "same", "survived"]
