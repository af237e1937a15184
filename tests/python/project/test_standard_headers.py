# SPDX-License-Identifier: MIT
"""C++ headers include the standard headers that they need, themselves or by others of ours.

CI compiles every header alone, but after most standard ones, as these are precompiled.
"""

import functools
import re
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[3] / "cpp"
FOLDERS = (SOURCES / "include", SOURCES / "src", SOURCES / "capi")

# What comes from which standard header, as far as it is used.
NAMES = {
    "algorithm": """
        all_of any_of clamp copy copy_n equal fill fill_n find_if is_sorted max merge min
        min_element minmax_element nth_element partition partition_point pop_heap push_heap ranges
        replace_if sort stable_sort""",
    "array": "array",
    "atomic": "atomic atomic_ref memory_order_relaxed",
    "bit": "bit_cast bit_ceil bit_width countl_zero countr_zero has_single_bit popcount",
    "charconv": "from_chars",
    "chrono": "chrono",
    "cmath": "ceil",
    "concepts": "constructible_from copy_constructible same_as",
    "condition_variable": "condition_variable",
    "cstddef": "byte ptrdiff_t size_t",
    "cstdint": """
        int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t""",
    "cstdlib": "abs free malloc realloc",
    "cstring": "memcpy",
    "exception": "current_exception exception_ptr rethrow_exception",
    "filesystem": "filesystem",
    "functional": "function",
    "future": "async future launch",
    "limits": "numeric_limits",
    "memory": "make_shared shared_ptr unique_ptr",
    "mutex": "call_once mutex once_flag",
    "new": "bad_alloc",
    "numeric": "accumulate iota partial_sum",
    "optional": "nullopt optional",
    "queue": "priority_queue",
    "span": "span",
    "stdexcept": "invalid_argument logic_error overflow_error runtime_error",
    "string": "string to_string",
    "string_view": "string_view",
    "system_error": "system_error",
    "thread": "thread",
    "tuple": "tie",
    "type_traits": "conditional_t is_same_v is_trivially_copyable_v type_identity_t",
    "unordered_map": "unordered_map",
    "utility": "exchange move pair swap",
    "variant": "get_if variant visit",
    "vector": "erase erase_if vector",
}
HEADER_OF = {name: header for header, names in NAMES.items() for name in names.split()}
# Every header that has a container or a string defines these, too.
WITH_ANY = {"size_t", "ptrdiff_t"}


def code_of(path):
    """Without comments and strings."""
    text = re.sub(r"//[^\n]*", "", path.read_text())
    return re.sub(r'(?<!include )"[^"\n]*"', "", text)


@functools.cache
def standard_headers(path, folders):
    """Those that a header brings along."""
    found = set()
    for word in re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', path.read_text(), re.MULTILINE):
        places = [folder / word for folder in (path.parent, *folders) if (folder / word).is_file()]
        found |= standard_headers(places[0], folders) if places else {word}
    return found


def missing(path, folders):
    """Names that a header uses without their header, and those that are not known above."""
    included = standard_headers(path, folders)
    for name in sorted(set(re.findall(r"\bstd::(\w+)", code_of(path)))):
        if name in WITH_ANY and included:
            continue
        if HEADER_OF.get(name) not in included:
            yield f"{path.name}: std::{name} of <{HEADER_OF.get(name, '? (add it to this test)')}>"


def test_what_is_missing_is_seen(tmp_path):
    a = '#include "b.hpp"\n// std::array\nstd::vector<int> a; std::span<int> b;'
    (tmp_path / "a.hpp").write_text(a)
    (tmp_path / "b.hpp").write_text("#include <vector>\nstd::size_t c; std::new_name d;")
    (tmp_path / "c.hpp").write_text("std::size_t c;")
    assert list(missing(tmp_path / "a.hpp", ())) == ["a.hpp: std::span of <span>"]
    assert list(missing(tmp_path / "b.hpp", ())) == [
        "b.hpp: std::new_name of <? (add it to this test)>"
    ]
    assert list(missing(tmp_path / "c.hpp", ())) == ["c.hpp: std::size_t of <cstddef>"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_headers_include_what_they_use(folder):
    headers = sorted(folder.rglob("*.hpp"))
    assert headers
    assert [line for path in headers for line in missing(path, FOLDERS)] == []
