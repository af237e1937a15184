# SPDX-License-Identifier: MIT
"""What is made of a graph on a GPU is there too, for the same package; without a GPU."""

import numpy as np
import pytest

import procmap
from procmap import _core
from support import random_weighted

SCALED = [0.5, 1.25] * 150


class OnGpu:
    """Stands for a graph of the core whose arrays are on a GPU and must not be fetched."""

    def __init__(self, native, device):
        self._native, self.device = native, device
        for name in ("num_vertices", "num_weights", "has_arc_weights", "has_vertex_weights"):
            setattr(self, name, getattr(native, name))

    def to_device(self, device):
        return OnGpu(self._native, device)

    def device_arrays(self):
        weights = self._native.arc_weights if self.has_arc_weights else None
        return self._native.offsets, self._native.heads, weights

    @staticmethod
    def from_device(offsets, heads, arc_weights, vertex_weights, streams, copy):
        assert not copy
        assert streams == []
        return OnGpu(_core.Graph.from_csr(offsets, heads, arc_weights, vertex_weights), "cuda:1")


@pytest.fixture
def host():
    graph = random_weighted(300, 1200, seed=1)
    return procmap.Graph.from_csr(graph.offsets, graph.heads, graph.arc_weights / 4)


@pytest.fixture
def on_gpu(host, monkeypatch):
    monkeypatch.setattr(_core.Graph, "from_device", staticmethod(OnGpu.from_device))
    place = staticmethod(lambda values, device: values if device == "cuda:1" else None)
    monkeypatch.setattr(_core.DeviceArray, "from_weights", place, raising=False)
    graph = procmap.Graph._wrap(OnGpu(host._native, "cuda:1"), host.traffic_scale)
    graph._kind = "cupy"
    return graph


def test_other_loads_leave_a_graph_on_its_gpu(host, on_gpu):
    made = on_gpu.with_vertex_weights(SCALED)

    expected = host.with_vertex_weights(SCALED)
    assert (made.device, made._kind) == ("cuda:1", "cupy")
    assert (made.traffic_scale, made.load_scale) == (host.traffic_scale, expected.load_scale)
    assert (made._native._native.vertex_weights == expected.vertex_weights).all()
    assert np.shares_memory(made._native._native.heads, host.heads)


def test_another_gpu_gets_a_graph_of_the_same_package(host, on_gpu):
    made = on_gpu.with_vertex_weights(SCALED).to_device("cuda:2")

    assert (made.device, made._kind) == ("cuda:2", "cupy")
    assert made.traffic_scale == host.traffic_scale
    assert host._kind is None
