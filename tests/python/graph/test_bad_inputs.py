# SPDX-License-Identifier: MIT
"""Malformed input raises an exception that names the culprit; odd input gives a right answer."""

import json
import re
import warnings

import numpy as np
import pytest

import procmap
from bad_inputs import (
    BAD_GRAPHS,
    BAD_OPTIONS,
    LEGAL,
    PLAIN_BAD_GRAPHS,
    PLAIN_BAD_OPTIONS,
    PLAIN_LEGAL,
)
from procmap.cli import main
from procmap.compat import part_graph
from procmap.placement import place_stages
from support import assert_report_is_true


@pytest.mark.parametrize("name", BAD_GRAPHS)
def test_malformed_graph_is_refused_with_its_culprit(name):
    bad, culprit = BAD_GRAPHS[name]
    machine = procmap.Topology.flat(4)

    with pytest.raises(procmap.GraphError) as from_graph:
        procmap.Graph.from_csr(*bad.graph(), bad.loads)
    with pytest.raises(procmap.GraphError) as from_map:
        procmap.map(bad.graph(), machine, vertex_weights=bad.loads)
    with pytest.raises(procmap.GraphError) as from_partition:
        procmap.partition(bad.graph(), 4, vertex_weights=bad.loads)

    assert culprit in str(from_graph.value)
    assert str(from_graph.value) == str(from_map.value) == str(from_partition.value)


@pytest.mark.parametrize("name", BAD_OPTIONS)
def test_bad_option_is_refused_by_name(name):
    bad, culprit = BAD_OPTIONS[name]

    with pytest.raises(procmap.ConfigError) as from_partition:
        procmap.partition(bad.graph(), bad.k, imbalance=bad.imbalance)

    assert culprit in str(from_partition.value)


def quick(odd):
    """The preset with which a case does not take a second."""
    return "default" if len(odd.offsets) * odd.k < 10**5 else "fast"


@pytest.mark.parametrize("name", LEGAL)
def test_odd_input_gives_a_true_report(name):
    odd = LEGAL[name]
    machine = procmap.Topology.flat(odd.k)
    graph = procmap.Graph.from_csr(*odd.graph(), odd.loads)
    options = {"imbalance": odd.imbalance, "vertex_weights": odd.loads, "preset": quick(odd)}

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mapping = procmap.partition(odd.graph(), odd.k, **options)
        mapped = procmap.map(
            odd.graph(), machine, allow_empty=False, **options
        )  # as partitions are

    assert_report_is_true(graph, mapping.blocks, machine, mapping, odd.imbalance)
    assert (mapped.blocks == mapping.blocks).all()
    assert mapping.feasible == (name != "huge_vertex")
    expected = [] if mapping.feasible else [procmap.InfeasibleWarning] * 2
    assert [w.category for w in caught] == expected


def _as_file(x, folder):
    """Write the arrays as they are: in ParHIP's binary format, or fractions as text for METIS."""
    arrays = [np.asarray(a) for a in (x.offsets, x.heads, x.loads, x.weights)]
    if any(a.dtype.kind == "f" and (a % 1).any() for a in arrays):
        path = folder / "x.graph"
        rows = np.split(np.stack([arrays[1] + 1, arrays[3]], 1), arrays[0][1:-1])
        lines = [f"{len(rows)} {len(arrays[1]) // 2} 011"]
        for load, row in zip(arrays[2], rows, strict=True):
            lines.append(" ".join([str(load), *(f"{int(v)} {w}" for v, w in row)]))
        path.write_text("\n".join(lines))
        return path
    n, start = len(arrays[0]) - 1, 24 + 8 * len(arrays[0])
    numbers = [np.array([0, n, len(arrays[1])]), start + 8 * arrays[0].astype(np.int64)]
    path = folder / "x.bgf"
    path.write_bytes(b"".join(a.astype("<i8").tobytes() for a in [*numbers, *arrays[1:]]))
    return path


@pytest.mark.parametrize("name", PLAIN_LEGAL | PLAIN_BAD_GRAPHS)
def test_command_line_refuses_or_answers_the_same(name, tmp_path, capsys):
    bad = name in PLAIN_BAD_GRAPHS
    x = PLAIN_BAD_GRAPHS[name][0] if bad else PLAIN_LEGAL[name]
    path = _as_file(x, tmp_path)
    options = ["-k", str(x.k), "-e", str(x.imbalance), "--preset", quick(x), "--json"]

    code = main(["partition", str(path), *options])

    out, err = capsys.readouterr()
    if bad or path.suffix == ".graph":  # METIS knows no fractions, and says so
        assert (code, out) == (1, "")
        assert re.fullmatch(r"procmap: error: .*x\.(bgf|graph).*\n", err)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", procmap.InfeasibleWarning)
        mapping = procmap.partition(
            x.graph(), x.k, vertex_weights=x.loads, imbalance=x.imbalance, preset=quick(x)
        )
    assert code == (0 if mapping.feasible else 3)
    assert json.loads(out)["cost"] == mapping.cost
    assert err.count("\n") == (0 if mapping.feasible else 1)


@pytest.mark.parametrize("name", PLAIN_BAD_OPTIONS)
def test_command_line_refuses_bad_options(name, tmp_path, capsys):
    x, _ = PLAIN_BAD_OPTIONS[name]
    path = _as_file(x, tmp_path)

    code = main(["partition", str(path), f"-k={x.k}", f"-e={x.imbalance}"])

    assert code == 2
    assert capsys.readouterr().err.count("\n") == 1


NAMED = {
    "symmetrize": lambda name: procmap.Graph.from_csr([0, 0], [], symmetrize=name),
    "order": lambda name: procmap.Topology.hierarchy("2", "1", order=name),
    "kind": lambda name: procmap.Topology.flat(2).with_hosts("a", kind=name),
    "format": lambda name: procmap.read_mapping("blocks", format=name),
    "format of a mapping": lambda name: procmap.partition(([0, 0], []), 1).write(
        "blocks", format=name
    ),
    "format of a mesh": lambda name: procmap.Graph.from_mesh(__file__, format=name),
}


@pytest.mark.parametrize("call", NAMED)
@pytest.mark.parametrize("name", [np.zeros(0), np.zeros(2), [], 3], ids=repr)
def test_what_is_no_name_is_refused_in_our_words(call, name):
    with pytest.raises(ValueError, match=f"^{call.split()[0]} must be "):
        NAMED[call](name)


def test_other_objects_are_no_configurations_and_titles():
    evaluation = procmap.evaluate(([0, 0], []), [0], procmap.Topology.flat(1))

    with pytest.raises(TypeError, match="base must be a Config, got 'fast'"):
        procmap.Config.from_dict({}, base="fast")
    with pytest.raises(TypeError, match="title must be a str, got 3"):
        evaluation.to_html(3)
    with pytest.raises(procmap.ConfigError, match="contiguous must be True or False, got 'no'"):
        place_stages([1, 2], 2, contiguous="no")
    with pytest.raises(procmap.ConfigError, match="contiguous must be True or False, got "):
        part_graph(2, [[1], [0]], contiguous=np.zeros(2))
    with pytest.raises(TypeError, match=r"scratch must be .* os\.PathLike, got 3"):
        procmap.Graph.open("graph.parhip", scratch=3)
    with pytest.raises(procmap.FileError, match="scratch is empty, expected the name of a folder"):
        procmap.Graph.open("graph.parhip", scratch="")
