# SPDX-License-Identifier: MIT
"""Make many calls from threads and forked processes: ``python tests/soak/run.py --calls 100000``.

Rounds follow each other. In each, new threads make calls while the process forks, and the forked
processes make calls of their own. Every result must be that of a single thread, and neither the
process, from the end of the first rounds (warm-up) on, nor a forked one may grow. The exit code is
1 if anything differs.
"""

import argparse
import ctypes
import gc
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("", "python")]

from soak import calls  # noqa: E402

THREADS, PROCESSES = 8, 4
CHILD_LIMIT = 3600  # seconds


def resident():
    """Return bytes in memory, less what the allocator merely keeps."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def make_calls(count, seed, expected):
    """Make calls and return how many gave another result."""
    rng = random.Random(seed)
    numbers = [rng.randrange(calls.NUMBERS) for _ in range(count)]
    return sum(calls.call(number) != expected[number] for number in numbers)


def forked(count, seed, expected):
    """Make calls in a new process; return its id and the pipe out of which its answer comes."""
    end, start = os.pipe()
    pid = os.fork()
    if pid:
        os.close(start)
        return pid, end
    try:
        signal.alarm(CHILD_LIMIT)
        wrong = make_calls(count // 2, seed, expected)
        before = resident()
        wrong += make_calls(count - count // 2, seed + 1, expected)
        os.write(start, f"{wrong} {resident() - before}".encode())
    finally:
        os._exit(0)


def answer_of(pid, end):
    """Wait for a process; return its wrong results, 1 if it ended otherwise, and its growth."""
    with os.fdopen(end) as pipe:
        words = pipe.read().split()
    os.waitpid(pid, 0)
    return (int(words[0]), int(words[1])) if len(words) == 2 else (1, 0)


def round_of(count, seed, expected):
    """Make `count` calls at once; return wrong results and the growth of the forked processes."""
    each, wrong = count // (THREADS + PROCESSES), []
    work = [
        threading.Thread(target=lambda i=i: wrong.append(make_calls(each, seed + 2 * i, expected)))
        for i in range(THREADS)
    ]
    for thread in work:
        thread.start()
    children = [forked(each, seed + 100 + 2 * i, expected) for i in range(PROCESSES)]
    for thread in work:
        thread.join()
    answers = [answer_of(*child) for child in children]
    wrong += [w for w, _ in answers] + [1] * (THREADS - len(wrong))
    return sum(wrong), max(growth for _, growth in answers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--growth", type=float, default=8, help="MiB that are no growth")
    args = parser.parse_args()
    begin = time.monotonic()
    expected = [calls.call(number) for number in range(calls.NUMBERS)]
    wrong, sizes, growths = 0, [], []
    for i in range(args.rounds):
        found, growth = round_of(args.calls // args.rounds, args.seed + 1000 * i, expected)
        wrong += found
        growths.append(growth / 2**20)
        sizes.append(resident() / 2**20)
        print(
            f"round {i + 1}: {sizes[-1]:.1f} MiB, forked ones grew by {growth / 2**20:.1f}",
            flush=True,
        )
    warm_up = max(1, args.rounds // 4)
    growth = sizes[-1] - max(sizes[:warm_up])
    seconds = time.monotonic() - begin
    print(
        f"{args.calls} calls in {seconds:.0f} s: {wrong} other results, "
        f"{growth:+.1f} MiB since warm-up"
    )
    return int(wrong > 0 or growth > args.growth or max(growths) > args.growth)


if __name__ == "__main__":
    sys.exit(main())
