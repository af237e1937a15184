// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/hash.hpp"
#include "refinement/flow/pair.hpp"

namespace procmap::test {

/// At most `count` pairs of different blocks, some of them more than once.
inline std::vector<BlockPair> random_pairs(Block num_blocks, int count, std::uint64_t seed) {
  std::vector<BlockPair> pairs;
  for (int i = 0; i < count; ++i) {
    auto const a = static_cast<Block>(hash(seed, i, 1) % num_blocks),
               b = static_cast<Block>(hash(seed, i, 2) % num_blocks);
    if (a != b) pairs.push_back({std::min(a, b), std::max(a, b), 0, 0, 0});
  }
  return pairs;
}

}  // namespace procmap::test
