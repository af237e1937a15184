// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "procmap/error.hpp"
#include "procmap/topology.hpp"
#include "topology/distance.hpp"

namespace procmap {
namespace {

void check_selection(std::span<Block const> pes, Block num_pes) {
  if (pes.empty()) throw TopologyError("pes is empty, expected at least one PE");
  std::vector<Block> position(static_cast<std::size_t>(num_pes), -1);
  for (std::size_t i = 0; i < pes.size(); ++i) {
    auto const where = [&](std::size_t j) { return "pes[" + std::to_string(j) + "]"; };
    if (pes[i] < 0 || pes[i] >= num_pes)
      throw TopologyError(where(i) + " = " + std::to_string(pes[i]) + " is not in [0, " + std::to_string(num_pes) +
                          ")");
    auto& first = position[static_cast<std::size_t>(pes[i])];
    if (first >= 0)
      throw TopologyError(where(i) + " = " + std::to_string(pes[i]) + " is listed already as " +
                          where(static_cast<std::size_t>(first)));
    first = static_cast<Block>(i);
  }
}

Grid part_of(Grid const& grid, std::span<Block const> pes) {
  auto const dimensions = static_cast<std::ptrdiff_t>(grid.sizes.size());
  Grid part{grid.sizes, grid.wraps, grid.costs, {}};
  for (auto const pe : pes) {
    auto const first = grid.coordinates.begin() + pe * dimensions;
    part.coordinates.insert(part.coordinates.end(), first, first + dimensions);
  }
  return part;
}

/// Numbers the different `node_of`(pe) in the order in which they come; `representatives` gets one PE of each.
template <class NodeOf>
std::vector<Block> number_nodes(std::span<Block const> pes, Block num_all, NodeOf node_of,
                                std::vector<Block>& representatives) {
  std::vector<Block> number(static_cast<std::size_t>(num_all), -1);
  std::vector<Block> nodes;
  nodes.reserve(pes.size());
  for (auto const pe : pes) {
    auto& node = number[static_cast<std::size_t>(node_of(pe))];
    if (node < 0) {
      node = static_cast<Block>(representatives.size());
      representatives.push_back(pe);
    }
    nodes.push_back(node);
  }
  return nodes;
}

/// Between nodes, by a PE of each; `inside`(pe) is the distance to a second PE of its node.
template <class Model, class Inside>
std::vector<std::int32_t> distances_between(Model const& model, std::vector<Block> const& representatives,
                                            Inside inside) {
  std::vector<std::int32_t> distances;
  distances.reserve(representatives.size() * representatives.size());
  for (auto const a : representatives)
    for (auto const b : representatives)
      distances.push_back(static_cast<std::int32_t>(a == b ? inside(a) : distance(model, a, b)));
  return distances;
}

DistanceTable part_of(DistanceTable const& table, std::span<Block const> pes) {
  std::vector<Block> representatives;
  auto nodes = number_nodes(
      pes, table.num_nodes, [&](Block pe) { return table.node_of_pe[static_cast<std::size_t>(pe)]; }, representatives);
  auto distances = distances_between(table, representatives, [&](Block pe) { return distance(table, pe, pe); });
  return {static_cast<Block>(representatives.size()), std::move(nodes), std::move(distances)};
}

/// The nodes are the innermost groups.
DistanceTable part_of(Hierarchy const& machine, Block num_pes, std::span<Block const> pes) {
  if (machine.distances.back() > std::numeric_limits<std::int32_t>::max())
    throw TopologyError("distance " + std::to_string(machine.distances.back()) +
                        " is not below 2^31, as it must be for a part of the machine; scale the distances down");
  Block const inner = machine.sizes[0];
  std::vector<Block> representatives;
  auto nodes = number_nodes(pes, num_pes / inner, [&](Block pe) { return pe / inner; }, representatives);
  if (representatives.size() > static_cast<std::size_t>(Topology::max_nodes))
    throw TopologyError("a part of a hierarchy may have at most " + std::to_string(Topology::max_nodes) +
                        " groups of the innermost level, these PEs lie in " + std::to_string(representatives.size()));
  auto distances = distances_between(machine, representatives, [&](Block) { return machine.distances[0]; });
  return {static_cast<Block>(representatives.size()), std::move(nodes), std::move(distances)};
}

/// Larger parts of a hierarchy are not checked for being one.
constexpr std::size_t max_recognised = 2048;

// All PEs in their order?
bool is_whole(std::span<Block const> pes, Block num_pes) {
  Block next = 0;
  return std::ranges::ssize(pes) == num_pes && std::ranges::all_of(pes, [&](Block pe) { return pe == next++; });
}

std::vector<Weight> matrix_of(DistanceTable const& table) {
  auto const k = static_cast<Block>(table.node_of_pe.size());
  std::vector<Weight> matrix;
  matrix.reserve(static_cast<std::size_t>(k) * static_cast<std::size_t>(k));
  for (Block a = 0; a < k; ++a)
    for (Block b = 0; b < k; ++b) matrix.push_back(a == b ? 0 : distance(table, a, b));
  return matrix;
}

}  // namespace

Topology Topology::sub(std::span<Block const> pes) const {
  check_selection(pes, num_pes_);
  if (is_whole(pes, num_pes_)) return *this;
  auto const description = std::to_string(pes.size()) + " of the " + description_;
  if (auto const* const grid = as_grid()) return {part_of(*grid, pes), description};
  auto table = as_table() ? part_of(*as_table(), pes) : part_of(*as_hierarchy(), num_pes_, pes);
  if (is_hierarchy() && table.node_of_pe.size() <= max_recognised) {
    auto const k = static_cast<Block>(pes.size());
    if (auto whole = from_distance_matrix(matrix_of(table), k); whole.is_hierarchy()) return whole;
  }
  return {std::move(table), description};
}

}  // namespace procmap
