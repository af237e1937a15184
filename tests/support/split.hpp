// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "multilevel/plans.hpp"
#include "support/refinement.hpp"

// What splits of several scopes are tested with.

namespace procmap::test {

inline SplitPlan split_plan_of(BlockTargets const& targets, int tournament, std::uint64_t seed) {
  SplitPlan plan;
  plan.coarsening.goal = {30 * targets.num_scopes, *std::ranges::min_element(targets.capacity)};
  plan.stage.name = "split";
  plan.stage.filter_fine = 0.25;
  plan.stage.filter_coarse = 0.75;
  plan.tournament = tournament;
  return with_seed(plan, seed);
}

/// Every block of `problem` becomes a block of the split; its scopes are those of the problem.
inline BlockTargets targets_of(Problem const& problem) {
  return {problem.num_scopes, problem.per_scope, problem.capacity, problem.share};
}

inline std::vector<Block> scopes_of(Problem const& problem) {
  std::vector<Block> scope;
  for (Block const b : problem.block) scope.push_back(scope_of(problem, b));
  return scope;
}

}  // namespace procmap::test
