# SPDX-License-Identifier: MIT
"""METIS's functions with several weights per vertex."""

import numpy as np
import pytest

import procmap
from metis_calls import WIDTHS, options_with, pieces, weighted_parts


def two_phases(side=24):
    """A grid whose left half alone has anything of the second weight."""
    vertex = np.arange(side * side).reshape(side, side)
    edges = np.concatenate(
        [
            np.stack([a.ravel(), b.ravel()], axis=1)
            for a, b in ((vertex[1:], vertex[:-1]), (vertex[:, 1:], vertex[:, :-1]))
        ]
    )
    loads = np.stack([np.ones(side * side), 5 * (vertex % side < side // 2).ravel()], axis=1)
    return procmap.Graph.from_edges(edges), loads.astype(int)


@pytest.mark.parametrize("widths", WIDTHS)
@pytest.mark.parametrize("function", ["METIS_PartGraphKway", "METIS_PartGraphRecursive"])
def test_several_constraints_are_all_kept(libraries, function, widths):
    grid, loads = two_phases()
    totals = loads.sum(axis=0)
    shares = np.array([[0.4, 0.1], [0.2, 0.3], [0.4, 0.6]])
    factors = np.array([1.02, 1.1])

    code, message, part = weighted_parts(
        libraries, grid, loads, 3, function, widths, tpwgts=shares, ubvec=factors
    )

    assert (code, message) == (1, "")
    at_each = (
        2 if function.endswith("Recursive") else 1
    )  # 3 parts: two bisections, one in the other
    limits = np.ceil(factors**at_each * shares * totals)
    held = np.stack([np.bincount(part, weights=column, minlength=3) for column in loads.T], axis=1)
    assert (held <= limits).all(), (held, limits)


def test_several_constraints_are_what_the_library_itself_balances(libraries):
    grid, loads = two_phases()
    _, _, part = weighted_parts(libraries, grid, loads, 4, "METIS_PartGraphKway")
    expected = procmap.partition(grid, 4, vertex_weights=loads, imbalance=0.03, device="cpu")

    np.testing.assert_array_equal(part, expected.blocks)


def test_constraints_of_nothing_count_for_nothing(libraries):
    grid, loads = two_phases()
    nothing = np.zeros(len(loads), int)
    shares = np.array([[0.5, 0.9, 0.1], [0.5, 0.1, 0.9]])

    def parts(*columns, **arrays):
        rows = np.stack(columns, axis=1)
        code, _, part = weighted_parts(libraries, grid, rows, 2, "METIS_PartGraphKway", **arrays)
        assert code == 1
        return part

    np.testing.assert_array_equal(parts(nothing, loads[:, 1]), parts(loads[:, 1]))
    np.testing.assert_array_equal(
        parts(nothing, nothing, loads[:, 0], tpwgts=shares),
        parts(loads[:, 0], tpwgts=shares[:, 2:]),
    )
    assert np.bincount(parts(nothing, nothing)).tolist() == [288, 288]


@pytest.mark.parametrize(
    ("count", "arrays", "message"),
    [
        (9, {}, "ncon = 9: procmap balances at most 8 weights per vertex"),
        (2, {"ubvec": [1.1, 0.5]}, "ubvec[1] = 0.500000 is not at least 1"),
        (
            2,
            {"tpwgts": [0.5, 0.5, 0.5, 0.2]},
            "the sum of tpwgts of constraint 1, 0.700000, is not 1",
        ),
        (2, {"tpwgts": [0.5, 1.0, 0.5, 0.0]}, "tpwgts[3] = 0.000000 is not above 0"),
    ],
)
def test_what_is_wrong_with_several_constraints_is_named(libraries, count, arrays, message):
    grid, _ = two_phases(4)
    loads = np.ones((16, count), int)

    code, said, part = weighted_parts(libraries, grid, loads, 2, "METIS_PartGraphKway", **arrays)

    assert (code, said) == (-2, message)
    assert (part == -1).all()
    loads[3, 1] = -7
    assert weighted_parts(libraries, grid, loads[:, :2], 2, "METIS_PartGraphKway")[:2] == (
        -2,
        "vwgt[7] = -7 is negative",
    )


def test_several_constraints_are_mapped_onto_a_machine(libraries, monkeypatch):
    grid, loads = two_phases(8)
    monkeypatch.setenv("PROCMAP_TOPOLOGY", "2:2/1:10")
    code, _, part = weighted_parts(libraries, grid, loads, 4, "METIS_PartGraphKway")

    machine = procmap.Topology.hierarchy("2:2", "1:10")
    expected = procmap.map(grid, machine, vertex_weights=loads, imbalance=0.03, device="cpu")
    assert code == 1
    np.testing.assert_array_equal(part, expected.blocks)


def test_parts_of_several_constraints_are_in_one_piece(libraries):
    grid, loads = two_phases(16)
    scattered, together = (
        weighted_parts(libraries, grid, loads, 9, "METIS_PartGraphKway", options=options)
        for options in (options_with(int), options_with(int, CONTIG=1))
    )

    assert (scattered[0], together[0]) == (1, 1)
    assert pieces(grid, scattered[2]) > 9  # else this tests nothing
    assert pieces(grid, together[2]) == 9
