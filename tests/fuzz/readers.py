# SPDX-License-Identifier: MIT
"""Files written here by the definitions of their formats: that must be what is read."""

import struct
import tempfile
from pathlib import Path

import numpy as np

import procmap
from fuzz.metis import damaged


def _square(rng, low=1):
    n = rng.randint(low, 6)
    choices = rng.choice([[0, 1, 5], [0, 0.5, 2.25], [0, 10**6, 3], [1]])
    return np.array([[rng.choice(choices) for _ in range(n)] for _ in range(n)], float)


def _word(rng, value):
    """A number in one of the ways to write it."""
    whole = float(value).is_integer()
    ways = [repr(float(value)), f"{value:.6e}", f"+{float(value)!r}"]
    return rng.choice([str(int(value)), *ways] if whole else ways)


def _matrix_text(rng, matrix):
    separator = rng.choice([" ", ",", "\t", "  ", ", "])
    comment = rng.choice(["", "# a comment\n"])
    return comment + "\n".join(separator.join(_word(rng, value) for value in row) for row in matrix)


def _messages_text(rng, matrix):
    rows = [(i, j, matrix[i, j]) for i, j in np.ndindex(matrix.shape)]
    rng.shuffle(rows)
    header = rng.choice(["", "from,to,bytes\n"])
    return header + "".join(f"{i},{j},{_word(rng, value)}\n" for i, j, value in rows)


def _market_text(rng, matrix):
    n, entries = len(matrix), [(i, j) for i, j in np.ndindex(matrix.shape) if matrix[i, j]]
    rng.shuffle(entries)
    lines = ["%%MatrixMarket matrix coordinate real general", "% c", f"{n} {n} {len(entries)}"]
    return (
        "\n".join(lines + [f"{i + 1} {j + 1} {float(matrix[i, j])!r}" for i, j in entries]) + "\n"
    )


_TRAFFIC = {"matrix": _matrix_text, "messages": _messages_text, "matrix-market": _market_text}


def traffic_is_what_was_written(rng):
    """Matrices in every format of text, in all ways to write numbers."""
    matrix, kind = _square(rng, low=2), rng.choice(list(_TRAFFIC))
    text = _TRAFFIC[kind](rng, matrix)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "traffic")
        path.write_text(text)
        read = procmap.read_traffic(path, format=kind).to_matrix()
        assert np.array_equal(read, matrix), f"{kind}: {text!r}: {read}"
        path.write_text(damaged(rng, text), newline="")
        try:
            procmap.read_traffic(path, format=kind)
        except procmap.FileError as exc:
            assert str(exc).startswith(str(path))
            return "refused"
    return "accepted"


def machine_is_what_was_written(rng):
    """Distances as a matrix, and switches of Slurm, whose distances count the links."""
    if rng.random() < 0.5:
        values = np.triu(_square(rng), 1)
        values += values.T
        name, text, expected = "distances", _matrix_text(rng, values), values
    else:
        text, expected = _switches(rng)
        name = "slurm"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "machine")
        path.write_text(text)
        machine = procmap.Topology.read(path, name)
        unit = float(machine.distance_scale.unit)
        found = machine.distance_matrix()
        path.write_text(damaged(rng, text), newline="")
        try:
            procmap.Topology.read(path, name)
            outcome = "accepted"
        except procmap.FileError as exc:
            assert str(exc).startswith(str(path))
            outcome = "refused"
    if name == "distances":
        assert np.abs(found - expected).max() <= unit, f"{text!r}: {found}"
    else:
        order = [machine.names.index(node) for node in sorted(machine.names)]
        assert _same_order(found[np.ix_(order, order)], expected), f"{text!r}: {found}"
    return outcome


def _same_order(a, b):
    """Whether both matrices say of the same pairs that they are nearer, equal or farther."""
    return np.array_equal(*(np.unique(m, return_inverse=True)[1].reshape(m.shape) for m in (a, b)))


def _switches(rng):
    """A tree of three levels, its lines in any order, and how far nodes must climb to meet."""
    lines, leaves, nodes = [], [], []
    tops = rng.randint(1, 3)
    for top in range(tops):
        own = []
        for _ in range(rng.randint(1, 3)):
            first = len(nodes)
            nodes += [(top, len(leaves))] * rng.randint(1, 4)
            last = len(nodes) - 1
            hosts = f"n[{first:03}-{last:03}]" if last > first else f"n{first:03}"
            own.append(f"leaf{len(leaves)}")
            leaves.append(top)
            lines.append(f"SwitchName={own[-1]} Nodes={hosts}")
        lines.append(f"SwitchName=top{top} Switches={','.join(own)}")
    lines.append(f"SwitchName=root Switches=top[0-{tops - 1}]" if tops > 1 else "# one switch")
    rng.shuffle(lines)
    lines = [_decorated(rng, line) for line in lines]
    climb = [[0 if a == b else 1 + (x[1] != y[1]) + (x[0] != y[0]) for b, y in enumerate(nodes)]
             for a, x in enumerate(nodes)]  # fmt: skip
    return "\n".join(lines) + "\n", np.array(climb)


def _decorated(rng, line):
    """The same statement, as people and editors write it."""
    if rng.random() < 0.2 and not line.startswith("#"):  # a list may go on at any place
        cut = rng.randrange(len(line) + 1)
        line = f"{line[:cut]}\\\n{line[cut:]}"
    comment = rng.choice(["", "", " # old:\fSwitchName=x Nodes=y", "\t#\u2028Nodes=z"])
    return line + rng.choice(["", " ", "\t"]) + comment + rng.choice(["", "\r"])


def parhip_is_what_was_written(rng):
    """The binary format, weighted or not."""
    n = rng.randint(1, 8)
    edges = {(u, rng.randrange(u)) for u in range(1, n) for _ in range(2)}
    weight = {edge: rng.randint(1, 9) for edge in edges}
    rows = [
        sorted({v for a, v in edges if a == u} | {a for a, v in edges if v == u}) for u in range(n)
    ]
    weighted = rng.random() < 0.5
    heads = [v for row in rows for v in row]
    weights = [weight[max(u, v), min(u, v)] for u, row in enumerate(rows) for v in row]
    loads = [rng.randint(0, 5) for _ in range(n)]
    start = 24 + 8 * (n + 1)
    offsets = start + 8 * np.cumsum([0, *map(len, rows)])
    numbers = [0 if weighted else 3, n, len(heads), *offsets, *heads]
    numbers += [*loads, *weights] if weighted else []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "g.bgf")
        path.write_bytes(struct.pack(f"<{len(numbers)}q", *map(int, numbers)))
        read = procmap.read_graph(path)
        path.write_bytes(path.read_bytes()[: rng.choice([rng.randint(0, 8 * len(numbers)), None])])
        try:
            procmap.read_graph(path)
            outcome = "accepted"
        except procmap.FileError:
            outcome = "refused"
    assert read.heads.tolist() == heads
    assert read.arc_weights.tolist() == (weights if weighted else [1] * len(heads))
    assert read.vertex_weights.tolist() == (loads if weighted else [1] * n)
    return outcome
