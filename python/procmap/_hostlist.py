# SPDX-License-Identifier: MIT
"""Node list expressions as in Slurm: ``node[01-03,7],gpu[0-8/2]``."""

from __future__ import annotations

import itertools
import math
import re
import sys
from collections import Counter
from typing import TYPE_CHECKING

from procmap._errors import TopologyError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MAX_HOSTS = 2**22  # as many as there may be PEs
_PART = re.compile(r"\[([^\[\]]*)\]|([^\[\],\s]+)")
_RANGE = re.compile(r"(\d+)(?:-(\d+)(?:/(\d+))?)?", re.ASCII)


def expand_hosts(hosts: str | Iterable[str]) -> list[str]:
    """Return the names that an expression, or a sequence of them, stands for, in order.

    Parameters
    ----------
    hosts
        ``"node[01-03]"``: node01, node02, node03; the width of the first number counts.
        ``"[0-8/2]"``: every second. ``"rack[1-2]n[1-3]"``: all six, the last bracket running
        fastest.

    Raises
    ------
    TopologyError
        If an expression is malformed, a name appears twice, or there are more than 2**22.
    """
    expressions = [hosts] if isinstance(hosts, str) else list(hosts)
    for expression in expressions:
        if not isinstance(expression, str):
            raise TopologyError(f"host names must be strings, got {expression!r}")
    terms = [_parts(term) for expression in expressions for term in _terms(expression)]
    if sum(math.prod(map(len, parts)) for parts in terms) > _MAX_HOSTS:
        raise TopologyError(f"'{expressions[0][:40]}' and so on make more than {_MAX_HOSTS} hosts")
    names = ["".join(words) for parts in terms for words in itertools.product(*parts)]
    if len(set(names)) < len(names):
        twice = Counter(names).most_common(1)[0][0]
        raise TopologyError(f"host '{twice}' is listed more than once")
    return names


def _terms(expression: str) -> list[str]:
    """Split at the commas outside brackets."""
    terms, depth = [""], 0
    for char in expression:
        depth += (char == "[") - (char == "]")
        if not 0 <= depth <= 1:
            raise TopologyError(f"'{expression}' has unbalanced brackets")
        if char == "," and depth == 0:
            terms.append("")
        else:
            terms[-1] += char
    if depth:
        raise TopologyError(f"'{expression}' has unbalanced brackets")
    terms = [term.strip() for term in terms]
    if "" in terms:
        raise TopologyError(f"'{expression}' has an empty host name")
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
        raise TopologyError(f"'{term}' is not a host name")
    return parts


class _Numbers:
    """Numbers as zero-padded text, which are only made when they are run through."""

    def __init__(self, text: str, term: str) -> None:
        self._ranges: list[tuple[range, int]] = []
        for item in text.split(","):
            match = _RANGE.fullmatch(item.strip())
            if match is None or max(map(len, re.split("[-/]", item.strip()))) > 18:
                raise TopologyError(f"'{term}': '{item}' is not a number or a range such as 01-18")
            first, last, step = match.groups()
            numbers = range(int(first), int(last or first) + 1, int(step or 1) or 1)
            if not numbers or (step is not None and int(step) == 0):
                raise TopologyError(f"'{term}': '{item}' is an empty range")
            self._ranges.append((numbers, len(first)))

    def __len__(self) -> int:
        return min(sum(len(numbers) for numbers, _ in self._ranges), sys.maxsize)

    def __iter__(self) -> Iterator[str]:
        for numbers, width in self._ranges:
            for number in numbers:
                yield f"{number:0{width}d}"
