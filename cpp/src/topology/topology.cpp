// SPDX-License-Identifier: MIT
#include "procmap/topology.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "procmap/error.hpp"
#include "topology/distance.hpp"

namespace procmap {
namespace {

using Distances = std::set<Weight>;

Distances distinct(Hierarchy const& machine, std::size_t) {
  Distances found;
  for (std::size_t i = 0; i < machine.sizes.size(); ++i)
    if (machine.sizes[i] > 1) found.insert(machine.distances[i]);
  return found;
}

// Sums of one distance per dimension. Stops once there are more than `limit`.
Distances distinct(Grid const& grid, std::size_t limit) {
  Distances sums{0};
  for (std::size_t i = 0; i < grid.sizes.size() && sums.size() <= limit + 1; ++i) {
    Block const reach = grid.wraps[i] ? grid.sizes[i] / 2 : grid.sizes[i] - 1;
    Distances longer = sums;
    for (Block steps = 1; steps <= reach && longer.size() <= limit + 1; ++steps)
      for (Weight const sum : sums) longer.insert(sum + steps * grid.costs[i]);
    sums = std::move(longer);
  }
  bool const free_steps = std::ranges::any_of(grid.costs, [](Weight cost) { return cost == 0; });
  if (!free_steps) sums.erase(0);
  return sums;
}

Distances distinct(DistanceTable const& table, std::size_t limit) {
  auto const nodes = static_cast<std::size_t>(table.num_nodes);
  std::vector<Block> pes(nodes, 0);
  for (Block const node : table.node_of_pe) ++pes[static_cast<std::size_t>(node)];
  Distances found;
  for (std::size_t x = 0; x < nodes && found.size() <= limit; ++x) {
    if (pes[x] > 1) found.insert(table.distances[x * nodes + x]);
    Weight last = -1;  // most neighbours in a row are the same
    for (std::size_t y = 0; y < x; ++y)
      if (table.distances[x * nodes + y] != last) found.insert(last = table.distances[x * nodes + y]);
  }
  return found;
}

template <class T>
bool same(std::shared_ptr<T const> const& a, std::shared_ptr<T const> const& b) {
  return a == b || *a == *b;
}

}  // namespace

void Topology::check_pe(Block pe) const {
  if (pe < 0 || pe >= num_pes_)
    throw TopologyError("PE " + std::to_string(pe) + " is not in [0, " + std::to_string(num_pes_) + ")");
}

Weight Topology::distance(Block a, Block b) const {
  check_pe(a);
  check_pe(b);
  if (a == b) return 0;
  return std::visit([&](auto const& model) { return procmap::distance(*model, a, b); }, model_);
}

int Topology::meeting_level(Block a, Block b) const {
  check_pe(a);
  check_pe(b);
  auto const* const hierarchy = as_hierarchy();
  if (!hierarchy) throw TopologyError("only a hierarchy has levels at which PEs meet");
  return procmap::meeting_level(*hierarchy, a, b);
}

std::vector<Weight> Topology::distinct_distances(std::size_t limit) const {
  auto const found = std::visit([&](auto const& model) { return distinct(*model, limit); }, model_);
  if (found.size() > limit) return {};
  return {found.begin(), found.end()};
}

bool Topology::operator==(Topology const& other) const {
  if (model_.index() != other.model_.index()) return false;
  return std::visit(
      [&](auto const& model) { return same(model, std::get<std::decay_t<decltype(model)>>(other.model_)); }, model_);
}

std::vector<Block> const& Topology::sizes() const {
  static std::vector<Block> const none;
  auto const* const hierarchy = as_hierarchy();
  return hierarchy ? hierarchy->sizes : none;
}

std::vector<Weight> const& Topology::distances() const {
  static std::vector<Weight> const none;
  auto const* const hierarchy = as_hierarchy();
  return hierarchy ? hierarchy->distances : none;
}

}  // namespace procmap
