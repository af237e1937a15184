# SPDX-License-Identifier: MIT
"""Arrays as NumPy stores them, read without trust: no objects, and no memory before the bytes."""

from __future__ import annotations

import io
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.compressed import most_bytes
from procmap._util.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from procmap._util.source import Source

_LOCAL_HEADER = 30  # bytes before the names of a member of a zip file
_LONGEST_HEADER = 2**17  # of an array of numbers; NumPy itself refuses more than 10^4 characters

NPY_MAGIC, ZIP_MAGIC = b"\x93NUMPY", b"PK\x03\x04"

# What zipfile, zlib, NumPy and Python's parser, which reads headers, raise for damaged files.
_DAMAGED = (
    ValueError, TypeError, SyntaxError, EOFError, KeyError, OSError, RuntimeError, OverflowError,
    AttributeError, NotImplementedError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def read_array(source: Source) -> NDArray[Any]:
    """Return the array of a ``.npy`` file."""
    try:
        return _array(source.data)
    except _DAMAGED as exc:
        raise FileError(f"{source}: not an array of numbers: {_reason(exc)}") from None


class Archive(Mapping[str, "NDArray[Any]"]):
    """The arrays of an ``.npz`` file, each of which is decompressed only if it is asked for."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._left = most_bytes(len(source.data))
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(source.data))
        except _DAMAGED as exc:
            raise FileError(f"{source}: not an npz file: {_reason(exc)}") from None
        names = self._zip.namelist()
        self._members = {name.removesuffix(".npy"): name for name in names}

    def __getitem__(self, name: str) -> NDArray[Any]:
        member = self._members[name]
        try:
            return _array(self._bytes(member))
        except FileError:
            raise
        except _DAMAGED as exc:
            raise FileError(f"{self._source}: '{name}' is not an array: {_reason(exc)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def _bytes(self, member: str) -> bytes:
        size = self._zip.getinfo(member).file_size  # zipfile stops there, whatever follows
        if size > self._left:
            raise FileError(
                f"{self._source}: its arrays take more than {most_bytes(len(self._source.data))} "
                f"bytes, but the file has {len(self._source.data)}; save them uncompressed"
            )
        self._left -= size
        with self._zip.open(member) as file:
            return file.read()


def mapped_members(path: str) -> dict[str, NDArray[Any]] | None:
    """Return the arrays of an ``.npz`` file as maps of it; None if they are compressed."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
        if any(member.compress_type != zipfile.ZIP_STORED for member in members):
            return None
        data = np.memmap(path, np.uint8, "r")
        return {member.filename.removesuffix(".npy"): _mapped(data, member) for member in members}
    except _DAMAGED as exc:
        raise FileError(f"{path}: not an npz file: {_reason(exc)}") from None


def _mapped(data: NDArray[np.uint8], member: zipfile.ZipInfo) -> NDArray[Any]:
    """Return an array that is not compressed, where it lies."""
    local = bytes(data[member.header_offset : member.header_offset + _LOCAL_HEADER])
    lengths = int.from_bytes(local[26:28], "little") + int.from_bytes(local[28:30], "little")
    begin = member.header_offset + _LOCAL_HEADER + lengths
    return _array(data[begin : begin + member.file_size])  # type: ignore[arg-type]


def _array(data: bytes) -> NDArray[Any]:
    """Return the array whose header and bytes these are."""
    file = io.BytesIO(data[:_LONGEST_HEADER])
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"version {version[0]}.{version[1]} of the format")
    read = np.lib.format
    read_header = read.read_array_header_1_0 if version == (1, 0) else read.read_array_header_2_0
    try:
        shape, by_columns, dtype = read_header(file)
    except (MemoryError, tokenize.TokenError, SystemError):
        # Python's parser has a small stack, and that of 3.12.1 a bug for lines that are no UTF-8.
        raise ValueError("its header is damaged, or nested too deeply") from None
    if dtype.hasobject:
        raise ValueError("it holds Python objects")
    start, count = file.tell(), 1
    for length in shape:
        count *= int(length)
    if count * dtype.itemsize > len(data) - start:
        raise ValueError(
            f"the header says {count} entries of {dtype.itemsize} bytes, but only "
            f"{len(data) - start} bytes follow"
        )
    flat = np.frombuffer(data, dtype, count, start) if count else np.zeros(0, dtype)
    return flat.reshape(shape, order="F" if by_columns else "C")


def _reason(exc: BaseException) -> str:
    """Return the first line of what is wrong; a parser may say much more."""
    return (str(exc).splitlines() or [type(exc).__name__])[0][:200]
