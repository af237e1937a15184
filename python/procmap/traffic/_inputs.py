# SPDX-License-Identifier: MIT
"""`Traffic` of files and of anything else that may stand for it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from procmap._util.errors import ConfigError, FileError
from procmap._util.source import Source
from procmap.traffic._traffic import Traffic
from procmap.traffic.io import format_of

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import ArrayLike

    from procmap.graph._foreign import SparseMatrix
    from procmap.traffic.io import TrafficFormat

    TrafficLike: TypeAlias = Traffic | SparseMatrix | ArrayLike | str | os.PathLike[str]


def read_traffic(
    path: str | os.PathLike[str],
    *,
    format: TrafficFormat | None = None,
    num_ranks: int | None = None,
) -> Traffic:
    """Read a communication matrix.

    Parameters
    ----------
    path : path-like
        The file.
    format : str, optional
        One of those that ``help(procmap.traffic.io)`` lists, such as "matrix" or "messages". If
        None, the content decides.
    num_ranks : int, optional
        n for "messages", in which the last ranks may be silent.

    Returns
    -------
    Traffic

    Raises
    ------
    FileError
        If the file cannot be read or is malformed; the message is "PATH:LINE: ..." for text.
    ConfigError
        If an option does not fit the format.

    Notes
    -----
    mpisee counts bytes per rank and communicator, not per pair of ranks. What a rank sends in a
    communicator is divided evenly among its other members. Communicators of all ranks say nothing
    about who should be near whom, and are left out.
    """
    name = Source.of(path)
    kind = format_of(name, format)
    options = {} if num_ranks is None else {"num_ranks": num_ranks}
    if num_ranks is not None and "num_ranks" not in kind.options:
        raise ConfigError(f"num_ranks is for messages, but {name} is of the format {kind.name}")
    try:
        return kind.read(name, **options)
    except (FileError, ConfigError):
        raise
    except ValueError as exc:
        raise FileError(f"{name}: {exc}") from None


def as_traffic(traffic: TrafficLike) -> Traffic:
    """Return `traffic` as a Traffic, whatever form it has."""
    if isinstance(traffic, (str, os.PathLike)):
        return read_traffic(traffic)
    return traffic if isinstance(traffic, Traffic) else Traffic.from_matrix(traffic)
