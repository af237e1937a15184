# SPDX-License-Identifier: MIT
"""What one of the compilers that build procmap rejects is found without it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

# Their results are a std::ranges::subrange, which clang 14 cannot compile from g++ 12's library;
# that pair is what builds the fuzzers on Debian 12.
SUBRANGES = (
    "equal_range find_end partition remove remove_if rotate search search_n stable_partition unique"
)
REJECTED = re.compile(rf"\branges::({SUBRANGES.replace(' ', '|')})\s*\(|\bviews::")


def rejected_lines(text: str) -> list[str]:
    code = (line.split("//")[0] for line in text.splitlines())
    return [line.strip() for line in code if REJECTED.search(line)]


@pytest.mark.parametrize(
    ("line", "rejected"),
    [
        ("auto const alike = std::ranges::equal_range(sizes, size);", True),
        ("for (auto i : std::views::iota(0, n))", True),
        ("auto const first = std::ranges::lower_bound(sizes, size);", False),
        (
            "a.erase(std::unique(a.begin(), a.end()), a.end());  // not std::ranges::unique(a)",
            False,
        ),
    ],
)
def test_what_clang_rejects_is_seen(line, rejected):
    assert (rejected_lines(line) != []) == rejected


def test_no_source_uses_what_clang_rejects():
    files = [
        path
        for folder in ("cpp", "cuda", "tests")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".cpp", ".hpp", ".h", ".cu", ".cuh"}
    ]

    assert len(files) > 500
    found = {str(path.relative_to(ROOT)): rejected_lines(path.read_text()) for path in files}
    assert {name: lines for name, lines in found.items() if lines} == {}
