# SPDX-License-Identifier: MIT
"""Lines of numbers: a matrix, or one message per line."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from procmap._errors import FileError
from procmap._graph_files.text import data_lines, read_columns, read_table
from procmap._traffic import Traffic

if TYPE_CHECKING:
    from procmap._traffic_files import TrafficFormat


def kind_of(path: str) -> TrafficFormat:
    """Return whether a text is a matrix or a list of messages."""
    first = list(itertools.islice(data_lines(path), 4))
    widths = [len(text.split()) for _, text in first]
    if widths[:1] != [3]:
        return "matrix"
    if len(first) == 3 and not _has_titles(path):
        raise FileError(
            f"{path}: three lines of three numbers: a matrix or messages? Give the format"
        )
    return "messages"


def read_matrix(path: str) -> Traffic:
    """Read n lines of n numbers."""
    return Traffic.from_matrix(read_table(path))


def read_messages(path: str, num_ranks: int | None) -> Traffic:
    """Read lines ``sender receiver volume``."""
    skip = next(data_lines(path))[0] if _has_titles(path) else 0
    integers = not any(set(".eE") & set(text) for _, text in data_lines(path, skip))
    senders, receivers, volumes = read_columns(path, "iii" if integers else "iif", skip)
    return Traffic.from_messages(senders, receivers, volumes, num_ranks)


def _has_titles(path: str) -> bool:
    """Whether the first line begins with a letter or a quote: it is no number then."""
    _, text = next(data_lines(path), (0, ""))
    return text[:1].isalpha() or text[:1] in ('"', "'")
