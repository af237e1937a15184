# SPDX-License-Identifier: MIT
"""A good citizen of the process: threads, signals, silence, imports."""

import importlib.util
import logging
import signal
import subprocess
import sys
import threading
import time
import warnings

import pytest

import procmap
from procmap._util import columns
from support import MACHINE, OBEY_CTRL_C, grid

OPTIONAL = ["scipy", "networkx", "igraph", "matplotlib", "rich", "yaml", "tomllib", "tomli"]

LONG_CALL = """
import sys, time
import numpy as np, procmap
index = np.arange(1000 * 1000).reshape(1000, 1000)
edges = np.concatenate([
    np.stack([index[:, :-1].ravel(), index[:, 1:].ravel()], 1),
    np.stack([index[:-1].ravel(), index[1:].ravel()], 1)])
graph = procmap.Graph.from_edges(edges)
machine = procmap.Topology.hierarchy("4:8:6", "1:10:100")
print("ready", flush=True)
try:
    procmap.map(graph, machine, preset="hm-ultra")
except KeyboardInterrupt:
    print("interrupted", flush=True)
    procmap.map(procmap.Graph.from_edges([(0, 1)]), machine)  # the library still works
"""


def python(*arguments, cwd=None):
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("delay", [0.3, 1.5, 3.0])
def test_ctrl_c_ends_a_long_call_within_a_second(delay):
    command = [sys.executable, "-c", OBEY_CTRL_C + LONG_CALL]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(delay)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        answer = process.stdout.readline()
        seconds = time.monotonic() - start
        code = process.wait(timeout=30)

    assert (answer, code) == ("interrupted\n", 0)
    assert seconds < 3  # one second, and more for a busy machine


def test_exception_of_a_signal_handler_comes_out():
    class Alarm(Exception):
        pass

    def ring(*_):
        raise Alarm

    previous = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(Alarm):
            procmap.map(grid(300, 300), MACHINE, preset="hm-ultra")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_two_threads_may_call_at_once():
    expected = procmap.map(grid(40, 40), MACHINE).blocks.tolist()
    results = [[], []]

    def work(out):
        out.extend(procmap.map(grid(40, 40), MACHINE).blocks.tolist() for _ in range(3))

    threads = [threading.Thread(target=work, args=(out,)) for out in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == [[expected] * 3] * 2


def test_other_python_threads_run_during_a_call():
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.005):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    procmap.map(grid(200, 200), MACHINE, threads=1)
    end = time.monotonic()
    done.set()
    thread.join()

    during = [t for t in ticks if start < t < end]
    assert len(during) > (end - start) / 0.005 / 10


BESIDE_OTHER_PARTITIONERS = """
import numpy as np, mtkahypar, chszlablib, procmap
index = np.arange(900).reshape(30, 30)
edges = np.concatenate([
    np.stack([index[:, :-1].ravel(), index[:, 1:].ravel()], 1),
    np.stack([index[:-1].ravel(), index[1:].ravel()], 1)])
graph = procmap.Graph.from_edges(edges)
blocks = [procmap.partition(graph, 8).blocks.tolist()]
mtk = mtkahypar.initialize(2)
context = mtk.context_from_preset(mtkahypar.PresetType.DEFAULT)
context.set_partitioning_parameters(8, 0.03, mtkahypar.Objective.CUT)
mtk.create_graph(context, 900, len(edges), list(map(tuple, edges.tolist()))).partition(context)
blocks.append(procmap.partition(graph, 8).blocks.tolist())
other = chszlablib.Graph.from_csr(graph.offsets, graph.heads.astype(np.int64))
chszlablib.Decomposition.partition(other, 8, mode="fast")
blocks.append(procmap.partition(graph, 8).blocks.tolist())
print("the same:", blocks[0] == blocks[1] == blocks[2])
"""


def test_one_process_may_load_other_partitioners_too():
    for package in ("mtkahypar", "chszlablib"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")

    result = python("-c", BESIDE_OTHER_PARTITIONERS)

    assert (result.returncode, result.stdout.splitlines()[-1:]) == (0, ["the same: True"])


def test_two_threads_may_read_evaluate_and_partition_at_once(tmp_path):
    graph = grid(40, 40)
    graph.write(tmp_path / "g.graph")
    expected = procmap.partition(graph, 7).report().to_dict()
    results = []

    def work():
        for _ in range(3):
            read = procmap.read_graph(tmp_path / "g.graph")
            found = procmap.evaluate(read, procmap.partition(read, 7), procmap.Topology.flat(7))
            results.append(found.to_dict())

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == [expected] * 6


def test_warnings_of_other_threads_are_left_alone(tmp_path):
    """warnings.catch_warnings changes the filters of all threads, perhaps for ever."""
    edges, before, wrong = tmp_path / "g.el", list(warnings.filters), []
    edges.write_text("0 1\n1 2\n" * 2000)
    machine = procmap.Topology.flat(3)

    def work():
        for _ in range(20):
            procmap.read_graph(edges)
            procmap.reorder_ranks([[0, 1], [0, 0]], machine, preset="fast")

    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        if warnings.filters != before:
            wrong.append(list(warnings.filters))
        time.sleep(0.0002)

    assert not wrong
    assert warnings.filters == before


def test_fractions_are_no_integers_whatever_numpy_thinks(tmp_path, monkeypatch):
    path = tmp_path / "columns"
    monkeypatch.setattr(columns, "_NUMPY_REFUSES_FRACTIONS", False)
    for text, kinds, right in (("1 2\n3 1.5\n", "ii", False), ("1 2\n3 1.5\n", "if", True),
                               ("1 1e3\n", "ii", False), ("1 2\n", "ii", True)):  # fmt: skip
        path.write_text(text)
        if right:
            assert columns.read_columns(path, kinds)[0].tolist() == [
                int(t[0]) for t in text.split("\n") if t
            ]
        else:
            with pytest.raises(procmap.FileError, match="is not a 64-bit integer"):
                columns.read_columns(path, kinds)
        assert columns.read_table(path).dtype.kind == ("f" if "." in text or "e" in text else "i")


def test_graph_may_die_on_another_thread():
    graphs = [procmap.Graph.from_csr([0, 1, 2], [1, 0]) for _ in range(100)]

    thread = threading.Thread(target=graphs.clear)
    thread.start()
    thread.join()

    assert not graphs


def test_nothing_is_printed(capfd):
    logging.getLogger("procmap").setLevel(logging.WARNING)
    try:
        graph = grid(30, 30)
        for preset in ("fast", "default", "im", "hm"):
            procmap.map(graph, MACHINE, preset=preset)
        procmap.evaluate(graph, [0] * 900, MACHINE)
    finally:
        logging.getLogger("procmap").setLevel(logging.NOTSET)

    assert capfd.readouterr() == ("", "")


def test_progress_goes_to_the_log_if_asked(caplog):
    with caplog.at_level(logging.INFO, logger="procmap"):
        procmap.map(grid(30, 30), MACHINE)

    assert caplog.records
    assert {record.name for record in caplog.records} == {"procmap"}


def test_exception_of_a_log_handler_comes_out():
    class Broken(logging.Handler):
        def emit(self, record):
            raise RuntimeError(record.getMessage())

    logger, handler = logging.getLogger("procmap"), Broken()
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        with pytest.raises(RuntimeError):
            procmap.map(grid(30, 30), MACHINE)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)


def test_development_mode_has_nothing_to_say(tmp_path):
    code = (
        "import procmap, procmap.compat, procmap.cli\n"
        "graph = procmap.Graph.from_edges([(0, 1), (1, 2)], weights=[0.5, 2])\n"
        "mapping = procmap.map(graph, procmap.Topology.hierarchy('2:2', '1:10'), imbalance=1)\n"
        "str(mapping.report()), mapping.report().to_json(), procmap.info()\n"
        "mapping.write('blocks'), procmap.read_mapping('blocks')\n"
        "open('g.el', 'w').close(), procmap.read_graph('g.el')\n"
    )

    result = python("-X", "dev", "-W", "error", "-c", code, cwd=tmp_path)

    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_import_needs_numpy_only():
    block = f"import sys; sys.modules.update(dict.fromkeys({OPTIONAL}))\n"
    code = (
        "import procmap\n"
        "graph = procmap.Graph.from_edges([(0, 1), (1, 2)])\n"
        "print(procmap.partition(graph, 3, imbalance=0).cost)\n"
        "print(procmap.partition(([0, 1, 2], [1, 0]), 2, imbalance=0).cost)\n"
    )

    result = python("-c", block + code)

    assert (result.stdout, result.stderr) == ("4\n2\n", "")


def test_import_does_not_load_optional_packages():
    code = f"import sys, procmap; print(set({OPTIONAL}) & set(sys.modules))"

    assert python("-c", code).stdout == "set()\n"


def test_public_names_are_there_and_documented():
    for name in procmap.__all__:
        value = getattr(procmap, name)
        assert name == "__version__" or value.__doc__
    assert procmap.__version__.count(".") == 2


def test_errors_are_the_builtin_kinds():
    for error in (procmap.GraphError, procmap.ConfigError, procmap.TopologyError):
        assert issubclass(error, ValueError)
    assert issubclass(procmap.FileError, OSError)
    assert issubclass(procmap.InfeasibleWarning, UserWarning)
    assert issubclass(procmap.InfeasibleError, RuntimeError)


def test_exit_does_not_wait_for_a_call_on_a_daemon_thread():
    setup, _, _ = LONG_CALL.partition("print")
    code = setup + (
        "import threading\n"
        "threading.Thread(target=procmap.map, args=(graph, machine), daemon=True).start()\n"
        "time.sleep(0.3)\n"
    )

    assert python("-c", code).returncode == 0
