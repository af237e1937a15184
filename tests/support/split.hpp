// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "multilevel/split_plan.hpp"
#include "support/refinement.hpp"

// What splits of several scopes are tested with.

namespace procmap::test {

inline SplitPlan split_plan_of(SplitTask const& task, int tournament, std::uint64_t seed) {
  SplitPlan plan;
  plan.goal = {30 * task.num_scopes, *std::ranges::min_element(task.capacity)};
  plan.stage.name = "split";
  plan.stage.filter_fine = 0.25;
  plan.stage.filter_coarse = 0.75;
  plan.stage.seed = seed;
  plan.tournament = tournament;
  return plan;
}

/// Every block of `problem` becomes a block of the split; its scopes are those of the problem.
inline SplitTask split_task_of(Problem const& problem) {
  return {problem.num_scopes, problem.per_scope, problem.capacity, problem.share};
}

inline std::vector<Block> scopes_of(Problem const& problem) {
  std::vector<Block> scope;
  for (Block const b : problem.block) scope.push_back(scope_of(problem, b));
  return scope;
}

}  // namespace procmap::test
