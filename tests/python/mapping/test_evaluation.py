# SPDX-License-Identifier: MIT
"""Evaluations say what is true, and what a user does better with than without procmap."""

import copy
import json
import pickle
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
import scipy.sparse

import procmap
from procmap import Graph, Topology
from support import MACHINE, SHAPES, assert_report_is_true, grid, random_weighted, tails

LINE = Topology.hierarchy("2:2", "1:10")


def definition_of_volume(graph, blocks, k):
    volume = np.zeros(k, np.int64)
    for v in range(graph.num_vertices):
        arcs = range(graph.offsets[v], graph.offsets[v + 1])
        others = {blocks[graph.heads[e]] for e in arcs if graph.arc_weights[e] > 0}
        volume[blocks[v]] += len(others - {blocks[v]})
    return volume.tolist()


def definition_of_components(graph, blocks, k):
    there = graph.arc_weights > 0
    inside = there & (blocks[tails(graph)] == blocks[graph.heads])
    plain = nx.Graph()
    plain.add_nodes_from(range(graph.num_vertices))
    plain.add_edges_from(zip(tails(graph)[inside], graph.heads[inside], strict=True))
    counts = [0] * k
    for component in nx.connected_components(plain):
        counts[blocks[next(iter(component))]] += 1
    return counts


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", [1, 2])
def test_volume_and_components_equal_their_definitions(shape, seed):
    graph = SHAPES[shape]()
    blocks = np.random.default_rng(seed).integers(0, 12, graph.num_vertices).astype(np.int32)

    found = procmap.evaluate(graph, blocks, MACHINE, threads=seed)

    assert_report_is_true(graph, blocks, MACHINE, found, 0.03)
    assert found.communication_volume.tolist() == definition_of_volume(graph, blocks, 12)
    assert found.components.tolist() == definition_of_components(graph, blocks, 12)
    assert found.total_communication_volume == found.communication_volume.sum()
    assert found.num_scattered_blocks == (found.components > 1).sum()


def test_volume_of_many_chunks_does_not_depend_on_threads():
    graph = grid(170, 170)
    blocks = np.random.default_rng(5).integers(0, 12, 28900).astype(np.int32)

    one, two = (procmap.evaluate(graph, blocks, MACHINE, threads=n) for n in (1, 2))

    assert one.communication_volume.tolist() == two.communication_volume.tolist()
    assert one.communication_volume.tolist() == definition_of_volume(graph, blocks, 12)


def test_orders_to_compare_with_are_those_of_the_launchers():
    ranks = Graph.from_edges([(i, i + 1) for i in range(7)], 8)
    machine = Topology.hierarchy("2:2:2", "1:10:100")
    sizes = {"block": [0, 1, 2, 3, 4, 5, 6, 7], "round-robin": [0, 4, 1, 5, 2, 6, 3, 7]}

    found = procmap.evaluate(ranks, np.zeros(8, int), machine)

    for name, order in sizes.items():
        expected = procmap.evaluate(ranks, order, machine)
        assert found.comparison[name].cost == expected.cost
        assert found.comparison[name].level_traffic.tolist() == expected.level_traffic.tolist()
    assert found.comparison["block"].level_traffic.tolist() == [0, 4, 2, 1]
    assert found.comparison["round-robin"].level_traffic.tolist() == [0, 0, 0, 7]


@pytest.mark.parametrize("n", [0, 1, 5, 8, 11, 100])
@pytest.mark.parametrize("machine", [LINE, Topology.flat(7), Topology.torus(3, 3)])
def test_orders_fill_every_pe_about_equally(n, machine):
    graph = Graph.from_csr(np.zeros(n + 1, int), [])

    found = procmap.evaluate(graph, np.zeros(n, int), machine)

    for report in found.comparison.values():
        assert report.block_weights.sum() == n
        assert report.block_weights.max() - report.block_weights.min() <= 1


def test_saving_is_one_minus_the_ratio():
    graph = grid(20, 20)
    machine = Topology.hierarchy("4:4", "1:10")
    mapping = procmap.map(graph, machine)

    found = mapping.report()

    assert found.saving() == found.saving("partition")
    for name in ("partition", "block", "round-robin", "random"):
        other = found.comparison[name]
        assert found.saving(name) == 1 - mapping.cost / other.cost
        assert found.saving(name, 2) == 1 - mapping.level_traffic[2] / other.level_traffic[2]
    assert found.saving("random") > 0.5
    with pytest.raises(
        procmap.ConfigError, match="one of partition, block, round-robin, random, got"
    ):
        found.saving("worst")
    with pytest.raises(procmap.ConfigError, match=r"level must be an integer in \[0, 2\], got 3"):
        found.saving("block", 3)
    empty = procmap.evaluate(Graph.from_csr([0, 0], []), [0], machine)
    assert empty.saving() == 0
    pair = Graph.from_edges([(0, 1)])
    assert procmap.evaluate(pair, [0, 15], Topology.hierarchy("1:16", "0:1")).saving() <= 0


def test_mapping_reports_itself_and_evaluate_agrees():
    graph = random_weighted(200, 800, seed=6)
    mapping = procmap.map(graph, MACHINE)

    own, evaluated = mapping.report(), procmap.evaluate(graph, mapping, MACHINE)

    assert own.to_dict() == evaluated.to_dict()
    assert own.cost == mapping.cost
    assert not own.blocks.flags.writeable


@pytest.mark.parametrize(
    ("loads", "capacities"),
    [
        ([1] * 3, None),
        ([1] * 3, [9, 9, 0, 0]),
        ([0] * 3, None),
        ([[1, 0]] * 3, [[9, 9], [0, 0], [0, 9], [9, 0]]),
        ([0.5] * 3, [9, 0.4, 1, 0.3]),
    ],
)
def test_empty_pes_are_counted_as_in_the_mapping(loads, capacities):
    path = Graph.from_edges([(0, 1), (1, 2)], vertex_weights=loads)
    mapping = procmap.map(path, LINE, capacities=capacities, allow_empty=True)

    assert mapping.report().num_empty_blocks == mapping.empty_blocks
    assert mapping.report().to_dict()["empty_blocks"] == mapping.empty_blocks


def test_evaluations_are_copied_after_all_was_asked_for():
    found = procmap.evaluate(grid(6, 6), np.arange(36) // 9, LINE)
    asked = found.to_dict()

    for copied in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert copied.to_dict() == asked
        np.testing.assert_array_equal(copied.components, found.components)
        np.testing.assert_array_equal(copied.communication_volume, found.communication_volume)


def test_mapping_keeps_its_tasks_but_no_arrays_and_pickles_neither():
    graph = grid(6, 6)
    of_graph, of_arrays = (
        procmap.map(source, LINE) for source in (graph, (graph.offsets, graph.heads))
    )

    pickled = [pickle.loads(pickle.dumps(mapping)) for mapping in (of_graph, of_arrays)]

    assert of_arrays.graph is None
    for mapping in (of_graph, of_arrays):
        assert mapping.report().cost == of_graph.cost
    for mapping in (of_arrays, *pickled):
        assert mapping.report(graph).to_dict() == of_graph.report().to_dict()
    for mapping in pickled:
        with pytest.raises(ValueError, match=r"it comes from a pickle; use report\(graph\)"):
            mapping.report()
    with pytest.raises(ValueError, match="36 entries, but there are 16 vertices"):
        of_arrays.report(grid(4, 4))
    with pytest.raises(ValueError, match="not the graph that was mapped: J is"):
        of_arrays.report(grid(4, 9))


def test_mappings_of_foreign_graphs_report_themselves(tmp_path):
    graph = grid(6, 6)
    rows = scipy.sparse.csr_matrix((np.ones(120, np.int64), graph.heads, graph.offsets))
    graph.write(tmp_path / "x.graph")
    loads = np.arange(36)

    for tasks in (rows, nx.grid_2d_graph(6, 6), tmp_path / "x.graph"):
        mapping = procmap.map(tasks, LINE, vertex_weights=loads, imbalance=0.1)

        own = mapping.report()

        expected = procmap.evaluate(tasks, mapping, LINE, vertex_weights=loads, imbalance=0.1)
        assert own.to_dict() == expected.to_dict()


@pytest.mark.parametrize(
    ("mapped", "given", "message"),
    [
        (None, [5] * 36, r"the load of PE 0 is 45, not 9;"),
        ([5] * 36, None, r"the load of PE 0 is 9, not 45;"),
        (None, [0.5] * 36, r"the load of PE 0 is 4\.5, not 9;"),
        (None, [[1, 2]] * 36, r"tasks have 2 weights, not 1;"),
        ([[1, 2]] * 36, [[1, 3]] * 36, r"the load of PE 0 is 27, not 18;"),
    ],
)
def test_a_graph_of_other_loads_is_not_the_one_that_was_mapped(mapped, given, message):
    graph = grid(6, 6)
    mapping = procmap.map(graph, LINE, vertex_weights=mapped)
    other = graph if given is None else graph.with_vertex_weights(given)

    with pytest.raises(ValueError, match=f"not the graph that was mapped: {message}"):
        mapping.report(other)

    same = graph if mapped is None else graph.with_vertex_weights(mapped)
    assert pickle.loads(pickle.dumps(mapping)).report(same).cost == mapping.cost


def test_a_graph_that_changed_after_it_was_mapped_is_refused():
    graph = grid(6, 6)
    rows = scipy.sparse.csr_matrix((np.ones(120, np.int64), graph.heads, graph.offsets))
    mapping = procmap.map(rows, LINE)

    rows.data[:] = 5

    with pytest.raises(ValueError, match="not the graph that was mapped: J is"):
        mapping.report()


def test_numpy_takes_a_mapping_for_its_blocks():
    mapping = procmap.map(grid(6, 6), LINE)

    array = np.asarray(mapping)

    assert array.dtype == np.int32
    assert array.tolist() == mapping.blocks.tolist()
    assert len(mapping) == 36
    assert np.array(mapping, dtype=np.int64).dtype == np.int64
    assert np.array(mapping).flags.writeable  # a copy: blocks are not
    assert np.bincount(mapping).sum() == 36


def test_later_changes_of_blocks_do_not_reach_the_evaluation():
    blocks = np.zeros(36, np.int32)
    found = procmap.evaluate(grid(6, 6), blocks, LINE)

    blocks[:] = 3

    assert not found.blocks.any()


def test_text_has_every_figure():
    graph = Graph.from_edges([(0, 1), (1, 2), (2, 3)], weights=[2000, 4, 9])
    machine = Topology.hierarchy("2:2", "1:10")

    text = str(procmap.evaluate(graph, [0, 1, 2, 0], machine, imbalance=0.03))

    lines = {line.split("  ")[0]: line.split()[-4:] for line in text.splitlines()}
    assert lines["J (every edge twice)"][:2] == ["4,260", "4,098"]
    assert lines["edge cut"][:2] == ["2,013", "2,013"]
    assert lines["traffic inside a PE"][:2] == ["0", "0"]
    assert lines["traffic at level 1 (distance 1)"][:2] == ["2,000", "2,009"]
    assert lines["traffic at level 2 (distance 10)"][:2] == ["13", "4"]
    assert "J is 4% higher than in block order, the default of srun" in text
    assert "225% more traffic between the outermost groups" in text
    named = procmap.evaluate(graph, [0, 1, 2, 0], machine.with_hosts("n[1-2]"), imbalance=0.03)
    assert "225% more traffic between nodes" in str(named)
    assert "Heaviest PE: 2 of at most 2 (imbalance 100.00%)." in text
    assert "Communication volume: 6; per PE at most 2, on average 1.5." in text
    assert "the tasks of 1 of 4 PEs are not connected (up to 2 parts)" in text


def test_text_of_other_machines_fractions_and_infeasible_mappings():
    graph = Graph.from_edges([(0, 1), (1, 2)], weights=[np.pi, 0.25])

    text = str(procmap.evaluate(graph, [0, 1, 1], Topology.torus(5), imbalance=0))

    assert "traffic at distance 1" in text
    assert "3.14159" in text
    assert "INFEASIBLE" in text
    assert "were rounded: traffic to " in text
    assert "connected." in text


def test_rich_shows_the_same():
    console = pytest.importorskip("rich.console").Console(width=160, record=True, file=None)
    found = procmap.evaluate(grid(6, 6), np.zeros(36, int), LINE)

    with console.capture() as capture:
        console.print(found)

    for line in str(found).splitlines():
        for cell in line.split("  "):
            assert cell.strip() in capture.get()


def test_json_is_complete_and_plain():
    mapping = procmap.map(grid(8, 8), MACHINE)

    values = json.loads(mapping.report().to_json(indent=1))

    assert values["cost"] == mapping.cost
    assert values["num_tasks"] == 64
    assert values["level_traffic"] == mapping.level_traffic.tolist()
    assert values["comparison"].keys() == {"partition", "block", "round-robin", "random"}
    assert values["baseline"] == "partition"
    assert values["comparison"]["random"]["edge_cut"] > values["edge_cut"]
    assert values["units"]["traffic"] == {"unit": 1.0, "exact": True}


@pytest.mark.parametrize(
    ("graph", "machine"),
    [
        (grid(12, 12), MACHINE),
        (grid(40, 40), Topology.hierarchy("4:8:10", "1:10:100")),
        (grid(5, 5), Topology.torus(3, 3)),
        (Graph.from_csr([0, 0], []), LINE),
        (Graph.from_csr([0], []), Topology.flat(1)),
    ],
)
def test_plot_shows_matrices_levels_and_loads(graph, machine, tmp_path):
    pytest.importorskip("matplotlib")
    found = procmap.map(graph, machine).report()

    figure = found.plot()
    figure.savefig(tmp_path / "x.png")

    assert (tmp_path / "x.png").stat().st_size > 10_000
    titles = [axis.get_title() for axis in figure.axes]
    before = "k-way partition" if found.baseline == "partition" else "block order"
    assert f"traffic between PEs, {before}" in titles
    assert "traffic between PEs, this mapping" in titles
    images = [axis.images[0] for axis in figure.axes[:2]]
    assert images[1].get_array().filled(0).sum() == graph.arc_weights.sum()
    assert images[0].norm is images[1].norm  # one scale of colours


def test_several_weights_are_compared_and_plotted_by_name():
    pytest.importorskip("matplotlib")
    weights = {"time": np.repeat([3, 1], 72), "memory": np.ones(144, int)}
    found = procmap.map(grid(12, 12), MACHINE, vertex_weights=weights).report()

    axis = found.plot().axes[3]

    other = found.comparison["partition"]
    for mine, theirs in zip(found.weights, other.weights, strict=True):
        assert theirs.max_block_weight <= mine.capacity
    assert "in time" in str(found)
    assert "in memory" in str(found)
    assert [text.get_text() for text in axis.get_legend().get_texts()] == [
        "time", "memory", "capacity",
    ]  # fmt: skip
    assert axis.get_ylabel() == "load / capacity"


def test_what_is_wrong_comes_first():
    mesh = grid(4, 4)

    found = procmap.evaluate(mesh, np.zeros(16, int), LINE)

    assert str(found).splitlines()[0].startswith("INFEASIBLE: ")


def test_evaluation_needs_neither_rich_nor_matplotlib():
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['rich', 'matplotlib']))\n"
        "import procmap\n"
        "found = procmap.evaluate(([0, 1, 2], [1, 0]), [0, 1], procmap.Topology.flat(2))\n"
        "print(str(found).splitlines()[1])\n"
        "try:\n    found.plot()\n"
        "except ImportError as exc:\n    print('matplotlib' in str(exc))\n"
    )

    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )

    assert result.stdout.split() == ["J", "(every", "edge", "twice)", "2", "2", "2", "2", "True"]


def test_edges_of_weight_0_make_no_neighbours():
    graph = procmap.Graph.from_edges([[0, 1], [1, 2], [2, 3]], weights=[0, 1, 0])
    machine = procmap.Topology.flat(2)

    along = procmap.evaluate(graph, [0, 0, 1, 1], machine)
    across = procmap.evaluate(graph, [0, 1, 1, 0], machine)

    assert (along.communication_volume.tolist(), along.components.tolist()) == ([1, 1], [2, 2])
    assert (across.communication_volume.tolist(), across.components.tolist()) == ([0, 0], [2, 1])
    assert along.to_dict()["num_edges"] == 3
