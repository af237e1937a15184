# SPDX-License-Identifier: MIT
"""METIS files that are wrong, or odd but legal: a 20 x 20 grid with one thing changed."""

from __future__ import annotations

from collections.abc import Callable

SIDE = 20
N, M = SIDE * SIDE, 2 * SIDE * (SIDE - 1)
Rows = list[list[int]]


def _neighbours() -> Rows:
    rows: Rows = [[] for _ in range(N)]
    for v in range(N):
        steps = (
            (v >= SIDE, -SIDE),
            (v % SIDE > 0, -1),
            (v % SIDE < SIDE - 1, 1),
            (v < N - SIDE, SIDE),
        )
        rows[v] = [v + step + 1 for inside, step in steps if inside]
    return rows


def _text(header: str, rows: list[str]) -> str:
    return "\n".join([header, *rows]) + "\n"


def _grid() -> list[str]:
    return [" ".join(map(str, row)) for row in _neighbours()]


def _changed(line: int, text: str, header: str = f"{N} {M}") -> str:
    """Line `line` of the vertices, from 1, is another."""
    rows = _grid()
    rows[line - 1] = text
    return _text(header, rows)


def _weighted(weight: Callable[[int, int], object], fmt: str = "001") -> str:
    """Every edge with a weight that depends on its ends."""
    rows = [" ".join(f"{u} {weight(v + 1, u)}" for u in row) for v, row in enumerate(_neighbours())]
    return _text(f"{N} {M} {fmt}", rows)


def _loaded(load: Callable[[int], object], fmt: str = "010") -> str:
    """Every vertex with a weight."""
    return _text(f"{N} {M} {fmt}", [f"{load(v + 1)} {row}" for v, row in enumerate(_grid())])


_PLAIN = _text(f"{N} {M}", _grid())

MALFORMED: dict[str, str] = {
    "an edge listed at one end only": _changed(1, "21", f"{N} {M}"),
    "two half-edges missing, m to match": _text(
        f"{N} {M - 1}", ["21", *_grid()[1:21], "21 23 42", *_grid()[22:]]
    ),
    "an edge with two weights": _weighted(lambda v, u: 5 if (v, u) == (1, 2) else 1),
    "a neighbour n + 50": _changed(1, f"{N + 50} 21"),
    "a neighbour 10^9 + 1": _changed(1, f"{10**9 + 1} 21"),
    "a neighbour 0": _changed(1, "0 21"),
    "a negative edge weight": _weighted(lambda v, u: -3 if {v, u} == {1, 2} else 1),
    "a negative vertex weight": _loaded(lambda v: -3 if v == 7 else 1),
    "m too small": _text(f"{N} {M - 60}", _grid()),
    "m too large": _text(f"{N} {M + 40}", _grid()),
    "m = 4 * 10^12": _text(f"{N} {4 * 10**12}", _grid()),
    "n too large (a file cut off)": _text(f"{N + 50} {M}", _grid()),
    "n too small": _text(f"{N - 50} {M}", _grid()),
    "an empty file": "",
    "a word for a number": _changed(61, "41 abc 62 81"),
    "edge weights 1.5": _weighted(lambda _v, _u: 1.5),
    "an unknown fmt": _text(f"{N} {M} 7", _grid()),
}

LEGAL: dict[str, str] = {
    "the grid itself": _PLAIN,
    "Windows line ends": _PLAIN.replace("\n", "\r\n"),
    "no newline at the end": _PLAIN[:-1],
    "tabs": _PLAIN.replace(" ", "\t"),
    "comments first": "% one\n% two\n" + _PLAIN,
    "fmt 1": _weighted(lambda _v, _u: 2, "1"),
    "fmt 11": _text(
        f"{N} {M} 11", [f"1 {' '.join(f'{u} 2' for u in row)}" for row in _neighbours()]
    ),
    "edge weights 3 * 10^9": _weighted(lambda _v, _u: 3 * 10**9),
    "vertex weights 10^8": _loaded(lambda _v: 10**8),
    "a vertex weight 0": _loaded(lambda v: int(v != 7)),
    "an edge weight 0": _weighted(lambda v, u: int({v, u} != {1, 2})),
    "no edges": _text(f"{N} 0", [""] * N),
    "no vertices": "0 0\n",
    "one vertex": "1 0\n\n",
    "fewer vertices than blocks": "3 2\n2\n1 3\n2\n",
    "a vertex heavier than Lmax": _loaded(lambda v: 1000 if v == 1 else 1),
}
