# SPDX-License-Identifier: MIT
"""Malformed, extreme and odd inputs on which other partitioners crash or lie.

Each is the 20 x 20 grid into 4 blocks with one thing changed. `LEGAL` ones must give a correct
result; the others an exception whose message contains the given text. The `PLAIN` ones among them
are arrays and options that a file, a GPU or a command line can hold, too.
"""

from dataclasses import dataclass, replace

import numpy as np

from support import csr, grid_edges


@dataclass
class Input:
    offsets: np.ndarray
    heads: np.ndarray
    weights: np.ndarray
    loads: np.ndarray
    k: int = 4
    imbalance: float = 0.03

    def graph(self):
        return self.offsets, self.heads, self.weights


def _grid(rows=20, columns=20, k=4):
    n = rows * columns
    return Input(*csr(n, grid_edges(rows, columns)), np.ones(n, np.int64), k)


def _changed(array, index, value):
    array = array.copy()
    array[index] = value
    return array


def _empty(n):
    none = np.zeros(0, np.int64)
    return Input(np.zeros(n + 1, np.int64), none, none, np.ones(n, np.int64))


def _tails(x):
    return np.repeat(np.arange(len(x.loads)), np.diff(x.offsets))


def _without_reverse_arcs(x):
    keep = _tails(x) < x.heads
    counts = np.bincount(_tails(x)[keep], minlength=len(x.loads))
    offsets = np.concatenate([[0], np.cumsum(counts)])
    return replace(x, offsets=offsets, heads=x.heads[keep], weights=x.weights[keep])


def _with_self_loops(x):
    tails = np.concatenate([_tails(x), np.arange(400)])
    heads = np.concatenate([x.heads, np.arange(400)])
    order = np.lexsort((heads, tails))
    offsets = np.concatenate([[0], np.cumsum(np.bincount(tails))])
    return replace(x, offsets=offsets, heads=heads[order], weights=np.ones(len(heads), np.int64))


def _two_components():
    half = grid_edges(20, 10)
    return Input(*csr(400, np.concatenate([half, half + 200])), np.ones(400, np.int64))


def _parallel_edges():
    edges = grid_edges(20, 20)
    return Input(*csr(400, np.concatenate([edges, edges[:100]])), np.ones(400, np.int64))


def _frozen(array):
    array = array.copy()
    array.flags.writeable = False
    return array


def _edges(edges, n, k=4, imbalance=0.5, weights=None):
    return Input(*csr(n, np.array(edges), weights), np.ones(n, np.int64), k, imbalance)


def _pairs(n):
    return [(u, v) for u in range(n) for v in range(u)]


G = _grid()
_unordered = G.offsets.copy()
_unordered[[5, 6]] = _unordered[[6, 5]]
_first_arcs = np.isin(np.arange(len(G.heads)), [0, 2])  # 0->1 and its reverse 1->0

PLAIN_LEGAL = {
    "valid_small": G,
    "grid100_k16": _grid(100, 100, 16),
    "grid100_k192": _grid(100, 100, 192),
    "zero_edge_w": replace(G, weights=np.zeros_like(G.weights)),
    "zero_vertex_w": replace(G, loads=np.zeros_like(G.loads)),
    "k_gt_n": replace(G, k=500),
    "k_1": replace(G, k=1),
    "empty_graph": _empty(0),
    "one_vertex": _empty(1),
    "no_edges": _empty(400),
    "disconnected": _two_components(),
    "float_edge_w": replace(G, weights=G.weights * 0.3),
    "float_vertex_w": replace(G, loads=G.loads * 0.5),
    "self_loops": _with_self_loops(G),
    "parallel_edges": _parallel_edges(),
    "edge_w_overflow32_sum": replace(G, weights=np.full_like(G.weights, 2**28)),
    "edge_w_over_32bit": replace(G, weights=np.full_like(G.weights, 2**33 + 3)),
    "vertex_w_overflow32_sum": replace(G, loads=np.full_like(G.loads, 2**24)),
    "eps_zero": replace(G, imbalance=0.0),
    "huge_vertex": replace(G, loads=_changed(G.loads, 0, 10000)),
}

PLAIN_BAD_GRAPHS = {
    "asym_missing_reverse": (_without_reverse_arcs(G), "0->1"),
    "asym_weights": (replace(G, weights=np.where(_tails(G) < G.heads, 5, G.weights)), "0->1"),
    "nbr_out_of_range": (replace(G, heads=_changed(G.heads, 10, 1400)), "heads[10] = 1400"),
    "nbr_far_out_of_range": (replace(G, heads=_changed(G.heads, 10, 2**31 - 2)), "2147483646"),
    "nbr_negative": (replace(G, heads=_changed(G.heads, 10, -1)), "heads[10] = -1"),
    "xadj_not_monotone": (replace(G, offsets=_unordered), "offsets["),
    "xadj_end_too_big": (
        replace(G, offsets=_changed(G.offsets, -1, G.offsets[-1] + 100000)),
        "101520",
    ),
    "neg_edge_w": (replace(G, weights=-G.weights), "-1"),
    "neg_vertex_w": (replace(G, loads=_changed(G.loads, slice(200), -1)), "vertex_weights[0] = -1"),
    "vwgt_wrong_len": (replace(G, loads=G.loads[:10]), "vertex_weights has 10 entries"),
    "adjwgt_wrong_len": (replace(G, weights=G.weights[:10]), "arc_weights has 10 entries"),
}

PLAIN_BAD_OPTIONS = {
    "k_0": (replace(G, k=0), "k must be an integer"),
    "k_neg": (replace(G, k=-3), "-3"),
    "eps_negative": (replace(G, imbalance=-0.1), "imbalance"),
    "eps_nan": (replace(G, imbalance=float("nan")), "imbalance"),
}

LEGAL = PLAIN_LEGAL | {
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

BAD_GRAPHS = PLAIN_BAD_GRAPHS | {
    "nan weight": (replace(G, weights=_changed(G.weights * 1.0, 5, np.nan)), "[5] = nan"),
    "infinite weight": (replace(G, weights=_changed(G.weights * 1.0, 5, np.inf)), "[5] = inf"),
    "nan load": (replace(G, loads=_changed(G.loads * 1.0, 5, np.nan)), "vertex_weights[5] = nan"),
    "negative float load": (replace(G, loads=_changed(G.loads * 0.5, 5, -0.5)), "[5] = -0.5"),
    "bool weights": (replace(G, weights=G.weights.astype(bool)), "dtype bool"),
    "complex weights": (replace(G, weights=G.weights * 1j), "dtype complex"),
    "text weights": (replace(G, weights=G.weights.astype(str)), "must hold numbers"),
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

BAD_OPTIONS = PLAIN_BAD_OPTIONS | {
    "k = 2.0": (replace(G, k=2.0), "k must be an integer"),
    "k = None": (replace(G, k=None), "k must be an integer"),
    "k = True": (replace(G, k=True), "k must be an integer"),
    "k = 2^40": (replace(G, k=2**40), "k must be an integer"),
    "imbalance of text": (replace(G, imbalance="0.03"), "imbalance must be a number"),
    "infinite imbalance": (replace(G, imbalance=float("inf")), "imbalance"),
}
