# SPDX-License-Identifier: MIT
"""Record a fingerprint of mappings, or compare with one.

``python tests/fingerprint/run.py check tests/fingerprint/recorded.json`` maps every case with the
procmap that Python imports and lists those whose blocks, J or feasibility are others; the exit
code is 1 if there are any. Cases of graph files that are not there are left out.
"""

import argparse
import json
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

# Spinning threads would take the time of the other processes.
sys.path.insert(0, str(Path(__file__).parents[1]))

from fingerprint.cases import all_cases
from fingerprint.graphs import Folder

CHUNK = 8
ROOT = Path(__file__).parents[2]


class Worker:
    """What a process keeps between chunks: cases and the last graphs."""

    cases = None
    folder = None
    device = "cpu"

    @classmethod
    def start(cls, path, device):
        cls.cases, cls.folder, cls.device = all_cases(), Folder(path), device

    @classmethod
    def run(cls, names):
        return [(name, cls.cases[name].run(cls.folder, cls.device)) for name in names]

    @classmethod
    def digest(cls, graph):
        return graph, cls.folder.digest(graph)


def answers(names, path, device="cpu", jobs=1):
    """Return the digests of the graphs of these cases, and the entries of the cases."""
    cases = all_cases()
    graphs = sorted({cases[name].graph for name in names})
    names = sorted(names, key=lambda name: (cases[name].graph, name))  # a graph is made once
    chunks = [names[i : i + CHUNK] for i in range(0, len(names), CHUNK)]
    if jobs == 1:
        Worker.start(path, device)
        found = [entry for chunk in chunks for entry in Worker.run(chunk)]
        return dict(map(Worker.digest, graphs)), dict(found)
    # A fork of a process that has used CUDA could not use it again.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, Worker.start, (path, device)) as pool:
        found = [entry for chunk in pool.map(Worker.run, chunks) for entry in chunk]
        return dict(pool.map(Worker.digest, graphs)), dict(found)


def chosen(path, every=1):
    """Return the names of every n-th case whose graph is there, and say which are not."""
    cases, folder = all_cases(), Folder(path)
    missing = sorted({c.graph for c in cases.values() if not folder.has(c.graph)})
    if missing:
        print(f"left out, not in {folder.path}: {', '.join(missing)}")
    return [name for name, case in cases.items() if case.graph not in missing][::every]


def differences(record, graphs, cases):
    """Return a line for everything that is not as recorded."""
    lines = [
        f"graph {name}: {made}, recorded was {record['graphs'].get(name)}"
        for name, made in graphs.items()
        if made != record["graphs"].get(name)
    ]
    for name, found in cases.items():
        old = record["cases"].get(name)
        if old is None:
            lines.append(f"{name}: not in the record")
        elif old != found:
            lines.append(f"{name}: J {old[1]} -> {found[1]}, {_state(old)} -> {_state(found)}")
    lines += [f"{name}: no such case" for name in record["cases"].keys() - all_cases().keys()]
    return sorted(lines)


def _state(entry):
    return f"{entry[0]} {'feasible' if entry[2] else 'infeasible'}"


def to_text(commit, graphs, cases):
    """Return a record as JSON, a line per case."""

    def lines(entries):
        return ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(entries.items()))

    return (
        f'{{\n "commit": {json.dumps(commit)},\n "graphs": {{\n{lines(graphs)}\n }},\n'
        f' "cases": {{\n{lines(cases)}\n }}\n}}\n'
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["record", "check"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th case")
    parser.add_argument("--commit", default="unknown", help="of procmap, for the record")
    args = parser.parse_args()
    start = time.monotonic()
    names = chosen(args.shared, args.every)
    graphs, cases = answers(names, args.shared, args.device, args.jobs)
    seconds = f"{time.monotonic() - start:.0f} s"
    if args.action == "record":
        args.file.write_text(to_text(args.commit, graphs, cases))
        print(f"{len(cases)} cases of {len(graphs)} graphs recorded in {seconds}")
        return 0
    record = json.loads(args.file.read_text())
    lines = differences(record, graphs, cases)
    print("\n".join(lines))
    equal = sum(record["cases"].get(name) == found for name, found in cases.items())
    print(f"{equal} of {len(cases)} cases as at {record['commit']}, in {seconds} on {args.device}")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
