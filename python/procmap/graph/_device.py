# SPDX-License-Identifier: MIT
"""Arrays in the memory of a GPU: taken from CuPy, PyTorch, Numba, JAX etc., and given back."""

from __future__ import annotations

import operator
import re
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap import _core
from procmap._util.errors import ConfigError, GraphError
from procmap._util.messages import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_LEGACY_DEFAULT_STREAM = 1

#: How messages list the names of GPUs: "'cuda' or 'cuda:N'".
GPU_NAMES = ", ".join(f"{kind!r} or '{kind}:N'" for kind in _core.gpu_kinds())


def is_gpu_name(name: str) -> bool:
    """Whether this is a name such as "cuda" or "cuda:N"; the core knows whether it can be used."""
    return re.fullmatch(rf"({'|'.join(_core.gpu_kinds())})(:\d{{1,9}})?", name) is not None


class DeviceArray:
    """Blocks in the memory of a GPU, one int32 per task.

    What comes back for a graph whose arrays are neither CuPy's nor PyTorch's. It has
    ``__dlpack__`` and ``__cuda_array_interface__``, so that any library of arrays can take it over
    without a copy.
    """

    __slots__ = ("_native",)

    _native: _core.DeviceArray

    def __init__(self, native: _core.DeviceArray) -> None:
        self._native = native

    @property
    def device(self) -> str:
        """The GPU, "cuda:N"."""
        return self._native.device

    @property
    def shape(self) -> tuple[int]:
        """``(n,)``."""
        return (self._native.size,)

    def to_numpy(self) -> NDArray[np.int32]:
        """Return a copy in host memory."""
        return self._native.to_numpy([])

    def __len__(self) -> int:
        return self._native.size

    def __repr__(self) -> str:
        return f"DeviceArray({len(self)} int32 on {self.device})"

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Where the array lies; nothing is under way that writes it."""
        return {
            "shape": self.shape,
            "typestr": self._native.type_name,
            "data": (self._native.data, False),
            "strides": None,
            "stream": None,
            "version": 3,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return DLPack's name of the GPU."""
        return self._native.dlpack_device

    def __dlpack__(self, *, stream: object = None, **_: object) -> object:
        """Return the array as a DLPack capsule; no stream has to wait for it."""
        return self._native.to_dlpack()


DeviceArray.__module__ = "procmap"


def on_gpu(values: object) -> bool:
    """Whether `values` is an array in the memory of a GPU."""
    if hasattr(values, "__dlpack_device__"):
        return _core.is_dlpack_gpu(int(values.__dlpack_device__()[0]))
    return hasattr(values, "__cuda_array_interface__")


def stream_handle(stream: object) -> int:
    """Return the handle of a CUDA stream; None is the legacy default stream.

    Parameters
    ----------
    stream
        The handle itself, or an object with ``ptr`` (CuPy), ``cuda_stream`` (PyTorch) or
        ``__cuda_stream__`` (cuda.core).
    """
    handle: Any = stream
    if hasattr(stream, "__cuda_stream__"):
        handle = stream.__cuda_stream__()[1]
    elif hasattr(stream, "ptr"):
        handle = stream.ptr
    elif hasattr(stream, "cuda_stream"):
        handle = stream.cuda_stream
    elif stream is None:
        handle = _LEGACY_DEFAULT_STREAM
    try:
        if isinstance(handle, bool):
            raise TypeError
        return operator.index(handle) or _LEGACY_DEFAULT_STREAM
    except TypeError:
        raise ConfigError(
            "stream must be the handle of a CUDA stream or have 'ptr', 'cuda_stream' or "
            f"'__cuda_stream__', got {shown(stream)}"
        ) from None


def borrow(values: Any, name: str, streams: list[int]) -> _core.DeviceArray:
    """Return an array on a GPU as the core takes it, without a copy.

    Parameters
    ----------
    values
        The array.
    name
        How messages call it.
    streams
        The stream it will be read in; those that may still write it are added.
    """
    if hasattr(values, "__dlpack__"):
        capsule = values.__dlpack__(stream=streams[0])
        try:
            return _core.DeviceArray.from_dlpack(capsule, name)
        except (TypeError, ValueError) as exc:
            raise GraphError(str(exc)) from None
    interface = values.__cuda_array_interface__
    shape, strides = interface["shape"], interface.get("strides")
    if len(shape) != 1:
        raise GraphError(f"{name} must be one-dimensional, got shape {shape}")
    if (
        strides is not None
        and shape[0] > 1
        and strides[0] != np.dtype(interface["typestr"]).itemsize
    ):
        raise GraphError(f"{name} must be contiguous")
    if interface.get("mask") is not None:
        raise GraphError(f"{name} has masked values; fill them first")
    if interface.get("stream") is not None:
        streams.append(stream_handle(interface["stream"]))
    try:
        return _core.DeviceArray.from_pointer(
            interface["data"][0], shape[0], interface["typestr"], _cuda_device_of(values), values
        )
    except TypeError as exc:
        raise GraphError(f"{name}: {exc}") from None


def _cuda_device_of(values: Any) -> str:
    """Return the GPU of an array that has only ``__cuda_array_interface__``, which does not say."""
    context = getattr(values, "gpu_data", None)  # Numba
    ordinal = getattr(getattr(getattr(context, "context", None), "device", None), "id", 0)
    return f"cuda:{int(ordinal)}"


def to_numpy(values: Any, name: str) -> Any:
    """Return an array on a GPU as a NumPy array; anything else as it is."""
    if not on_gpu(values):
        return values
    shape = tuple(getattr(values, "shape", ()))
    if len(shape) > 1 and hasattr(values, "reshape"):  # the core takes rows one behind the other
        return to_numpy(values.reshape(-1), name).reshape(shape)
    streams = [_LEGACY_DEFAULT_STREAM]
    return borrow(values, name, streams).to_numpy(streams)


def kind_of(values: object) -> str:
    """Return the package of an array, "cupy" for example."""
    return type(values).__module__.partition(".")[0]


def blocks_of_kind(blocks: NDArray[np.int32], kind: str, device: str) -> Any:
    """Return a copy of `blocks` on a GPU as an array of the package `kind`, or a DeviceArray."""
    array = DeviceArray(_core.DeviceArray.from_blocks(np.ascontiguousarray(blocks), device))
    package = sys.modules.get(kind)
    return package.from_dlpack(array) if package and kind in ("cupy", "torch") else array


def borrow_rows(
    arrays: dict[str, Any], stream: object
) -> tuple[list[_core.DeviceArray | None], list[int]]:
    """Return the arrays of a graph as the core takes them, and the streams to wait for.

    Raises
    ------
    GraphError
        If they do not all lie on one GPU.
    """
    streams = [stream_handle(stream)]
    given = {name: values for name, values in arrays.items() if values is not None}
    on_host = [name for name, values in given.items() if not on_gpu(values)]
    if on_host:
        on_device = next(name for name in given if name not in on_host)
        raise GraphError(f"{on_device} lies on a GPU, but {on_host[0]} in host memory")
    taken = {name: borrow(values, name, streams) for name, values in given.items()}
    devices: Sequence[str] = sorted({array.device for array in taken.values()})
    if len(devices) > 1:
        raise GraphError(f"the arrays lie on different GPUs, {devices[0]} and {devices[1]}")
    return [taken.get(name) for name in arrays], streams
