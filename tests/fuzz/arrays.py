# SPDX-License-Identifier: MIT
"""Compressed rows, options and mappings."""

import warnings
from collections import Counter
from itertools import pairwise

import numpy as np

import procmap
from support import assert_report_is_true

_ODD_INTEGERS = [
    -(2**63), -(2**31) - 1, -(2**31), -2, -1, 0, 1, 2, 3, 2**15, 2**28, 2**31 - 1, 2**31, 2**32,
    2**33 + 3, 2**40, 2**61, 2**62 - 1, 2**62, 2**63 - 1,
]  # fmt: skip
_ODD_NUMBERS = [-1.0, -0.0, 0.5, 1e-320, 1e18, 1e300, float("nan"), float("inf"), -float("inf")]
_INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">i8"]
_PRESETS = ["fast", "fast", "fast", "default", "im", "hm"]
_LIMIT = 2**62


def graph(rng, max_vertices=25):
    """Return offsets, heads, weights and loads of a correct graph as lists."""
    n = rng.choice([0, 1, 2, 3, rng.randint(4, max_vertices)])
    scale = rng.choice([1, 1, 1, 10, 2**28, 2**33 + 3])
    rows = [[] for _ in range(n)]
    for _ in range(rng.randint(0, 3 * n) if n else 0):
        u, v, weight = rng.randrange(n), rng.randrange(n), rng.randint(0, 4) * scale
        rows[u].append((v, weight))
        rows[v].append((u, weight))
    offsets = np.cumsum([0, *map(len, rows)]).tolist()
    arcs = [arc for row in rows for arc in row]
    loads = [rng.choice([0, 1, 1, 1, 5, 2**24]) for _ in range(n)]
    return offsets, [v for v, _ in arcs], [w for _, w in arcs], loads


def spoilt(rng, values):
    """Return a list with something changed, most often wrongly."""
    values = list(values)
    kind = rng.randrange(6)
    if kind == 0 and values:
        values[rng.randrange(len(values))] = rng.choice(_ODD_INTEGERS)
    elif kind == 1 and values:
        values[rng.randrange(len(values))] += rng.choice([-1, 1])
    elif kind == 2 and values:
        del values[rng.randrange(len(values))]
    elif kind == 3:
        values.insert(rng.randint(0, len(values)), rng.choice([0, 1, *values[:1]]))
    elif kind == 4 and len(values) > 1:
        i, j = rng.sample(range(len(values)), 2)
        values[i], values[j] = values[j], values[i]
    elif kind == 5 and values:
        values[rng.randrange(len(values))] = rng.choice(_ODD_NUMBERS)
    return values


def defect(offsets, heads, weights, loads):
    """Say what is wrong with these arrays, or None: the definition of a graph, slowly."""
    if not all(np.isfinite(x) for x in [*offsets, *heads, *loads]):
        return "not finite"
    if any(x != int(x) for x in [*offsets, *heads]):
        return "not integers"
    n = len(offsets) - 1
    if n < 0 or offsets[0] != 0 or offsets[-1] != len(heads):
        return "offsets do not span the heads"
    if any(a > b for a, b in pairwise(offsets)):
        return "offsets fall"
    if any(not 0 <= v < n for v in heads) or len(weights) != len(heads) or len(loads) != n:
        return "wrong length or head"
    if any(isinstance(x, float) for x in weights):  # NumPy makes floats of all of them
        weights = [float(x) for x in weights]
    rows = [(u, e) for u in range(n) for e in range(int(offsets[u]), int(offsets[u + 1]))]
    ends = [(u, int(heads[e]), weights[e]) for u, e in rows if heads[e] != u]  # no self-loops
    weights = [weight for *_, weight in ends]
    if not all(np.isfinite(x) for x in weights):
        return "not finite"
    if any(x < 0 for x in [*weights, *loads]):
        return "negative"
    arcs = Counter()
    for u, v, weight in ends:
        arcs[u, v] += weight
    sums = ((weights, arcs.values()), (loads, loads))
    if any(sum(map(int, x)) >= _LIMIT for given, x in sums if not _are_scaled(given)):
        return "too heavy"
    there = set(arcs)
    # Scaled weights are the same if rounding makes them so.
    slack = len(weights) * sum(weights) / 2**39 if _are_scaled(weights) else 0
    if any((v, u) not in there or abs(arcs[v, u] - arcs[u, v]) > slack for u, v in there):
        return "not symmetric"
    return None


def _are_scaled(values):
    """Whether these are floats that become other integers, of a sum below 2**40."""
    if not any(isinstance(x, float) for x in values):
        return False
    return any(x % 1 or x > 2**53 for x in values) or sum(values) >= 2**61


def array(rng, values):
    """Return the values as some kind of array that holds them exactly."""
    if not values or any(isinstance(x, float) for x in values):
        return rng.choice([list, np.array])(values)
    low, high = min(values), max(values)
    fitting = [t for t in _INTEGERS if np.iinfo(t).min <= low <= high <= np.iinfo(t).max]
    layout = rng.randrange(4)
    if layout == 0 or not fitting:
        return values
    made = np.array(values, rng.choice(fitting))
    if layout == 1:
        made.flags.writeable = False
    elif layout == 2:
        made = np.repeat(made, 2)[::2]
    return made


def quietly(function, *arguments, **options):
    """Call a function; infeasible results are what some of these inputs ask for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", procmap.InfeasibleWarning)
        return function(*arguments, **options)


def machine(rng):
    """Return a small machine."""
    sizes = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
    distances = sorted(rng.choice([0, 1, 10, 1000, 2**20]) for _ in sizes)
    return procmap.Topology.hierarchy(sizes, distances)


def rows_are_mapped_or_refused(rng):
    """Compressed rows, of which up to three arrays are spoilt."""
    parts = list(graph(rng))
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        i = rng.randrange(4)
        parts[i] = spoilt(rng, parts[i])
    offsets, heads, weights, loads = (array(rng, part) for part in parts)
    pes, options = machine(rng), {"preset": rng.choice(_PRESETS), "threads": rng.choice([1, 2])}
    options |= {"imbalance": rng.choice([0, 0.03, 0.5]), "seed": rng.getrandbits(64)}
    wrong = defect(*parts)
    try:
        mapping = quietly(
            procmap.map, (offsets, heads, weights), pes, vertex_weights=loads, **options
        )
    except procmap.GraphError as exc:
        if any(isinstance(x, float) for x in parts[2]) and "reverse" in str(exc):
            return "refused"  # rounded weights can differ where exact ones do too
        assert wrong is not None, f"refused, but correct: {exc}: {parts}"
        return "refused"
    except OverflowError:
        total = 2**45 if _are_scaled(parts[2]) else sum(map(int, parts[2]))
        assert wrong is not None or total * pes.distances[-1] >= _LIMIT, parts
        return "refused"
    assert wrong is None, f"accepted, but {wrong}: {parts}"
    made = procmap.Graph.from_csr(*parts)
    assert_report_is_true(made, mapping.blocks, pes, mapping, options["imbalance"])
    again = quietly(procmap.map, made, pes, **options)
    assert (again.blocks == mapping.blocks).all(), f"not the same twice: {parts}"
    return "accepted"


def options_are_obeyed_or_refused(rng):
    """A correct graph with any options."""
    made = procmap.Graph.from_csr(*graph(rng))
    strange = rng.choice([None, None, None, None, 0, 1, 2, 3, 4])
    choices = (
        ([1, 2, 3, 7, 64, np.int8(5)], [-1, 0, 2.0, None, "4", True, 2**22 + 1, 2**31, 2**70]),
        ([0, 0.03, 1e300, -0.0, 1], [-0.1, float("nan"), float("inf"), [0.03, 0.1], "0.03", True]),
        ([0, 1, 2**64 - 1], [2**64, -1, 0.5, None, False]),
        ([None, 1, 2, 10**9], [0, -1, 1.5, True]),
        (["auto", "cpu"], ["gpu", "", None, 0]),
    )
    k, imbalance, seed, threads, device = (
        rng.choice(odd if i == strange else usual) for i, (usual, odd) in enumerate(choices)
    )
    options = {"imbalance": imbalance, "seed": seed, "threads": threads, "device": device}
    try:
        mapping = quietly(procmap.partition, made, k, preset="fast", **options)
    except (procmap.ConfigError, procmap.TopologyError):
        assert strange is not None, f"refused: {k} {options}"
        return "refused"
    assert strange is None, f"accepted: {k} {options}"
    flat = procmap.Topology.flat(k)
    if imbalance < 100:
        assert_report_is_true(made, mapping.blocks, flat, mapping, abs(imbalance))
    return "accepted"


def blocks_are_evaluated_or_refused(rng):
    """A correct graph with any mapping."""
    made, pes = procmap.Graph.from_csr(*graph(rng)), machine(rng)
    blocks = [rng.randrange(pes.num_pes) for _ in range(made.num_vertices)]
    if rng.random() < 0.5:
        blocks = spoilt(rng, blocks)
    legal = len(blocks) == made.num_vertices and all(
        0 <= x < pes.num_pes and x == int(x) for x in blocks
    )
    try:
        report = procmap.evaluate(made, array(rng, blocks), pes, imbalance=0.03)
    except ValueError:
        assert not legal, f"refused: {blocks}"
        return "refused"
    except OverflowError:
        assert int(made.arc_weights.sum()) * pes.distances[-1] >= _LIMIT
        return "refused"
    assert legal, f"accepted: {blocks}"
    assert_report_is_true(made, np.array(blocks, np.int32), pes, report, 0.03)
    return "accepted"
