# SPDX-License-Identifier: MIT
"""Thirty-five malformed, extreme and odd inputs on which other partitioners crash or lie.

Each is the 20 x 20 grid into 4 blocks with one thing changed. `LEGAL` ones must give a correct
result; the others an exception whose message contains the given text.
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


G = _grid()
_unordered = G.offsets.copy()
_unordered[[5, 6]] = _unordered[[6, 5]]

LEGAL = {
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

BAD_GRAPHS = {
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

BAD_OPTIONS = {
    "k_0": (replace(G, k=0), "k must be an integer"),
    "k_neg": (replace(G, k=-3), "-3"),
    "eps_negative": (replace(G, imbalance=-0.1), "imbalance"),
    "eps_nan": (replace(G, imbalance=float("nan")), "imbalance"),
}
