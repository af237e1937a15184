# SPDX-License-Identifier: MIT
"""Lines of numbers: a matrix, or one message per line."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from procmap._util.arrays import as_integer
from procmap._util.columns import data_lines, read_columns, read_table, refuse_line
from procmap._util.errors import ConfigError, FileError
from procmap._util.formats import Format
from procmap._util.limits import MAX_VERTICES
from procmap.graph.io.order import check_order
from procmap.traffic._traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from procmap._util.source import Source


def read_matrix(path: Source) -> Traffic:
    """Read n lines of n numbers."""
    return Traffic.from_matrix(read_table(path))


def read_messages(path: Source, num_ranks: int | None = None) -> Traffic:
    """Read lines ``sender receiver volume``."""
    skip = next(data_lines(path))[0] if _has_titles(path) else 0
    integers = not any(set(".eE") & set(text) for _, text in data_lines(path, skip))
    senders, receivers, volumes = read_columns(path, "iii" if integers else "iif", skip)
    if num_ranks is None:
        if not len(senders):
            raise FileError(f"{path}: there are no messages, lines of 'sender receiver volume'")
        largest = int(max(senders.max(initial=-1), receivers.max(initial=-1)))
        check_order(
            path, largest + 1, len(senders), f"rank {largest}", "ranks", "say num_ranks if it is so"
        )
    most = MAX_VERTICES if num_ranks is None else num_ranks
    n = as_integer(most, "num_ranks", 0, MAX_VERTICES, ConfigError)
    for ranks in (senders, receivers):
        _check_ranks(path, ranks, n, skip)
    negative = (volumes < 0) & (senders != receivers)  # what a rank sends to itself does not count
    refuse_line(path, negative, lambda i: f"volume {volumes[i]} is negative", skip)
    return Traffic.from_messages(senders, receivers, volumes, num_ranks)


def _check_ranks(path: Source, ranks: NDArray[np.int64], n: int, skip: int) -> None:
    bad = (ranks < 0) | (ranks >= n)
    refuse_line(path, bad, lambda i: f"rank {ranks[i]} is not in [0, {n})", skip)


def _has_titles(path: Source) -> bool:
    """Whether the first line begins with a letter or a quote, and names three columns at least.

    One that names fewer is no title but a damaged file, which would have no message then.
    """
    _, text = next(data_lines(path), (0, ""))
    return (text[:1].isalpha() or text[:1] in ('"', "'")) and len(text.split()) >= 3


_MATRIX: Format[Callable[..., Traffic]] = Format("matrix", read_matrix, (".mat",))
_MESSAGES: Format[Callable[..., Traffic]] = Format(
    "messages", read_messages, options=("num_ranks",)
)
FORMATS = (_MATRIX, _MESSAGES)


def format_of(path: Source) -> Format[Callable[..., Traffic]]:
    """Return whether a text is a matrix or a list of messages."""
    first = list(itertools.islice(data_lines(path), 4))
    widths = [len(text.split()) for _, text in first]
    if widths[:1] != [3]:
        return _MATRIX
    if len(first) == 3 and not _has_titles(path):
        raise FileError(
            f"{path}: three lines of three numbers: a matrix or messages? Give the format"
        )
    return _MESSAGES
