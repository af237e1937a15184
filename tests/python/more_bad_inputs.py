# SPDX-License-Identifier: MIT
"""As many malformed, extreme and odd inputs again, of what users of Python have in their hands.

The same form as `bad_inputs`, and the same grid into 4 blocks with one thing changed.
"""

from dataclasses import replace

import numpy as np

from bad_inputs import G, Input, _changed, _empty
from support import csr


def _frozen(array):
    array = array.copy()
    array.flags.writeable = False
    return array


def _edges(edges, n, k=4, imbalance=0.5, weights=None):
    return Input(*csr(n, np.array(edges), weights), np.ones(n, np.int64), k, imbalance)


def _pairs(n):
    return [(u, v) for u in range(n) for v in range(u)]


_first_arcs = np.isin(np.arange(len(G.heads)), [0, 2])  # 0->1 and its reverse 1->0

LEGAL = {
    "int8 weights": replace(G, weights=np.full_like(G.weights, 100).astype(np.int8)),
    "uint64 offsets": replace(G, offsets=G.offsets.astype(np.uint64)),
    "integral float offsets": replace(G, offsets=G.offsets.astype(np.float32)),
    "big-endian heads": replace(G, heads=G.heads.astype(">i8")),
    "read-only": replace(G, offsets=_frozen(G.offsets), heads=_frozen(G.heads)),
    "every second entry": replace(G, heads=np.repeat(G.heads, 2)[::2]),
    "lists": replace(G, offsets=G.offsets.tolist(), heads=G.heads.tolist()),
    "star": _edges([(0, v) for v in range(1, 1001)], 1001),
    "complete graph": _edges(_pairs(40), 40),
    "path of 10,000": _edges([(v, v + 1) for v in range(9999)], 10000),
    "one heavy edge": replace(G, weights=np.where(_first_arcs, 2**50, 1)),
    "only self-loops": Input(np.arange(401), np.arange(400), np.ones(400, np.int64), G.loads),
    "parallel arcs split differently": _edges([(0, 1)], 2, 2, 0.0),
    "one loaded task": replace(G, loads=_changed(np.zeros_like(G.loads), 7, 1)),
    "loads up to the limit": replace(G, loads=np.full_like(G.loads, 2**52)),
    "weights of 2^-30": replace(G, weights=np.full(len(G.heads), 2.0**-30)),
    "smallest float weights": replace(G, weights=np.full(len(G.heads), 5e-324)),
    "weights of 10^300 beside 1": replace(G, weights=np.where(_first_arcs, 1e300, 1.0)),
    "float16 weights": replace(G, weights=np.full(len(G.heads), 0.1, np.float16)),
    "k = n": replace(G, k=400, imbalance=0.0),
    "k = 2^11": replace(G, k=2**11),
    "imbalance of -0.0": replace(G, imbalance=-0.0),
    "imbalance of 1": replace(G, imbalance=1),
    "two vertices apart": _empty(2),
}

BAD_GRAPHS = {
    "nan weight": (replace(G, weights=_changed(G.weights * 1.0, 5, np.nan)), "[5] = nan"),
    "infinite weight": (replace(G, weights=_changed(G.weights * 1.0, 5, np.inf)), "[5] = inf"),
    "nan load": (replace(G, loads=_changed(G.loads * 1.0, 5, np.nan)), "vertex_weights[5] = nan"),
    "negative float load": (replace(G, loads=_changed(G.loads * 0.5, 5, -0.5)), "[5] = -0.5"),
    "bool weights": (replace(G, weights=G.weights.astype(bool)), "dtype bool"),
    "complex weights": (replace(G, weights=G.weights * 1j), "dtype complex"),
    "text weights": (replace(G, weights=G.weights.astype(str)), "must hold integers"),
    "objects": (replace(G, heads=G.heads.astype(object)), "dtype object"),
    "two-dimensional heads": (replace(G, heads=G.heads.reshape(2, -1)), "one-dimensional"),
    "scalar weights": (replace(G, weights=1), "one-dimensional"),
    "ragged heads": (replace(G, heads=[[1], [0, 2]]), "heads is not an array"),
    "offsets from 1": (replace(G, offsets=_changed(G.offsets, 0, 1)), "offsets[0] = 1"),
    "negative offsets": (replace(G, offsets=_changed(G.offsets, 3, -5)), "-5"),
    "no offsets": (replace(G, offsets=[]), "offsets is empty"),
    "fractional head": (replace(G, heads=_changed(G.heads * 1.0, 3, 0.5)), "heads[3] = 0.5"),
    "head of 2^32": (replace(G, heads=_changed(G.heads.astype("i8"), 3, 2**32)), "4294967296"),
    "head of 2^63": (replace(G, heads=_changed(G.heads.astype("u8"), 3, 2**63)), "heads[3] = 92"),
    "weights beyond 2^62": (replace(G, weights=np.full_like(G.weights, 2**53)), "add up to 2^62"),
    "loads beyond 2^62": (replace(G, loads=np.full_like(G.loads, 2**54)), "add up to 2^62"),
    "masked weights": (
        replace(G, weights=np.ma.masked_array(G.weights, _first_arcs)),
        "arc_weights has masked values",
    ),
}

BAD_OPTIONS = {
    "k = 2.0": (replace(G, k=2.0), "k must be an integer"),
    "k = None": (replace(G, k=None), "k must be an integer"),
    "k = True": (replace(G, k=True), "k must be an integer"),
    "k = 2^40": (replace(G, k=2**40), "k must be an integer"),
    "imbalance of text": (replace(G, imbalance="0.03"), "imbalance must be a number"),
    "infinite imbalance": (replace(G, imbalance=float("inf")), "imbalance"),
}
