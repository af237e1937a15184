# SPDX-License-Identifier: MIT
"""XML elements that know their lines. Entities are refused: they can blow up or read files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

from procmap._util.messages import shortened
from procmap._util.text import error_at, read_text

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator


@dataclass
class Element:
    """An element without its text."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> Iterator[Element]:
        """Children with this tag."""
        return (child for child in self.children if child.tag == tag)


def parse(path: str | os.PathLike[str], depth: int) -> Element:
    """Return the root element of a file; raise FileError with its line if it is no XML.

    Elements may be nested `depth` deep.
    """
    text = read_text(path)
    parser = expat.ParserCreate()
    document = Element("", {}, 0)
    stack = [document]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(stack) > depth:
            raise error_at(
                path, parser.CurrentLineNumber, f"elements are nested more than {depth} deep"
            )
        element = Element(tag, attributes, parser.CurrentLineNumber)
        stack[-1].children.append(element)
        stack.append(element)

    def end(tag: str) -> None:
        del tag
        stack.pop()

    def entity(*declaration: object) -> None:
        raise error_at(
            path,
            parser.CurrentLineNumber,
            f"entities are not allowed: {shortened(str(declaration[0]))}",
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(text, True)
    except expat.ExpatError as exc:
        raise error_at(
            path, exc.lineno, f"not well-formed XML: {expat.ErrorString(exc.code)}"
        ) from None
    return document.children[0]
