// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "small/small_problem.hpp"

namespace procmap {

struct Found {
  bool replaced = false;  // there was something better
  bool is_best = false;   // there is nothing better
};

/// Looks for the best mapping by branch and bound, starting from `blocks`, which is replaced by what is better: by the
/// best mapping, or by the best one found if the search would take longer than a few milliseconds.
Found find_best_mapping(SmallProblem const& problem, std::span<Block> blocks);

}  // namespace procmap
