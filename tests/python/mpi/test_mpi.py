# SPDX-License-Identifier: MIT
"""procmap.mpi under Open MPI and MPICH: eight processes that say to run on several hosts."""

import functools
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import procmap
from procmap.mpi._layout import layout_of
from procmap.mpi._places import Place
from procmap.mpi._reorder import new_ranks
from under_mpi import KINDS, start

PARTS = [
    "rank_order", "good_order", "on_a_machine", "here", "graph_neighbours", "graph_as_it_is",
    "errors",
]  # fmt: skip
EXAMPLES = Path(__file__).parents[3] / "examples"
# What examples/two_hosts.sh does.
NETWORKS = """
    root=$([[ $EUID == 0 ]] || echo --map-root-user)
    unshare $root --net --uts --pid --fork --mount-proc bash -ec '
      hostname x; ip link set lo up; mount -t sysfs none /sys
      ip link add hub type bridge; ip link add one type veth peer name two
      tc qdisc add dev one root tbf rate 1mbit burst 9kb latency 1ms'"""
MAY_PLAY_HOSTS = subprocess.run(["bash", "-c", NETWORKS], capture_output=True, check=False)
PLACES = [Place(f"host{rank % 2}", (rank // 2 % 2,)) for rank in range(8)]


def ring(n=8):
    traffic = np.zeros((n, n))
    traffic[np.arange(n), np.roll(np.arange(n), -1)] = 100
    return procmap.Traffic.from_matrix(traffic)


@functools.cache
def result_of(kind):
    """All parts in one start of MPI."""
    return start(kind, 8, Path(__file__).with_name("program.py"), *PARTS)


def run(kind):
    """What every process found."""
    done = result_of(kind)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def of(kind, part, key):
    return [found[part][key] for found in run(kind)]


@pytest.mark.parametrize("kind", KINDS)
def test_rank_order_is_the_mapping_rank_by_rank(kind):
    layout = layout_of(PLACES)
    mapping = procmap.reorder_ranks(ring(), layout.machine, seed=1)

    new = of(kind, "rank_order", "new")

    for old, rank in enumerate(new):
        assert mapping.permutation[rank] == layout.pe_of_rank[old], f"rank {old}"
    before = procmap.evaluate(ring(), layout.pe_of_rank, layout.machine)
    host = [PLACES[new.index(rank)].host for rank in range(8)]
    changes = sum(host[rank] != host[rank - 1] for rank in range(8))
    assert (before.level_traffic[-1], changes) == (800, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_an_order_that_nothing_beats_stays(kind):
    assert of(kind, "good_order", "new") == list(range(8))


@pytest.mark.parametrize("kind", KINDS)
def test_processes_have_pes_of_the_machine_that_is_given(kind):
    assert of(kind, "on_a_machine", "pes") == [8] * 8
    assert of(kind, "on_a_machine", "pe") == [0, 4, 1, 5, 2, 6, 3, 7]
    assert sorted(of(kind, "on_a_machine", "new")) == list(range(8))
    assert len(set(of(kind, "here", "place"))) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_graph_gives_every_rank_the_neighbours_that_it_named(kind):
    new = of(kind, "graph_neighbours", "new")

    assert sorted(new) == list(range(8)) != new
    assert of(kind, "graph_neighbours", "in") == [[(rank - 1) % 8] for rank in new]
    assert of(kind, "graph_neighbours", "out") == [[(rank + 1) % 8] for rank in new]
    assert of(kind, "graph_neighbours", "got") == [(rank - 1) % 8 for rank in new]
    assert of(kind, "graph_as_it_is", "new") == list(range(8))
    assert of(kind, "graph_as_it_is", "out") == [[(rank + 1) % 8] for rank in range(8)]


@pytest.mark.parametrize("kind", KINDS[:1])
def test_the_example_gains(kind):
    done = start(kind, 8, EXAMPLES / "mpi_reorder.py", FAKE_HOSTS="2")

    assert done.returncode == 0, done.stderr
    assert "8 ranks as a grid of 4 x 2" in done.stdout
    assert int(re.search(r"^gain: (\d+)%", done.stdout, re.MULTILINE)[1]) >= 30


@pytest.mark.skipif(
    MAY_PLAY_HOSTS.returncode != 0, reason="networks cannot be made here (ip, tc, unshare)"
)
@pytest.mark.parametrize("kind", KINDS)
def test_the_exchange_is_timed_between_two_hosts_that_mpi_itself_tells_apart(kind):
    command = [EXAMPLES / "two_hosts.sh", "-m", kind, "-n", "8", sys.executable]

    done = subprocess.run(
        [*command, EXAMPLES / "mpi_reorder.py"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert "2 groups of 4 PEs" in done.stdout
    for name in ("before", "after"):
        assert re.search(rf"^{name}.* [0-9.]+ ms$", done.stdout, re.MULTILINE), done.stdout
    assert int(re.search(r"^gain: (\d+)%", done.stdout, re.MULTILINE)[1]) >= 30  # of J


@pytest.mark.parametrize("kind", KINDS)
def test_all_processes_get_the_error_of_one(kind):
    messages = of(kind, "errors", "messages")

    assert messages == [messages[0]] * 8
    for message, culprit in zip(
        messages[0],
        [
            "traffic has 3 ranks, but there are 8 processes",
            "traffic must be given at rank 0, got None",
            "the machine has 3 levels, innermost first at most 2:2:2, but there are 1 distances",
            "places have from 1 to 2 levels, not one number",
            "destinations[0] = 8 is not in [0, 8)",
            "destweights has 2 entries, but destinations has 1",
            "rank 1: place must be host, package, ..., got 'a'",
            "rank 1: place must be host, package, ..., got 3",
            "rank 1: root must be an integer in [0, 7], got 8",
            "root must be equal at all ranks",
            "rank 1: sources must hold integers, got dtype <U1: sources[0] is 'a'",
            "rank 1: destweights[0] = 1.5 is not an integer",
            "rank 1: sourceweights[0] = -1 is negative",
            "rank 1: sourceweights must be one-dimensional",
        ],
        strict=True,
    ):
        assert culprit in message


def test_near_processes_are_near_on_the_machine():
    numa = [("a", 0, 0), ("a", 0, 0), ("a", 0, 1), ("a", 1, 2), ("b", 0, 0)]
    places = [Place(host, groups) for host, *groups in numa]

    layout = layout_of([Place(place.host, tuple(place.groups)) for place in places])

    pe = layout.pe_of_rank
    distances = [layout.machine.distance(pe[0], pe[i]) for i in range(1, 5)]
    assert distances == [1, 2, 3, 10]
    assert sorted(pe.tolist()) == list(range(5))


def test_bound_processes_are_on_the_pe_of_their_cpus_and_gpus():
    cores = procmap.Topology.hierarchy("2:2", "1:10").with_hosts("n[1-2]", cores_per_pe=2)
    gpus = procmap.Topology.hierarchy("2:2", "1:10").with_hosts("n[1-2]", kind="gpu")
    on_cpus = [Place("n1.site", cpus=frozenset({2})), Place("n1.site", cpus=frozenset({0, 1}))]
    on_gpus = [Place("n2", gpu=1), Place("n2", gpu=0), Place("n1", gpu=1)]
    unbound = [Place("n2", cpus=frozenset(range(4)))] * 2

    assert layout_of(on_cpus, cores).pe_of_rank.tolist() == [1, 0]
    assert layout_of(on_gpus, gpus).pe_of_rank.tolist() == [2, 1, 0]
    assert layout_of(unbound, cores).pe_of_rank.tolist() == [0, 1]


def test_hosts_are_found_with_and_without_their_domain():
    long, short = (procmap.Topology.flat(2).with_hosts(names) for names in ("n1.x,n2.x", "n1,n2"))

    for names, machine in ((["n2", "n1"], long), (["n2.x", "n1.x"], short)):
        places = [Place(name) for name in names]
        assert layout_of(places, machine).pe_of_rank.tolist() == [1, 0]
    twice = procmap.Topology.flat(2).with_hosts("n1.x,n1.y")
    for name in ("n1", "n1.z"):
        with pytest.raises(procmap.TopologyError, match=f"host '{name}', which the machine does"):
            layout_of([Place(name)], twice)


def test_the_error_names_the_first_process_whose_host_is_not_known():
    machine = procmap.Topology.flat(2).with_hosts("n[1-2]")

    with pytest.raises(procmap.TopologyError, match="host 'x9', which"):
        layout_of([Place("n1"), Place("x9"), *(Place(f"x{i}") for i in range(8))], machine)


def test_many_hosts_and_bound_processes_take_time_by_their_number():
    hosts, cores = [f"n{i}.site" for i in range(1500)], 64
    machine = procmap.Topology.hierarchy("64:1500", "1:10").with_hosts(hosts)
    places = [
        Place(host.partition(".")[0], cpus=frozenset({core}))
        for host in hosts
        for core in reversed(range(cores))
    ]

    began = time.process_time()
    layout = layout_of(places, machine)

    assert time.process_time() - began < 6  # 0.2 s; 15 s with all pairs of them
    assert layout.pe_of_rank[:3].tolist() == [63, 62, 61]


@pytest.mark.parametrize(
    ("places", "machine", "culprit"),
    [
        ([Place("n3")], "n[1-2]", "a process runs on host 'n3', which the machine does not have"),
        ([Place("n1")] * 3, "n[1-2]", "3 processes run on host 'n1', which has 2 PEs"),
        ([Place("n1")], None, "the machine does not know its hosts"),
    ],
)
def test_places_that_do_not_fit_the_machine_are_refused(places, machine, culprit):
    topology = procmap.Topology.hierarchy("2:2", "1:10")
    topology = topology if machine is None else topology.with_hosts(machine)

    with pytest.raises(ValueError, match=culprit):
        layout_of(places, topology)


def test_ranks_stay_where_no_order_is_cheaper():
    layout = layout_of(PLACES)
    alike = procmap.Traffic.from_matrix(np.ones((8, 8)))

    assert new_ranks(alike, layout, {}).tolist() == list(range(8))
