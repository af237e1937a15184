# SPDX-License-Identifier: MIT
"""Named sets of graphs: files that list them, and where each comes from."""

from __future__ import annotations

import csv
import lzma
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.instance import read_header
from harness.whole_file import whole_file

FOLDER = Path(__file__).resolve().parent.parent / "instances"
SUFFIXES = (".graph", ".graph.xz", ".mtx")


class MissingGraph(Exception):
    """A graph of the set is in none of the folders and cannot be generated."""


@dataclass(frozen=True)
class Entry:
    """A graph of a set; `num_vertices` and `num_edges` are None where nobody wrote them down."""

    name: str
    kind: str  # "regular" or "irregular"
    source: str  # "generated", or where a file of this name comes from
    num_vertices: int | None
    num_edges: int | None


def names() -> list[str]:
    """Return the names of all sets."""
    return sorted(path.stem for path in FOLDER.glob("*.csv"))


def read_set(path: Path) -> list[Entry]:
    """Return the graphs of a set; lines that start with `#` are comments."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return [
        Entry(row["name"], row["kind"], row["source"], _number(row["n"]), _number(row["m"]))
        for row in rows
    ]


def _number(text: str) -> int | None:
    return int(text) if text else None


def set_path(name: str) -> Path:
    """Return the file of a set: one of ours by name, or any CSV file; raises ValueError."""
    path = FOLDER / f"{name}.csv" if name in names() else Path(name)
    if not path.is_file():
        raise ValueError(f"no set {name!r}: expected a CSV file or one of {', '.join(names())}")
    return path


def named(name: str) -> Entry:
    """Return a graph as the set that has it lists it, or else as generated."""
    known = (entry for own in names() for entry in read_set(set_path(own)))
    return next((entry for entry in known if entry.name == name),
                Entry(name, "regular", "generated", None, None))  # fmt: skip


def entries_of_folder(folder: Path) -> list[Entry]:
    """Return all graphs of a folder as a set of its own."""
    stems = {path.name.split(".")[0] for suffix in SUFFIXES for path in folder.glob(f"*{suffix}")}
    return [Entry(stem, "regular", str(folder), None, None) for stem in sorted(stems)]


def locate(entry: Entry, graphs: Path, folders: Sequence[Path]) -> Path:
    """Return the METIS file of a graph, made in `graphs` if need be.

    Raises MissingGraph if it is nowhere, ValueError if its size is not the one written down.
    """
    path = graphs / f"{entry.name}.graph"
    if not path.is_file():
        graphs.mkdir(parents=True, exist_ok=True)
        if entry.source == "generated":
            from generate import generate

            generate(entry.name, graphs)
        else:
            _fetch(entry.name, path, folders)
    _check_size(entry, path)
    return path


def is_missing(entry: Entry, graphs: Path, folders: Sequence[Path]) -> bool:
    """Whether a graph is nowhere and cannot be generated."""
    there = entry.source == "generated" or (graphs / f"{entry.name}.graph").is_file()
    return not there and _source(entry.name, folders) is None


def _source(name: str, folders: Sequence[Path]) -> Path | None:
    """Return the file of this name in the first of the folders that has one."""
    files = (folder / f"{name}{suffix}" for folder in folders for suffix in SUFFIXES)
    return next((file for file in files if file.is_file()), None)


def _fetch(name: str, path: Path, folders: Sequence[Path]) -> None:
    """Copy, unpack or convert the file of this name in one of the folders."""
    source = _source(name, folders)
    if source is None:
        where = ", ".join(map(str, folders)) or "no folder given"
        raise MissingGraph(f"{name} is not generated and not in: {where}")
    _convert(source, path)


def _convert(source: Path, path: Path) -> None:
    if source.suffix == ".mtx":
        import procmap

        procmap.Graph.read(source).write(path)
        return
    with whole_file(path) as target:
        if source.suffix == ".xz":
            with lzma.open(source, "rt") as packed:
                shutil.copyfileobj(packed, target)
        else:
            with source.open() as text:
                shutil.copyfileobj(text, target)


def _check_size(entry: Entry, path: Path) -> None:
    header = read_header(path)
    found = (header.num_vertices, header.num_edges)
    for what, wanted, has in zip(
        ("vertices", "edges"), (entry.num_vertices, entry.num_edges), found, strict=True
    ):
        if wanted is not None and wanted != has:
            raise ValueError(f"{path}: {has} {what}, the set says {wanted}")
