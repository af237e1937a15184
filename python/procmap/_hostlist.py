# SPDX-License-Identifier: MIT
"""Node list expressions as in Slurm: ``node[01-03,7],gpu[0-8/2]``."""

from __future__ import annotations

import itertools
import re
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
    names: list[str] = []
    for term in itertools.chain.from_iterable(map(_terms, expressions)):
        names.extend(itertools.islice(_expand(term), _MAX_HOSTS + 1 - len(names)))
        if len(names) > _MAX_HOSTS:
            raise TopologyError(f"'{term}' makes more than {_MAX_HOSTS} hosts")
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


def _expand(term: str) -> Iterator[str]:
    parts: list[Iterable[str]] = []
    end = 0
    for match in _PART.finditer(term):
        if match.start() != end:
            break
        end = match.end()
        parts.append([match[2]] if match[1] is None else _numbers(match[1], term))
    if end != len(term):
        raise TopologyError(f"'{term}' is not a host name")
    return ("".join(combination) for combination in _product(parts))


def _product(parts: list[Iterable[str]]) -> Iterator[tuple[str, ...]]:
    """As itertools.product, which would first store all of a huge range."""
    if not parts:
        yield ()
        return
    for head in parts[0]:
        for tail in _product(parts[1:]):
            yield (head, *tail)


def _numbers(text: str, term: str) -> _Ranges:
    ranges = []
    for item in text.split(","):
        match = _RANGE.fullmatch(item.strip())
        if match is None or max(map(len, item.split("-"))) > 18:
            raise TopologyError(f"'{term}': '{item}' is not a number or a range such as 01-18")
        first, last, step = match.groups()
        numbers = range(int(first), int(last or first) + 1, int(step or 1) or 1)
        if not numbers or step == "0":
            raise TopologyError(f"'{term}': '{item}' is an empty range")
        ranges.append((numbers, len(first)))
    return _Ranges(ranges)


class _Ranges:
    """Numbers as zero-padded text; may be run through any number of times."""

    def __init__(self, ranges: list[tuple[range, int]]) -> None:
        self._ranges = ranges

    def __iter__(self) -> Iterator[str]:
        for numbers, width in self._ranges:
            for number in numbers:
                yield f"{number:0{width}d}"
