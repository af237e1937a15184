# SPDX-License-Identifier: MIT
"""A report as it grows: Markdown, and the charts and tables that it shows."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

Cell = object


@dataclass
class Page:
    """Text of the page, and files beside it by name; `folder` is where these lie."""

    folder: str
    lines: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)

    def heading(self, text: str, level: int = 2) -> None:
        """Add a heading."""
        self.lines += ["#" * level + " " + text, ""]

    def say(self, text: str) -> None:
        """Add a paragraph."""
        self.lines += [text, ""]

    def table(self, header: Sequence[str], rows: Sequence[Sequence[Cell]], left: int = 1) -> None:
        """Add a table: the first `left` columns left, the others right; nothing without rows."""
        if not rows:
            return
        rule = [":--"] * left + ["--:"] * (len(header) - left)
        cells = [list(header), rule, *([text_of(cell) for cell in row] for row in rows)]
        self.lines += ["| " + " | ".join(row) + " |" for row in cells] + [""]

    def chart(self, name: str, svg: str) -> None:
        """Add a chart within the page, so that it has its colours; narrow windows scroll it."""
        self.files[f"{name}.svg"] = svg
        within = svg.rstrip("\n").replace("<svg ", '<svg style="min-width: 36em" ', 1)
        self.lines += ['<div markdown="0" style="overflow-x: auto">', within, "</div>", ""]

    def csv(
        self, name: str, what: str, header: Sequence[str], rows: Sequence[Sequence[Cell]]
    ) -> None:
        """Add a file with a table, and a link to it."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([plain(cell) for cell in row] for row in rows)
        self.files[f"{name}.csv"] = text.getvalue()
        self.say(f"[{what}]({self.folder}/{name}.csv)")

    @property
    def text(self) -> str:
        """The page as Markdown."""
        return "\n".join(self.lines).rstrip("\n") + "\n"


def text_of(cell: Cell) -> str:
    """Return a cell as readers like it: three digits after the point, thousands apart."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "-"
    if isinstance(cell, float):
        return f"{cell:,.3f}" if abs(cell) < 100 else f"{cell:,.0f}"
    if isinstance(cell, int) and not isinstance(cell, bool):
        return f"{cell:,}"
    return str(cell)


def plain(cell: Cell) -> str:
    """Return a cell as programs like it."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)


def percent(share: float) -> str:
    """Return a share as a percentage with a digit after the point."""
    return "-" if math.isnan(share) else f"{100 * share:.1f} %"
