# SPDX-License-Identifier: MIT
"""Files that users give to be read: opened in one place, and read once.

What is no regular file (a pipe, a FIFO, ``<(...)``, /dev/stdin) gives its bytes only once, so they
are kept here for all who look at them. Compressed files come out decompressed, and text in UTF-16
or with a byte order mark as plain UTF-8.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from procmap._util.cached import cached_property
from procmap._util.compressed import decompressed, is_compressed
from procmap._util.errors import FileError
from procmap._util.messages import shortened, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

_START = 64  # bytes that tell what a file is
_CHUNK = 2**20
_LONGEST_PATH = 4096  # of Linux; longer ones cannot be opened anyway
_UTF8_MARK, _UTF16_MARKS = b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")
_UTF32_MARKS = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")

# Anonymous pipes that were read to their end, by device and inode: nothing can come any more.
_read_pipes: set[tuple[int, int]] = set()


def path_text(path: object, name: str = "path", of: str = "file") -> str:
    """Return the path of a file as text; TypeError if it is none, FileError if it is empty."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"{name} must be a str or os.PathLike, got {shown(path)}")
    if not (text := os.fsdecode(path)):
        raise FileError(f"{name} is empty, expected the name of a {of}")
    return text


def files_named(text: str) -> list[str]:
    """Return the file of this name, or those that a pattern such as ``"mesh-*.npz"`` stands for.

    Names may hold what would be a pattern. FileError if no file fits.
    """
    if not any(mark in text for mark in "*?[") or os.path.exists(text):  # noqa: PTH110
        return [text]
    names = sorted(glob.glob(text))  # noqa: PTH207 - a pattern may be absolute
    if not names:
        raise FileError(f"{text}: there is no such file")
    return names


class Source(os.PathLike[str]):
    """A file to be read.

    It stands for its path in messages and for `os.fspath`.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path_text(path)

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> Source:
        """Return `path` itself if it is a source already."""
        return path if isinstance(path, Source) else cls(path)

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return self.path

    def start(self, size: int = _START) -> bytes:
        """Return the first bytes of the content, at most 64."""
        return (self._plain_start or self.data)[:size]

    @cached_property
    def data(self) -> bytes:
        """The content."""
        with self._open() as file, self._named():
            raw = self._all(file)
        if is_compressed(raw):
            raw = decompressed(self.path, raw)
        return self._as_utf8(raw)

    @cached_property
    def lines(self) -> bytes:
        """The content as lines that end with a line feed, as the core reads them too.

        A carriage return ends a line (those of old Macs do) unless a line feed follows. FileError
        if the content is binary.
        """
        if b"\0" in self.data:
            raise FileError(
                f"{self.path}: not a text file: it holds null bytes (UTF-16 without a byte order "
                "mark?)"
            )
        if self.data.count(b"\r") == self.data.count(b"\r\n"):
            return self.data
        return re.sub(rb"\r+\n?", _line_ends, self.data)

    @cached_property
    def text(self) -> str:
        """The content as text; FileError if it is not UTF-8."""
        try:
            return self.lines.decode("utf-8")
        except UnicodeDecodeError as exc:
            line = self.lines.count(b"\n", 0, exc.start) + 1
            raise FileError(f"{self.path}:{line}: not a text file in UTF-8: {exc.reason}") from None

    @property
    def is_plain(self) -> bool:
        """Whether others who open the path find the content there."""
        return self._plain_start is not None

    @contextlib.contextmanager
    def as_file(self) -> Iterator[str]:
        """Give the content a path, for the core, which opens files itself.

        FileErrors that begin with this path get the real one.
        """
        if self.is_plain:
            yield self.path
            return
        descriptor = os.memfd_create("procmap")
        with open(descriptor, "wb") as file:  # noqa: PTH123 - not a path
            name = f"/proc/self/fd/{descriptor}"
            file.write(self.data)
            file.flush()
            try:
                yield name
            except FileError as exc:
                raise FileError(self.path + str(exc).removeprefix(name)) from None

    @cached_property
    def _plain_start(self) -> bytes | None:
        """The first bytes of a file that can be opened again and is what it says; else None."""
        if "data" in self.__dict__ or not self._is_regular():
            return None
        with self._open() as file, self._named():
            start = file.read(_START)
        marked = start.startswith((_UTF8_MARK, *_UTF16_MARKS, *_UTF32_MARKS))
        return None if marked or is_compressed(start) else start

    def _is_regular(self) -> bool:
        try:
            return stat.S_ISREG(os.stat(self.path).st_mode)  # noqa: PTH116 - a null byte is an error
        except (OSError, ValueError):
            return True  # opening says what is wrong

    def _open(self) -> BinaryIO:
        try:
            return Path(self.path).open("rb")
        except (OSError, ValueError) as exc:  # ValueError: a null byte in the name
            raise self._unusable(exc) from None

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        """Name the file if it cannot be read."""
        try:
            yield
        except FileError:  # is an OSError too
            raise
        except OSError as exc:
            raise FileError(f"{self.path}: cannot be read: {exc.strerror}") from None

    def _unusable(self, exc: Exception) -> FileError:
        reason = exc.strerror if isinstance(exc, OSError) and exc.strerror else exc
        return FileError(f"{shortened(self.path, _LONGEST_PATH)}: {reason}")

    def _all(self, file: BinaryIO) -> bytes:
        """Return everything that comes; an endless stream is refused."""
        status = os.fstat(file.fileno())
        limit = None if stat.S_ISREG(status.st_mode) else _half_of_memory()
        data = file.read() if limit is None else self._up_to(limit, file)
        if stat.S_ISFIFO(status.st_mode):
            self._check_pipe(file, (status.st_dev, status.st_ino), empty=not data)
        return data

    def _check_pipe(self, file: BinaryIO, key: tuple[int, int], *, empty: bool) -> None:
        """Refuse a pipe that this process read before, of which nothing is left."""
        if empty and key in _read_pipes:
            raise FileError(
                f"{self.path}: a pipe that was read to its end before; it can be read only once"
            )
        with contextlib.suppress(OSError):  # systems without /proc
            if os.readlink(f"/proc/self/fd/{file.fileno()}").startswith("pipe:"):  # noqa: PTH115
                _read_pipes.add(key)

    def _up_to(self, limit: int, file: BinaryIO) -> bytes:
        parts, total = [], 0
        while part := file.read(_CHUNK):
            parts.append(part)
            total += len(part)
            if total > limit:
                raise FileError(
                    f"{self.path}: more than {limit} bytes, half of the memory, and no end; write "
                    "them to a file first"
                )
        return b"".join(parts)

    def _as_utf8(self, raw: bytes) -> bytes:
        if raw.startswith(_UTF32_MARKS):
            raise FileError(f"{self.path}: a text in UTF-32; convert it (iconv -t UTF-8)")
        if raw.startswith(_UTF16_MARKS):
            try:
                return raw.decode("utf-16").encode()
            except UnicodeDecodeError as exc:
                raise FileError(f"{self.path}: not a text file in UTF-16: {exc.reason}") from None
        return raw.removeprefix(_UTF8_MARK)


def _line_ends(returns: re.Match[bytes]) -> bytes:
    """Return what carriage returns mean, and the line feed behind them if there is one."""
    return b"\n" if returns[0].endswith(b"\n") else b"\n" * len(returns[0])


def _half_of_memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
