# SPDX-License-Identifier: MIT
"""ParHIP's binary format, with the extensions of KaGen and KaMinPar.

Little-endian: a bit field, n, the number of arcs; offsets as positions in the file; heads; vertex
weights; edge weights. A bit of the field that is set says that something is missing or narrow:
edge weights, vertex weights; 32-bit offsets, heads, vertex weights, edge weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from procmap._util.errors import FileError
from procmap._util.formats import Format
from procmap._util.limits import MAX_VERTICES
from procmap.graph._arcs import Arcs, Tasks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from procmap._util.source import Source
    from procmap.graph._arcs import Symmetrize

HEADER = 24  # bytes
_FLAGS = 64


@dataclass(frozen=True)
class Layout:
    """Where the arrays are."""

    flags: int
    num_vertices: int
    num_arcs: int

    @classmethod
    def of_header(cls, path: object, header: bytes) -> Layout:
        """Return what the first bytes of a file say."""
        if not is_header(header):
            raise FileError(f"{path}: no ParHIP header: it begins {header[:8].hex()}")
        return cls(*(int.from_bytes(header[i : i + 8], "little") for i in (0, 8, 16)))

    def check_size(self, path: object, size: int) -> None:
        """Raise FileError unless a file of this header has so many bytes."""
        expected = HEADER + sum(count * width for count, width in self.sections().values())
        if size != expected:
            raise FileError(
                f"{path}: {size} bytes, but n = {self.num_vertices} and {self.num_arcs} arcs in "
                f"the header take {expected}"
            )

    @property
    def has_arc_weights(self) -> bool:
        """Whether the file has weights of edges."""
        return not self.flags & 1

    @property
    def has_vertex_weights(self) -> bool:
        """Whether the file has weights of vertices."""
        return not self.flags & 2

    def places(self) -> dict[str, tuple[int, int]]:
        """Return position and width in bytes of every array."""
        places, position = {}, HEADER
        for name, (count, width) in self.sections().items():
            places[name] = position, width
            position += count * width
        return places

    def _width(self, bit: int) -> int:
        return 4 if self.flags >> bit & 1 else 8

    def sections(self) -> dict[str, tuple[int, int]]:
        """Return length and width in bytes of every array, in the order of the file."""
        n, arcs = self.num_vertices, self.num_arcs
        return {
            "offsets": (n + 1, self._width(2)),
            "heads": (arcs, self._width(3)),
            "vertex_weights": (0 if self.flags & 2 else n, self._width(4)),
            "arc_weights": (0 if self.flags & 1 else arcs, self._width(5)),
        }


def is_header(start: bytes) -> bool:
    """Whether these bytes can begin a ParHIP file, and no text."""
    return len(start) == HEADER and start[0] < _FLAGS and not any(start[1:8])


def read(path: Source, symmetrize: Symmetrize) -> Tasks:
    """Read a ParHIP file."""
    data = path.data
    layout = _layout(path, data)
    arrays, position = {}, HEADER
    for name, (count, width) in layout.sections().items():
        arrays[name] = np.frombuffer(data, f"<u{width}", count, position)
        position += count * width
    offsets = _arc_offsets(path, layout, arrays["offsets"])
    weights = None if layout.flags & 1 else arrays["arc_weights"].view(_signed(layout, 5))
    arcs = Arcs.of_rows(offsets, arrays["heads"], weights)
    loads = None if layout.flags & 2 else arrays["vertex_weights"].view(_signed(layout, 4))
    return Tasks(arcs.symmetrized(symmetrize), loads)


def _signed(layout: Layout, bit: int) -> str:
    """Weights are signed: a negative one must not be read as a huge one."""
    return "<i4" if layout.flags >> bit & 1 else "<i8"


def _layout(path: Source, data: bytes) -> Layout:
    if not is_header(data[:HEADER]):
        raise FileError(f"{path}: no ParHIP header: {len(data)} bytes that begin {data[:8].hex()}")
    layout = Layout.of_header(path, data[:HEADER])
    n = layout.num_vertices
    if n > MAX_VERTICES:
        raise FileError(f"{path}: n = {n}, but at most 2**31 - 1 vertices are possible")
    layout.check_size(path, len(data))
    return layout


def _arc_offsets(path: Source, layout: Layout, positions: NDArray[Any]) -> NDArray[np.int64]:
    """Return the first arc of every row, from the place of its head in the file."""
    count, width = layout.sections()["offsets"]
    step = layout.sections()["heads"][1]
    start = HEADER + count * width
    bytes_from_start = positions.astype(np.int64) - start
    bad = (bytes_from_start < 0) | (bytes_from_start % step != 0)
    if bad.any():
        v = int(np.argmax(bad))
        raise FileError(f"{path}: row {v} begins at byte {positions[v]}, where no head begins")
    return bytes_from_start // step


FORMAT = Format("parhip", read, (".bgf", ".parhip"), lambda start: is_header(start[:HEADER]))
