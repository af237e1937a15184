# SPDX-License-Identifier: MIT
"""What procmap, METIS, Scotch, KaHIP and Mt-KaHyPar do with the same bad files.

    python benchmarks/bad_input.py --out docs/site/bad_input.md

Partitions every file of harness/bad_files.py into four blocks with every program that is installed,
each call in a process with limits on time and memory, and writes down what was seen.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import importlib.metadata
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from harness.bad_files import LEGAL, MALFORMED
from harness.partition_file import PROGRAMS

K, IMBALANCE, SECONDS, GIB = 4, 0.03, 20, 8

TEXT = """\
# Bad input

<!-- written by benchmarks/bad_input.py; do not edit -->

What programs do with the same files, partitioned into {k} blocks at an imbalance of 3 %: a grid
of 20 x 20 with one thing changed. Every call had a process of its own, {seconds} seconds and {gib}
GiB. Seen on {date} with {versions}.

Malformed files. A right answer is **refused**; *line*: the message names the line of the file.
"""

LEGAL_TEXT = """
Odd but legal files. A right answer is **right**: a block for every vertex, and none above
ceil(1.03 c(V) / {k}) where that is possible.
"""

WORDS = """
*accepted*: blocks came back as if nothing were wrong. *says no, exit 0*: a message, no blocks, and
the exit status of success. *crashed*: a signal ended the process; *ended* is any other end without
blocks or message. *hung*: no end within the time. *unbalanced*: heavier blocks than allowed; *said*
if the program says so. METIS's imbalance holds for real numbers, ours and KaHIP's for the next
integer; the check here takes the next integer for all. KaHIP is called through a Python package,
which brings a reader of its own.
"""


def limit() -> None:
    """Bound memory, and leave no core files."""
    resource.setrlimit(resource.RLIMIT_AS, (GIB << 30, GIB << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def outcome(program: str, text: str, legal: bool) -> str:
    """Partition a file and say in a few words what happened."""
    with tempfile.TemporaryDirectory() as folder:
        graph, blocks = Path(folder, "x.graph"), Path(folder, "blocks")
        graph.write_text(text, newline="")
        runner = Path(__file__).parent / "harness" / "partition_file.py"
        command = [sys.executable, str(runner), program, str(graph), str(blocks), str(K)]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                timeout=SECONDS,
                check=False,
                cwd=folder,
                preexec_fn=limit,
            )
        except subprocess.TimeoutExpired:
            return "*hung*"
        said = (done.stdout + done.stderr).decode(errors="replace")
        ended_by = -done.returncode if done.returncode < 0 else done.returncode - 128
        if 0 < ended_by < signal.NSIG:
            return f"*crashed* ({signal.Signals(ended_by).name})"
        result = read_blocks(blocks)
    if result is None:
        return failure(done.returncode, said, graph.name)
    return judged(result, text, said) if legal else "*accepted*"


def failure(status: int, said: str, name: str) -> str:
    """Say how a program refused; `line` if its message has the number of one."""
    words = said.lower()
    message = [line for line in words.splitlines() if "error" in line or name in line]
    if status == 0:
        return "*says no, exit 0*" if words.strip() else "*ended*, exit 0"
    named = any(f"{name}:" in line or "line " in line for line in message)
    return "refused, line" if named else "refused" if words.strip() else "*ended*"


def read_blocks(path: Path) -> list[int] | None:
    """Read what a program wrote; None if it wrote nothing."""
    if not path.exists():
        return None
    return [int(word) for word in path.read_text().split()]


def judged(blocks: list[int], text: str, said: str) -> str:
    """Whether blocks are those of a legal file, and how balanced."""
    header, *rows = [line.split() for line in text.splitlines() if not line.startswith("%")]
    n, fmt = int(header[0]), header[2].zfill(3) if len(header) > 2 else "000"
    if len(blocks) != n:
        return f"*{len(blocks)} blocks for {n} vertices*"
    if any(not 0 <= block < K for block in blocks):
        return "*a block that is none*"
    loads = [int(row[0]) if fmt[1] == "1" else 1 for row in rows[:n]]
    total, weights = sum(loads), [0] * K
    for block, load in zip(blocks, loads, strict=True):
        weights[block] += load
    allowed = -(-total * 103 // (100 * K))
    if max(weights) <= allowed:
        return "right"
    known = any(word in said.lower() for word in ("infeasible", "imbalanced", "not balanced"))
    if max(loads) > allowed and max(weights) <= max(loads):
        return "as balanced as possible" + (", said" if known else "")
    percent = 100 * max(weights) * K / total - 100
    return f"*unbalanced* ({percent:.0f} %)" + (", said" if known else "")


def version(program: str) -> str:
    """Name and version of a program."""
    package = {"procmap": "procmap", "KaHIP": "chszlablib", "Mt-KaHyPar": "mtkahypar"}.get(program)
    if package is not None:
        via = " of chszlablib" if package == "chszlablib" else ""
        return f"{program}{via} {importlib.metadata.version(package)}"
    debian = {"METIS": "metis", "Scotch": "scotch"}[program]
    found = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", debian],
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{program} {found.stdout or 'of unknown version'}"


def table(files: dict[str, str], programs: list[str], legal: bool) -> str:
    """One row per file, one column per program."""
    lines = ["| file | " + " | ".join(programs) + " |", "|---|" + "---|" * len(programs)]
    for name, text in files.items():
        cells = [outcome(program, text, legal) for program in programs]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, help="the page to write; otherwise only printed")
    args = parser.parse_args()
    programs = [name for name, needs in PROGRAMS.items() if _installed(needs.needs)]
    facts = {"k": K, "seconds": SECONDS, "gib": GIB, "date": dt.date.today().isoformat()}
    page = TEXT.format(**facts, versions=", ".join(map(version, programs))) + "\n"
    page += table(MALFORMED, programs, False) + LEGAL_TEXT.format(k=K) + "\n"
    page += table(LEGAL, programs, True) + WORDS
    if args.out is not None:
        args.out.write_text(page)


def _installed(needs: str) -> bool:
    if shutil.which(needs):
        return True
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version(needs)
        return True
    return False


if __name__ == "__main__":
    main()
