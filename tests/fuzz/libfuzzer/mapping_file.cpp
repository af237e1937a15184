// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "memory_file.hpp"
#include "opinion.hpp"
#include "procmap/error.hpp"
#include "procmap/io.hpp"
#include "words.hpp"

// Mapping files: a PE per line, with comments, and blank lines at the end. What was read is written and read again.

namespace procmap::fuzz {
namespace {

std::optional<std::vector<Block>> by_definition(std::string_view text) {
  auto lines = lines_of(text);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  std::vector<Block> blocks;
  for (auto const& words : lines) {
    auto const pe = words.size() == 1 ? natural(words[0], std::numeric_limits<Block>::max()) : std::nullopt;
    if (!pe) return {};
    blocks.push_back(static_cast<Block>(*pe));
  }
  return blocks;
}

std::optional<std::vector<Block>> read(std::string_view text) {
  MemoryFile const file(text);
  try {
    return read_mapping(file.path());
  } catch (FileError const& error) {
    expect_line_of(file.path().string(), text, error);
    return {};
  }
}

void check(std::string_view text) {
  auto const blocks = read(text);
  expect(blocks == by_definition(text), blocks ? "accepted, or another mapping" : "refused, but correct");
  if (!blocks) return;
  MemoryFile const file;
  write_mapping(*blocks, file.path());
  expect(read_mapping(file.path()) == *blocks, "written and read, it is another mapping");
}

}  // namespace
}  // namespace procmap::fuzz

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  procmap::fuzz::check({reinterpret_cast<char const*>(data), size});
  return 0;
}
