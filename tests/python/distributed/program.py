# SPDX-License-Identifier: MIT
"""What test_under_mpi.py runs on every rank: rank 0 prints a line of JSON."""

import hashlib
import json
import os
import sys

import numpy as np
from mpi4py import MPI

import procmap
import procmap.distributed as pd

COMM = MPI.COMM_WORLD
MACHINE = procmap.Topology.hierarchy("2:3:2", "1:10:100")
SIDE, ISOLATED = 20, 15
N = SIDE * SIDE + ISOLATED
CAPACITIES = [120] * 10 + [40, 0]  # the loads add up to 829


def rows(first, end):
    """A torus with a hub, vertex 0, that knows every tenth one too, and isolated vertices."""
    offsets, heads = [0], []
    for v in range(first, end):
        if v >= SIDE * SIDE:
            offsets.append(len(heads))
            continue
        x, y = v % SIDE, v // SIDE
        near = {(x + 1) % SIDE + y * SIDE, (x - 1) % SIDE + y * SIDE}
        near |= {x + (y + 1) % SIDE * SIDE, x + (y - 1) % SIDE * SIDE}
        near |= set(range(10, SIDE * SIDE, 10)) if v == 0 else {0} if v % 10 == 0 else set()
        heads += sorted(near - {v})
        offsets.append(len(heads))
    tails = np.repeat(np.arange(first, end), np.diff(offsets))
    values = (tails + np.array(heads, np.int64)) % 4 / 4 + 0.25
    return offsets, np.array(heads, np.int64), values, np.arange(first, end) % 3 + 1


def own_rows():
    """Of more than two ranks the second one has no rows."""
    takers = [r for r in range(COMM.size) if COMM.size < 3 or r != 1]
    if COMM.rank not in takers:
        return rows(0, 0)
    place = takers.index(COMM.rank)
    return rows(N * place // len(takers), N * (place + 1) // len(takers))


def mapping(**options):
    found = pd.map(COMM, own_rows(), MACHINE, gather_arcs=1000, preset="fast", **options)
    again = pd.evaluate(COMM, own_rows(), found, MACHINE)
    blocks = COMM.gather(found.blocks)
    whole = np.zeros(0, np.int32) if blocks is None else np.concatenate(blocks)
    return {
        "blocks": hashlib.sha256(whole.tobytes()).hexdigest(),
        "first": whole[:3].tolist(),
        "cost": found.cost,
        "again": again.cost,
        "loads": found.block_weights.tolist(),
        "feasible": found.feasible,
        "messages": sum(level.messages for level in found.levels),
    }


def constraints():
    """Capacities and fixed vertices, of a mapping that is improved."""
    first = sum(COMM.allgather(len(own_rows()[0]) - 1)[: COMM.rank])
    ids = np.arange(first, first + len(own_rows()[0]) - 1)
    fixed = np.where(ids < 3, 4 + ids, -1)
    return mapping(capacities=CAPACITIES, fixed=fixed, initial=ids % 11, migration_cost=0.5)


def errors():
    """All ranks get what is wrong at the last."""
    offsets, heads, *_ = own_rows()
    if COMM.rank == COMM.size - 1:
        heads[-1] = N
    try:
        pd.map(COMM, (offsets, heads), MACHINE)
    except procmap.GraphError as exc:
        return COMM.gather(str(exc))
    return None


def death():
    """A rank ends without a word while the others wait for it."""
    if COMM.rank == COMM.size - 1:
        os._exit(3)
    pd.map(COMM, own_rows(), MACHINE)


found = {name: globals()[name]() for name in sys.argv[1:]}
if COMM.rank == 0:
    print(json.dumps(found))
