# SPDX-License-Identifier: MIT
"""Graphs whose arrays lie on a GPU give what the same graphs give on the host."""

import warnings

import numpy as np
import pytest

import procmap
from bad_inputs import PLAIN_BAD_GRAPHS, PLAIN_LEGAL
from support import MACHINE, grid, random_weighted


def arrays_of(graph):
    return graph.offsets, graph.heads, graph.arc_weights


def put_all(package, *arrays):
    return tuple(None if a is None else package.put(np.array(a)) for a in arrays)


@pytest.mark.parametrize("preset", ["fast", "im", "hm"])
def test_arrays_are_used_where_they_lie(package, preset):
    graph = random_weighted(3000, 12000, seed=1)
    on_gpu = put_all(package, *arrays_of(graph))
    loads = package.put(np.array(graph.vertex_weights))

    mapping = procmap.map(on_gpu, MACHINE, vertex_weights=loads, preset=preset)

    expected = procmap.map(graph, MACHINE, preset=preset, device="cpu")
    assert isinstance(mapping.blocks, package.array)
    assert mapping.stats.device == "cuda:0"
    assert mapping.stats.device_reason == "auto: the graph lies there"
    assert (package.fetch(mapping.blocks) == expected.blocks).all()
    assert mapping.cost == expected.cost
    assert "upload" not in {phase.name for phase in mapping.stats.phases}


@pytest.mark.parametrize(
    ("offsets", "heads", "weights"),
    [
        (np.int64, np.int32, np.int64),
        (np.int32, np.int64, np.int32),
        (np.uint32, np.uint64, np.float64),
        (np.int32, np.int32, np.float32),
        (np.uint64, np.int16, np.uint8),
    ],
)
def test_every_type_of_element_is_taken(package, offsets, heads, weights):
    if package.name == "torch" and np.uint64 in (offsets, heads):
        pytest.skip("PyTorch has few unsigned types")
    graph = random_weighted(500, 2000, seed=2)
    arrays = (graph.offsets.astype(offsets), graph.heads.astype(heads))
    arrays += ((graph.arc_weights % 100).astype(weights),)

    mapping = procmap.map(put_all(package, *arrays), MACHINE)

    expected = procmap.map(arrays, MACHINE, device="cpu")
    assert (package.fetch(mapping.blocks) == expected.blocks).all()


@pytest.mark.parametrize("name", sorted(PLAIN_BAD_GRAPHS))
def test_messages_are_those_of_the_host(package, name):
    bad, text = PLAIN_BAD_GRAPHS[name]
    arrays = put_all(package, bad.offsets, bad.heads, bad.weights, bad.loads)
    message = None
    try:
        procmap.Graph.from_csr(bad.offsets, bad.heads, bad.weights, bad.loads)
    except procmap.GraphError as error:
        message = str(error)

    if message is None:  # fractions: the host scales them
        assert procmap.Graph.from_csr(*arrays).device == "cuda:0"
        return
    with pytest.raises(procmap.GraphError) as caught:
        procmap.Graph.from_csr(*arrays)

    assert text in message
    assert str(caught.value) == message


@pytest.mark.parametrize("name", sorted(PLAIN_LEGAL))
def test_odd_graphs_give_the_same(package, name):
    odd = PLAIN_LEGAL[name]
    arrays = put_all(package, odd.offsets, odd.heads, odd.weights)
    loads = package.put(np.array(odd.loads))
    options = {"imbalance": odd.imbalance, "preset": "fast"}

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", procmap.InfeasibleWarning)
        mapping = procmap.partition(arrays, odd.k, vertex_weights=loads, **options)
        expected = procmap.partition(
            odd.graph(), odd.k, vertex_weights=odd.loads, device="cpu", **options
        )

    assert (package.fetch(mapping.blocks) == expected.blocks).all()
    assert mapping.stats.device == "cuda:0"


def test_evaluation_runs_on_the_gpu(package):
    graph = random_weighted(2000, 9000, seed=3)
    mapping = procmap.map(put_all(package, *arrays_of(graph)), MACHINE)
    on_gpu = procmap.Graph.from_csr(*put_all(package, *arrays_of(graph), graph.vertex_weights))

    for blocks in (mapping, mapping.blocks, package.fetch(mapping.blocks)):
        report = procmap.evaluate(on_gpu, blocks, MACHINE)
        expected = procmap.evaluate(graph, package.fetch(mapping.blocks), MACHINE, device="cpu")
        assert report.cost == expected.cost
        assert (report.level_traffic == expected.level_traffic).all()
        assert (report.block_weights == expected.block_weights).all()


def test_graph_stays_on_the_gpu_for_several_calls():
    graph = grid(100, 100).to_device("cuda")

    mapping = procmap.map(graph, MACHINE)

    assert graph.device == mapping.stats.device == "cuda:0"
    assert isinstance(mapping.blocks, np.ndarray)
    assert (mapping.blocks == procmap.map(grid(100, 100), MACHINE, device="cpu").blocks).all()
    assert (graph.heads == grid(100, 100).heads).all()
    assert procmap.map(graph, MACHINE, device="cpu").stats.device == "cpu"


def test_other_loads_leave_a_graph_where_it_is(package):
    graph = random_weighted(2000, 9000, seed=5)
    on_gpu = procmap.Graph.from_csr(*put_all(package, *arrays_of(graph)))
    loads = np.arange(2000) % 7 + 1

    for given, same in ((loads, loads), (package.put(loads), loads), (loads / 4, loads / 4)):
        mapping = procmap.map(on_gpu, MACHINE, vertex_weights=given)
        expected = procmap.map(graph, MACHINE, vertex_weights=same, device="cpu")
        assert on_gpu.with_vertex_weights(given).device == "cuda:0"
        assert isinstance(mapping.blocks, package.array)
        assert mapping.stats.device_reason == "auto: the graph lies there"
        assert (package.fetch(mapping.blocks) == expected.blocks).all()
        assert (mapping.block_weights == expected.block_weights).all()
    for bad, text in (([-1] * 2000, "-1"), ([1] * 3, "vertex_weights has 3 entries")):
        with pytest.raises(procmap.GraphError, match=text):
            on_gpu.with_vertex_weights(bad)


def test_graph_that_is_moved_stays_of_its_package(package):
    on_gpu = procmap.Graph.from_csr(*put_all(package, *arrays_of(grid(30, 30))))

    mapping = procmap.map(on_gpu.to_device("cuda"), MACHINE)

    assert isinstance(mapping.blocks, package.array)


def test_results_can_be_written_and_counted(package, tmp_path):
    graph = grid(3, 4)
    mapping = procmap.map(put_all(package, *arrays_of(graph)), MACHINE, imbalance=0.0)

    mapping.write(tmp_path / "mapping")

    written = procmap.read_mapping(tmp_path / "mapping")
    assert (written == package.fetch(mapping.blocks)).all()
    assert (mapping.permutation == written).all()


def test_work_waits_for_the_stream_of_the_user(package):
    graph = grid(300, 300)
    right = put_all(package, *arrays_of(graph))
    wrong = put_all(package, *(np.zeros_like(a) for a in arrays_of(graph)))
    big = package.put(np.ones((4096, 4096), np.float32))
    stream = package.make_stream()

    with package.use(stream):
        product = big
        for _ in range(20):  # keeps the stream busy while the call starts
            product = product @ big
        for target, source in zip(wrong, right, strict=True):
            target[:] = source
        mapping = procmap.map(wrong, MACHINE, preset="fast", stream=stream)

    expected = procmap.map(graph, MACHINE, preset="fast", device="cpu").blocks
    assert (package.fetch(mapping.blocks) == expected).all()


def test_blocks_outlive_everything_and_may_be_dropped_in_any_order(package):
    arrays = put_all(package, *arrays_of(grid(50, 50)))
    first = procmap.map(arrays, MACHINE, preset="fast").blocks
    expected = package.fetch(first).copy()

    for _ in range(10):
        procmap.map(arrays, MACHINE, preset="fast", seed=7)
    del arrays

    assert (package.fetch(first) == expected).all()


def test_arrays_of_other_packages_give_a_device_array():
    cupy = pytest.importorskip("cupy")

    class Foreign:  # has the interface and nothing else
        def __init__(self, values):
            self._values = cupy.asarray(values)
            self.__cuda_array_interface__ = self._values.__cuda_array_interface__

    graph = grid(20, 20)
    mapping = procmap.map(tuple(Foreign(np.array(a)) for a in arrays_of(graph)), MACHINE)

    assert isinstance(mapping.blocks, procmap.DeviceArray)
    expected = procmap.map(graph, MACHINE, device="cpu").blocks
    assert (cupy.asnumpy(cupy.asarray(mapping.blocks)) == expected).all()
    assert (cupy.asnumpy(cupy.from_dlpack(mapping.blocks)) == expected).all()
    assert (mapping.blocks.to_numpy() == expected).all()


def test_arrays_in_different_places_are_refused(package):
    offsets, heads, weights = arrays_of(grid(4, 4))

    with pytest.raises(procmap.GraphError, match="offsets lies on a GPU, but heads in host memory"):
        procmap.map((package.put(np.array(offsets)), heads, weights), MACHINE)


def test_shapes_are_checked(package):
    offsets, heads, _ = put_all(package, *arrays_of(grid(4, 4)))

    with pytest.raises(procmap.GraphError, match="heads must be one-dimensional"):
        procmap.map((offsets, heads.reshape(-1, 1)), MACHINE)
    with pytest.raises(procmap.GraphError, match="heads must be contiguous"):
        procmap.map((offsets, heads[::2]), MACHINE)
