# SPDX-License-Identifier: MIT
"""Tasks with several weights are mapped on a GPU as on the host."""

import numpy as np
import pytest

import procmap
from procmap import Topology
from support import grid, random_weighted

MACHINES = {
    "hierarchy": Topology.hierarchy("4:2:3", "1:10:100"),
    "torus": Topology.torus(3, 4),
    "table": Topology.dragonfly(2, 3, 2),
}


def weights_of(graph, count, seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 20, (graph.num_vertices, count))
    weights[:, -1] *= rng.random(graph.num_vertices) < 0.2  # few have some of the last one
    return weights


def both(graph, *args, **options):
    there = procmap.map(graph, *args, device="cuda", strict=False, **options)
    here = procmap.map(graph, *args, device="cpu", strict=False, **options)
    assert there.stats.device == "cuda:0"
    assert (there.blocks == here.blocks).all()
    assert there.cost == here.cost
    assert there.feasible == here.feasible
    return there


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("preset", ["fast", "default", "im", "hm"])
@pytest.mark.parametrize("count", [2, 3, 8])
def test_same_mapping(count, preset, machine):
    for seed, graph in enumerate((grid(50, 60), random_weighted(4000, 16000, seed=3))):
        loads = weights_of(graph, count, seed)

        both(graph, MACHINES[machine], vertex_weights=loads, preset=preset, seed=seed)


def test_strong():
    graph = grid(40, 40)

    both(graph, MACHINES["hierarchy"], vertex_weights=weights_of(graph, 2, 1), preset="strong")


@pytest.mark.parametrize("machine", MACHINES)
def test_constraints(machine):
    graph, topology = grid(40, 40), MACHINES[machine]
    k = topology.num_pes
    loads = weights_of(graph, 2, 7)
    fixed = np.full(1600, -1)
    fixed[::50] = np.arange(32) % k
    capacities = np.tile(loads.sum(axis=0) // k + 60, (k, 1))
    capacities[0, 1] = 0
    capacities[1] *= 2

    first = both(graph, topology, vertex_weights=loads, fixed=fixed, capacities=capacities)
    changed = loads + np.random.default_rng(8).integers(0, 5, loads.shape)
    both(graph, topology, vertex_weights=changed, initial=first.blocks, migration_cost=0.5)


def test_partitions():
    graph = random_weighted(5000, 20000, seed=5)
    loads = weights_of(graph, 3, 2)
    for k in (2, 7, 64, 300):
        there = procmap.partition(graph, k, vertex_weights=loads, device="cuda", strict=False)
        here = procmap.partition(graph, k, vertex_weights=loads, device="cpu", strict=False)
        assert (there.blocks == here.blocks).all()


def test_arrays_on_the_gpu(package):
    graph = random_weighted(3000, 12000, seed=1)
    loads = weights_of(graph, 3, 1)
    arrays = [package.put(np.array(a)) for a in (graph.offsets, graph.heads, graph.arc_weights)]

    there = procmap.Graph.from_csr(*arrays, package.put(loads))
    resident = graph.with_vertex_weights(loads).to_device("cuda")

    expected = procmap.map(graph, MACHINES["hierarchy"], vertex_weights=loads, device="cpu")
    named = resident.with_vertex_weights({"a": loads[:, 0], "b": loads[:, 1], "c": loads[:, 2]})
    assert named.weight_names == ("a", "b", "c")
    for one in (there, resident, named):
        assert one.device == "cuda:0"
        assert (one.vertex_weights == loads).all()
        mapping = procmap.map(one, MACHINES["hierarchy"])
        assert mapping.stats.device == "cuda:0"
        blocks = package.fetch(mapping.blocks) if one is there else mapping.blocks
        assert (blocks == expected.blocks).all()


def test_bad_weights_are_named(package):
    graph = random_weighted(50, 200, seed=1)
    arrays = [package.put(np.array(a)) for a in (graph.offsets, graph.heads)]
    bad = np.ones((50, 2), np.int64)
    bad[7, 1] = -3
    with pytest.raises(procmap.GraphError, match=r"vertex_weights\[7, 1\] = -3 is negative"):
        procmap.Graph.from_csr(*arrays, vertex_weights=package.put(bad))
    bad[7] = (-3, 1)
    with pytest.raises(procmap.GraphError, match=r"vertex_weights\[7, 0\] = -3 is negative"):
        procmap.Graph.from_csr(*arrays, vertex_weights=package.put(bad))
