// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/block_targets.hpp"
#include "exec/host_team.hpp"
#include "graph/host_graph.hpp"
#include "procmap/config.hpp"

namespace procmap {

/// A small graph whose scopes are to be split.
struct InitialProblem {
  HostGraph graph;
  std::vector<Block> scope;  // of every vertex
  std::vector<Block> fixed;  // PE of every fixed vertex, no_block for the others; empty: nobody is fixed
};

/// Splits every scope, `members` times over, by recursive bisection on the host. The result is laid out as in
/// Population.
std::vector<Block> initial_population(InitialProblem const& problem, BlockTargets const& targets, int members,
                                      InitialConfig const& config, std::uint64_t seed, HostTeam const& team);

}  // namespace procmap
