# SPDX-License-Identifier: MIT
"""The same content as a file, out of a pipe, compressed and in other encodings; and numbers of
distances and CPUs, whose right reading is computed here."""

import bz2
import gzip
import lzma
import os
import tempfile
import threading
from pathlib import Path

import numpy as np

import procmap
from fuzz.descriptions import MACHINES, TRAFFIC, damage

_PLAIN = ("gzip", "xz", "bzip2", "utf-16", "utf-8-sig", "pipe")
_COMPRESS = {"gzip": gzip.compress, "xz": lzma.compress, "bzip2": bz2.compress}
_EDGES = "0 1 5\n1 2 2\n# x\n2,3,1\n"
_METIS = "4 3 1\n2 5\n1 5 3 2\n2 2 4 1\n3 1\n"


def way_does_not_matter(rng):
    """A text that is packed in some ways is read as if it were not, or refused as it is."""
    read, text = _reader(rng)
    text = damage(rng, text) if rng.random() < 0.5 else text
    ways = rng.sample(_PLAIN, rng.randint(1, 3))
    if any(ord(char) > 127 or char == "\0" for char in text):  # encodings differ in these
        ways = [way for way in ways if way in _COMPRESS or way == "pipe"]
    packed = text.encode()
    for way in (way for way in ways if way.startswith("utf")):
        packed = text.encode(way)
        break
    for way in (way for way in ways if way in _COMPRESS):
        packed = _COMPRESS[way](packed)
        break
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder, "plain")
        plain.write_bytes(text.encode())
        expected = _outcome(read, plain)
        if "pipe" in ways:
            found = _out_of_pipe(read, packed)
        else:
            Path(folder, "other").write_bytes(packed)
            found = _outcome(read, Path(folder, "other"))
    assert found == expected, f"{ways}: {text!r}: {found} instead of {expected}"
    return "refused" if expected == "refused" else "accepted"


def packed_damage_is_refused_or_harmless(rng):
    """Compressed bytes that were damaged give the same as before, or a FileError."""
    read, text = _reader(rng)
    data = bytearray(_COMPRESS[rng.choice(list(_COMPRESS))](text.encode()))
    for _ in range(rng.choice([0, 1, 2])):
        data[rng.randrange(len(data))] = rng.randrange(256)
    if rng.random() < 0.3:
        del data[rng.randint(1, len(data)) :]
    with tempfile.TemporaryDirectory() as folder:
        plain, packed = Path(folder, "plain"), Path(folder, "packed")
        plain.write_text(text)
        packed.write_bytes(data)
        found = _outcome(read, packed)
        assert found in ("refused", _outcome(read, plain)), f"{data}: {found}"
    return "refused" if found == "refused" else "accepted"


def distances_keep_their_ratios(rng):
    """A matrix in any unit is one machine, as exact as its scale says; only 0 becomes 0."""
    k = rng.randint(2, 5)
    largest = rng.choice([3, 1000, 2**20])
    matrix = np.zeros((k, k))
    for i in range(k):
        for j in range(i):
            matrix[i, j] = matrix[j, i] = rng.randint(0, largest)
    unit = rng.choice([10.0, 2.0, 1.7]) ** rng.randint(-250, 250)
    values = matrix * unit
    if rng.random() < 0.2:
        values[0, 1] = rng.choice([-unit, np.nan, np.inf, 2 * values.max() + unit])
    legal = bool(np.isfinite(values).all() and (values >= 0).all() and (values == values.T).all())
    try:
        machine = procmap.Topology.from_distance_matrix(values)
    except procmap.TopologyError:
        assert not legal, f"refused: {values}"
        return "refused"
    assert legal, f"accepted: {values}"
    found, step = machine.distance_matrix(), float(machine.distance_scale.unit)
    assert ((found > 0) == (values > 0)).all(), f"{values}: {found}"
    room = values * 1e-11 if machine.distance_scale.exact else values * 1e-11 + step
    assert (np.abs(found - values) <= room).all(), f"{values}: {found}"
    assert step <= max(values.max() * 2**-18, step * machine.distance_scale.exact)
    return "accepted"


def cpusets_are_words(rng):
    """A CPU set is what Python's own integers say, or a FileError."""
    words = [rng.choice(["", "0x1", "0xF0", "80000001", "0Xa"]) for _ in range(rng.randint(1, 6))]
    if rng.random() < 0.5:
        odd = ["-1", "+1", "1_0", "0x", "0x123456789", "g", "0x0x1", "1 1", "\u0661", "0xf...f"]
        words[rng.randrange(len(words))] = rng.choice(odd)
    digits = [word.lower().removeprefix("0x") for word in words]
    legal = all(set(d) <= set("0123456789abcdef") and len(d) <= 8 for d in digits)
    legal = legal and not any(word and not digit for word, digit in zip(words, digits, strict=True))
    mask = sum(int(d or "0", 16) << 32 * i for i, d in enumerate(reversed(digits))) if legal else 0
    text = f'<topology><object type="Core" cpuset="{",".join(words)}"/></topology>'
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.xml")
        path.write_text(text)
        try:
            machine = procmap.Topology.read(path)
        except procmap.FileError:
            assert not legal, f"refused: {text}"
            return "refused"
    assert legal, f"accepted: {text}"
    assert sum(1 << cpu for cpu in machine.places.cpus[0]) == mask, text
    return "accepted"


def _reader(rng):
    """Return what reads a text to something comparable, and such a text."""
    kind = rng.randrange(4)
    if kind == 0:
        name, text = rng.choice(MACHINES)
        return lambda path: procmap.Topology.read(path, name).distance_matrix().tolist(), text
    if kind == 1:
        name, text = rng.choice(TRAFFIC)
        return lambda path: procmap.read_traffic(path, format=name).to_matrix().tolist(), text
    name, text = (("edges", _EDGES), ("metis", _METIS))[kind - 2]
    return lambda path: _arrays(procmap.read_graph(path, format=name)), text


def _arrays(graph):
    return graph.heads.tolist(), graph.arc_weights.tolist(), str(graph.traffic_scale)


def _outcome(read, path):
    try:
        return read(path)
    except procmap.FileError as exc:
        assert str(exc).startswith(str(path)), exc
        assert len(str(exc)) < 3000
        return "refused"


def _out_of_pipe(read, data):
    end, start = os.pipe()

    def feed():
        with os.fdopen(start, "wb") as file:
            file.write(data)

    thread = threading.Thread(target=feed)
    thread.start()
    try:
        return _outcome(read, f"/proc/self/fd/{end}")
    finally:
        os.close(end)
        thread.join()
