# SPDX-License-Identifier: MIT
"""Options of a call: one set for `map` and `partition`, handed to the core as one object."""

import dataclasses
import inspect

import numpy as np
import pytest

import procmap
from procmap import _core
from procmap.mapping._options import Options


def keywords(function):
    parameters = inspect.signature(function).parameters.values()
    return {p.name: (p.default, p.annotation) for p in parameters if p.kind is p.KEYWORD_ONLY}


def test_map_and_partition_take_the_same_options():
    assert keywords(procmap.partition) == keywords(procmap.map)


def test_options_are_the_keywords_of_map():
    fields = {field.name: field.type for field in dataclasses.fields(Options)}

    assert fields == {name: kind for name, (_, kind) in keywords(procmap.map).items()}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("imbalance", 0.25),
        ("seed", 2**64 - 1),
        ("threads", 3),
        ("device", "cpu"),
        ("migration_cost", 1.5),
        ("allow_empty", True),
        ("repeats", 4),
        ("time_limit", 0.5),
    ],
)
def test_core_keeps_what_it_is_told(name, value):
    options = _core.Options()

    setattr(options, name, value)

    assert getattr(options, name) == value


def test_core_keeps_a_copy_of_the_parameters():
    options, config = _core.Options(), _core.Config()
    config.set("refinement.rounds", 20)

    options.config = config
    config.set("refinement.rounds", 30)

    assert options.config.get("refinement.rounds") == 20


@pytest.mark.parametrize("name", ["allow_empty", "strict"])
@pytest.mark.parametrize("value", ["no", 0, 1.0, None, [False], np.array([True, False])])
def test_flags_are_true_or_false(name, value):
    graph, flat = procmap.Graph.from_edges([(0, 1)]), procmap.Topology.flat(2)
    message = f"{name} must be True or False, got "

    with pytest.raises(procmap.ConfigError, match=message):
        procmap.map(graph, flat, **{name: value})
    with pytest.raises(procmap.ConfigError, match=message):
        procmap.partition(graph, 2, **{name: value})
    with pytest.raises(procmap.ConfigError, match=message):
        procmap.map_many([graph], flat, **{name: value})
    assert procmap.map(graph, flat, **{name: np.bool_(False)}).feasible


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("capacities", np.int64),
        ("fixed", np.int32),
        ("initial", np.int32),
        ("vertex_sizes", np.int64),
    ],
)
def test_core_copies_arrays_of_one_type_and_refuses_others(name, dtype):
    options = _core.Options()
    array = np.arange(3, dtype=dtype)

    setattr(options, name, array)
    array[0] = 7

    kept = getattr(options, name)
    assert kept.dtype == dtype
    assert kept.tolist() == [0, 1, 2]
    for wrong in (array.astype(np.int16), array.astype(float), [0, 1, 2], None):
        with pytest.raises(TypeError):
            setattr(options, name, wrong)
    with pytest.raises(ValueError, match="one-dimensional"):
        setattr(options, name, array.reshape(1, 3))
    assert getattr(options, name).tolist() == [0, 1, 2]


def test_core_starts_with_no_wish():
    options = _core.Options()

    assert options.config.get("method") == _core.Config.preset("default").get("method")
    for name in ("capacities", "fixed", "initial", "vertex_sizes"):
        assert getattr(options, name).size == 0
    assert (options.repeats, options.time_limit, options.migration_cost) == (0, 0, 0)


def test_the_larger_direction_of_traffic_is_refused_as_both_count(tmp_path):
    traffic = np.array([[0, 3, 0], [1, 0, 5], [0, 2, 0]])
    (tmp_path / "t.mat").write_text("0 3 0\n1 0 5\n0 2 0\n")
    flat = procmap.Topology.flat(3)

    for given in (traffic, procmap.Traffic.from_matrix(traffic), tmp_path / "t.mat"):
        with pytest.raises(procmap.ConfigError, match="symmetrize='max' is for graphs"):
            procmap.map(given, flat, symmetrize="max")
        with pytest.raises(procmap.ConfigError, match="symmetrize='max' is for graphs"):
            procmap.evaluate(given, [0, 1, 2], flat, symmetrize="max")
        assert procmap.map(given, flat, symmetrize="sum").cost == 11
