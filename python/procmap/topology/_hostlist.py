# SPDX-License-Identifier: MIT
"""Node list expressions as in Slurm: ``node[01-03,7],gpu[0-8/2]``."""

from __future__ import annotations

import itertools
import re
import sys
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from procmap._util.errors import TopologyError
from procmap._util.limits import MAX_PES
from procmap._util.messages import shortened, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_CHARACTERS = 2**28  # of all names together
_PART = re.compile(r"\[([^\[\]]*)\]|([^\[\],\s]+)")
_RANGE = re.compile(r"(\d+)(?:-(\d+)(?:/(\d+))?)?", re.ASCII)
_STRUCTURE = re.compile(r"[\[\],]")


def expand_hosts(hosts: str | Iterable[str], most: int = MAX_PES) -> list[str]:
    """Return the names that an expression, or a sequence of them, stands for, in order.

    Parameters
    ----------
    hosts
        ``"node[01-03]"``: node01, node02, node03; the width of the first number counts.
        ``"[0-8/2]"``: every second. ``"rack[1-2]n[1-3]"``: all six, the last bracket running
        fastest.
    most
        How many names there may be.

    Raises
    ------
    TopologyError
        If an expression is malformed, a name appears twice, or there are too many.
    """
    if not isinstance(hosts, Iterable):
        raise TypeError(f"hosts must be a str such as 'node[01-16]' or names, got {shown(hosts)}")
    expressions = [hosts] if isinstance(hosts, str) else list(hosts)
    for expression in expressions:
        if not isinstance(expression, str):
            raise TopologyError(f"host names must be strings, got {shown(expression)}")
    terms = [_parts(term) for expression in expressions for term in _terms(expression)]
    _check_size(expressions, terms, most)
    names = ["".join(words) for parts in terms for words in itertools.product(*parts)]
    if len(set(names)) < len(names):
        twice = Counter(names).most_common(1)[0][0]
        raise TopologyError(f"host '{shortened(twice)}' is listed more than once")
    return names


def _check_size(expressions: list[str], terms: list[list[_Numbers | list[str]]], most: int) -> None:
    """Refuse what a few characters can grow to, before it does."""
    hosts = characters = 0
    for parts in terms:
        own = 1
        for part in parts:
            own *= len(part)
            if own > most:
                break
        hosts += own
        characters += own * sum(map(_width, parts))
        if hosts > most or characters > _MAX_CHARACTERS:
            what = f"{most} hosts" if hosts > most else f"{_MAX_CHARACTERS} characters"
            raise TopologyError(f"'{shortened(expressions[0])}' and so on make more than {what}")


def _width(part: _Numbers | list[str]) -> int:
    return part.width if isinstance(part, _Numbers) else len(part[0])


def _terms(expression: str) -> list[str]:
    """Split at the commas outside brackets."""
    terms, depth, start = [], 0, 0
    for match in _STRUCTURE.finditer(expression):
        depth += (match[0] == "[") - (match[0] == "]")
        if not 0 <= depth <= 1:
            raise TopologyError(f"'{shortened(expression)}' has unbalanced brackets")
        if match[0] == "," and depth == 0:
            terms.append(expression[start : match.start()].strip())
            start = match.end()
    if depth:
        raise TopologyError(f"'{shortened(expression)}' has unbalanced brackets")
    terms.append(expression[start:].strip())
    if "" in terms:
        raise TopologyError(f"'{shortened(expression)}' has an empty host name")
    return terms


def _parts(term: str) -> list[_Numbers | list[str]]:
    """Return what may stand at every place of a name: one text, or some numbers."""
    parts: list[_Numbers | list[str]] = []
    end = 0
    for match in _PART.finditer(term):
        if match.start() != end:
            break
        end = match.end()
        parts.append([match[2]] if match[1] is None else _Numbers(match[1], term))
    if end != len(term):
        raise TopologyError(f"'{shortened(term)}' is not a host name")
    return parts


class _Numbers:
    """Numbers as zero-padded text, which are only made when they are run through."""

    def __init__(self, text: str, term: str) -> None:
        self._ranges: list[tuple[range, int]] = []
        for item in text.split(","):
            match = _RANGE.fullmatch(item.strip())
            if match is None or max(map(len, re.split("[-/]", item.strip()))) > 18:
                raise TopologyError(
                    f"'{shortened(term)}': '{shortened(item)}' is not a number or a range such as "
                    "01-18"
                )
            first, last, step = match.groups()
            numbers = range(int(first), int(last or first) + 1, int(step or 1) or 1)
            if not numbers or (step is not None and int(step) == 0):
                raise TopologyError(f"'{shortened(term)}': '{item}' is an empty range")
            self._ranges.append((numbers, len(first)))
        # Neither needs a look at every number.
        self._length = min(sum(len(numbers) for numbers, _ in self._ranges), sys.maxsize)
        self.width = max(max(len(str(numbers[-1])), width) for numbers, width in self._ranges)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[str]:
        for numbers, width in self._ranges:
            for number in numbers:
                yield f"{number:0{width}d}"
