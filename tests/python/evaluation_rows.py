# SPDX-License-Identifier: MIT
"""Rows of the evaluation's log, as its tests need them."""


def run_of(**changed):
    row = {
        "suite": "mapping", "graph": "g", "hierarchy": "4:8:1", "distance": "1:10:100",
        "imbalance": "0.03", "side": "fast", "seed": 1, "threads": 1, "device": "cpu",
        "kind": "regular", "n": 10, "m": 20, "own": True, "machine": "a machine",
        "version": "procmap 1", "J": 100, "edge_cut": 5, "imbalance_found": 0.0, "feasible": True,
        "empty_pes": 0, "seconds": 4.0, "cpu_seconds": 2.0, "peak_bytes": 1, "status": "ok",
        "phases": {"matching": 1.0, "propose moves": 0.5}, "call_seconds": 2.0,
    }  # fmt: skip
    return {**row, **changed}
