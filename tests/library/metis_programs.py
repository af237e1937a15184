# SPDX-License-Identifier: MIT
"""The programs that metis_clients.py runs: what they need, their input, their command."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
INCLUDE = HERE.parents[1] / "cpp" / "include" / "procmap" / "metis"
METIS = "/usr/lib/x86_64-linux-gnu/libmetis.so.5"
PARTS = (2, 8, 64)
GRID = 36  # 36^3 vertices of gpmetis's graph
PETSC = Path("/usr/lib/petscdir/petsc3.18/x86_64-linux-gnu-real")


class Client(NamedTuple):
    """A program: how to prepare its input once, and its command for a number of parts."""

    name: str
    needs: str  # a program, or a file that is there if the program's packages are installed
    prepare: Callable[[Path], None]
    command: Callable[[Path, int], list[str]]
    preload: str = ""  # compiled by `prepare`, and loaded before everything else
    parts: tuple[int, ...] = PARTS


def write_grid(folder: Path) -> None:
    """Write a grid in three dimensions as a METIS graph, without weights and with two per vertex.

    The two are a cell, and its particles, of which there are some in a third of the cells.
    """
    write_grid_to(folder / "grid.graph", "", lambda _: "")

    loads = "1 3 ", "1 0 "
    write_grid_to(folder / "particles.graph", " 010 2", lambda x: loads[x >= GRID // 3])


def write_grid_to(path: Path, format_: str, weights: Callable[[int], str]) -> None:
    """Write a grid whose vertices have weights by their first coordinate."""
    side = range(GRID)
    edges = 3 * GRID * GRID * (GRID - 1)
    with path.open("w") as file:
        file.write(f"{GRID**3} {edges}{format_}\n")
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
                    file.write(weights(x) + " ".join(map(str, near)) + "\n")


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


def compile_petsc(folder: Path) -> None:
    """Compile a program against PETSc, and METIS as a partitioner that PETSc loads."""
    folders = [
        INCLUDE, PETSC / "include", f"/usr/share/petsc/{PETSC.parent.name[5:]}/include",
        "/usr/lib/x86_64-linux-gnu/openmpi/include",
    ]  # fmt: skip
    for target, *options in (
        ["petsc_partition", HERE / "petsc_partition.c", f"-L{PETSC}/lib", "-lpetsc_real", "-lmpi"],
        ["libpetscmetis.so", HERE / "petsc_metis.c", "-shared", "-fPIC", METIS],
    ):
        command = ["cc", "-O1", *(f"-I{f}" for f in folders), *options, "-o", target]
        subprocess.run(command, cwd=folder, check=True)


OPENFOAM_FILES = {
    "controlDict": "application x; startFrom startTime; startTime 0; stopAt endTime; endTime 1; "
    "deltaT 1; writeControl timeStep; writeInterval 1;",
    "fvSchemes": "ddtSchemes { default none; } gradSchemes { default none; } "
    "divSchemes { default none; } laplacianSchemes { default none; } "
    "interpolationSchemes { default none; } snGradSchemes { default none; }",
    "fvSolution": "",
    "blockMeshDict": "vertices ((0 0 0) (2 0 0) (2 1 0) (0 1 0) (0 0 1) (2 0 1) (2 1 1) (0 1 1));\n"
    "blocks (hex (0 1 2 3 4 5 6 7) (48 30 24) simpleGrading (1 1 1));\n"
    "edges (); boundary (); mergePatchPairs ();",
}


def write_openfoam_file(folder: Path, name: str, text: str) -> None:
    """Write a file of a case's folder `system`."""
    header = f"FoamFile {{ version 2.0; format ascii; class dictionary; object {name}; }}\n"
    (folder / "system" / name).write_text(f"{header}{text}\n")


def make_openfoam_case(folder: Path) -> None:
    """Mesh a box by blockMesh, and compile the method that Debian's OpenFOAM has only a stub of."""
    os.environ["WM_PROJECT_DIR"] = "/usr/share/openfoam"  # where Debian has OpenFOAM's settings
    source = ["-x", "c++", HERE / "openfoam_metis.cpp", "-x", "none", METIS]
    compiler = ["g++", "-std=c++17", "-O1", "-shared", "-fPIC", f"-I{INCLUDE}"]
    subprocess.run([*compiler, *source, "-o", "openfoam_metis.so"], cwd=folder, check=True)
    for parts in PARTS:
        case = folder / f"box_{parts}"
        (case / "system").mkdir(parents=True)
        for name, text in OPENFOAM_FILES.items():
            write_openfoam_file(case, name, text)
        dictionary = f"numberOfSubdomains {parts}; method metis;"
        write_openfoam_file(case, "decomposeParDict", dictionary)
        subprocess.run(["blockMesh", "-case", case], stdout=subprocess.DEVNULL, check=True)


def nothing(folder: Path) -> None:
    """Prepare nothing."""


CLIENTS = (
    Client("gpmetis", "gpmetis", write_grid, lambda f, k: ["gpmetis", f"{f}/grid.graph", f"{k}"]),
    Client(
        "gpmetis -ptype=rb", "gpmetis", nothing,
        lambda f, k: ["gpmetis", "-ptype=rb", f"{f}/grid.graph", f"{k}"],
    ),
    Client(
        "gpmetis, 2 weights", "gpmetis", nothing,
        lambda f, k: ["gpmetis", f"{f}/particles.graph", f"{k}"],
    ),
    Client(
        "gpmetis -ptype=rb, 2 weights", "gpmetis", nothing,
        lambda f, k: ["gpmetis", "-ptype=rb", f"{f}/particles.graph", f"{k}"],
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
    Client(
        "deal.II", "/usr/include/deal.II", compile_dealii,
        lambda f, k: [f"{f}/dealii_partition", f"{k}"],
    ),
    Client(
        "PETSc MatPartitioning", str(PETSC / "include"), compile_petsc,
        lambda f, k: [
            f"{f}/petsc_partition", f"{k}", "-dll_append", f"{f}/libpetscmetis.so",
            "-mat_partitioning_type", "metis",
        ],
    ),
    Client(
        "OpenFOAM decomposePar", "decomposePar", make_openfoam_case,
        lambda f, k: ["decomposePar", "-force", "-case", f"{f}/box_{k}"], "openfoam_metis.so",
    ),
    Client(
        "DOLFINx create_mesh", "/usr/lib/petsc/lib/python3/dist-packages/dolfinx", nothing,
        lambda _, k: [
            "mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", f"{k}",
            "/usr/bin/python3", f"{HERE}/dolfinx_partition.py",
        ],
        parts=(2, 8),  # as many as ranks
    ),
)  # fmt: skip


def is_installed(client: Client) -> bool:
    """Whether what the client needs is there."""
    return shutil.which(client.needs) is not None or Path(client.needs).is_dir()
