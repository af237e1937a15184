// SPDX-License-Identifier: MIT
#include "refinement/flow/edge_colouring.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

#include "refinement/flow/pair_order.hpp"

namespace procmap {

namespace {

// The colours that are taken at one block, as bits.
using Colours = std::vector<std::uint64_t>;

// Takes the least colour that is free at both ends.
std::size_t take_colour(Colours& x, Colours& y) {
  for (std::size_t word = 0;; ++word) {
    if (word >= x.size()) x.resize(word + 1, 0);
    if (word >= y.size()) y.resize(word + 1, 0);
    auto const open = ~(x[word] | y[word]);
    if (open == 0) continue;
    auto const bit = std::uint64_t{1} << std::countr_zero(open);
    x[word] |= bit;
    y[word] |= bit;
    return 64 * word + static_cast<std::size_t>(std::countr_zero(open));
  }
}

}  // namespace

std::vector<std::size_t> colour_pairs(std::vector<BlockPair>& pairs) {
  put_longest_first(pairs);
  std::vector<Colours> taken(static_cast<std::size_t>(end_of_blocks(pairs)));
  std::vector<std::size_t> colour(pairs.size());
  std::vector<std::size_t> begin(1, 0);  // first the sizes of the classes, one place further
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    colour[i] = take_colour(taken[static_cast<std::size_t>(pairs[i].a)], taken[static_cast<std::size_t>(pairs[i].b)]);
    if (colour[i] + 1 >= begin.size()) begin.resize(colour[i] + 2, 0);
    ++begin[colour[i] + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  auto next = begin;
  std::vector<BlockPair> ordered(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) ordered[next[colour[i]]++] = pairs[i];
  pairs.swap(ordered);
  return begin;
}

}  // namespace procmap
