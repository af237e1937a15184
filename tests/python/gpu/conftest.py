# SPDX-License-Identifier: MIT
"""Tests in this folder need a GPU and are skipped without one."""

from pathlib import Path

import pytest

import procmap
from support import MACHINE, grid


def _reason_for_no_gpu():
    try:
        procmap.map(grid(2, 2), MACHINE, device="cuda")
    except procmap.DeviceError as error:
        return str(error)
    return None


def pytest_collection_modifyitems(items):
    here = [item for item in items if item.path.parent == Path(__file__).parent]
    reason = _reason_for_no_gpu() if here else None
    for item in here:
        item.add_marker(pytest.mark.filterwarnings("default"))  # CuPy and PyTorch warn
        if reason is not None:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(params=["cupy", "torch"])
def package(request):
    """A package of arrays on GPUs, as functions that put arrays there and fetch them."""
    module = pytest.importorskip(request.param)
    return Cupy(module) if request.param == "cupy" else Torch(module)


class Cupy:
    name = "cupy"

    def __init__(self, cupy):
        self.array = cupy.ndarray
        self.put = cupy.asarray
        self.fetch = cupy.asnumpy
        self.make_stream = lambda: cupy.cuda.Stream(non_blocking=True)
        self.use = lambda stream: stream


class Torch:
    name = "torch"

    def __init__(self, torch):
        self.array = torch.Tensor
        self.put = lambda values: torch.as_tensor(values).cuda()
        self.fetch = lambda tensor: tensor.cpu().numpy()
        self.make_stream = torch.cuda.Stream
        self.use = torch.cuda.stream
