// SPDX-License-Identifier: MIT
#include "multilevel/innermost_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "core/index.hpp"

namespace procmap {
namespace {

/// The levels within innermost groups, and how far apart PEs are there.
std::pair<std::size_t, Weight> levels_within(Topology const& hierarchy) {
  auto const& sizes = hierarchy.sizes();
  auto const& distances = hierarchy.distances();
  std::size_t level = 0;
  while (level < sizes.size() && sizes[level] == 1) ++level;
  if (level == sizes.size()) return {level, 0};
  Weight const nearest = distances[level];
  while (level < sizes.size() && (sizes[level] == 1 || distances[level] == nearest)) ++level;
  return {level, nearest};
}

PeCapacities capacities_of_groups(PeCapacities const& pes, Block size) {
  if (pes.alike()) return {pes.num_pes() / size, pes.room(0, size)};
  std::vector<Weight> capacity;
  for (Block pe = 0; pe < pes.num_pes(); pe += size) capacity.push_back(pes.room(pe, size));
  return {capacity, std::span<Weight const>{}};
}

}  // namespace

std::optional<InnermostGroups> innermost_groups(Topology const& hierarchy, PeCapacities const& pes) {
  constexpr Block least = 16;  // smaller ones bring little (measured)
  auto const [levels, nearest] = levels_within(hierarchy);
  std::vector<Block> sizes = hierarchy.sizes();
  std::vector<Weight> distances = hierarchy.distances();
  auto const outer = static_cast<std::ptrdiff_t>(levels);
  auto const size = std::accumulate(sizes.begin(), sizes.begin() + outer, Block{1}, std::multiplies{});
  if (size < least || size == hierarchy.num_pes()) return std::nullopt;
  sizes.erase(sizes.begin(), sizes.begin() + outer);
  distances.erase(distances.begin(), distances.begin() + outer);
  for (Weight& distance : distances) distance -= nearest;
  return InnermostGroups{size, Topology::hierarchy(std::move(sizes), std::move(distances)),
                         capacities_of_groups(pes, size)};
}

void place_within_groups(Block size, PeCapacities const& pes, std::vector<Block>& group) {
  std::vector<Block> next(index(pes.num_pes() / size));
  for (std::size_t g = 0; g < next.size(); ++g) next[g] = static_cast<Block>(g) * size;
  for (Block& block : group) {
    Block& pe = next[index(block)];
    Block const end = (block + 1) * size;
    while (pe < end && pes.forbidden(pe)) ++pe;
    block = std::min(pe, end - 1);
    pe = std::min(pe + 1, end);
  }
}

}  // namespace procmap
