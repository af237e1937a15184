// SPDX-License-Identifier: MIT
#include "multilevel/targets.hpp"

#include <algorithm>
#include <numeric>

#include "core/imbalance.hpp"

namespace procmap {

BlockTargets machine_targets(MappingTask const& task) {
  BlockTargets targets;
  targets.parts = task.topology.num_pes();
  auto const& pes = task.capacities;
  Weight const room = pes.room(0, targets.parts);
  for (Block pe = 0; pe < targets.parts; ++pe) {
    targets.capacity.push_back(pes.of(pe));
    targets.share.push_back(room > 0 ? proportion(task.total_weight, pes.of(pe), room) : 0);
    auto const limits = task.several.limits_of(pe);
    targets.limits.insert(targets.limits.end(), limits.begin(), limits.end());
  }
  return targets;
}

BlockTargets split_targets(std::vector<Weight> const& weight, Block parts, PeCapacities const& pes, SlackLeft slack) {
  BlockTargets targets;
  targets.num_scopes = static_cast<Block>(weight.size());
  targets.parts = parts;
  targets.pes_per_block = pes.num_pes() / targets.num_blocks();
  Block first = 0;
  for (Weight const w : weight) {
    Weight const room = pes.room(first, targets.pes_per_block * parts);
    for (Block child = 0; child < parts; ++child, first += targets.pes_per_block) {
      Weight const child_room = pes.room(first, targets.pes_per_block);
      Weight const needed = std::max<Weight>(pes.fixed_load(first, targets.pes_per_block), child_room > 0);
      Weight const capacity = child_capacity(w, child_room, room, slack.depth, slack.least_share);
      targets.capacity.push_back(std::max(capacity, needed));
      targets.share.push_back(room > 0 ? proportion(w, child_room, room) : w / parts);
    }
  }
  return targets;
}

BlockTargets split_targets(std::vector<Weight> const& weight, std::vector<Weight> const& loads, Block parts,
                           MappingTask const& task, SlackLeft slack) {
  auto targets = split_targets(weight, parts, task.capacities, slack);
  auto const count = static_cast<std::size_t>(task.several.count());
  if (count == 0) return targets;
  targets.limits.resize(targets.capacity.size() * count);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Weight> load;
    for (std::size_t scope = 0; scope < weight.size(); ++scope) load.push_back(loads[scope * count + i]);
    auto const own = split_targets(load, parts, task.several.capacities(static_cast<int>(i)), slack);
    for (std::size_t b = 0; b < own.capacity.size(); ++b) targets.limits[b * count + i] = own.capacity[b];
  }
  for (std::size_t b = 0; b < targets.capacity.size(); ++b)
    targets.capacity[b] = task.several.sum_of_limits(std::span(targets.limits).subspan(b * count, count));
  return targets;
}

BlockTargets targets_of_level(BlockTargets const& targets, int level, Vertex num_vertices) {
  if (level == 0 || num_vertices == 0 || !targets.limits.empty()) return targets;
  auto const total = std::accumulate(targets.share.begin(), targets.share.end(), Weight{0});
  auto const average = total / num_vertices;
  auto roomy = targets;
  roomy.finest_capacity = targets.capacity;
  for (std::size_t b = 0; b < roomy.capacity.size(); ++b)
    if (auto& capacity = roomy.capacity[b]; capacity > 0) capacity = std::max(capacity, roomy.share[b] + average);
  return roomy;
}

Weight largest_coarse_vertex(BlockTargets const& targets) {
  Weight largest = PeCapacities::unbounded;
  auto const parts = static_cast<std::size_t>(targets.parts);
  for (std::size_t first = 0; first < targets.capacity.size(); first += parts) {
    __int128 room = 0;
    Weight children = 0;
    for (std::size_t b = first; b < first + parts; ++b) {
      room += targets.capacity[b];
      children += targets.capacity[b] > 0 ? 1 : 0;
    }
    if (children > 0) largest = std::min(largest, static_cast<Weight>(room / children));
  }
  return largest;
}

bool all_fit(std::vector<Weight> const& loads, SeveralWeights const& several) {
  for (std::size_t at = 0; at < loads.size(); ++at) {
    auto const count = static_cast<std::size_t>(several.count());
    if (loads[at] > several.capacities(static_cast<int>(at % count)).of(static_cast<Block>(at / count))) return false;
  }
  return true;
}

bool all_fit(std::vector<Weight> const& weight, PeCapacities const& capacities) {
  for (Block pe = 0; pe < capacities.num_pes(); ++pe)
    if (weight[static_cast<std::size_t>(pe)] > capacities.of(pe)) return false;
  return true;
}

}  // namespace procmap
