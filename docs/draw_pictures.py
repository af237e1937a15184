# SPDX-License-Identifier: MIT
"""Draws the pictures of the guides from what their commands compute.

``python docs/draw_pictures.py`` writes them. They have no background and grey letters, so that they
can be read in light and dark pages.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

GUIDES = Path(__file__).parent / "site" / "guides"
FIRST_BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#edc948", "#76b7b2", "#e15759", "#9c755f")
GREY = "#888"


def results_of(guide: str) -> dict[str, Any]:
    """Names after the first block of a guide, without what it prints and writes."""
    block = FIRST_BLOCK.findall((GUIDES / f"{guide}.md").read_text())[0]
    quiet = [
        line for line in block.splitlines() if not re.match(r"print|mapping\.write|np\.save", line)
    ]
    names: dict[str, Any] = {}
    exec("\n".join(quiet), names)
    return names


def parts() -> Iterator[str]:
    """Draw the 1,200 elements of the mesh, by node, socket and core."""
    names = results_of("meshes")
    core = names["mapping"].blocks.reshape(30, 40)
    yield '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 362">'
    yield "<title>Elements of the mesh: a colour for every socket, a shade for every core</title>"
    for row in range(30):
        start = 0
        for column in range(1, 41):
            if column == 40 or core[row, column] != core[row, start]:
                part = int(core[row, start])
                shade = 0.35 + 0.6 * (part % 8) / 7
                yield (
                    f'<path d="M{12 * start} {12 * row + 6}h{12 * (column - start)}" '
                    f'stroke="{COLOURS[part // 8]}" stroke-opacity="{shade:.2f}" '
                    'stroke-width="12"/>'
                )
                start = column
    yield from _borders(core // 16)
    yield "</svg>"


def _borders(node: NDArray[Any]) -> Iterator[str]:
    """Draw lines between elements of different nodes."""
    lines = []
    for row in range(30):
        for column in range(40):
            if column < 39 and node[row, column] != node[row, column + 1]:
                lines.append(f"M{12 * column + 12} {12 * row}v12")
            if row < 29 and node[row, column] != node[row + 1, column]:
                lines.append(f"M{12 * column} {12 * row + 12}h12")
    yield f'<path d="{"".join(lines)}" stroke="{GREY}" stroke-width="3"/>'


def ranks() -> Iterator[str]:
    """Draw who sends to whom, by PE, in block order and as mapped; squares are nodes."""
    names = results_of("mpi")
    traffic, mapping = names["traffic"], names["mapping"]
    yield '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 290" font-family="sans-serif">'
    yield "<title>Messages between PEs in block order and as mapped</title>"
    senders, receivers = traffic.nonzero()
    for left, title, pe in ((1, "block order", range(32)), (301, "procmap", mapping.blocks)):
        yield (
            f'<text x="{left + 128}" y="16" font-size="14" text-anchor="middle" '
            f'fill="{GREY}">{title}</text>'
        )
        yield _square(left, 26, 256, f'fill="none" stroke="{GREY}"')
        for at in range(0, 256, 64):
            yield _square(left + at, 26 + at, 64, f'fill="{GREY}" fill-opacity="0.25"')
        for i, j in zip(senders, receivers, strict=True):
            inside = pe[i] // 8 == pe[j] // 8
            colour = COLOURS[0] if inside else COLOURS[6]
            yield _square(left + 8 * int(pe[j]), 26 + 8 * int(pe[i]), 8, f'fill="{colour}"')
    yield "</svg>"


def _square(x: int, y: int, size: int, style: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{size}" height="{size}" {style}/>'


if __name__ == "__main__":
    for draw in (parts, ranks):
        (GUIDES / f"{draw.__name__}.svg").write_text("\n".join(draw()) + "\n")
