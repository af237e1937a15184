# SPDX-License-Identifier: MIT
"""Run the fuzz targets: ``python tests/fuzz/run.py --cases 100000``.

Case i of a seed is always the same. Every chunk of cases runs in a process of its own, which a
watchdog ends if a case takes too long; whatever ends it early is a finding. The exit code is the
number of findings, at most 100.
"""

import argparse
import faulthandler
import random
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "python")]

from fuzz import TARGETS  # noqa: E402

SECONDS_PER_CASE = 60
CHUNK = 500


def run_case(seed, number):
    """Run one case and return its target and outcome."""
    rng = random.Random(f"{seed}:{number}")
    name = list(TARGETS)[number % len(TARGETS)]
    return name, TARGETS[name](rng)


def run_chunk(seed, first, last):
    """Run cases and print outcomes, each number before its case: the last one printed crashed."""
    for number in range(first, last):
        print(f"\n{number}", end=" ", flush=True)
        faulthandler.dump_traceback_later(SECONDS_PER_CASE, exit=True)
        name, outcome = run_case(seed, number)
        print(f"{name}: {outcome}", end="", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--chunk", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    last = args.first + args.cases
    if args.chunk:
        run_chunk(args.seed, args.first, last)
        return 0
    start = time.monotonic()
    with ThreadPoolExecutor(args.jobs) as pool:
        chunks = [(args.seed, i, min(i + CHUNK, last)) for i in range(args.first, last, CHUNK)]
        results = list(pool.map(lambda chunk: _supervised(*chunk), chunks))
    outcomes = sum((outcome for outcome, _ in results), Counter())
    findings = [finding for _, found in results for finding in found]
    for (name, outcome), count in sorted(outcomes.items()):
        print(f"{name:<12} {outcome:<9} {count:>7}")
    print("\n\n".join(findings))
    print(f"{args.cases} cases in {time.monotonic() - start:.0f} s: {len(findings)} findings")
    return min(len(findings), 100)


def _supervised(seed, first, last):
    """Run a chunk in a process; after a case that ended it, go on with the next in another."""
    outcomes, findings = Counter(), []
    while first < last:
        command = [sys.executable, __file__, "--chunk", "--seed", str(seed), "--first", str(first)]
        command += ["--cases", str(last - first)]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = process.stdout.split("\n")[1:]
        outcomes.update(_outcome(line) for line in lines if ": " in line)
        if process.returncode == 0:
            break
        culprit = int(lines[-1].split()[0]) if lines else first
        findings.append(
            f"case {culprit} of seed {seed}, exit code {process.returncode}:\n"
            + process.stderr[-3000:]
        )
        first = culprit + 1
    return outcomes, findings


def _outcome(line):
    name, outcome = line.split(" ", 1)[1].split(": ")
    return name, outcome


if __name__ == "__main__":
    sys.exit(main())
