# SPDX-License-Identifier: MIT
"""METIS files on which other tools crash, hang or lie: the 20 x 20 grid with one thing changed.

`LEGAL` files must be read; of the `MALFORMED` ones, each comes with a text that the error has
to contain, line number included where a line is to blame.
"""

from support import grid_edges


def _neighbours(rows=20, columns=20):
    rows_of = [[] for _ in range(rows * columns)]
    for u, v in grid_edges(rows, columns).tolist():
        rows_of[u].append(v + 1)
        rows_of[v].append(u + 1)
    return [sorted(row) for row in rows_of]


def _text(rows, m=None, fmt="", n=None):
    """Join rows of numbers; m is half the number of entries unless given."""
    if m is None:
        m = sum(map(len, rows)) // 2
    lines = [f"{len(rows) if n is None else n} {m} {fmt}".strip()]
    lines += [" ".join(map(str, row)) for row in rows]
    return "\n".join(lines) + "\n"


def _edited(vertex, old, new):
    """Return the text of the grid with one entry of the row of `vertex` replaced."""
    rows = _neighbours()
    rows[vertex] = [new if x == old else x for x in rows[vertex]]
    return _text(rows, 760)


def _without(*arcs):
    rows = _neighbours()
    for u, v in arcs:
        rows[u - 1].remove(v)
    return rows


def _with_edge_weights(weight, changed=None, fmt="001"):
    """Return the grid with `weight` on every arc but those in `changed`."""
    changed = changed or {}
    rows = [
        [x for v in row for x in (v, changed.get((u + 1, v), weight))]
        for u, row in enumerate(_neighbours())
    ]
    return _text(rows, 760, fmt)


def _with_loads(load, changed=None, fmt="010", extra=()):
    rows = [
        [(changed or {}).get(u, load), *extra, *row] for u, row in enumerate(_neighbours(), start=1)
    ]
    return _text(rows, 760, fmt)


def _both_weights(fmt):
    rows = [[2, *(x for v in row for x in (v, 3))] for row in _neighbours()]
    return _text(rows, 760, fmt)


def _added(*arcs):
    rows = _neighbours()
    for u, v in arcs:
        rows[u - 1].append(v)
    return _text(rows)


def _disconnected():
    part = _neighbours(10, 10)
    rows = [[v + shift for v in row] for shift in (0, 100, 200) for row in part]
    return _text(rows + [[]] * 100)


GRID = _text(_neighbours())

LEGAL = {
    "ok": GRID,
    "zero_edge_weight": _with_edge_weights(1, {(1, 2): 0, (2, 1): 0}),
    "zero_vertex_weight": _with_loads(1, {7: 0}),
    "zero_vertices": "0 0\n",
    "k_gt_n": _text(_neighbours(3, 3)),
    "k_gt_n_1": "1 0\n\n",
    "disconnected": _disconnected(),
    "no_edges": _text([[]] * 400),
    "self_loop": _added((1, 1), (1, 1)),
    "dup_edge": _added((1, 2), (2, 1)),
    "crlf": GRID.replace("\n", "\r\n"),
    "no_final_newline": GRID.removesuffix("\n"),
    "blank_comments": "% one\n% two\n" + GRID,
    "tabs": GRID.replace(" ", "\t"),
    "double_space": "\n".join("  " + line.replace(" ", "  ") for line in GRID.split("\n")[:-1]),
    "trailing_space": GRID.replace("\n", " \n"),
    "big_edge_weight": _with_edge_weights(3 * 10**9),
    "big_total_weight": _with_loads(10**8),
    "big_J": _with_edge_weights(10**7),
    "fmt_short": _with_edge_weights(2, fmt="1"),
    "fmt_10": _with_loads(2, fmt="10"),
    "fmt_11": _both_weights("11"),
    "huge_vertex": _with_loads(1, {1: 10000}),
}

MALFORMED = {
    "asym_edge": (_text(_without((2, 1), (40, 20)), 759), ":2: vertex 1 lists neighbour 2, but"),
    "asym_odd": (_text(_without((2, 1)), 760), ":2: vertex 1 lists neighbour 2, but"),
    "asym_weight": (
        _with_edge_weights(1, {(1, 2): 5}),
        ":2: the edge from vertex 1 to vertex 2 weighs 5",
    ),
    "id_out_of_range": (_edited(0, 2, 450), ":2: neighbour '450'"),
    "id_1e9": (_edited(0, 2, 10**9 + 1), ":2: neighbour '1000000001'"),
    "id_zero": (_edited(0, 2, 0), ":2: neighbour '0'"),
    "neg_edge_weight": (_with_edge_weights(1, {(1, 2): -3, (2, 1): -3}), ":2: edge weight '-3'"),
    "neg_vertex_weight": (_with_loads(1, {6: -3}), ":7: weight '-3' of vertex 6"),
    "m_too_small": (_text(_neighbours(), 700), ":1: the header says m = 700"),
    "m_too_large": (_text(_neighbours(), 800), ":1: the header says m = 800"),
    "m_halfedges": (_text(_neighbours(), 1520), ":1: the header says m = 1520"),
    "m_huge": (_text(_neighbours(), 4 * 10**12), ":1: the header says m = 4000000000000"),
    "n_too_large": (_text(_neighbours(), n=450), ":1: the header says n = 450"),
    "n_too_small": (_text(_neighbours(), n=350), ":1: the header says n = 350"),
    "empty_file": ("", ":1: the file is empty"),
    "float_weights": (_with_edge_weights(1.5), ":2: edge weight '1.5'"),
    "float_vertex_weights": (_with_loads(2.5), ":2: weight '2.5' of vertex 1"),
    "garbage": (_edited(60, 62, "abc"), ":62: neighbour 'abc'"),
    "ncon9": (_with_loads(1, fmt="010 9", extra=(1,) * 8), ":1: ncon=9"),
}
