# SPDX-License-Identifier: MIT
"""Files of mappings and launchers, read again by small readers that know their formats only."""

import dataclasses
import json
import re
import tempfile
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import procmap
from fuzz.arrays import quietly

_HOSTS = ("n", "node-1", "a.b.c", "x_1", "N0", "0")
_KINDS = ("node", "package", "numa", "core", "pu", "gpu")


class Placed(NamedTuple):
    """What a file should say."""

    places: Any
    blocks: list
    mapping: procmap.Mapping


def mapping_files_say_where_tasks_are(rng):
    """Files of every format and launcher, read as their programs do."""
    machine, mapping = _placed(rng)
    kind = rng.choice(list(_READERS))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        try:
            mapping.write(path, kind)
        except (procmap.ConfigError, ValueError):
            assert _may_refuse(kind, machine, mapping), f"{kind}: refused {machine}"
            return "refused"
        text = path.read_text()
    assert text.isascii()
    assert text.endswith("\n") or text == "", kind
    _READERS[kind](text, Placed(machine.places, mapping.blocks.tolist(), mapping))
    return "accepted"


def _placed(rng):
    hosts = [rng.choice(_HOSTS) + str(i) for i in range(rng.randint(1, 4))]
    per_host = rng.randint(1, 4)
    kind, cores = rng.choice(_KINDS), rng.randint(1, 3)
    sizes, distances = [per_host, len(hosts)], [1, 10]
    machine = procmap.Topology.hierarchy(sizes, distances)
    if kind == "node":
        machine, per_host = procmap.Topology.hierarchy([len(hosts)], [1]), 1
    machine = machine.with_hosts(hosts, kind=kind, cores_per_pe=cores)
    if rng.random() < 0.3 and machine.num_pes > 1:
        machine = machine.sub(rng.sample(range(machine.num_pes), rng.randint(1, machine.num_pes)))
    n = rng.randint(0, 2 * machine.num_pes)
    mapping = quietly(procmap.map, ([0] * (n + 1), []), machine, preset="fast", imbalance=9)
    blocks = np.array([rng.randrange(machine.num_pes) for _ in range(n)], np.int32)
    if rng.random() < 0.5:
        blocks = np.array(rng.sample(range(machine.num_pes), min(n, machine.num_pes)), np.int32)
        mapping = quietly(procmap.map, ([0] * (len(blocks) + 1), []), machine, preset="fast")
    return machine, dataclasses.replace(mapping, blocks=blocks)


def _may_refuse(kind, machine, mapping):
    counts = Counter(machine.places.host_of[mapping.blocks].tolist())
    used = [counts[i] for i in range(max(counts, default=-1) + 1)]
    uneven = len(set(used[:-1])) > 1 or (len(used) > 1 and used[-1] > used[0])
    several = len(set(mapping.blocks.tolist())) < len(mapping.blocks)
    return {
        "permutation": several, "cray": uneven,
        "cpus": machine.places.kind == "node",
    }.get(kind, False)  # fmt: skip


def _numbers(text):
    """The numbers of 0-2,5."""
    parts = [part.split("-") for part in text.split(",")]
    return [n for part in parts for n in range(int(part[0]), int(part[-1]) + 1)]


def _cores(places, blocks, rank):
    """Cores that a launcher gives to a rank: those of its PE, or in turn where PEs have none."""
    if places.kind in ("node", "gpu"):
        host = places.host_of[blocks[rank]]
        return [sum(places.host_of[pe] == host for pe in blocks[:rank])]
    return list(places.cores_of(blocks[rank]))


def _host(places, pe):
    return places.hosts[places.host_of[pe]]


def _blocks(text, placed):
    assert [int(line) for line in text.splitlines()] == placed.blocks


def _permutation(text, placed):
    assert [int(word) for word in text.strip().split(",") if word] == placed.blocks


def _comm_split(text, placed):
    ranks = [[int(word) for word in line.split()] for line in text.splitlines()]
    assert len(ranks) == placed.mapping.num_blocks
    assert {(pe, rank) for pe, there in enumerate(ranks) for rank in there if there != [-1]} == {
        (pe, rank) for rank, pe in enumerate(placed.blocks)
    }


def _json(text, placed):
    values = json.loads(text)
    assert values["blocks"] == placed.blocks
    assert values["hosts"] == [_host(placed.places, pe) for pe in placed.blocks]
    assert values["cost"] == placed.mapping.cost


def _rankfile(text, placed):
    lines = [re.fullmatch(r"rank (\d+)=(\S+) slot=([\d,-]+)", line) for line in text.splitlines()]
    assert [int(m[1]) for m in lines] == list(range(len(placed.blocks)))
    for rank, match in enumerate(lines):
        host = _host(placed.places, placed.blocks[rank])
        assert match[2] in (host, f"+n{placed.places.hosts.index(host)}")
        assert _numbers(match[3]) == _cores(placed.places, placed.blocks, rank)


def _slurm(text, placed):
    assert text.splitlines() == [_host(placed.places, pe) for pe in placed.blocks]


def _machinefile(text, placed):
    pairs = [line.rsplit(":", 1) for line in text.splitlines()]
    assert [h for h, count in pairs for _ in range(int(count))] == [
        _host(placed.places, p) for p in placed.blocks
    ]


def _cray(text, placed):
    order = [rank for line in text.splitlines() for rank in _numbers(line)]
    assert sorted(order) == list(range(len(placed.blocks)))
    hosts = [placed.places.host_of[placed.blocks[rank]] for rank in order]
    assert hosts == sorted(hosts)
    for _, ranks in groupby(order, key=lambda rank: placed.places.host_of[placed.blocks[rank]]):
        slots = [placed.places.slot_of[placed.blocks[rank]] for rank in ranks]
        assert slots == sorted(slots)


def _lsf(text, placed):
    counts = {host: int(count) for host, count in map(str.split, text.splitlines())}
    assert counts == Counter(_host(placed.places, pe) for pe in placed.blocks)


def _erf(text, placed):
    pattern = r"rank: (\d+): \{ hostname: (\S+); cpu: \{([\d,-]+)\} ; gpu: \* ; mem: \* \}"
    lines = [re.fullmatch(pattern, line) for line in text.splitlines() if line.startswith("rank:")]
    assert [int(m[1]) for m in lines] == list(range(len(placed.blocks)))
    assert [m[2] for m in lines] == [_host(placed.places, pe) for pe in placed.blocks]
    for rank, match in enumerate(lines):
        assert _numbers(match[3]) == _cores(placed.places, placed.blocks, rank)


def _cpus(text, placed):
    own = [tuple(map(int, line.split(","))) for line in text.splitlines()]
    assert own == [placed.places.bound_to(pe) for pe in placed.blocks]


_READERS = {
    "blocks": _blocks, "metis": _blocks, "permutation": _permutation, "comm-split": _comm_split,
    "json": _json, "rankfile": _rankfile, "rankfile-relative": _rankfile, "slurm": _slurm,
    "mpich": _machinefile, "intelmpi": _machinefile, "cray": _cray, "lsf": _lsf, "erf": _erf,
    "cpus": _cpus,
}  # fmt: skip
