// SPDX-License-Identifier: MIT
#pragma once

#include "core/block_targets.hpp"
#include "multilevel/task.hpp"

namespace procmap {

/// Capacity and share of every PE.
BlockTargets machine_targets(MappingTask const& task);

/// Slack that is still to be shared out (core/imbalance.hpp).
struct SlackLeft {
  int depth = 1;           // levels to split, this one included
  double least_share = 0;  // that a level may use up at least
};

/// One step of multisection: scopes of weights `weight`, in the order of their PEs, become `parts` children each.
BlockTargets split_targets(std::vector<Weight> const& weight, Block parts, PeCapacities const& pes, SlackLeft slack);

/// The same of several weights: of their sums `weight`, which children share, and of each weight, `loads`
/// [scope * several.count() + i], which limits them.
BlockTargets split_targets(std::vector<Weight> const& weight, std::vector<Weight> const& loads, Block parts,
                           MappingTask const& task, SlackLeft slack);

/// What blocks are to hold on a level of a hierarchy of graphs, 0 the finest: on a coarse one at least their share and
/// an average vertex of it. With less room than a vertex takes next to none could move, and the least overload would
/// decide, not the cut; the finest level finds the balance. Limits of several weights stay as they are.
BlockTargets targets_of_level(BlockTargets const& targets, int level, Vertex num_vertices);

/// The heaviest vertex that coarsening may make: it fits into an average child that is not forbidden, of every
/// scope that has any.
Weight largest_coarse_vertex(BlockTargets const& targets);

/// Does every PE hold its loads, [pe * several.count() + i]?
bool all_fit(std::vector<Weight> const& loads, SeveralWeights const& several);

/// Does every PE hold its `weight`?
bool all_fit(std::vector<Weight> const& weight, PeCapacities const& capacities);

}  // namespace procmap
