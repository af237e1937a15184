# SPDX-License-Identifier: MIT
"""Hierarchies, written as text and as lists."""

import math
import re
from itertools import pairwise

import numpy as np

import procmap
from fuzz.arrays import spoilt

_PIECES = ["1", "2", "4", "8", "0", "-1", "6", "10", "100", "4194304", "2147483648", "9" * 25,
           "", ":", "::", " ", "x", "1.5", "٣", "+2", "1e2", "\0"]  # fmt: skip
_NUMBER = re.compile(r"[0-9]+")


def is_machine(sizes, distances):
    """Whether these lists of integers describe a machine."""
    return (
        len(sizes) == len(distances)
        and 1 <= len(sizes) <= 8
        and all(size >= 1 for size in sizes)
        and math.prod(sizes) <= 2**22
        and all(0 <= d < 2**63 for d in distances)
        and all(a <= b for a, b in pairwise(distances))
    )


def check_machine(made, sizes, distances):
    """Compare a machine with what was asked for."""
    assert (made.sizes, made.distances) == (tuple(sizes), tuple(distances))
    assert made.num_pes == math.prod(sizes)
    last = made.num_pes - 1
    assert made.distance(0, last) == (distances[-1] if sizes[-1] > 1 else made.distance(last, 0))
    assert made.distance(last, last) == 0


def text_is_a_machine_or_refused(rng):
    """Strings such as 4:8:6, most of them not quite."""

    count = rng.randint(1, 3)
    texts = []
    for _ in range(2):
        words = sorted((rng.choice(["1", "2", "4", "10"]) for _ in range(count)), key=int)
        if rng.random() < 0.4:
            words[rng.randrange(count)] = rng.choice(_PIECES)
        texts.append(rng.choice([":", ":", ":", ":", "::", " :"]).join(words))
    numbers = [t.split(":") for t in texts]
    legal = all(_NUMBER.fullmatch(word) for words in numbers for word in words) and is_machine(
        *([int(word) for word in words] for words in numbers)
    )
    try:
        made = procmap.Topology.hierarchy(*texts)
    except procmap.TopologyError:
        assert not legal, f"refused: {texts}"
        return "refused"
    assert legal, f"accepted: {texts}"
    check_machine(made, *([int(word) for word in words] for words in numbers))
    return "accepted"


def levels_are_a_machine_or_refused(rng):
    """Lists of sizes and distances, most of them spoilt."""
    count = rng.randint(1, 9)
    sizes = [rng.choice([1, 2, 3, 4, 8]) for _ in range(count)]
    distances = sorted(rng.choice([0, 1, 10, 2**40]) for _ in range(count))
    for values in (sizes, distances):
        if rng.random() < 0.4:
            values[:] = spoilt(rng, values)
    whole = all(np.isfinite(x) and x == int(x) for x in [*sizes, *distances])
    legal = whole and is_machine([int(x) for x in sizes], [int(x) for x in distances])
    try:
        made = procmap.Topology.hierarchy(sizes, distances)
    except procmap.TopologyError:
        assert not legal, f"refused: {sizes} {distances}"
        return "refused"
    assert legal, f"accepted: {sizes} {distances}"
    check_machine(made, [int(x) for x in sizes], [int(x) for x in distances])
    return "accepted"
