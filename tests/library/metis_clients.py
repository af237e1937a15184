# SPDX-License-Identifier: MIT
"""Runs programs of Debian that use METIS, with METIS and with procmap in its place, unchanged.

    python tests/library/metis_clients.py LIBRARY [--presets default fast] [--report FILE.md]

LIBRARY is libprocmap_metis.so.5, which is preloaded. Needs the Debian packages that the stage
`clients` of .ci/run installs; a program that is missing is named and left out. Fails if a call
fails that METIS answers, if a part is too heavy, if the cuts of the first preset are larger than
METIS's (geometric mean), or one by a twentieth.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
from metis_programs import CLIENTS, HERE, INCLUDE, is_installed


class Call(NamedTuple):
    """A call of METIS that the recorder saw."""

    function: str
    code: int
    seconds: float
    vertices: int
    weights: int  # of every vertex
    parts: int
    cut: int
    heaviest: float


def build_recorder(folder: Path) -> Path:
    """Compile what measures the calls."""
    library = folder / "metis_recorder.so"
    source = HERE / "metis_recorder.c"
    options = ["-std=c11", "-O1", "-shared", "-fPIC", f"-I{INCLUDE}"]
    subprocess.run(["cc", *options, source, "-o", library, "-ldl"], check=True)
    return library


def calls_of(
    command: list[str], preload: list[Path], settings: dict[str, str], folder: Path
) -> list[Call]:
    """Run a program and return its calls of METIS."""
    log = folder / "calls"
    log.unlink(missing_ok=True)
    environment = dict(os.environ) | settings
    environment["FF_LOADPATH"] = "/usr/lib/freefem++"  # Debian's FreeFEM looks elsewhere
    environment |= {"LD_PRELOAD": ":".join(map(str, preload)), "METIS_RECORD": str(log)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0 or not log.exists():
        raise RuntimeError(f"{' '.join(command)}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    words = [line.split() for line in log.read_text().splitlines()]
    return [
        Call(w[0], int(w[1]), float(w[2]), *map(int, w[3:7]), heaviest=float(w[7])) for w in words
    ]


class Row(NamedTuple):
    """A program and a number of parts: METIS's call, and ours by preset."""

    client: str
    metis: Call
    ours: dict[str, Call]


def measure(library: Path, presets: list[str], folder: Path) -> list[Row]:
    """Run everything that is installed."""
    recorder = build_recorder(folder)
    rows = []
    for client in CLIENTS:
        if not is_installed(client):
            print(f"{client.name}: not installed, left out")
            continue
        client.prepare(folder)
        first = [folder / client.preload] if client.preload else []
        for parts in client.parts:
            command = client.command(folder, parts)
            (theirs,) = calls_of(command, [*first, recorder], {}, folder)
            ours = {}
            for preset in presets:
                settings = {"PROCMAP_PRESET": preset, "PROCMAP_THREADS": "1"}
                (ours[preset],) = calls_of(command, [*first, recorder, library], settings, folder)
            rows.append(Row(client.name, theirs, ours))
            print(client.name, parts, theirs, ours, flush=True)
    return rows


def allowed(call: Call) -> float:
    """Return what METIS's defaults allow the heaviest part, over its share, and a heavy vertex."""
    slack = 1.03
    if call.function == "METIS_PartGraphRecursive":
        # With several weights METIS means it at every bisection.
        slack = 1.001 if call.weights == 1 else 1.01 ** (call.parts - 1).bit_length()
    return slack + (call.parts if call.weights == 1 else 3 * call.parts) / call.vertices


def problems(rows: list[Row], preset: str) -> list[str]:
    """Return what is not as it should be."""
    found = []
    for row in rows:
        ours = row.ours[preset]
        name = f"{row.client}, {ours.parts} parts"
        if ours.code != row.metis.code:
            found.append(f"{name}: code {ours.code} instead of {row.metis.code}")
        if ours.heaviest > max(allowed(ours), row.metis.heaviest):
            found.append(f"{name}: the heaviest part is {ours.heaviest:.4f} times its share")
        if ours.cut > 1.05 * row.metis.cut:
            found.append(f"{name}: cut {ours.cut}, METIS's {row.metis.cut}")
    if mean_ratio(rows, preset) > 1:
        found.append(f"cuts are {mean_ratio(rows, preset):.3f} times METIS's")
    return found


def mean_ratio(rows: list[Row], preset: str) -> float:
    """Return our cuts over METIS's, geometric mean."""
    return statistics.geometric_mean(row.ours[preset].cut / row.metis.cut for row in rows)


def table(rows: list[Row], presets: list[str]) -> str:
    """Return the rows as Markdown."""
    titles = [f"cut, `{p}`" for p in presets] + [f"CPU s, `{p}`" for p in presets]
    lines = [
        "| program | vertices | parts | cut, METIS | " + " | ".join(titles[: len(presets)])
        + f" | heaviest, METIS | `{presets[0]}` | CPU s, METIS | "
        + " | ".join(titles[len(presets) :]) + " |",
        "|---" + "|---:" * (6 + 2 * len(presets)) + "|",
    ]  # fmt: skip
    for row in rows:
        ours = [row.ours[p] for p in presets]
        cells = [row.client, f"{row.metis.vertices:,}", row.metis.parts, f"{row.metis.cut:,}"]
        cells += [f"{call.cut:,} ({call.cut / max(row.metis.cut, 1):.2f})" for call in ours]
        cells += [
            f"{row.metis.heaviest:.3f}",
            f"{ours[0].heaviest:.3f}",
            f"{row.metis.seconds:.2f}",
        ]
        cells += [f"{call.seconds:.2f}" for call in ours]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def main() -> int:
    """Measure, print, and judge the first preset."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path, help="libprocmap_metis.so.5")
    parser.add_argument("--presets", nargs="+", default=["default", "fast"])
    parser.add_argument("--report", type=Path, help="write the table there")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(args.library.resolve(), args.presets, Path(folder))
    text = table(rows, args.presets)
    found = problems(rows, args.presets[0])
    print(text, *found, sep="\n")
    if args.report:
        machine = f"{platform.machine()}, {os.cpu_count()} cores, one thread"
        args.report.write_text(
            "# Programs that use METIS, with procmap in its place\n\n"
            "Written by `python tests/library/metis_clients.py LIBRARY --report FILE`;\n"
            f"{machine}. Programs as Debian 12 packages them, with METIS 5.1.0 or with\n"
            "`libprocmap_metis` preloaded. Heaviest: the heaviest part over its share.\n"
            "CPU s: of the calls, without the rest of the program. Geometric means of the cuts:\n"
            + ", ".join(f"`{p}` {mean_ratio(rows, p):.3f}" for p in args.presets)
            + " of METIS's.\n\n"
            + text
            + "\n"
        )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
