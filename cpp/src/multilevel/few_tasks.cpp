// SPDX-License-Identifier: MIT
#include "multilevel/few_tasks.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace procmap {
namespace {

/// The same PEs, but none from `end` on.
PeCapacities first_pes(PeCapacities const& pes, Block end) {
  std::vector<Weight> capacity(static_cast<std::size_t>(pes.num_pes()), 0);
  for (Block pe = 0; pe < end; ++pe) capacity[static_cast<std::size_t>(pe)] = pes.of(pe);
  return {capacity, std::span<Weight const>{}};
}

/// The end of the first PEs, in groups of so many, of which `wanted` are usable.
Block end_of_first(PeCapacities const& pes, Block group, Block wanted) {
  Block end = 0;
  while (end < pes.num_pes() && pes.usable(0, end) < wanted) end += group;
  return std::min(end, pes.num_pes());
}

}  // namespace

std::vector<PeCapacities> rooms_for(PeCapacities const& pes, Topology const& hierarchy, Block tasks) {
  std::vector<PeCapacities> rooms{pes};
  constexpr double nearly_all = 0.9;  // from then on there is no difference (measured)
  if (tasks > nearly_all * pes.usable(0, pes.num_pes())) return rooms;
  Block const group = hierarchy.num_pes() / hierarchy.sizes().back();
  Block const groups_end = end_of_first(pes, group, tasks), end = end_of_first(pes, 1, tasks);
  rooms.push_back(first_pes(pes, end));
  if (groups_end > end && groups_end < pes.num_pes()) rooms.push_back(first_pes(pes, groups_end));
  return rooms;
}

FirstPlaces first_places(std::vector<Block> const& guide_sizes, Block wanted, Block all) {
  constexpr Block some = 8;
  Block group = 1;
  FirstPlaces first;
  for (Block const parts : guide_sizes) {
    if (std::int64_t{group} * parts * some > wanted) break;
    group *= parts;
    first.sizes.push_back(parts);
  }
  first.count = std::min(all, (wanted + group - 1) / group * group);
  first.sizes.push_back(first.count / group);
  return first;
}

}  // namespace procmap
