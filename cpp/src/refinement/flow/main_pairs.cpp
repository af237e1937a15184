// SPDX-License-Identifier: MIT
#include "refinement/flow/main_pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "refinement/flow/pair_order.hpp"

namespace procmap {

namespace {

/// Partners of every block.
class Partners {
 public:
  explicit Partners(std::vector<BlockPair> const& pairs) : count_(static_cast<std::size_t>(end_of_blocks(pairs)), 0) {}
  int& of(Block b) { return count_[static_cast<std::size_t>(b)]; }

 private:
  std::vector<int> count_;
};

/// Grows as pairs do in the order of their blocks.
std::uint64_t order_of(BlockPair const& pair) {
  return static_cast<std::uint64_t>(pair.a) << 32 | static_cast<std::uint64_t>(pair.b);
}

bool has_too_many(std::vector<BlockPair> const& pairs) {
  Partners partners(pairs);
  return std::ranges::any_of(pairs, [&](BlockPair const& pair) {
    return ++partners.of(pair.a) > most_partners || ++partners.of(pair.b) > most_partners;
  });
}

}  // namespace

void keep_main_pairs(std::vector<BlockPair>& pairs) {
  if (!has_too_many(pairs)) return;
  put_longest_first(pairs);
  Partners partners(pairs);
  std::erase_if(pairs, [&](BlockPair const& pair) {
    auto& of_a = partners.of(pair.a);
    auto& of_b = partners.of(pair.b);
    if (of_a == most_partners || of_b == most_partners) return true;
    ++of_a;
    ++of_b;
    return false;
  });
}

void keep_open_pairs(std::vector<BlockPair>& pairs, std::vector<BlockPair> const& settled) {
  std::vector<std::uint64_t> closed(settled.size());
  std::ranges::transform(settled, closed.begin(), order_of);
  std::ranges::sort(closed);
  auto next = closed.begin();
  std::erase_if(pairs, [&](BlockPair const& pair) {
    auto const order = order_of(pair);
    while (next != closed.end() && *next < order) ++next;
    return pair.changed == 0 || (next != closed.end() && *next == order);
  });
}

}  // namespace procmap
