// SPDX-License-Identifier: MIT
#pragma once

#include "initial/initial_population.hpp"

namespace procmap {

/// initial_population() of a graph whose vertices have several weights: recursive bisection too, but every bisection of
/// the sum of all weights is then refined until each weight fits, before its sides are split.
std::vector<Block> start_several(InitialProblem const& problem, BlockTargets const& targets, int members,
                                 InitialConfig const& config, std::uint64_t seed, HostTeam const& team);

}  // namespace procmap
