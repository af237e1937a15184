# SPDX-License-Identifier: MIT
"""A slice of the comparison with all mappings of tiny problems (tests/README.md)."""

import numpy as np
import pytest

import procmap
from oracle.problems import CLASSES
from oracle.run import case

CASES = 40


@pytest.mark.parametrize("number", range(len(CLASSES)), ids=CLASSES)
def test_tiny_problems_are_solved_to_the_best(number):
    verdicts = [case(1, i) for i in range(number, CASES * len(CLASSES), len(CLASSES))]

    assert sum(v.possible for v in verdicts) > CASES // 2
    assert [v.number for v in verdicts if v.missed or v.ratio > 1] == []


@pytest.mark.parametrize("preset", procmap.Config.preset_names())
def test_tasks_change_places_where_no_single_move_helps(preset):
    graph = procmap.Graph.from_edges([(0, 1), (1, 2)], vertex_weights=[5, 2, 1])

    mapping = procmap.partition(
        graph, 4, capacities=[6, 0, 3, 2], preset=preset, allow_empty=True, strict=True
    )

    assert mapping.cost == 2
    assert np.array_equal(mapping.block_weights, [5, 0, 3, 0])
