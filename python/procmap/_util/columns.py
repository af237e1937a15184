# SPDX-License-Identifier: MIT
"""Files of lines of numbers."""

from __future__ import annotations

import io
import itertools
import re
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from procmap._util.errors import FileError
from procmap._util.messages import shortened
from procmap._util.source import Source

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

_NUMBER = {
    "i": re.compile(r"[+-]?\d{1,19}"),
    "f": re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"),
}
_COMMENTS = ("#", "%")
_BLANK = b" ,\t\r\n\f\v"
# Older versions read 1.5 as the integer 1, with a warning. (warnings.catch_warnings is for programs
# of one thread: it would change the filters of all others, perhaps for ever.)
_NUMPY_REFUSES_FRACTIONS = np.lib.NumpyVersion(np.__version__) >= "2.4.0"
_FRACTION = re.compile(r"[.eEiInN]")


def data_lines(path: str | os.PathLike[str], skip: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the lines with data and their numbers, commas turned into blanks.

    Blank lines and those that begin with # or % are none, nor are the first `skip`. FileError if a
    line consists of bytes that are neither blanks nor anything else: a damaged file may.
    """
    source = Source.of(path)
    for number, line in enumerate(io.BytesIO(source.lines), start=1):
        text = line.decode("latin-1").replace(",", " ").strip()
        if not text and line.strip(_BLANK):  # for Python bytes 28 to 31 are blank, too
            raise FileError(f"{source}:{number}: not a line of text: {line[:20]!r}")
        if number > skip and text and not text.startswith(_COMMENTS):
            yield number, text


def read_columns(path: str | os.PathLike[str], kinds: str, skip: int = 0) -> list[NDArray[Any]]:
    """Read lines of numbers, column by column.

    Parameters
    ----------
    path
        The file.
    kinds
        What the columns hold: "i" for int64, "f" for float64.
    skip
        Lines at the beginning that are none of ours.

    Raises
    ------
    FileError
        "PATH:LINE: ..." if a line has other columns.
    """
    source = Source.of(path)
    types = [np.int64 if kind == "i" else np.float64 for kind in kinds]
    lines = (text for _, text in data_lines(source, skip))
    first = next(lines, None)
    if first is None:
        return [np.zeros(0, dtype) for dtype in types]
    names = [str(i) for i in range(len(kinds))]
    try:
        table = np.loadtxt(
            _without_fractions(itertools.chain([first], lines), kinds),
            dtype=list(zip(names, types, strict=True)),
            comments=None,
            ndmin=1,
        )
    except ValueError:
        _raise_for_the_culprit(source, kinds, skip)
    columns = [np.ascontiguousarray(table[name]) for name in names]
    if not all(np.isfinite(column).all() for column in columns):
        _raise_for_the_culprit(source, kinds, skip)
    return columns


def refuse_line(
    path: str | os.PathLike[str], bad: NDArray[np.bool_], what: Callable[[int], str], skip: int = 0
) -> None:
    """Raise FileError "PATH:LINE: ..." if a row of `read_columns` is bad.

    Parameters
    ----------
    path, skip
        As there.
    bad
        Of every row.
    what
        Says of a row what is wrong.
    """
    if bad.any():
        row = int(np.argmax(bad))
        number, _ = next(itertools.islice(data_lines(path, skip), row, None))
        raise FileError(f"{Source.of(path)}:{number}: {what(row)}")


def read_table(path: str | os.PathLike[str]) -> NDArray[Any]:
    """Read lines of equally many numbers, as int64 if they are integers, else as float64.

    Raises
    ------
    FileError
        "PATH:LINE: ..." if a line has other columns or something that is no number.
    """
    source = Source.of(path)
    first = next(data_lines(source), None)
    if first is None:
        raise FileError(f"{source}: there are no numbers")
    table = _load_table(source, np.int64)
    if table is None:
        table = _load_table(source, np.float64)
    if table is None:
        _raise_for_the_culprit(source, "f" * len(first[1].split()), 0)
    return table


def _load_table(source: Source, dtype: type[np.int64] | type[np.float64]) -> NDArray[Any] | None:
    """Return the numbers of a file, or None if they are not all of this type."""
    try:
        lines: Iterator[str] = (text for _, text in data_lines(source))
        if dtype is np.int64:
            lines = _without_fractions(lines, "")
        return np.loadtxt(lines, dtype, comments=None, ndmin=2)
    except ValueError:
        return None


def _without_fractions(lines: Iterator[str], kinds: str) -> Iterator[str]:
    """Pass lines on; raise ValueError if a column of integers has a fraction.

    All columns are of integers if no kinds are given.
    """
    if _NUMPY_REFUSES_FRACTIONS:
        return lines
    return (_whole(text, kinds) for text in lines)


def _whole(text: str, kinds: str) -> str:
    if _FRACTION.search(text):
        words = text.split()
        own = zip(words, kinds or "i" * len(words), strict=False)
        if any(kind == "i" and _FRACTION.search(word) for word, kind in own):
            raise ValueError(text)
    return text


def _raise_for_the_culprit(path: Source, kinds: str, skip: int) -> NoReturn:
    """Name the first line that has not a number of its kind in every column."""
    for number, text in data_lines(path, skip):
        words = text.split()
        if len(words) != len(kinds):
            raise FileError(f"{path}:{number}: expected {len(kinds)} numbers, found {len(words)}")
        for word, kind in zip(words, kinds, strict=True):
            if not _NUMBER[kind].fullmatch(word) or (kind == "i" and abs(int(word)) >= 2**63):
                expected = "a 64-bit integer" if kind == "i" else "a number"
                raise FileError(f"{path}:{number}: {shortened(word)!r} is not {expected}")
            if kind == "f" and not np.isfinite(float(word)):
                raise FileError(f"{path}:{number}: {shortened(word)!r} is beyond 1.8e308")
    raise FileError(f"{path}: cannot be read as {len(kinds)} columns of numbers")
