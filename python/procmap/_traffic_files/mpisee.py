# SPDX-License-Identifier: MIT
"""Databases of the profiler mpisee (github.com/variemai/mpisee, src/create_db.cpp).

Table `data` has the bytes of every rank, communicator, operation and range of buffer sizes; table
`metadata` the number of processes, `comms` names and sizes of the communicators.
"""

from __future__ import annotations

import os
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from procmap._errors import FileError
from procmap._traffic import Traffic

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PROCESSES = "SELECT value FROM metadata WHERE key = 'Processes'"
_SIZES = "SELECT id, name, size FROM comms"
_VOLUMES = "SELECT comm_id, rank, SUM(volume) FROM data GROUP BY comm_id, rank ORDER BY 1, 2"


def read(path: str) -> Traffic:
    """Read a database."""
    import sqlite3  # noqa: PLC0415 - not every Python has it

    address = Path(os.path.abspath(path)).as_uri() + "?mode=ro"  # noqa: PTH100 - keeps links
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            processes = database.execute(_PROCESSES).fetchone()
            names = {row[0]: (row[1], row[2]) for row in database.execute(_SIZES)}
            volumes: dict[int, dict[int, float]] = defaultdict(dict)
            for communicator, rank, volume in database.execute(_VOLUMES):
                volumes[communicator][rank] = volume
    except sqlite3.Error as exc:
        raise FileError(f"{path}: not a database of mpisee: {exc}") from None
    n = _num_ranks(path, processes)
    parts = []
    for communicator, own in volumes.items():
        _check(path, communicator, own, names, n)
        if 1 < len(own) < n:
            parts.append(_spread(own))
    if not parts:
        raise FileError(
            f"{path}: all traffic is in communicators of all {n} ranks, which does not tell who "
            "sends to whom"
        )
    senders, receivers, amounts = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Traffic.from_messages(senders, receivers, amounts, n)


def _num_ranks(path: str, row: tuple[object, ...] | None) -> int:
    text = str(row[0]) if row else ""
    if not (text.isascii() and text.isdigit()) or not 0 < len(text) < 10:
        raise FileError(f"{path}: the number of processes in the metadata is {text!r}")
    return int(text)


def _check(
    path: str,
    communicator: int,
    volumes: dict[int, float],
    names: dict[int, tuple[str, int]],
    n: int,
) -> None:
    """Refuse what would otherwise become wrong traffic."""
    if communicator not in names:
        raise FileError(f"{path}: data names the communicator {communicator}, which is not there")
    name, size = names[communicator]
    for rank, volume in volumes.items():
        if type(rank) is not int or not 0 <= rank < n:
            raise FileError(f"{path}: communicator '{name}' has rank {rank}, not in [0, {n})")
        if type(volume) not in (int, float) or not 0 <= volume < 2**62:
            raise FileError(f"{path}: rank {rank} has volume {volume} in communicator '{name}'")
    if type(size) is not int or len(volumes) > size:
        raise FileError(
            f"{path}: communicator '{name}' has size {size}, but {len(volumes)} ranks used it"
        )


def _spread(
    volumes: dict[int, float],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Divide what every member sends evenly among the other members."""
    ranks = np.array(list(volumes), np.int64)
    shares = np.array(list(volumes.values()), np.float64) / (len(ranks) - 1)
    sender, receiver = np.nonzero(~np.eye(len(ranks), dtype=bool))
    return ranks[sender], ranks[receiver], shares[sender]
