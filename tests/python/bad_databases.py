# SPDX-License-Identifier: MIT
"""Databases of mpisee, good and bad."""

import sqlite3
from contextlib import closing


def mpisee(path, processes, comms, data):
    """Write a database with the tables of mpisee; `data` is (rank, communicator, volume)."""
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(
            """
            CREATE TABLE mappings (id INTEGER PRIMARY KEY AUTOINCREMENT, machine TEXT);
            CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT);
            CREATE TABLE operations (id INTEGER PRIMARY KEY AUTOINCREMENT, operation TEXT);
            CREATE TABLE comms (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
                                size INTEGER);
            CREATE TABLE data (id INTEGER PRIMARY KEY AUTOINCREMENT, rank INTEGER,
                comm_id INTEGER, operation_id INTEGER, buffer_size_min INTEGER,
                buffer_size_max INTEGER, calls INTEGER, time REAL, volume INTEGER);
            """
        )
        database.execute("INSERT INTO metadata VALUES ('Processes', ?)", (str(processes),))
        database.executemany("INSERT INTO comms VALUES (?, ?, ?)", comms)
        database.executemany(
            "INSERT INTO data (rank, comm_id, operation_id, buffer_size_min, buffer_size_max, "
            "calls, time, volume) VALUES (?, ?, 1, 0, 128, 1, 0.1, ?)",
            data,
        )
    return path
