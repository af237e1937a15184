# SPDX-License-Identifier: MIT
"""Databases of the profiler mpisee (github.com/variemai/mpisee, src/create_db.cpp).

Table `data` has the bytes of every rank, communicator, operation and range of buffer sizes; table
`metadata` the number of processes, `comms` names and sizes of the communicators.

A database can hold programs: views, triggers, computed columns. Only plain tables are read, no
function is called but those of our own queries, and the size of the file bounds the steps.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from procmap._util.errors import FileError
from procmap._util.formats import Format
from procmap._util.limits import WEIGHT_LIMIT
from procmap._util.messages import shown
from procmap.graph.io.order import check_order
from procmap.traffic._traffic import Traffic

if TYPE_CHECKING:
    import sqlite3

    from numpy.typing import NDArray

    from procmap._util.source import Source

_TABLES = ("metadata", "comms", "data")
_KINDS = (
    "SELECT name, type, sql FROM sqlite_master WHERE lower(name) IN ('metadata', 'comms', 'data')"
)
_PROCESSES = "SELECT value FROM metadata WHERE key = 'Processes'"
_SIZES = "SELECT id, name, size FROM comms"
_NO_VOLUMES = (
    "SELECT rank, comm_id, volume FROM data "
    "WHERE typeof(volume) NOT IN ('integer', 'real') OR volume < 0 LIMIT 1"
)
_VOLUMES = "SELECT comm_id, rank, SUM(volume) FROM data GROUP BY comm_id, rank ORDER BY 1, 2"

_FUNCTIONS = ("sum", "typeof")
_STEPS, _STEPS_PER_BYTE = 10**7, 100  # of SQLite's machine; a row of 30 bytes takes some 50
_STEPS_AT_A_TIME = 10**5
_MOST_MESSAGES = 2**26  # that communicators may become: 1.6 GB


def read(path: Source) -> Traffic:
    """Read a database."""
    import sqlite3  # noqa: PLC0415 - not every Python has it

    try:
        with closing(_opened(path)) as database:
            _check_tables(path, database)
            processes = database.execute(_PROCESSES).fetchone()
            names = {row[0]: (row[1], row[2]) for row in database.execute(_SIZES)}
            _check_volumes(path, database)
            volumes: dict[object, dict[object, float]] = defaultdict(dict)
            rows = 0
            for communicator, rank, volume in database.execute(_VOLUMES):
                volumes[communicator][rank] = volume
                rows += 1
    except sqlite3.Error as exc:
        if str(exc) == "interrupted":
            raise FileError(
                f"{path}: to read it takes too many steps for its size; is it damaged?"
            ) from None
        raise FileError(f"{path}: not a database of mpisee: {exc}") from None
    n = _num_ranks(path, processes)
    check_order(path, n, rows, "the metadata")
    return _traffic(path, volumes, names, n)


def _traffic(
    path: Source,
    volumes: dict[object, dict[object, float]],
    names: dict[object, tuple[object, object]],
    n: int,
) -> Traffic:
    members = []
    for communicator, own in volumes.items():
        _check(path, communicator, own, names, n)
        is_of_all = n in (len(own), names[communicator][1])  # some ranks may be silent
        if len(own) > 1 and not is_of_all:
            members.append(own)
    if not members:
        raise FileError(
            f"{path}: all traffic is in communicators of all {n} ranks, which does not tell who "
            "sends to whom"
        )
    if sum(len(own) * (len(own) - 1) for own in members) > _MOST_MESSAGES:
        raise FileError(
            f"{path}: its communicators have more than {_MOST_MESSAGES} pairs of members, and an "
            "even share for each says little; give traffic by pairs of ranks"
        )
    parts = [_spread(own) for own in members]
    senders, receivers, amounts = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Traffic.from_messages(senders, receivers, amounts, n)


def _opened(path: Source) -> sqlite3.Connection:
    """Open a database for reading; SQLite wants a file on a disk."""
    import sqlite3  # noqa: PLC0415

    if path.is_plain:
        name = Path(path.path).absolute()
        database = sqlite3.connect(f"{name.as_uri()}?mode=ro", uri=True)
        _restrict(database, name.stat().st_size)
        return database
    with tempfile.NamedTemporaryFile(prefix="procmap-") as file:
        file.write(path.data)
        file.flush()
        database = sqlite3.connect(f"{Path(file.name).as_uri()}?mode=ro&immutable=1", uri=True)
        with contextlib.suppress(sqlite3.Error):  # it opens the file only now
            database.execute("SELECT 1 FROM sqlite_master LIMIT 1")
    _restrict(database, len(path.data))
    return database


def _restrict(database: sqlite3.Connection, size: int) -> None:
    """Make all queries end."""
    left = _STEPS + _STEPS_PER_BYTE * size

    def is_too_much() -> bool:
        nonlocal left
        left -= _STEPS_AT_A_TIME
        return left < 0

    database.execute("PRAGMA trusted_schema = OFF")
    database.set_progress_handler(is_too_much, _STEPS_AT_A_TIME)


def _check_tables(path: Source, database: sqlite3.Connection) -> None:
    """Refuse views, virtual tables and computed columns; then let queries read tables only."""
    import sqlite3  # noqa: PLC0415

    for name, kind, sql in database.execute(_KINDS).fetchall():
        hidden = (row[6] for row in database.execute(f"PRAGMA table_xinfo({name})"))
        if kind != "table" or "VIRTUAL" in str(sql)[:200].upper().split() or any(hidden):
            raise FileError(f"{path}: '{name}' is no plain table")

    def is_allowed(action: int, first: str | None, second: str | None, *_: object) -> int:
        if action == sqlite3.SQLITE_READ:
            known = str(first).lower() in _TABLES
        elif action == sqlite3.SQLITE_FUNCTION:
            known = str(second).lower() in _FUNCTIONS
        else:
            known = action == sqlite3.SQLITE_SELECT
        return sqlite3.SQLITE_OK if known else sqlite3.SQLITE_DENY

    database.set_authorizer(is_allowed)


def _check_volumes(path: Source, database: sqlite3.Connection) -> None:
    """Refuse what SQL would add up as 0, or take away."""
    row = database.execute(_NO_VOLUMES).fetchone()
    if row is not None:
        raise FileError(
            f"{path}: rank {shown(row[0])} has volume {shown(row[2])} in communicator "
            f"{shown(row[1])}, which is not a number >= 0"
        )


def _num_ranks(path: Source, row: tuple[object, ...] | None) -> int:
    text = str(row[0]) if row else ""
    if not (text.isascii() and text.isdigit()) or not 0 < len(text) < 10:
        raise FileError(f"{path}: the number of processes in the metadata is {shown(text)}")
    return int(text)


def _check(
    path: Source,
    communicator: object,
    volumes: dict[object, float],
    names: dict[object, tuple[object, object]],
    n: int,
) -> None:
    """Refuse what would otherwise become wrong traffic."""
    if communicator not in names:
        raise FileError(
            f"{path}: data names the communicator {shown(communicator)}, which is not there"
        )
    name, size = names[communicator]
    for rank, volume in volumes.items():
        if type(rank) is not int or not 0 <= rank < n:
            raise FileError(
                f"{path}: communicator {shown(name)} has rank {shown(rank)}, not in [0, {n})"
            )
        if type(volume) not in (int, float) or not 0 <= volume < WEIGHT_LIMIT:
            raise FileError(
                f"{path}: rank {rank} has volume {shown(volume)} in communicator {shown(name)}"
            )
    if type(size) is not int or len(volumes) > size:
        raise FileError(
            f"{path}: communicator {shown(name)} has size {shown(size)}, but {len(volumes)} ranks "
            "used it"
        )


def _spread(
    volumes: dict[object, float],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Divide what every member sends evenly among the other members."""
    ranks = np.array(list(volumes), np.int64)
    shares = np.array(list(volumes.values()), np.float64) / (len(ranks) - 1)
    sender, receiver = np.nonzero(~np.eye(len(ranks), dtype=bool))
    return ranks[sender], ranks[receiver], shares[sender]


FORMAT = Format("mpisee", read, begins=lambda start: start.startswith(b"SQLite format 3"))
