# SPDX-License-Identifier: MIT
"""Mappings are the recorded ones: a slice of tests/fingerprint (tests/README.md)."""

import json
from pathlib import Path

from fingerprint import run
from fingerprint.cases import all_cases
from fingerprint.graphs import FILES, Folder
from fingerprint.random_integers import below

RECORD = json.loads((Path(run.__file__).parent / "recorded.json").read_text())
EVERY = 97


def a_slice():
    """Cases of graphs that need no file, without the preset that takes longest."""
    cases = all_cases().values()
    return [case.name for case in cases if case.graph not in FILES and case.preset != "strong"][
        ::EVERY
    ]


def test_mappings_are_as_recorded(tmp_path):
    graphs, cases = run.answers(a_slice(), tmp_path)

    assert len(cases) > 20
    assert run.differences(RECORD, graphs, cases) == []


def test_another_mapping_and_another_graph_are_found():
    name = "path 4:4:2 fast 0"
    blocks, cost, _ = RECORD["cases"][name]
    graphs = {"path": RECORD["graphs"]["path"]}

    assert run.differences(RECORD, graphs, {name: [blocks, cost, True]}) == []
    assert run.differences(RECORD, {"path": "x"}, {}) == [
        f"graph path: x, recorded was {graphs['path']}"
    ]
    assert run.differences(RECORD, graphs, {name: ["x", 7, False]}) == [
        f"{name}: J {cost} -> 7, {blocks} feasible -> x infeasible"
    ]
    assert run.differences(RECORD, graphs, {"new": ["x", 7, False]}) == ["new: not in the record"]


def test_files_that_are_not_there_are_left_out(tmp_path, capsys):
    names = run.chosen(tmp_path)

    assert capsys.readouterr().out == f"left out, not in {tmp_path}: {', '.join(FILES)}\n"
    assert {case.graph for case in all_cases().values()} > set(FILES)
    assert {all_cases()[name].graph for name in names}.isdisjoint(FILES)


def test_the_record_is_of_all_cases():
    cases = all_cases()

    assert list(RECORD["cases"]) == list(cases)
    assert RECORD["graphs"].keys() == {case.graph for case in cases.values()}
    assert len(Folder(".").digest("path")) == 16


def test_random_integers_never_change():
    assert below(10, 1, 2, 4).tolist() == [6, 6, 3, 6]
    assert below(2**40, 1, 2, 2).tolist() == [581089266308, 617666776420]
