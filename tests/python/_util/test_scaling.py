# SPDX-License-Identifier: MIT
"""Floats become integers that mean the same, or the scale says how far off they are."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import procmap
from procmap import GraphError
from procmap._util.scaling import UNSCALED, Scale, in_user_unit, scale_to_integers


def scaled(values):
    return scale_to_integers(values, "weights", GraphError)


@pytest.mark.parametrize("dtype", ["i1", "u8", ">i4", "f2", "f4", "f8", "g"])
def test_integral_numbers_stay_what_they_are(dtype):
    integers, scale = scaled(np.array([0, 3, 100], dtype))

    assert integers.tolist() == [0, 3, 100]
    assert integers.dtype == np.int64
    assert scale == UNSCALED


@pytest.mark.parametrize(
    ("values", "integers", "scale"),
    [
        ([0.5, 2.0], [1, 4], Scale(2, 1)),
        ([0.75, 0.0, 3.5], [3, 0, 14], Scale(2, 2)),
        ([0.3, 0.1], [3, 1], Scale(10, 1)),
        ([12.34, 0.5], [1234, 50], Scale(10, 2)),
        (np.array([0.3, 7.1], "f4"), [3, 71], Scale(10, 1)),
        (np.array([0.125, 0.3], "f2"), [125, 300], Scale(10, 3)),
        ([2.0**70, 2.0**72], [1, 4], Scale(2, -70)),
        ([5e-324, 1e-323], [1, 2], Scale(2, 1074)),
    ],
)
def test_binary_and_decimal_fractions_are_exact(values, integers, scale):
    assert scaled(values)[0].tolist() == integers
    assert scaled(values)[1] == scale


def test_whole_numbers_beyond_32_bits_are_not_rounded():
    integers, scale = scaled(np.array([2.0**33 + 3, 2.0**52 + 1]))

    assert integers.tolist() == [2**33 + 3, 2**52 + 1]
    assert scale == UNSCALED


@settings(deadline=None)  # machines are busy at times
@given(
    st.lists(
        st.floats(0, 1e308, allow_subnormal=True) | st.floats(0, 1, width=32) | st.floats(0, 9),
        max_size=30,
    )
)
@example([1 / 3] * 3)  # less than 1, and 1 once it is rounded
def test_every_number_is_its_integer_times_the_unit_within_half_a_unit_and_0_only_if_it_was(values):
    integers, scale = scaled(values)

    errors = [abs(Fraction(v) - int(i) * scale.unit) for v, i in zip(values, integers, strict=True)]
    if not scale.exact:
        # A number below half a unit is 1, for only 0 is 0.
        low = [0 < v < scale.unit / 2 for v in map(Fraction, values)]
        assert all(e <= scale.unit / (1 if x else 2) for e, x in zip(errors, low, strict=True))
        assert all((i > 0) == (v > 0) for i, v in zip(integers.tolist(), values, strict=True))
        rounding = 1 + Fraction(1, 2**48)  # of the sum by which the unit is chosen
        assert sum(map(Fraction, values)) / scale.unit * rounding >= 2**39
        assert sum(map(Fraction, values)) / scale.unit <= 2**40 + 1
    elif scale.base == 10:  # a decimal such as 0.3 is the float nearest to it
        restored = [float(int(i) * scale.unit) for i in integers]
        assert restored == values
    else:
        assert not any(errors)


@settings(deadline=None)  # machines are busy at times
@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30), st.booleans())
def test_restored_values_are_the_numbers_again(values, decimal):
    values = [round(v, 3) for v in values] if decimal else values

    integers, scale = scaled(values)

    restored = scale.restore(integers)
    assert restored.tolist() == pytest.approx(values, rel=0, abs=float(scale.unit))
    assert [in_user_unit(int(i), scale) for i in integers] == restored.tolist()


def test_units_multiply():
    assert in_user_unit(7) == 7
    assert isinstance(in_user_unit(2**60 + 1, UNSCALED), int)
    assert in_user_unit(6, Scale(10, 1), Scale(2, 1)) == 0.3


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([0.5, -0.5], r"weights\[1\] = -0.5 is negative"),
        ([0.5, float("nan")], r"weights\[1\] = nan is not a finite number"),
        ([0.5, float("inf")], r"weights\[1\] = inf is not a finite number"),
        ([[0.5]], "one-dimensional"),
        (["a"], "must hold numbers"),
        ([True, False], "must hold numbers"),
        ([1j], "must hold numbers"),
        (np.array([np.longdouble("1.5e4000")]), "beyond the range of float64"),
    ],
)
def test_numbers_that_are_none_are_refused(values, text):
    with pytest.raises(GraphError, match=text):
        scaled(values)


def test_scale_says_its_unit():
    assert str(Scale(10, 1)) == "0.1"
    assert str(Scale(2, 3, exact=False)) == "0.125 (rounded)"


def test_integral_floats_of_any_size_are_taken():
    ring = [(0, 1), (1, 2), (2, 3), (3, 0)]
    for weight, exact in ((2.0**50, True), (1e18, False), (1e25, False)):
        mapping = procmap.partition(procmap.Graph.from_edges(ring, weights=[weight] * 4), 2)

        assert mapping.edge_cut == pytest.approx(2 * weight, rel=1e-9)
        assert mapping.units.traffic.exact == exact
