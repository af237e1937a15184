// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "small/small_problem.hpp"

namespace procmap {

/// Are there few enough vertices and PEs for what follows?
bool is_small(Graph const& graph, Topology const& topology);

/// Replaces a mapping of a small problem by a better one, with few vertices by the best there is, and leaves it as it
/// is if none is found. Fixed vertices and forbidden PEs must be respected already. Takes a few milliseconds. Returns
/// whether it was replaced.
bool finish_mapping(SmallProblem const& problem, std::uint64_t seed, std::span<Block> blocks);

}  // namespace procmap
