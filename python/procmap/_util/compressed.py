# SPDX-License-Identifier: MIT
"""Compressed files: gzip, xz and bzip2, with a limit on what comes out."""

from __future__ import annotations

import importlib
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from procmap._util.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Callable

SUFFIXES = (".gz", ".xz", ".bz2")

# What a file of `size` bytes may become: a few kilobytes could fill the memory otherwise.
_LEAST, _FACTOR = 2**28, 100
_WINDOW = 2**16
_XZ_MEMORY = 2**28  # of the decompressor itself; "xz -9" takes 65 MiB


def most_bytes(size: int) -> int:
    """Return how many bytes a compressed file of `size` bytes may become."""
    return max(_LEAST, _FACTOR * size)


@dataclass(frozen=True)
class _Kind:
    """A way to compress.

    `make` returns a decompressor of Python's standard library; it is None where there is none.
    """

    name: str
    begins: bytes
    tool: str
    make: Callable[[], Any] | None = None


def _xz() -> Any:
    lzma = importlib.import_module("lzma")
    return lzma.LZMADecompressor(memlimit=_XZ_MEMORY)


_KINDS = (
    _Kind("gzip", b"\x1f\x8b", "gzip -d", lambda: zlib.decompressobj(31)),
    _Kind("xz", b"\xfd7zXZ\0", "xz -d", _xz),
    _Kind("bzip2", b"BZh", "bzip2 -d", lambda: importlib.import_module("bz2").BZ2Decompressor()),
    _Kind("zstd", b"\x28\xb5\x2f\xfd", "zstd -d"),
    _Kind("lz4", b"\x04\x22\x4d\x18", "lz4 -d"),
    _Kind("compress", b"\x1f\x9d", "uncompress"),
)


def is_compressed(start: bytes) -> bool:
    """Whether a file that begins with these bytes is compressed."""
    return any(start.startswith(kind.begins) for kind in _KINDS)


def decompressed(path: str, data: bytes) -> bytes:
    """Return what was compressed; `path` is how messages call it."""
    kind = next(each for each in _KINDS if data.startswith(each.begins))
    if kind.make is None:
        raise FileError(f"{path}: compressed by {kind.name}; decompress it first ({kind.tool})")
    try:
        return _inflate(path, data, kind)
    except FileError:
        raise
    except ImportError:
        raise FileError(
            f"{path}: this Python cannot read {kind.name}; decompress it first ({kind.tool})"
        ) from None
    except (OSError, EOFError, zlib.error) as exc:
        raise FileError(f"{path}: damaged {kind.name} file: {exc}") from None
    except Exception as exc:  # LZMAError, whose module may be missing
        if type(exc).__name__ != "LZMAError":
            raise
        raise FileError(f"{path}: damaged {kind.name} file: {exc}") from None


def _inflate(path: str, data: bytes, kind: _Kind) -> bytes:
    """Decompress all streams of a file, which are put behind each other."""
    assert kind.make is not None
    view, limit = memoryview(data), most_bytes(len(data))
    parts: list[bytes] = []
    position = total = 0
    while position < len(data):
        stream = kind.make()
        while not stream.eof:
            window = view[position : position + _WINDOW]
            if not window:
                raise FileError(f"{path}: the {kind.name} file ends too early")
            part: bytes = stream.decompress(window, limit + 1 - total)
            position += len(window)
            total += len(part)
            if total > limit:
                raise FileError(
                    f"{path}: more than {limit} bytes come out of {len(data)}; decompress it first "
                    f"({kind.tool})"
                )
            parts.append(part)
        position -= len(stream.unused_data)
        while data[position : position + 1] == b"\0":  # padding
            position += 1
    return b"".join(parts)
