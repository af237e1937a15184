// SPDX-License-Identifier: MIT
#include "refinement/flow/main_pairs.hpp"

#include <algorithm>
#include <unordered_map>

namespace procmap {

namespace {

using Partners = std::unordered_map<Block, int>;

bool has_too_many(std::vector<BlockPair> const& pairs) {
  Partners partners;
  return std::ranges::any_of(pairs, [&](BlockPair const& pair) {
    return ++partners[pair.a] > most_partners || ++partners[pair.b] > most_partners;
  });
}

}  // namespace

void keep_main_pairs(std::vector<BlockPair>& pairs) {
  if (!has_too_many(pairs)) return;
  std::ranges::sort(pairs, longer_border);
  Partners partners;
  std::erase_if(pairs, [&](BlockPair const& pair) {
    auto& of_a = partners[pair.a];
    auto& of_b = partners[pair.b];
    if (of_a == most_partners || of_b == most_partners) return true;
    ++of_a;
    ++of_b;
    return false;
  });
}

void keep_open_pairs(std::vector<BlockPair>& pairs, std::vector<BlockPair> settled) {
  auto const first_by_blocks = [](BlockPair const& x, BlockPair const& y) {
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  };
  std::ranges::sort(settled, first_by_blocks);
  std::erase_if(pairs, [&](BlockPair const& pair) {
    return pair.changed == 0 || std::ranges::binary_search(settled, pair, first_by_blocks);
  });
}

}  // namespace procmap
