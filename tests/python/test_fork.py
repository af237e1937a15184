# SPDX-License-Identifier: MIT
"""Processes that fork, whatever they called before: multiprocessing, loaders of data, os.fork."""

import multiprocessing
import os
import signal
import subprocess
import sys

import pytest

import procmap
from support import MACHINE, OBEY_CTRL_C, grid

GRAPH = grid(60, 60)


def facts(seed=0):
    """Everything that uses threads, in few numbers."""
    mapping = procmap.map(GRAPH, MACHINE, seed=seed, threads=2)
    report = procmap.evaluate(GRAPH, mapping, MACHINE)
    copy = procmap.Graph.from_csr(GRAPH.offsets, GRAPH.heads, threads=2)
    return mapping.cost, mapping.stats.threads, report.cost, copy.num_edges


def read_and_map(path, answers):
    graph = procmap.read_graph(path, threads=2)
    answers.put((graph.num_edges, facts()))


def after_fork(child):
    """The exit status of a child process that runs `child`, killed after a minute."""
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        try:
            os._exit(child())
        except BaseException:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_pool_of_forked_processes_has_the_same_results():
    expected = [facts(seed) for seed in range(8)]
    assert expected[0][1] == 2

    with multiprocessing.get_context("fork").Pool(4) as pool:
        results = pool.map_async(facts, range(8)).get(timeout=120)

    assert results == expected


def test_forked_processes_read_and_map_while_the_parent_does(tmp_path):
    path = tmp_path / "g.graph"
    GRAPH.write(path)
    expected = facts()
    context = multiprocessing.get_context("fork")
    for _ in range(3):
        answers = context.Queue()
        workers = [context.Process(target=read_and_map, args=(path, answers)) for _ in range(3)]
        for worker in workers:
            worker.start()
        assert facts() == expected
        results = [answers.get(timeout=60) for _ in workers]
        for worker in workers:
            worker.join(timeout=60)

        assert results == [(GRAPH.num_edges, expected)] * 3
        assert [worker.exitcode for worker in workers] == [0] * 3


def test_child_of_a_child():
    expected = facts()

    def child():
        own = facts() == expected
        return 0 if own and after_fork(lambda: facts() != expected) == 0 else 1

    assert after_fork(child) == 0
    assert facts() == expected


def test_fork_in_the_middle_of_a_call():
    expected, codes = facts(), []

    def progress(_):
        if len(codes) < 3:
            codes.append(after_fork(lambda: facts()[0] != expected[0]))

    procmap.map(GRAPH, MACHINE, threads=2, progress=progress)

    assert codes == [0] * 3


def test_loader_of_pytorch_with_several_workers():
    torch = pytest.importorskip("torch")

    class Seeds(torch.utils.data.Dataset):
        def __len__(self):
            return 6

        def __getitem__(self, i):
            return facts(i)[0]

    expected = [facts(i)[0] for i in range(6)]
    loader = torch.utils.data.DataLoader(
        Seeds(), num_workers=3, multiprocessing_context="fork", timeout=60
    )

    assert [int(cost) for cost in loader] == expected


FORK_FROM_A_THREAD = """
import os, signal, sys, threading
import procmap
graph = procmap.Graph.from_edges([(i, i + 1) for i in range(50000)])
def cost():
    return procmap.partition(graph, 4, threads=2).cost
expected, codes = cost(), []
def fork():
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)
        os._exit(0 if cost() == expected else 1)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
threads = [threading.Thread(target=fork) for _ in range(3)]
for thread in threads: thread.start()
again = cost()
for thread in threads: thread.join()
print(codes, again == expected)
"""


def test_fork_by_other_threads_during_a_call():
    result = subprocess.run(
        [sys.executable, "-c", OBEY_CTRL_C + FORK_FROM_A_THREAD],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip

    assert (result.stdout, result.returncode) == ("[0, 0, 0] True\n", 0), result.stderr
