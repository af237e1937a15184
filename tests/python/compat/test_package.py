# SPDX-License-Identifier: MIT
"""`procmap.compat` itself, whichever file a name comes from."""

import pickle

import numpy as np
import pytest

import procmap
from procmap import compat


def test_it_is_there_without_another_import():
    assert procmap.compat is compat


@pytest.mark.parametrize(
    "result",
    [
        compat.GraphPartition(1, [0, 1]),
        compat.MeshPartition(1, [0], [0, 1]),
        compat.ProcessMappingResult(1, np.array([0, 1])),
    ],
)
def test_results_are_pickled_by_their_public_name(result):
    stream = pickle.dumps(result)

    assert b"procmap.compat._" not in stream
    assert type(pickle.loads(stream)) is type(result)
