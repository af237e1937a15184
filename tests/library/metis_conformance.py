# SPDX-License-Identifier: MIT
"""Compares a METIS library with METIS itself on seeded random calls, legal and illegal.

    python tests/library/metis_conformance.py OURS ORIGINAL --cases 12000

Prints a table of what both did, and fails if ours differs where it must not.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
INCLUDE = HERE.parents[1] / "cpp" / "include" / "procmap" / "metis"
OK = "code 1"
IN_PIECES = "code -4"  # contiguous parts are asked for, of a graph that is not connected

# Arguments that METIS reads as if they were right: it crashes, returns an error, or a result that
# means nothing. Here they are an error always. Arcs without their reverse are not among them.
UNCHECKED_BY_METIS = {"array", "weight", "NULL", "ncon9"}
LEGAL = {"legal", "legal,ncon>1"}


HEADER = """# METIS's functions on random calls

Written by `python tests/library/metis_conformance.py LIBRARY ORIGINAL --report FILE`, {:,} calls;
METIS 5.1.0 of Debian 12; {} mistakes. Arguments: legal, or what is wrong with them (`ncon9`: more
weights per vertex than procmap balances). A code is what the function returned (1: `METIS_OK`), a
signal what ended the process. Of results of legal calls all parts were in range, the cut, of meshes
too, was counted again, and wherever METIS's parts of a graph kept their limits, in every
constraint, procmap's did.

"""


class Case(NamedTuple):
    """What a library made of a call."""

    number: str
    function: str
    arguments: str  # one of LEGAL, or what is wrong with them
    outcome: str  # "code 1", "signal 11"
    rest: tuple[str, ...]  # objval, hashes of arrays, and what was found wrong with the result


def build(folder: Path) -> Path:
    """Compile the program that makes the calls."""
    program = folder / "metis_conformance"
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise FileNotFoundError("there is no C compiler")
    source = HERE / "metis_conformance.c"
    options = ["-std=c99", "-O1", "-Wall", "-Wextra", f"-I{INCLUDE}"]
    subprocess.run([compiler, *options, source, "-o", program, "-ldl"], check=True)
    return program


def run(program: Path, library: str, first: int, cases: int) -> list[Case]:
    """Make the calls with one library."""
    command = [program, library, str(first), str(cases)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    words = [line.split() for line in output.splitlines()]
    return [Case(w[0], w[1], w[2], f"{w[3]} {w[4]}", tuple(w[5:])) for w in words]


def mistake(ours: Case, original: Case) -> str | None:
    """Return what is wrong with our result, if anything is."""
    if not ours.outcome.startswith("code"):
        return "ours crashes"
    found = [word for word in ours.rest if word.endswith(("range", "cut", "failed"))]
    if found:
        return found[0]
    if ours.arguments in UNCHECKED_BY_METIS:
        # What is NULL or wrong need not be read: then the call succeeds in both.
        both_ok = ours.outcome == OK and original.outcome == OK
        return None if ours.outcome != OK or both_ok or unread(ours) else "not refused"
    if not original.outcome.startswith("code"):
        possible = ours.outcome in (OK, IN_PIECES) or ours.arguments not in LEGAL
        return None if possible else "a legal call fails"
    if ours.outcome != original.outcome:
        return "another code"
    if "arrays" in ours.rest and ours.rest != original.rest:
        return "other arrays"
    return "too heavy a part" if excess(ours) > 0 and excess(original) == 0 else None


def excess(case: Case) -> float:
    """Return what the heaviest part is above its limit, of the total, in the worst constraint."""
    words = case.rest
    return float(words[words.index("excess") + 1]) if "excess" in words else 0


def unread(case: Case) -> bool:
    """Whether the wrong entry was not read: meshes have no adjwgt, and less rows than vwgt."""
    return case.function.startswith("PartMesh") and case.arguments == "weight"


def report(pairs: list[tuple[Case, Case]]) -> str:
    """Return a table of outcomes, by function and kind of arguments."""
    counts = Counter(
        (ours.function, ours.arguments, original.outcome, ours.outcome) for ours, original in pairs
    )
    lines = ["| function | arguments | METIS | procmap | cases |", "|---|---|---|---|---:|"]
    lines += [f"| {' | '.join(key)} | {count} |" for key, count in sorted(counts.items())]
    return "\n".join(lines)


def compare(ours: str, original: str, first: int, cases: int) -> tuple[str, list[str]]:
    """Run both libraries; return the table and the mistakes."""
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        pairs = list(
            zip(run(program, ours, first, cases), run(program, original, first, cases), strict=True)
        )
    mistakes = [
        f"{problem}: case {a.number}, {a.function}, {a.arguments}: METIS {b.outcome} "
        f"{' '.join(b.rest)}, procmap {a.outcome} {' '.join(a.rest)}"
        for a, b in pairs
        if (problem := mistake(a, b)) is not None
    ]
    return report(pairs), mistakes


def main() -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ours", help="libprocmap_metis.so.5")
    parser.add_argument("original", help="libmetis.so.5, with 32-bit idx_t and float real_t")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--cases", type=int, default=700)
    parser.add_argument("--report", type=Path, help="write the table there")
    args = parser.parse_args()
    table, mistakes = compare(args.ours, args.original, args.first, args.cases)
    print(table, *mistakes, f"{args.cases} calls, {len(mistakes)} mistakes", sep="\n")
    if args.report:
        args.report.write_text(HEADER.format(args.cases, len(mistakes)) + table + "\n")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
