# SPDX-License-Identifier: MIT
"""Tasks with several weights: no PE exceeds its capacity in any of them."""

import itertools
import json
import pickle
import warnings

import numpy as np
import pytest

import procmap
import support
from procmap import ConfigError, GraphError, Topology
from procmap.cli import main


def grid(side):
    return support.grid(side, side)


def loads_of(mapping, weights, k):
    loads = np.zeros((k, weights.shape[1]), np.int64)
    np.add.at(loads, mapping.blocks, weights)
    return loads


def limits(weights, k, imbalance=0.03):
    totals = weights.sum(axis=0).tolist()
    return np.array([procmap._core.block_capacity(total, k, imbalance) for total in totals])


def weight_sets(side, count):
    """Sets of weights by name: independent, in conflict, of a region, zero, on few vertices."""
    n, rng = side * side, np.random.default_rng(count)
    rows = np.arange(n) // side
    yield "random", rng.integers(0, 20, (n, count))
    yield "opposite", np.stack([(rows + i * side // count) % side for i in range(count)], 1)
    half = np.ones((n, count), np.int64)
    half[:, -1] = rows < side // 2
    yield "half", half
    zero = rng.integers(1, 5, (n, count))
    zero[:, -1] = 0
    yield "zero", zero
    few = np.ones((n, count), np.int64)
    few[:, -1] = 0
    few[rng.permutation(n)[:16], -1] = 100
    yield "few", few


@pytest.mark.parametrize("count", [2, 3, 8])
@pytest.mark.parametrize("k", [2, 8])
def test_every_block_keeps_every_limit(count, k):
    graph = grid(24)
    for name, weights in weight_sets(24, count):
        mapping = procmap.partition(graph, k, vertex_weights=weights, preset="fast")

        loads = loads_of(mapping, weights, k)
        assert (loads <= limits(weights, k)).all(), (name, loads)
        assert mapping.feasible
        for i, weight in enumerate(mapping.weights):
            assert weight.block_weights.tolist() == loads[:, i].tolist()


@pytest.mark.parametrize("preset", ["fast", "default", "im", "hm"])
@pytest.mark.parametrize("machine", [Topology.hierarchy("2:2:2", "1:10:100"), Topology.torus(2, 3)])
def test_machines_and_presets(preset, machine):
    graph = grid(20)
    weights = np.random.default_rng(1).integers(0, 9, (400, 2))

    mapping = procmap.map(graph, machine, vertex_weights=weights, preset=preset)

    assert mapping.feasible
    assert (loads_of(mapping, weights, machine.num_pes) <= limits(weights, machine.num_pes)).all()
    again = procmap.evaluate(graph, mapping, machine, vertex_weights=weights)
    assert again.cost == mapping.cost
    assert [w.imbalance for w in again.weights] == [w.imbalance for w in mapping.weights]


@pytest.mark.parametrize(
    "machine", [Topology.torus(6, 6), Topology.hierarchy("3:3:4", "1:10:100")], ids=repr
)
def test_few_tasks_per_pe_are_annealed(machine):
    graph, weights = grid(18), np.random.default_rng(1).integers(5, 10, (324, 2))
    fixed = np.where(np.arange(324) % 11 == 0, np.arange(324) // 11, -1)
    config = procmap.Config.preset("default")
    without = config.replace({"machine.task_annealing": 0})

    def mapped(config):
        return [
            procmap.map(
                graph,
                machine,
                vertex_weights=weights,
                fixed=fixed,
                imbalance=0.08,
                config=config,
                seed=seed,
            )
            for seed in range(3)
        ]

    annealed = mapped(config)

    assert all(mapping.feasible for mapping in annealed)
    assert all((mapping.blocks[fixed >= 0] == fixed[fixed >= 0]).all() for mapping in annealed)
    assert sum(mapping.cost for mapping in annealed) < sum(
        mapping.cost for mapping in mapped(without)
    )


def test_one_column_is_one_weight():
    graph, weights = grid(20), np.random.default_rng(2).integers(1, 9, 400)

    one = procmap.partition(graph, 8, vertex_weights=weights)
    column = procmap.partition(graph, 8, vertex_weights=weights[:, None])

    assert one.blocks.tolist() == column.blocks.tolist()
    assert len(one.weights) == 1


@pytest.mark.parametrize("count", [1, 2, 8])
def test_no_vertices_have_as_many_weights_as_were_given(count):
    weights = np.zeros((0, count), int)
    graph = procmap.Graph.from_edges([], vertex_weights=weights)

    for made in (graph, pickle.loads(pickle.dumps(graph)), graph.with_vertex_weights(weights)):
        assert made.num_weights == count
        assert made.vertex_weights.shape == ((0,) if count == 1 else (0, count))
        assert made.weight_names == graph.weight_names
    for report in (
        procmap.partition(([0], []), 2, vertex_weights=weights),
        procmap.evaluate(graph, [], Topology.flat(2)),
    ):
        assert len(report.weights) == count
        assert report.feasible


def test_threads_do_not_matter():
    graph, weights = grid(40), np.random.default_rng(3).integers(0, 9, (1600, 3))
    machine = Topology.hierarchy("4:4", "1:10")

    mappings = [
        procmap.map(graph, machine, vertex_weights=weights, threads=threads)
        for threads in (1, 2, 3)
    ]

    assert mappings[0].blocks.tolist() == mappings[1].blocks.tolist() == mappings[2].blocks.tolist()


def test_imbalance_of_every_weight():
    graph, weights = grid(20), np.random.default_rng(4).integers(1, 9, (400, 2))

    mapping = procmap.partition(graph, 8, vertex_weights=weights, imbalance=(0.05, 0.2))

    assert [w.capacity for w in mapping.weights] == [
        limits(weights, 8, 0.05)[0],
        limits(weights, 8, 0.2)[1],
    ]
    assert mapping.feasible


def test_capacities_of_every_weight():
    graph, weights = grid(20), np.ones((400, 2), np.int64)
    weights[:, 1] = np.arange(400) < 100
    capacities = np.array([[100, 60], [100, 60], [150, 0], [150, 0]])

    mapping = procmap.partition(graph, 4, vertex_weights=weights, capacities=capacities)

    assert mapping.feasible
    assert (loads_of(mapping, weights, 4) <= capacities).all()


def test_fixed_and_given_mappings():
    graph, weights = grid(20), np.random.default_rng(5).integers(0, 9, (400, 2))
    fixed = np.full(400, -1)
    fixed[[0, 17, 399]] = [3, 2, 0]
    bad = np.zeros(400, np.int32)
    bad[fixed >= 0] = fixed[fixed >= 0]

    made = procmap.partition(graph, 4, vertex_weights=weights)
    pinned = procmap.map(graph, Topology.flat(4), vertex_weights=weights, fixed=fixed)
    better = procmap.map(graph, Topology.flat(4), vertex_weights=weights, initial=made)
    repaired = procmap.map(
        graph, Topology.flat(4), vertex_weights=weights, initial=bad, fixed=fixed, migration_cost=1
    )

    assert pinned.blocks[[0, 17, 399]].tolist() == [3, 2, 0]
    assert repaired.blocks[[0, 17, 399]].tolist() == [3, 2, 0]
    assert better.cost <= made.cost
    assert made.feasible
    assert pinned.feasible
    assert better.feasible
    assert repaired.feasible


def test_a_vertex_heavier_than_a_block_is_named():
    graph, weights = grid(10), np.ones((100, 2), np.int64)
    weights[7, 1] = 1000

    with pytest.warns(procmap.InfeasibleWarning, match="weighs 1.* in 'memory'") as caught:
        mapping = procmap.partition(
            graph, 4, vertex_weights={"time": weights[:, 0], "memory": weights[:, 1]}
        )

    pe = mapping.blocks[7]
    assert f"block {pe} weighs {mapping.weights[1].block_weights[pe]}" in str(caught[0].message)
    assert "time" not in str(caught[0].message)
    assert not mapping.feasible
    assert mapping.weights[1].excess[pe] > 0
    assert not mapping.weights[0].excess.any()


def test_fractions_have_a_scale_each():
    graph = grid(10)
    time = np.full(100, 0.25)
    memory = np.arange(100)

    graph = graph.with_vertex_weights({"time": time, "memory": memory})
    mapping = procmap.partition(graph, 4)

    assert graph.weight_names == ("time", "memory")
    assert [float(scale.unit) for scale in graph.load_scales] == [0.25, 1]
    assert mapping.weights[0].block_weights.sum() == time.sum()
    assert mapping.weights[1].block_weights.sum() == memory.sum()


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones((4, 9), np.int64), "1 to 8 weights, but vertex_weights has 9 columns"),
        (np.ones((4, 0), np.int64), "1 to 8 weights"),
        (np.ones((3, 2), np.int64), "3 entries, but there are 4"),
        ([[1, 1], [1, -1], [1, 1], [1, 1]], r"vertex_weights\[1, 1\] = -1 is negative"),
        ([[1, 2**58], [1, 1], [1, 1], [1, 1]], r"vertex_weights\[:, 1\] add up to 2\^58"),
        ({"a": [1, 1, 1, 1], "b": [1, 1]}, r"vertex_weights\['b'\] has 2 entries"),
        ({3: [1, 1, 1, 1]}, "names of vertex weights must be strings, got 3"),
    ],
)
def test_bad_weights(weights, message):
    with pytest.raises(GraphError, match=message):
        grid(2).with_vertex_weights(weights)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"imbalance": (0.1, 0.1, 0.1)}, "imbalance has 3 entries, but tasks have 2 weights"),
        ({"imbalance": (0.1, -1)}, "imbalance = -1"),
        ({"capacities": [4, 4]}, "a column for each of the 2 weights"),
        ({"capacities": [[4, 4], [4, -1]]}, r"capacities\[1, 1\] = -1 is negative"),
        ({"capacities": [[4, 1], [4, 1]]}, r"capacities\[:, 1\] sum up to 2, less than .* 4"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises((ConfigError, procmap.DeviceError), match=message):
        procmap.partition(grid(2), 2, vertex_weights=np.ones((4, 2), np.int64), **options)


def test_metis_files(tmp_path, capsys):
    graph = grid(6).with_vertex_weights(np.random.default_rng(6).integers(0, 9, (36, 3)))
    path = tmp_path / "grid.graph"

    graph.write(path)
    read = procmap.Graph.read(path)

    assert path.read_text().splitlines()[0] == "36 60 010 3"
    assert (read.vertex_weights == graph.vertex_weights).all()
    assert read.total_weights == graph.total_weights
    assert main(["partition", str(path), "-k", "3", "-e", "0.1,0.2,0.3", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [weight["name"] for weight in result["weights"]] == ["load 0", "load 1", "load 2"]
    assert result["feasible"]


@pytest.mark.parametrize("seed", range(10))
def test_tight_capacities_of_few_tasks_are_met(seed):
    rng = np.random.default_rng(seed)
    weights = np.where(rng.random((32, 2)) < 0.3, rng.integers(1, 20, (32, 2)), 0)
    room = np.ceil(1.05 * np.add.reduceat(weights, np.arange(0, 32, 4))).astype(int)
    order = rng.permutation(32)
    traffic = np.triu(rng.random((32, 32)) < 0.1, 1).astype(int)

    mapping = procmap.map(
        traffic + traffic.T,
        Topology.flat(8),
        vertex_weights=weights[order],
        capacities=room,
        preset="fast",
        allow_empty=True,
    )

    assert mapping.feasible
    assert (loads_of(mapping, weights[order], 8) <= room).all()


def test_cliques_of_few_tasks_are_put_together_again():
    cliques = np.kron(np.eye(8, dtype=int), np.ones((4, 4), int) - np.eye(4, dtype=int))
    found = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        weights = rng.integers(1, 20, (32, 2))
        room = np.ceil(1.05 * np.add.reduceat(weights, np.arange(0, 32, 4))).astype(int)
        order = rng.permutation(32)
        mapping = procmap.map(
            cliques[np.ix_(order, order)],
            Topology.flat(8),
            vertex_weights=weights[order],
            capacities=room,
            preset="fast",
        )
        assert mapping.feasible
        found.append(mapping.cost)
    assert np.mean(found) < 24, found


def tiny_problem(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 11)), int(rng.integers(2, 4))
    dense = np.triu(rng.integers(0, 4, (n, n)) * (rng.random((n, n)) < 0.4), 1)
    weights = rng.integers(0, 6, (n, 2))
    if seed % 3 == 0:
        weights[:, 1] = 6 - weights[:, 0]  # in conflict
    return n, k, dense + dense.T, weights, float(rng.choice([0, 0.03, 0.1, 0.3]))


def brute_force(n, k, traffic, weights, imbalance):
    """The least cut of all partitions that keep every limit; None if there is none."""
    capacity = limits(weights, k, imbalance)
    blocks = np.array(list(itertools.product(range(k), repeat=n)), np.int8)
    fits = np.ones(len(blocks), bool)
    for b in range(k):
        fits &= ((blocks == b).astype(np.int64) @ weights <= capacity).all(axis=1)
    if not fits.any():
        return None
    rows, columns = np.nonzero(np.triu(traffic))
    cut = (blocks[fits][:, rows] != blocks[fits][:, columns]) @ traffic[rows, columns]
    return int(cut.min())


def test_tiny_problems_against_brute_force():
    feasible = 0
    for seed in range(120):
        n, k, traffic, weights, imbalance = tiny_problem(seed)
        least = brute_force(n, k, traffic, weights, imbalance)
        tails, heads = np.nonzero(np.triu(traffic))
        graph = procmap.Graph.from_edges(
            np.stack([tails, heads], 1), n, weights=traffic[tails, heads]
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mapping = procmap.partition(
                graph, k, vertex_weights=weights, imbalance=imbalance, allow_empty=True, threads=1
            )
        assert mapping.feasible == (least is not None), f"seed {seed}"
        if least is not None:
            feasible += 1
            assert mapping.edge_cut == least, f"seed {seed}"
    assert feasible > 40
