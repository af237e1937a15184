// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// Factors of `size`, as few as possible with none above `max_factor` and, among those, with the smallest
/// largest one; in decreasing order. A prime factor above `max_factor` stays whole. {1} for 1.
std::vector<Block> nested_factors(Block size, Block max_factor);

}  // namespace procmap
