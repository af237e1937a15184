// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "refinement/flow/pair.hpp"

namespace procmap {

/// Orders `pairs` by colour classes: within a class no block occurs twice. Greedy, the longest borders first, at
/// most twice as many classes as a block has partners. Returns where the classes begin; the last entry is
/// pairs.size().
std::vector<std::size_t> colour_pairs(std::vector<BlockPair>& pairs);

}  // namespace procmap
