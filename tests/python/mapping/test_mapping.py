# SPDX-License-Identifier: MIT
"""`map`, `partition` and `evaluate`: every kind of graph, every option, true figures."""

import copy
import dataclasses
import pickle
import re
import warnings

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import procmap
from procmap import Config, ConfigError, GraphError, Topology
from support import MACHINE, SHAPES, assert_report_is_true, csr, grid, grid_edges, random_weighted

OFFSETS, HEADS, WEIGHTS = csr(100, grid_edges(10, 10), np.arange(180) % 5 + 1)


def sources(tmp_path):
    """The same weighted graph in every form that is accepted."""
    graph = procmap.Graph.from_csr(OFFSETS, HEADS, WEIGHTS)
    graph.write(tmp_path / "x.graph")
    matrix = sp.csr_matrix((WEIGHTS, HEADS, OFFSETS), (100, 100))
    return {
        "Graph": graph,
        "matrix": matrix,
        "COO array": sp.coo_array(matrix),
        "tuple": (OFFSETS, HEADS, WEIGHTS),
        "lists": (OFFSETS.tolist(), HEADS.tolist(), WEIGHTS.tolist()),
        "NetworkX": nx.from_scipy_sparse_array(matrix),
        "Path": tmp_path / "x.graph",
        "str": str(tmp_path / "x.graph"),
    }


def test_every_source_gives_the_same_mapping(tmp_path):
    loads = np.arange(100) % 3 + 1
    results = {
        name: [
            procmap.map(source, MACHINE, vertex_weights=loads).blocks.tolist(),
            procmap.partition(source, 12, vertex_weights=loads).blocks.tolist(),
            procmap.evaluate(source, np.arange(100) % 12, MACHINE, vertex_weights=loads).cost,
        ]
        for name, source in sources(tmp_path).items()
    }

    assert all(result == results["Graph"] for result in results.values())


def test_unweighted_tuple_means_unit_weights():
    assert (
        procmap.partition((OFFSETS, HEADS), 4).cost
        == procmap.partition((OFFSETS, HEADS, None), 4).cost
        == procmap.partition(grid(10, 10), 4).cost
    )


@pytest.mark.parametrize("preset", ["fast", "default", "im", "hm"])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_figure_equals_its_definition(shape, preset):
    graph = SHAPES[shape]()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", procmap.InfeasibleWarning)
        mapping = procmap.map(graph, MACHINE, preset=preset, imbalance=0.05)

    assert_report_is_true(graph, mapping.blocks, MACHINE, mapping, 0.05)


@pytest.mark.parametrize("seed", range(5))
def test_evaluate_equals_the_definition_on_random_blocks(seed):
    graph = random_weighted(200, 700, seed)
    blocks = np.random.default_rng(seed).integers(0, 12, 200)

    report = procmap.evaluate(graph, blocks, MACHINE, imbalance=0.1)

    assert_report_is_true(graph, blocks.astype(np.int32), MACHINE, report, 0.1)


def assert_equal_fields(kind, one, other, but=None):
    for field in dataclasses.fields(kind):
        if field.name != but:
            assert np.array_equal(getattr(one, field.name), getattr(other, field.name)), field.name


def test_evaluate_takes_a_mapping_and_agrees_with_it():
    graph = grid(20, 20)
    mapping = procmap.map(graph, MACHINE)

    report = procmap.evaluate(graph, mapping, MACHINE)

    assert_equal_fields(procmap.Report, report, mapping, but="weights")
    assert_equal_fields(type(report.weights[0]), report.weights[0], mapping.weights[0])
    assert type(report) is procmap.Evaluation


def test_partition_equals_mapping_onto_a_flat_machine():
    mapping = procmap.partition(grid(20, 20), 7)

    assert (mapping.blocks == procmap.map(grid(20, 20), Topology.flat(7)).blocks).all()
    assert mapping.cost == 2 * mapping.edge_cut


def test_result_arrays_are_read_only_and_outlive_everything():
    blocks = procmap.map(grid(10, 10), MACHINE).blocks

    assert blocks.dtype == np.int32
    assert not blocks.flags.writeable
    assert not blocks.flags.owndata  # the core's own vector: no copy
    report = procmap.evaluate(grid(10, 10), blocks, MACHINE)
    assert not report.block_weights.flags.writeable
    assert not report.level_traffic.flags.writeable


def test_stats_tell_where_the_time_went():
    stats = procmap.map(grid(30, 30), MACHINE, threads=1).stats

    assert stats.threads == 1
    assert stats.device == "cpu"
    assert stats.seconds > 0
    assert 0 < sum(phase.seconds for phase in stats.phases) <= stats.seconds * 1.01
    assert all(phase.calls > 0 for phase in stats.phases)
    assert any(level.level == 0 and level.vertices == 900 * level.members for level in stats.levels)


def test_repr_says_cost_and_balance():
    mapping = procmap.map(grid(10, 10), MACHINE)

    assert re.fullmatch(
        r"Mapping\(100 tasks on 12 blocks, cost=\d+, edge_cut=\d+, imbalance=0\.\d+, feasible\)",
        repr(mapping),
    )
    evaluation = procmap.evaluate(grid(10, 10), mapping, MACHINE)
    assert repr(evaluation) == repr(mapping).replace("Mapping", "Evaluation")


def test_mapping_round_trips(tmp_path):
    mapping = procmap.map(grid(10, 10), MACHINE)

    mapping.write(tmp_path / "mapping")
    pickled = pickle.loads(pickle.dumps(mapping))

    lines = (tmp_path / "mapping").read_text()
    assert lines == "".join(f"{block}\n" for block in mapping.blocks)
    assert (procmap.read_mapping(tmp_path / "mapping") == mapping.blocks).all()
    assert (pickled.blocks == mapping.blocks).all()
    assert (pickled.cost, pickled.stats) == (mapping.cost, mapping.stats)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_of_a_mapping_keep_its_tasks(copied):
    mapping = procmap.map(grid(4, 4), Topology.hierarchy("2:2", "1:10"))

    other = copied(mapping)

    assert other.report().cost == mapping.cost
    assert (other.blocks == mapping.blocks).all()
    assert (other.blocks is mapping.blocks) == (copied is copy.copy)


def test_bad_mapping_files_are_named(tmp_path):
    (tmp_path / "mapping").write_text("1\nx\n")

    with pytest.raises(procmap.FileError, match="mapping:2: "):
        procmap.read_mapping(tmp_path / "mapping")
    with pytest.raises(procmap.FileError, match="missing"):
        procmap.read_mapping(tmp_path / "missing")
    with pytest.raises(procmap.FileError, match="nowhere"):
        procmap.map(grid(2, 2), MACHINE).write(tmp_path / "nowhere" / "mapping")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"imbalance": -0.1}, "imbalance"),
        ({"imbalance": float("nan")}, "imbalance"),
        ({"imbalance": float("inf")}, "imbalance"),
        ({"imbalance": "0.03"}, "imbalance must be a number, got '0.03'"),
        ({"imbalance": True}, "imbalance must be a number"),
        ({"imbalance": {0.1}}, "imbalance must be a number"),
        ({"imbalance": ["0.1"]}, "imbalance[0] must be a number"),
        ({"imbalance": np.array("0.1")}, "imbalance must be a number"),
        ({"imbalance": np.array([[0.1]])}, "imbalance[0] must be a number"),
        ({"imbalance": [0.1, 0.1]}, "imbalance has 2 entries, but tasks have 1 weight"),
        ({"imbalance": 10**400}, "imbalance"),
        ({"preset": "best"}, "best"),
        ({"seed": -1}, "seed must be an integer in [0, 18446744073709551615], got -1"),
        ({"seed": 2**64}, "seed"),
        ({"seed": 1.0}, "seed"),
        ({"seed": None}, "seed"),
        ({"threads": 0}, "threads must be an integer >= 1, got 0"),
        ({"threads": -1}, "threads"),
        ({"threads": 1.5}, "threads"),
        ({"threads": True}, "threads"),
        ({"device": "gpu"}, "device must be 'auto', 'cpu', 'cuda' or 'cuda:N', got 'gpu'"),
        ({"device": "cuda:"}, "device must be"),
        ({"device": "cuda:x"}, "device must be"),
        ({"device": "cuda:-1"}, "device must be"),
        ({"device": 0}, "device must be"),
    ],
)
def test_unusable_option_is_named(options, message):
    for call in (
        lambda: procmap.map(grid(2, 2), MACHINE, **options),
        lambda: procmap.partition(grid(2, 2), 2, **options),
    ):
        with pytest.raises(ConfigError, match=re.escape(message)):
            call()


def test_an_array_of_no_dimension_is_a_number():
    made = procmap.partition(grid(5, 5), 2, imbalance=np.array(0.5))

    assert made.capacity == procmap.partition(grid(5, 5), 2, imbalance=0.5).capacity


@pytest.mark.parametrize("k", [0, -3, 2.5, 4.0, True, None, "4", 2**31, 2**80])
def test_unusable_k_is_named(k):
    with pytest.raises(ConfigError, match="k must be an integer"):
        procmap.partition(grid(2, 2), k)


@pytest.mark.parametrize("option", [{"seed": np.uint64(3)}, {"imbalance": 1}, {"threads": 10**30}])
def test_usable_options_of_other_types_are_taken(option):
    assert procmap.partition(grid(4, 4), np.int8(2), **option).feasible


def test_options_are_keyword_only():
    with pytest.raises(TypeError):
        procmap.map(grid(2, 2), MACHINE, 0.03)
    with pytest.raises(TypeError):
        procmap.partition(grid(2, 2), 2, 0.03)


def test_things_of_the_wrong_type_are_type_errors():
    for graph in (None, 5, [[0, 1], [1]], np.eye(2), np.ones((3, 4)), {}):
        with pytest.raises(TypeError, match="graph must be a"):
            procmap.map(graph, MACHINE)
    for machine, message in (
        ("4:8:6", "got str; Topology.hierarchy takes levels, Topology.read the path of a file"),
        (4, "got int; Topology.flat takes a number of PEs"),
        (np.eye(2), "got ndarray; Topology.from_distance_matrix takes a matrix of distances"),
        (None, "got NoneType"),
    ):
        with pytest.raises(TypeError, match=f"^topology must be a Topology, {message}$"):
            procmap.map(grid(2, 2), machine)
        with pytest.raises(TypeError, match=f"^topology must be a Topology, {message}$"):
            procmap.evaluate(grid(2, 2), [0] * 4, machine)
    with pytest.raises(TypeError, match="config must be a Config, got str"):
        procmap.map(grid(2, 2), MACHINE, config="fast")
    for arrays in ((), (OFFSETS,), (OFFSETS, HEADS, WEIGHTS, WEIGHTS)):
        with pytest.raises(GraphError, match=re.escape("(offsets, heads[, weights])")):
            procmap.map(arrays, MACHINE)


def test_an_array_that_may_be_traffic_or_an_edge_index_is_refused():
    both = np.array([[0, 5], [5, 0]])
    for graph in (both, both.astype(float)):
        for call in (procmap.map, lambda graph, machine: procmap.evaluate(graph, [0, 1], machine)):
            with pytest.raises(TypeError, match=r"^graph must be .* \(2, 2\) may be either: give"):
                call(graph, MACHINE)
    graph = procmap.Traffic.from_matrix(both).to_graph()  # as the message says
    assert procmap.evaluate(graph, [0, 1], MACHINE).cost == 10
    assert procmap.evaluate(procmap.Graph.from_edge_index(both), [0] * 6, MACHINE).cost == 0


def test_other_arrays_are_refused_by_their_shape():
    with pytest.raises(TypeError, match=r"got ndarray of shape \(3, 4\), dtype float64$"):
        procmap.evaluate(np.ones((3, 4)), [0] * 3, MACHINE)


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        ([0, 1, 2], "blocks has 3 entries, but there are 4 vertices"),
        ([0, 1, 2, 12], "blocks[3] = 12 is not in [0, 12)"),
        ([0, -1, 2, 3], "blocks[1] = -1 is not in [0, 12)"),
        ([0, 1, 2, 2**32], "blocks[3] = 4294967296 does not fit int32"),
        ([0, 1, 2, 0.5], "blocks[3] = 0.5 is not an integer"),
        ([[0, 1], [2, 3]], "blocks must be one-dimensional"),
        ([True] * 4, "blocks must hold integers"),
        (None, "blocks must be one-dimensional"),
    ],
)
def test_unusable_blocks_are_named(blocks, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        procmap.evaluate(grid(2, 2), blocks, MACHINE)


def test_evaluate_checks_its_options_too():
    with pytest.raises(ConfigError, match="imbalance"):
        procmap.evaluate(grid(2, 2), [0] * 4, MACHINE, imbalance=-1)
    with pytest.raises(ConfigError, match="threads"):
        procmap.evaluate(grid(2, 2), [0] * 4, MACHINE, threads=0)


@pytest.mark.parametrize("weight", [2**28, 2**33 + 3])
def test_sums_beyond_32_bits_are_exact(weight):
    graph = procmap.Graph.from_edges(grid_edges(20, 20), 400, np.full(760, weight))
    unit = procmap.map(grid(20, 20), MACHINE)

    mapping = procmap.map(graph, MACHINE)

    assert_report_is_true(graph, mapping.blocks, MACHINE, mapping, 0.03)
    same = procmap.evaluate(graph, unit, MACHINE)
    assert same.cost == unit.cost * weight
    assert same.edge_cut == unit.edge_cut * weight


def test_cost_beyond_64_bits_is_refused_before_any_work():
    graph = procmap.Graph.from_edges(grid_edges(20, 20), 400, np.full(760, 2**50))
    far = Topology.hierarchy("2:2", [1, 2**20])

    with pytest.raises(OverflowError, match=re.escape("2^62")):
        procmap.map(graph, far)
    with pytest.raises(OverflowError, match=re.escape("2^62")):
        procmap.evaluate(graph, np.zeros(400, int), far)


def heavy():
    return grid(20, 20).with_vertex_weights([10000] + [1] * 399)


def test_infeasible_result_warns_with_block_and_excess():
    pattern = r"block \d+ weighs \d+, \d+ more than its capacity of 2678 \(imbalance .*allowed 3"

    with pytest.warns(procmap.InfeasibleWarning, match=pattern) as caught:
        mapping = procmap.partition(heavy(), 4)

    assert caught[0].filename == __file__
    assert not mapping.feasible
    assert "INFEASIBLE" in repr(mapping)
    with pytest.warns(procmap.InfeasibleWarning):
        procmap.map(heavy(), MACHINE)


def test_strict_raises_with_the_mapping_inside():
    with pytest.raises(procmap.InfeasibleError, match="block") as caught:
        procmap.partition(heavy(), 4, strict=True)

    assert caught.value.mapping.max_block_weight >= 10000
    copy = pickle.loads(pickle.dumps(caught.value))
    assert copy.mapping.cost == caught.value.mapping.cost
    assert procmap.partition(grid(20, 20), 4, strict=True).feasible


def test_evaluate_reports_infeasible_without_a_warning():
    assert not procmap.evaluate(grid(2, 2), [0] * 4, MACHINE).feasible


def test_seed_changes_the_mapping_and_repeats_it():
    blocks = [
        procmap.map(grid(30, 30), MACHINE, seed=seed).blocks.tolist() for seed in (0, 1, 2**64 - 1)
    ]

    assert blocks[0] != blocks[1]
    assert blocks[0] == procmap.map(grid(30, 30), MACHINE).blocks.tolist()
    assert blocks[2] == procmap.map(grid(30, 30), MACHINE, seed=2**64 - 1).blocks.tolist()


@pytest.mark.parametrize("preset", Config.preset_names())
def test_any_number_of_threads_gives_the_same_mapping(preset):
    graph = random_weighted(800, 3000, seed=4)

    blocks = [
        procmap.map(graph, MACHINE, preset=preset, threads=threads, imbalance=0.1).blocks.tolist()
        for threads in (1, 3)
    ]

    assert blocks[0] == blocks[1]


@pytest.mark.parametrize("make", [procmap.map, lambda g, t: procmap.partition(g, t.num_pes)])
def test_as_many_tasks_as_pes_get_one_each_unless_told_otherwise(make):
    machine = Topology.hierarchy("4:5:10", "1:10:100")
    graph = grid(14, 14)  # 196 tasks, of which 1.03 times 196 / 200 would be two per PE

    mapping = make(graph, machine)

    assert mapping.max_block_weight == mapping.capacity == 1
    assert procmap.evaluate(graph, mapping, machine).capacity == 1
    assert procmap.evaluate(graph, mapping, machine, imbalance=0.03).capacity == 2
    assert procmap.map(graph.with_vertex_weights([2] * 196), machine).capacity == 3
