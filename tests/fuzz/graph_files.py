# SPDX-License-Identifier: MIT
"""MatrixMarket, ParHIP, npz, edge list and mesh files with damage."""

import io
import tempfile
from pathlib import Path

import numpy as np

import procmap
from fuzz.arrays import graph
from fuzz.metis import damaged


def _arcs(rng):
    offsets, heads, weights, loads = graph(rng, max_vertices=8)
    n = len(loads)
    return n, np.repeat(np.arange(n), np.diff(offsets)), np.array(heads, int), weights, loads


def _market(rng):
    n, tails, heads, weights, _ = _arcs(rng)
    kind = rng.choice(["integer", "real", "pattern"])
    rows = zip(tails + 1, heads + 1, weights, strict=True)
    lines = [f"%%MatrixMarket matrix coordinate {kind} general", f"{n} {n} {len(heads)}"]
    lines += [f"{u} {v}" if kind == "pattern" else f"{u} {v} {w}" for u, v, w in rows]
    return damaged(rng, "\n".join(lines) + "\n").encode("utf-8")


def _edges(rng):
    _, tails, heads, weights, _ = _arcs(rng)
    separator, weighted = rng.choice([" ", ",", "\t"]), rng.random() < 0.5
    rows = zip(tails, heads, weights, strict=True)
    lines = [separator.join(map(str, row if weighted else row[:2])) for row in rows]
    return damaged(rng, "\n".join(lines)).encode("utf-8")


def _parhip(rng):
    n, tails, heads, weights, loads = _arcs(rng)
    start = 24 + 8 * (n + 1)
    offsets = start + 8 * np.searchsorted(tails, np.arange(n + 1))
    numbers = [0, n, len(heads), *offsets, *heads, *loads, *weights]
    return _bytes(rng, np.array(numbers, "<i8").tobytes())


def _npz(rng):
    n, tails, heads, weights, _ = _arcs(rng)
    buffer = io.BytesIO()
    np.savez(buffer, format=b"coo", shape=[n, n], row=tails, col=heads, data=np.array(weights, int))
    return _bytes(rng, buffer.getvalue())


def _mesh(rng):
    weighted = rng.random() < 0.5
    rows = [
        [rng.randint(1, 12) for _ in range(rng.randint(1, 8))] for _ in range(rng.randint(0, 9))
    ]
    head = f"{len(rows)} 1" if weighted else str(len(rows))
    lines = [head, *(" ".join(map(str, row)) for row in rows)]
    return damaged(rng, "\n".join(lines) + "\n").encode("utf-8")


def _bytes(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice([0, 1, 1, 3])):
        if data:
            data[rng.randrange(len(data))] = rng.choice([0, 1, 8, 127, 255, rng.randrange(256)])
    if rng.random() < 0.2:
        del data[rng.randint(0, len(data)) :]
    return bytes(data)


_MAKERS = {
    ".mtx": _market,
    ".el": _edges,
    ".bgf": _parhip,
    ".npz": _npz,
    ".mesh": _mesh,
    "": _market,
}


def file_is_read_or_refused(rng):
    """What is read can be mapped; all else is a FileError that names the file."""
    suffix = rng.choice(list(_MAKERS))
    data = _MAKERS[suffix](rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x" + suffix)
        path.write_bytes(data)
        try:
            if suffix == ".mesh":
                read = procmap.Graph.from_mesh(path, common=rng.randint(1, 3))
            else:
                read = procmap.read_graph(path, symmetrize=rng.choice(["error", "sum", "max"]))
        except procmap.FileError as exc:
            assert str(path) in str(exc), exc
            return "refused"
        except MemoryError:
            return "refused"
    if read.num_vertices > 10**6:  # damage can make a graph large, and still one
        return "accepted"
    report = procmap.evaluate(read, np.zeros(read.num_vertices, int), procmap.Topology.flat(2))
    assert report.edge_cut == 0
    assert report.max_block_weight == read.load_scale.unit * read.total_vertex_weight
    return "accepted"
