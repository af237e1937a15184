# SPDX-License-Identifier: MIT
"""METIS files, read a second time by the format's definition."""

import re
import tempfile
from pathlib import Path

import numpy as np

import procmap
from fuzz.arrays import defect, graph

_WORDS = ["0", "-1", "1.5", "x", "", "%", "1 2", "+1", "1e3", "00", "0x1", "\0", "é", "\t", "\v",
          "nan", "2147483648", "4611686018427387904", "9223372036854775808", "9" * 40]  # fmt: skip


def text(rng):
    """Return a correct METIS file."""
    offsets, heads, weights, loads = graph(rng, max_vertices=9)
    n = len(loads)
    tails = np.repeat(np.arange(n), np.diff(offsets)).tolist()
    keep = [e for e, v in enumerate(heads) if v != tails[e]]
    has_loads, has_weights = rng.random() < 0.5, rng.random() < 0.5
    lines = [f"{n} {len(keep) // 2}"]
    if has_loads or has_weights:
        lines[0] += rng.choice([" 0", " "]) + f"{int(has_loads)}{int(has_weights)}"
    for v in range(n):
        row = [str(loads[v])] if has_loads else []
        for e in keep:
            if tails[e] == v:
                row.append(str(heads[e] + 1))
                if has_weights:
                    row.append(str(weights[e]))
        lines.append(" ".join(row))
    return "\n".join(lines) + "\n"


def damaged(rng, data):
    """Return text with a few words, lines or bytes changed."""
    for _ in range(rng.choice([0, 1, 1, 2, 5])):
        kind, lines = rng.randrange(6), data.split("\n")
        i = rng.randrange(len(lines))
        if kind == 0:
            words = lines[i].split(" ")
            words[rng.randrange(len(words))] = rng.choice(_WORDS)
            lines[i] = " ".join(words)
        elif kind == 1:
            del lines[i]
        elif kind == 2:
            lines.insert(i, rng.choice(["", "% a comment", "1 2 3", lines[i]]))
        elif kind == 3:
            lines[i] = rng.choice([" ", "\t", ""]) + lines[i] + rng.choice([" ", "\r", " 1", ""])
        if kind < 4:
            data = "\n".join(lines)
        elif data:
            place = rng.randrange(len(data))
            rest = data[place + 1 :] if kind == 4 else ""
            data = data[:place] + rng.choice(["", " ", "7", "\n", "-"]) + rest
    return data


def parse(data):
    """Return offsets, heads, weights and loads, or None if the file is malformed."""
    data = re.sub(
        r"\r+(?![\r\n])", lambda run: "\n" * len(run[0]), data
    )  # ends of lines alone, too
    lines = [re.findall(r"[^ \t\r]+", line) for line in data.split("\n")]
    lines = [line for line in lines if not line or not line[0].startswith("%")]
    while lines and not lines[0]:  # before the header
        del lines[0]
    blank = 0  # at the end: isolated vertices or nothing, whatever n says
    while lines and not lines[-1]:
        lines.pop()
        blank += 1
    try:
        header, *rows = [[_number(word) for word in line] for line in lines]
    except ValueError:
        return None
    if len(header) not in (2, 3, 4) or (len(header) == 4 and header[3] > 8):
        return None
    ncon = max(1, header[3]) if len(header) == 4 else 1
    n, m = header[:2]
    fmt = lines[0][2] if len(header) > 2 else ""
    if len(fmt) > 3 or set(fmt) - {"0", "1"}:
        return None
    sizes, has_loads, has_weights = (digit == "1" for digit in fmt.zfill(3))
    if not 0 <= n - len(rows) <= blank or (ncon > 1 and not has_loads):
        return None
    rows += [[]] * (n - len(rows))
    skip, step = sizes + ncon * has_loads, 1 + has_weights
    if any(len(row) < skip or (len(row) - skip) % step for row in rows):
        return None
    loads = [row[sizes] if has_loads else 1 for row in rows]
    if ncon > 1:
        loads = [row[sizes:skip] for row in rows]
        if any(sum(column) >= 2**58 for column in zip(*loads)):  # noqa: B905
            return None
    rows = [row[skip:] for row in rows]
    heads = [v - 1 for row in rows for v in row[::step]]
    weights = [w for row in rows for w in row[1::step]] if has_weights else [1] * len(heads)
    loops = sum(v == u + 1 for u, row in enumerate(rows) for v in row[::step])
    edges = (len(heads) - loops) // 2
    if m not in (edges, edges + loops, len(heads) / 2):  # loops count as nobody knows what
        return None
    return np.cumsum([0, *(len(row) // step for row in rows)]).tolist(), heads, weights, loads


def _number(word):
    if not (word.isascii() and word.isdigit()) or int(word) >= 2**63:
        raise ValueError(word)
    return int(word)


def _defect(offsets, heads, weights, loads):
    """As `defect`, of one weight per vertex or several."""
    columns = list(zip(*loads)) if loads and isinstance(loads[0], list) else [loads]  # noqa: B905
    return next(filter(None, (defect(offsets, heads, weights, column) for column in columns)), None)


def file_is_read_or_refused(rng):
    """A file, most often damaged."""
    data = damaged(rng, text(rng))
    expected = parse(data)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.graph")
        path.write_bytes(data.encode("utf-8"))
        try:
            read = procmap.Graph.read(path, threads=rng.choice([1, 2]))
        except procmap.FileError as exc:
            assert str(path) in str(exc)
            assert expected is None or _defect(*expected), f"refused, but correct: {exc}: {data!r}"
            return "refused"
    assert expected is not None and not _defect(*expected), f"accepted: {data!r}"
    assert procmap.Graph.from_csr(*expected).arc_weights.sum() == read.arc_weights.sum()
    assert read.vertex_weights.tolist() == expected[3], data
    return "accepted"
