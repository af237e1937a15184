# SPDX-License-Identifier: MIT
"""Meshes of OpenFOAM: the cells on both sides of every face.

Source: OpenFOAM User Guide, "Mesh files": ``owner`` has a cell per face, ``neighbour`` one per
internal face, which come first.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from procmap._util.errors import FileError
from procmap._util.messages import shortened
from procmap._util.source import Source
from procmap.graph._arcs import Arcs
from procmap.graph.io.order import check_order

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

# What is not closed goes to the end of the text: nobody looks for the end from every place again.
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
_HEADER = re.compile(r"FoamFile\s*\{(.*?)(?:\}|\Z)", re.DOTALL)
_LIST = re.compile(r"(\d{1,10})\s*\(([\d\s]*)\)", re.ASCII)
_LONGEST = 18  # digits of a label


def read_mesh(folder: str | os.PathLike[str]) -> Arcs:
    """Return an edge per internal face of the mesh in a folder, such as constant/polyMesh."""
    owner, neighbour = (_labels(Path(folder), name) for name in ("owner", "neighbour"))
    if len(neighbour) > len(owner):
        raise FileError(
            f"{Path(folder) / 'neighbour'}: {len(neighbour)} internal faces, but owner has "
            f"{len(owner)} faces"
        )
    last = {"owner": int(owner.max(initial=-1)), "neighbour": int(neighbour.max(initial=-1))}
    name = max(last, key=lambda name: last[name])
    count = 1 + last[name]
    check_order(
        Path(folder) / name,
        count,
        len(owner) + len(neighbour),
        f"cell {last[name]}",
        "cells",
        "number the cells without gaps",
    )
    return Arcs.checked(owner[: len(neighbour)], neighbour, None, count, "faces")


def _labels(folder: Path, name: str) -> NDArray[np.int64]:
    """Read a list of labels, in ASCII and perhaps compressed."""
    path = folder / name
    zipped = folder / f"{name}.gz"
    source = Source.of(zipped if zipped.exists() and not path.exists() else path)
    header = _HEADER.search(_COMMENT.sub(" ", source.data[:4096].decode("latin-1")))
    if header is not None and re.search(r"format\s+binary", header[1]):
        raise FileError(f"{source}: a binary file; convert it (foamFormatConvert) to ascii")
    text = _COMMENT.sub(" ", source.text)
    found = _LIST.search(_HEADER.sub(" ", text))
    if found is None:
        raise FileError(f"{source}: there is no list of labels, as in '3(0 0 1)'")
    labels = found[2].split()
    if len(labels) != int(found[1]):
        raise FileError(f"{source}: {found[1]} labels expected, found {len(labels)}")
    longest = max(labels, key=len, default="")
    if len(longest) > _LONGEST:
        raise FileError(f"{source}: label {shortened(longest)} is too large")
    return np.array(labels, np.int64)
