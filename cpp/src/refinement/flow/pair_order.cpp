// SPDX-License-Identifier: MIT
#include "refinement/flow/pair_order.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace procmap {
namespace {

constexpr std::size_t counted = 4096;  // lengths; longer borders are few

/// 0 for all that are too long to be counted, 1 for the longest of the others, and so on.
std::size_t class_of(BlockPair const& pair) {
  return counted - std::min<std::size_t>(static_cast<std::size_t>(pair.last - pair.first), counted);
}

}  // namespace

void put_longest_first(std::vector<BlockPair>& pairs) {
  if (std::ranges::is_sorted(pairs, longer_border)) return;
  if (!std::ranges::is_sorted(pairs, first_by_blocks)) {
    std::ranges::sort(pairs, longer_border);
    return;
  }
  std::array<std::size_t, counted + 2> next{};
  for (auto const& pair : pairs) ++next[class_of(pair) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  auto const end_of_long = static_cast<std::ptrdiff_t>(next[1]);
  std::vector<BlockPair> ordered(pairs.size());
  for (auto const& pair : pairs) ordered[next[class_of(pair)]++] = pair;
  std::sort(ordered.begin(), ordered.begin() + end_of_long, longer_border);
  pairs.swap(ordered);
}

Block end_of_blocks(std::vector<BlockPair> const& pairs) {
  Block end = 0;
  for (auto const& pair : pairs) end = std::max(end, pair.b + 1);
  return end;
}

}  // namespace procmap
