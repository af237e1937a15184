// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// Consecutive tasks on consecutive PEs, each with its share of the weight (every task weighs 1 if `weights` is empty).
/// Empty if a PE would have none.
std::vector<Block> consecutive_tasks(Vertex tasks, std::vector<Weight> const& weights, Block pes);

}  // namespace procmap
