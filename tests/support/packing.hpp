// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "multilevel/repack.hpp"
#include "support/reference.hpp"

namespace procmap::test {

/// By how much blocks are overloaded in all.
inline Weight overload_of(PackingProblem const& problem, std::vector<Block> const& block) {
  std::vector<Weight> load(problem.capacity.size(), 0);
  for (std::size_t v = 0; v < block.size(); ++v) load[at(block[v])] += problem.weight[v];
  Weight sum = 0;
  for (std::size_t b = 0; b < load.size(); ++b) sum += std::max<Weight>(load[b] - problem.capacity[b], 0);
  return sum;
}

}  // namespace procmap::test
