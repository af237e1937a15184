# SPDX-License-Identifier: MIT
"""Runs programs of Debian that use METIS, with METIS and with procmap in its place, unchanged.

    python tests/library/metis_clients.py LIBRARY [--presets default fast] [--report FILE.md]

LIBRARY is libprocmap_metis.so.5, which is preloaded. Needs the packages of `PACKAGES`; a program
that is missing is named and left out. Fails if a call fails that METIS answers, if a part is too
heavy, if the cuts of the first preset are larger than METIS's (geometric mean), or one by a tenth.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
INCLUDE = HERE.parents[1] / "cpp" / "include" / "procmap" / "metis"
PACKAGES = ("metis", "gmsh", "freefem++", "libdeal.ii-dev")
PARTS = (2, 8, 64)
GRID = 36  # 36^3 vertices of gpmetis's graph


class Call(NamedTuple):
    """A call of METIS that the recorder saw."""

    function: str
    code: int
    seconds: float
    vertices: int
    parts: int
    cut: int
    heaviest: float


class Client(NamedTuple):
    """A program: how to prepare its input once, and its command for a number of parts."""

    name: str
    program: str
    prepare: Callable[[Path], None]
    command: Callable[[Path, int], list[str]]


def write_grid(folder: Path) -> None:
    """Write a grid in three dimensions as a METIS graph."""
    side = range(GRID)
    edges = 3 * GRID * GRID * (GRID - 1)
    with (folder / "grid.graph").open("w") as file:
        file.write(f"{GRID**3} {edges}\n")
        for x in side:
            for y in side:
                for z in side:
                    near = [
                        (a * GRID + b) * GRID + c + 1
                        for a, b, c in (
                            (x - 1, y, z), (x + 1, y, z), (x, y - 1, z),
                            (x, y + 1, z), (x, y, z - 1), (x, y, z + 1),
                        )
                        if min(a, b, c) >= 0 and max(a, b, c) < GRID
                    ]  # fmt: skip
                    file.write(" ".join(map(str, near)) + "\n")


def write_mesh(folder: Path) -> None:
    """Write a square of triangles as a METIS mesh."""
    n = 120
    rows = [f"{2 * n * n}"]
    for i in range(n):
        for j in range(n):
            a, b = i * (n + 1) + j + 1, (i + 1) * (n + 1) + j + 1
            rows += [f"{a} {a + 1} {b}", f"{a + 1} {b + 1} {b}"]
    (folder / "square.mesh").write_text("\n".join(rows) + "\n")


def write_gmsh(folder: Path) -> None:
    """Mesh a box with a hole by gmsh."""
    (folder / "part.geo").write_text(
        'SetFactory("OpenCASCADE");\nBox(1) = {0, 0, 0, 2, 1, 1};\n'
        "Cylinder(2) = {1, 0, 0.5, 0, 1, 0, 0.3};\n"
        "BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };\n"
        "Mesh.MeshSizeMax = 0.06;\n"
    )
    subprocess.run(["gmsh", "-3", "-v", "1", "part.geo", "-o", "part.msh"], cwd=folder, check=True)


def write_freefem(folder: Path) -> None:
    """Write programs for FreeFEM that split a disk."""
    for parts in PARTS:
        (folder / f"disk_{parts}.edp").write_text(
            'load "metis"\nborder c(t=0, 2*pi){x=cos(t); y=sin(t);}\nmesh Th = buildmesh(c(600));\n'
            f"int[int] part(Th.nt);\nmetisdual(part, Th, {parts});\n"
        )


def compile_dealii(folder: Path) -> None:
    """Compile a program against deal.II."""
    source = HERE / "dealii_partition.cc"
    folders = ["/usr/include/trilinos", "/usr/lib/x86_64-linux-gnu/openmpi/include"]
    command = ["g++", "-O0", "-w", *(f"-I{f}" for f in folders), source, "-o", "dealii_partition"]
    subprocess.run(
        [*command, "-Wl,--copy-dt-needed-entries", "-ldeal.ii", "-ltbb"], cwd=folder, check=True
    )


def nothing(folder: Path) -> None:
    """Prepare nothing."""


CLIENTS = (
    Client("gpmetis", "gpmetis", write_grid, lambda f, k: ["gpmetis", f"{f}/grid.graph", f"{k}"]),
    Client(
        "gpmetis -ptype=rb", "gpmetis", nothing,
        lambda f, k: ["gpmetis", "-ptype=rb", f"{f}/grid.graph", f"{k}"],
    ),
    Client("mpmetis", "mpmetis", write_mesh, lambda f, k: ["mpmetis", f"{f}/square.mesh", f"{k}"]),
    Client(
        "mpmetis -gtype=nodal", "mpmetis", nothing,
        lambda f, k: ["mpmetis", "-gtype=nodal", f"{f}/square.mesh", f"{k}"],
    ),
    Client(
        "gmsh -part", "gmsh", write_gmsh,
        lambda f, k: [
            "gmsh", "-v", "2", f"{f}/part.msh", "-part", f"{k}", "-o", f"{f}/split.msh", "-save",
        ],
    ),
    Client(
        "FreeFEM metisdual", "FreeFem++-nw", write_freefem,
        lambda f, k: ["FreeFem++-nw", "-ne", "-v", "0", f"{f}/disk_{k}.edp"],
    ),
    Client("deal.II", "deal.II", compile_dealii, lambda f, k: [f"{f}/dealii_partition", f"{k}"]),
)  # fmt: skip


def is_installed(client: Client) -> bool:
    """Whether the program, or deal.II's headers, are there."""
    if client.program == "deal.II":
        return Path("/usr/include/deal.II").is_dir()
    return shutil.which(client.program) is not None


def build_recorder(folder: Path) -> Path:
    """Compile what measures the calls."""
    library = folder / "metis_recorder.so"
    source = HERE / "metis_recorder.c"
    subprocess.run(
        [
            "cc",
            "-std=c11",
            "-O1",
            "-shared",
            "-fPIC",
            f"-I{INCLUDE}",
            source,
            "-o",
            library,
            "-ldl",
        ],
        check=True,
    )
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
        Call(w[0], int(w[1]), float(w[2]), int(w[3]), int(w[4]), int(w[5]), float(w[6]))
        for w in words
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
        for parts in PARTS:
            command = client.command(folder, parts)
            (theirs,) = calls_of(command, [recorder], {}, folder)
            ours = {}
            for preset in presets:
                settings = {"PROCMAP_PRESET": preset, "PROCMAP_THREADS": "1"}
                (ours[preset],) = calls_of(command, [recorder, library], settings, folder)
            rows.append(Row(client.name, theirs, ours))
            print(client.name, parts, theirs, ours, flush=True)
    return rows


def allowed(call: Call) -> float:
    """Return what METIS's defaults allow the heaviest part, over its share, and one vertex."""
    slack = 1.001 if call.function == "METIS_PartGraphRecursive" else 1.03
    return slack + call.parts / call.vertices


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
        if ours.cut > 1.1 * row.metis.cut:
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
