# SPDX-License-Identifier: MIT
"""One call of procmap or METIS for several weights per vertex; prints one line of JSON.

Run by path, in a fresh process each time. Seconds are the CPU time of the call, on one thread,
without starting Python and without reading the graph. METIS is the shared library of version 5,
called as it is: its Python packages take one weight.
"""

from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.instance import read_instance
from harness.one_call import Program, Result, call, make_parser

OK, NUM_OPTIONS, OPTION_SEED = 1, 40, 8  # METIS_OK, METIS_NOPTIONS, METIS_OPTION_SEED


def procmap(args: argparse.Namespace) -> Result:
    """A preset of this library: k blocks with a small cut or, with a machine, a small J."""
    import procmap

    graph, weights = procmap.Graph.read(args.graph), np.load(args.weights)
    topology = procmap.Topology.hierarchy(args.hierarchy or str(args.k), args.distance or "1")
    begin = time.process_time()
    mapping = procmap.map(
        graph,
        topology,
        vertex_weights=weights,
        imbalance=float(args.imbalance),
        preset=args.preset,
        seed=args.seed,
        threads=1,
    )
    return time.process_time() - begin, mapping.blocks


def metis(args: argparse.Namespace) -> Result:
    """METIS_PartGraphKway of a METIS with 32-bit numbers, as Debian builds it."""
    library, instance = metis_library(), read_instance(Path(args.graph))
    weights = np.ascontiguousarray(np.load(args.weights), np.int32)
    n, count = weights.shape
    offsets, heads = instance.offsets.astype(np.int32), instance.heads
    arc_weights = None if instance.edge_weights is None else instance.edge_weights.astype(np.int32)
    bounds = np.full(count, 1 + float(args.imbalance), np.float32)
    options = np.empty(NUM_OPTIONS, np.int32)
    library.METIS_SetDefaultOptions(_pointer(options))
    options[OPTION_SEED] = args.seed
    blocks, cut = np.zeros(n, np.int32), ctypes.c_int32()
    sizes = [ctypes.byref(ctypes.c_int32(value)) for value in (n, count, args.k)]
    begin = time.process_time()
    status = library.METIS_PartGraphKway(
        *(*sizes[:2], _pointer(offsets), _pointer(heads), _pointer(weights), None),
        *(_pointer(arc_weights), sizes[2], None, _pointer(bounds), _pointer(options)),
        *(ctypes.byref(cut), _pointer(blocks)),
    )
    seconds = time.process_time() - begin
    if status != OK:
        raise SystemExit(f"METIS_PartGraphKway returned {status}")
    return seconds, blocks


def metis_library() -> ctypes.CDLL:
    """Load METIS; raises OSError if there is none."""
    return ctypes.CDLL(ctypes.util.find_library("metis") or "libmetis.so.5")


def _pointer(array: np.ndarray | None) -> ctypes.c_void_p | None:
    return None if array is None else array.ctypes.data_as(ctypes.c_void_p)


PROGRAMS: dict[str, Program] = {"procmap": procmap, "metis": metis}


def parse(arguments: list[str]) -> argparse.Namespace:
    """Return the options; `weights.py` passes all of them."""
    parser = make_parser(__doc__, PROGRAMS)
    parser.add_argument("--weights", required=True, help="one row per vertex (.npy)")
    parser.add_argument("--k", type=int, required=True)
    parser.add_argument("--hierarchy", help="procmap maps onto this machine of k PEs")
    parser.add_argument("--distance")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    given = parse(sys.argv[1:])
    call(PROGRAMS[given.program], given, "cpu_seconds")
