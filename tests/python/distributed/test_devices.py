# SPDX-License-Identifier: MIT
"""Which device and how many threads a rank uses."""

import os
import socket
import threading

import pytest

import procmap
import procmap.distributed as pd
from procmap._util.ranks import Ranks
from procmap.distributed._host import share_of_host
from support import MACHINE, random_geometric
from thread_ranks import dealt_out, even_cuts, on_ranks

GRAPH = random_geometric(300, 8, seed=1)
ROWS = dealt_out(GRAPH, even_cuts(300, 3))


def shares(monkeypatch, hosts, threads=None, devices=()):
    """What every rank gets, of which rank r runs on ``hosts[r]``."""

    where = threading.local()
    monkeypatch.setattr(socket, "gethostname", lambda: where.host)

    def program(comm):
        where.host = hosts[comm.Get_rank()]
        with Ranks(comm) as ranks:
            return share_of_host(ranks, threads, devices, "auto")

    return on_ranks(len(hosts), program)


def test_ranks_of_a_host_take_turns_with_its_gpus(monkeypatch):
    found = shares(monkeypatch, "abbab", threads=2, devices=["cuda:0", "cuda:1"])

    assert [device for _, device in found] == ["cuda:0", "cuda:0", "cuda:1", "cuda:1", "cuda:0"]


def test_ranks_of_a_host_share_its_processors(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(8))

    assert shares(monkeypatch, "abbab") == [
        (4, "auto"),
        *[(2, "auto")] * 2,
        (4, "auto"),
        (2, "auto"),
    ]
    assert shares(monkeypatch, "aa", threads=3) == [(3, "auto")] * 2


def test_the_mapping_is_that_without_devices():
    def program(comm):
        rows = ROWS[comm.Get_rank()]
        options = {"gather_arcs": 200, "repeats": 3}
        return [
            pd.map(comm, rows, MACHINE, **options, **where)
            for where in ({"device": "cpu"}, {"devices": ["cpu", "cpu"]})
        ]

    for one, other in on_ranks(3, program):
        assert (one.blocks == other.blocks).all()
        assert one.cost == other.cost


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"device": "cpu", "devices": [0]}, procmap.ConfigError, "either device or devices"),
        ({"devices": []}, procmap.ConfigError, "devices must name at least one"),
        ({"devices": "cuda:0"}, TypeError, "devices must be several"),
        ({"devices": ["gpu"]}, procmap.ConfigError, r"devices\[0\] must be"),
    ],
)
def test_wrong_devices_are_refused_at_all_ranks(options, error, message):
    found = on_ranks(3, lambda comm: pd.map(comm, ROWS[comm.Get_rank()], MACHINE, **options))

    for one in found:
        with pytest.raises(error, match=message):
            raise one
