# SPDX-License-Identifier: MIT
"""Files of every kind from pipes, compressed, in other encodings, and of lying sizes."""

import bz2
import gzip
import io
import lzma
import os
import subprocess
import sys
import tempfile
import threading
import tracemalloc
import zipfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import procmap
from bad_databases import mpisee
from procmap import FileError, Topology, read_graph, read_mapping, read_traffic
from procmap._util import compressed, source
from support import grid

MARKET = "%%MatrixMarket matrix coordinate integer symmetric\n4 4 3\n2 1 1\n3 2 1\n4 3 1\n"
SWITCHES = "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\nSwitchName=c Switches=a,b\n"
YAML = """\
- topology: t
  tree: {switches: [{switch: r, children: "s[1-2]"}, {switch: s1, nodes: "n[1-2]"},
                    {switch: s2, nodes: "n[3-4]"}]}
"""
XML = """<topology><object type="Machine"><object type="Core" cpuset="0x1"/>
<object type="Core" cpuset="0x2"/></object></topology>"""


def saved(save, *arrays, **options):
    buffer = io.BytesIO()
    save(buffer, *arrays, **options)
    return buffer.getvalue()


def parhip():
    offsets = 24 + 8 * 3 + 8 * np.array([0, 1, 2])
    return np.array([3, 2, 2, *offsets, 1, 0], "<i8").tobytes()


def database():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.db")
        mpisee(path, 3, [(1, "c", 2)], [(0, 1, 5), (1, 1, 7)])
        return path.read_bytes()


def graph(path, **options):
    return read_graph(path, **options).offsets.tolist()


def traffic(path, **options):
    return read_traffic(path, **options).to_matrix().tolist()


def machine(path, **options):
    return Topology.read(path, **options).distance_matrix().tolist()


# What reads it, its options, the content, and whether it is a text.
CASES = {
    "metis": (graph, {}, b"3 2\n2\n1 3\n2\n", True),
    "metis by name": (graph, {"format": "metis"}, b"3 2\n2\n1 3\n2\n", True),
    "edges": (graph, {"format": "edges"}, b"0 1\n1 2\n", True),
    "weighted edges": (graph, {"format": "edges"}, b"# x\n0,1,2.5\n1,2,3\n", True),
    "matrix market": (graph, {}, MARKET.encode(), True),
    "parhip": (graph, {}, parhip(), False),
    "npz": (graph, {}, saved(sp.save_npz, sp.csr_array(np.ones((3, 3)))), False),
    "traffic matrix": (traffic, {}, b"0 1\n1 0\n", True),
    "floats": (traffic, {}, b"0 1.5\n1 0\n", True),
    "messages": (traffic, {}, b"from,to,bytes\n0,1,5\n1,2,7\n", True),
    "few messages": (traffic, {"format": "messages"}, b"0 1 2\n", True),
    "traffic market": (traffic, {}, MARKET.encode(), True),
    "npy": (traffic, {}, saved(np.save, np.eye(3)), False),
    "dense npz": (traffic, {}, saved(np.savez, np.eye(3)), False),
    "mpisee": (traffic, {}, database(), False),
    "distances": (machine, {}, b"0 1\n1 0\n", True),
    "latencies": (machine, {"format": "latencies"}, b"0 1.5\n1 0\n", True),
    "distances npy": (machine, {"format": "distances"}, saved(np.save, 1 - np.eye(3)), False),
    "slurm": (machine, {}, SWITCHES.encode(), True),
    "slurm yaml": (machine, {}, YAML.encode(), True),
    "hwloc": (machine, {}, XML.encode(), True),
    "scotch": (machine, {}, b"tleaf 2 2 10 2 1\n", True),
    "nvidia": (machine, {}, b"     GPU0 GPU1\nGPU0 X NV1\nGPU1 NV1 X\n", True),
    "blocks": (lambda path: read_mapping(path).tolist(), {}, b"0\n1\n1\n", True),
    "config": (procmap.Config.load, {}, b"[refinement]\nrounds = 3\n", True),
}
COMPRESSED = {".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress}
ENCODED = {
    "utf-8-sig": lambda text: text.encode("utf-8-sig"),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16-be": lambda text: ("\ufeff" + text).encode("utf-16-be"),
}


def expected(tmp_path, name):
    read, options, data, _ = CASES[name]
    path = tmp_path / "plain"
    path.write_bytes(data)
    return read(path, **options)


@contextmanager
def fed(opened, data):
    """Write to what `opened` returns while the other end is read."""

    def feed():
        with opened() as file:
            file.write(data)

    thread = threading.Thread(target=feed)
    thread.start()
    yield
    thread.join()


@contextmanager
def pipe(data):
    """The path of a pipe that these bytes come out of."""
    end, start = os.pipe()
    try:
        with fed(lambda: os.fdopen(start, "wb"), data):
            yield f"/proc/self/fd/{end}"
    finally:
        os.close(end)


@pytest.mark.parametrize("name", CASES)
def test_pipes_are_read_once(tmp_path, name):
    read, options, data, _ = CASES[name]

    with pipe(data) as path:
        assert read(path, **options) == expected(tmp_path, name)


@pytest.mark.parametrize("name", ["edges", "metis", "messages", "mpisee"])
def test_fifos_neither_hang_nor_lose_anything(tmp_path, name):
    read, options, data, _ = CASES[name]
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)

    for _ in range(2):  # a FIFO can be filled anew
        with fed(lambda: fifo.open("wb"), data):
            assert read(fifo, **options) == expected(tmp_path, name)


def test_large_lists_come_whole_out_of_pipes():
    edges = "".join(f"{u} {u + 1}\n" for u in range(100_000)).encode()

    with pipe(edges) as path:
        assert read_graph(path, format="edges").num_edges == 100_000


def test_a_pipe_that_is_empty_because_it_was_read_is_refused():
    end, start = os.pipe()
    os.write(start, b"0 1\n")
    os.close(start)
    try:
        assert read_graph(f"/proc/self/fd/{end}", format="edges").num_edges == 1
        with pytest.raises(FileError, match="it can be read only once"):
            read_graph(f"/proc/self/fd/{end}", format="edges")
    finally:
        os.close(end)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("suffix", COMPRESSED)
def test_compressed_files_are_read(tmp_path, name, suffix):
    read, options, data, _ = CASES[name]
    path = tmp_path / ("x" + suffix)
    path.write_bytes(COMPRESSED[suffix](data))

    assert read(path, **options) == expected(tmp_path, name)


def test_the_name_below_that_of_the_compression_counts(tmp_path):
    path = tmp_path / "x.el.gz"
    path.write_bytes(gzip.compress(b"0 1\n") + gzip.compress(b"1 2\n"))

    assert read_graph(path).num_edges == 2
    scotch = tmp_path / "x.map.xz"
    scotch.write_bytes(lzma.compress(b"2\n0\t7\n1\t5\n"))
    assert read_mapping(scotch).tolist() == [7, 5]


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case[3]])
@pytest.mark.parametrize("encoding", ENCODED)
def test_marked_encodings_are_read(tmp_path, name, encoding):
    read, options, data, _ = CASES[name]
    path = tmp_path / "x"
    path.write_bytes(ENCODED[encoding](data.decode()))

    assert read(path, **options) == expected(tmp_path, name)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case[3]])
@pytest.mark.parametrize("end", [b"\r", b"\r\n", b"\r\r\n"])
def test_lines_may_end_as_on_any_system(tmp_path, name, end):
    read, options, data, _ = CASES[name]
    path = tmp_path / "x"
    path.write_bytes(data.replace(b"\n", end))

    assert read(path, **options) == expected(tmp_path, name)


def test_nothing_hides_behind_a_carriage_return(tmp_path):
    path = tmp_path / "x.el"
    path.write_bytes(b"# edges\r0 1\n1 2\r2 3\r\r4 x\n")

    with pytest.raises(FileError, match=f"^{path}:6: 'x' is not a 64-bit integer"):
        read_graph(path)
    path.write_bytes(path.read_bytes().replace(b"x", b"5"))
    assert read_graph(path).num_edges == 4
    path.write_bytes(b"\r" * 10**6)
    assert read_graph(path).num_edges == 0


def test_errors_in_what_is_not_read_from_its_place_name_the_path_and_line(tmp_path):
    path = tmp_path / "x.graph"
    path.write_bytes(b"\xef\xbb\xbf3 2\n2\n1 9\n2\n")

    with pytest.raises(FileError, match=f"^{path}:3: neighbour '9'"):
        read_graph(path)
    with pipe(b"0\nx\n") as name, pytest.raises(FileError, match=f"^{name}:2: PE 'x'"):
        read_mapping(name)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x28\xb5\x2f\xfd1234", r"compressed by zstd; decompress it first \(zstd -d\)"),
        (gzip.compress(b"0 1\n")[:-9], "the gzip file ends too early"),
        (gzip.compress(b"0 1\n")[:-8] + b"12345678", "damaged gzip file"),
        (gzip.compress(b"0 1\n") + b"rubbish", "damaged gzip file"),
        (lzma.compress(b"0 1\n")[:-9] + b"123456789", "damaged xz file"),
        (b"BZh9 1\n", "damaged bzip2 file"),
        ("0 1\n".encode("utf-32"), "UTF-32"),
        ("0 1\n".encode("utf-16-le"), "null bytes"),
        (b"\xff\xfe0\0 ", "not a text file in UTF-16"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, data, message):
    path = tmp_path / "x.el"
    path.write_bytes(data)

    for format in ("edges", None):
        with pytest.raises(FileError, match=f"^{path}: .*{message}"):
            read_graph(path, format=format)


def test_what_comes_out_of_a_compressed_file_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(compressed, "_LEAST", 2**20)
    for suffix, compress in COMPRESSED.items():
        path = tmp_path / ("x" + suffix)
        path.write_bytes(compress(b"0 1\n" * 2**20))

        with pytest.raises(FileError, match=r"more than 1048576 bytes come out of .* decompress"):
            read_graph(path, format="edges")


def test_many_small_streams_are_read_in_linear_time(tmp_path):
    path = tmp_path / "x.el.gz"
    path.write_bytes(gzip.compress(b"0 1\n") * 50_000)

    assert read_graph(path).arc_weights.tolist() == [50_000] * 2


def test_endless_streams_are_refused(monkeypatch):
    monkeypatch.setattr(source, "_half_of_memory", lambda: 2**22)

    with pytest.raises(FileError, match="/dev/zero: more than 4194304 bytes"):
        read_graph("/dev/zero", format="edges")


def test_missing_and_strange_paths(tmp_path):
    for read in (read_graph, read_traffic, Topology.read, read_mapping, procmap.Config.load):
        for path, reason in (
            (tmp_path / "missing", "No such file"),
            (tmp_path, "[Ii]s a directory"),
            ("x" * 10**6, "File name too long"),
            ("a\0b", "null byte"),
        ):
            with pytest.raises(FileError, match=reason) as caught:
                read(path)
            assert len(str(caught.value)) < 5000


TINY = {
    "x.csv": b"2147483646,0\n",
    "x.mtx": b"%%MatrixMarket matrix coordinate pattern general\n2147483647 2147483647 0\n",
    "x.npz": saved(np.savez, format=b"coo", shape=[2**31 - 1] * 2, row=[0], col=[1], data=[1]),
    "x.graph": b"2147483647 0\n",
}


def peak(function, *arguments, **options):
    """The FileError of a call, and the most memory that it had."""
    tracemalloc.start()
    try:
        with pytest.raises(FileError) as caught:
            function(*arguments, **options)
        return str(caught.value), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", TINY)
def test_a_few_bytes_do_not_make_a_large_graph(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(TINY[name])

    message, memory = peak(read_graph, path)

    assert "2147483647" in message
    assert ("1048576" in message) == (name != "x.graph")
    assert ("say num_vertices" in message) == (name == "x.csv")
    assert memory < 2**24


def test_ranks_out_of_proportion_need_their_number(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("0,1,2\n0,2000000,3\n")

    with pytest.raises(FileError, match="say num_ranks"):
        read_traffic(path)
    assert read_traffic(path, num_ranks=2_000_001).num_ranks == 2_000_001


def test_headers_that_lie_allocate_nothing(tmp_path):
    whole = bytearray(saved(np.save, np.zeros((2, 2))))
    start = whole.index(b"(2, 2), }")
    whole[start : start + 22] = b"(32768, 32768), }".ljust(22)
    whole = bytes(whole)
    (tmp_path / "x.npy").write_bytes(whole)
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("a.npy", whole)

    for path in (tmp_path / "x.npy", tmp_path / "x.npz"):
        message, memory = peak(read_traffic, path)
        assert "1073741824 entries of 8 bytes, but only 3" in message
        assert memory < 2**24
    assert "entries" in peak(Topology.read, tmp_path / "x.npy")[0]


def test_only_the_arrays_that_are_needed_are_inflated(tmp_path, monkeypatch):
    path = tmp_path / "x.npz"
    arrays = {"format": b"coo", "shape": [2, 2], "row": [0, 1], "col": [1, 0], "data": [1, 1]}
    np.savez_compressed(path, **arrays, more=np.zeros(2**22))
    monkeypatch.setattr(compressed, "_LEAST", 2**20)

    tracemalloc.start()
    assert read_graph(path).num_edges == 1
    assert tracemalloc.get_traced_memory()[1] < 2**22
    tracemalloc.stop()
    np.savez_compressed(path, more=np.zeros(2**22))
    with pytest.raises(FileError, match=r"arrays take more than .* bytes, but the file has"):
        read_traffic(path)


def test_deep_and_strange_headers_of_arrays_are_file_errors(tmp_path):
    path = tmp_path / "x.npy"
    two_lines = b"{'descr': '<i8fortran_order': False, 'shape': (2, 2), }\n  \x92 \n\0\0"
    for header in (
        b"(" * 9000, b"-" * 9000 + b"1", b"{'descr': 'O'}", b"{}", b"\xff" * 9, two_lines,
    ):  # fmt: skip
        data = b"\x93NUMPY\x01\0" + len(header).to_bytes(2, "little") + header
        path.write_bytes(data)
        with pytest.raises(FileError, match="not an array") as caught:
            read_traffic(path)
        assert len(str(caught.value)) < 500
        assert "allow_pickle" not in str(caught.value)


def command(tmp_path, script, data):
    return subprocess.run(
        ["bash", "-c", script.replace("procmap", f"{sys.executable} -m procmap")],
        cwd=tmp_path, input=data, capture_output=True, timeout=60, check=False,
    )  # fmt: skip


def test_commands_read_standard_input_and_process_substitutions(tmp_path):
    check = "check --json --format edges"
    grid(20, 20).write(tmp_path / "grid.graph")
    edges = "".join(f"{u} {u + 1}\n" for u in range(3999)).encode()

    for script in (
        f"procmap {check} /dev/stdin",
        f"cat | procmap {check} /dev/stdin",
        f"procmap {check} <(cat)",
        f"procmap {check} <(gzip)",
    ):
        result = command(tmp_path, script, edges)
        assert b'"edges": 3999' in result.stdout, result
    result = command(
        tmp_path, "procmap map /dev/stdin --topology /dev/stdin -o out", b"tleaf 1 2 1\n"
    )
    assert result.returncode == 1
    assert result.stdout == b""
    assert b"/dev/stdin" in result.stderr
    assert b"read only once" in result.stderr


READ_WHILE_ANOTHER_WAITS = """
import os, signal, sys, threading, time
from pathlib import Path
import procmap
signal.alarm(20)
end, start = os.pipe()
waiting = threading.Thread(
    target=procmap.read_graph, args=(f"/proc/self/fd/{end}",), kwargs={"format": "edges"}
)
waiting.start()
time.sleep(0.3)
print(procmap.read_graph(sys.argv[1]).num_edges)
if os.fork() == 0:
    os._exit(procmap.read_graph(sys.argv[1]).num_edges)
print(os.waitstatus_to_exitcode(os.wait()[1]))
os.write(start, b"0 1\\n")
os.close(start)
waiting.join()
"""


def test_who_waits_for_a_pipe_keeps_nobody_else_from_reading(tmp_path):
    """Nor a forked process: functools.cached_property holds a lock before Python 3.12."""
    path = tmp_path / "edges.el"
    path.write_bytes(b"\xef\xbb\xbf0 1\n1 2\n")

    done = subprocess.run(
        [sys.executable, "-c", READ_WHILE_ANOTHER_WAITS, path],
        capture_output=True, text=True, timeout=90, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (0, "2\n2\n"), done.stderr


@pytest.mark.parametrize("read", [read_graph, Topology.read, read_traffic, read_mapping])
def test_files_that_open_but_cannot_be_read_are_named(read):
    with pytest.raises(FileError, match=r"^/proc/self/mem: cannot be read: Input/output error"):
        read("/proc/self/mem")


@pytest.mark.parametrize("path", [None, 3, ["mesh.graph"], np.zeros((2, 2))])
def test_what_is_no_path_is_refused_by_name(path):
    for read in (procmap.read_graph, procmap.read_traffic, procmap.read_mapping, Topology.read):
        with pytest.raises(TypeError, match=r"^path must be a str or os\.PathLike, got"):
            read(path)
    graph = procmap.Graph.from_edges([[0, 1]])
    for write in (graph.write, procmap.partition(graph, 2).write):
        with pytest.raises(TypeError, match=r"^path must be a str or os\.PathLike, got"):
            write(path)


@pytest.mark.parametrize("format", [["metis"], {}, 5])
def test_what_names_no_format_is_refused(tmp_path, format):
    (tmp_path / "x").write_text("0 1\n1 0\n")
    mapping = procmap.partition(procmap.Graph.from_edges([[0, 1]]), 2)
    calls = (
        lambda: read_graph(tmp_path / "x", format=format),
        lambda: read_traffic(tmp_path / "x", format=format),
        lambda: Topology.read(tmp_path / "x", format),
        lambda: mapping.write(tmp_path / "y", format),
        lambda: mapping.launch_command("y", format),
    )
    for call in calls:
        with pytest.raises(procmap.ConfigError, match="must be one of"):
            call()
