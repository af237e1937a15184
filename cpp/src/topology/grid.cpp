// SPDX-License-Identifier: MIT
#include <limits>
#include <string>
#include <utility>

#include "procmap/error.hpp"
#include "procmap/topology.hpp"
#include "topology/row_major.hpp"

namespace procmap {
namespace {

template <class T>
std::string list(std::vector<T> const& values, char const* separator) {
  std::string text;
  for (auto const value : values) text += (text.empty() ? "" : separator) + std::to_string(value);
  return text;
}

void check_dimensions(std::string const& kind, std::vector<Block> const& sizes) {
  if (sizes.empty() || sizes.size() > static_cast<std::size_t>(Topology::max_dimensions))
    throw TopologyError(kind + " of " + std::to_string(sizes.size()) + " dimensions, expected 1 to " +
                        std::to_string(Topology::max_dimensions));
  auto const where = kind + " " + list(sizes, " x ");
  std::int64_t product = 1;
  for (auto const size : sizes) {
    if (size < 1) throw TopologyError(where + ": " + std::to_string(size) + " is smaller than 1");
    product *= size;
    if (product > Topology::max_pes)
      throw TopologyError(where + ": more than " + std::to_string(Topology::max_pes) + " PEs");
  }
}

void check_costs(std::vector<Weight> const& costs, std::size_t dimensions) {
  constexpr Weight largest = std::numeric_limits<std::int32_t>::max();
  if (costs.size() != dimensions)
    throw TopologyError("costs has " + std::to_string(costs.size()) + " entries, but there are " +
                        std::to_string(dimensions) + " dimensions");
  for (std::size_t i = 0; i < costs.size(); ++i)
    if (costs[i] < 0 || costs[i] > largest)
      throw TopologyError("costs[" + std::to_string(i) + "] = " + std::to_string(costs[i]) + " is not in [0, 2^31)");
}

std::string describe_grid(std::string const& kind, std::vector<Block> const& sizes, std::vector<Weight> const& costs,
                          Block num_pes) {
  auto text =
      std::to_string(num_pes) + (num_pes == 1 ? " PE in a " : " PEs in a ") + kind + " of " + list(sizes, " x ");
  for (auto const cost : costs)
    if (cost != 1) return text + ", steps cost " + list(costs, ", ");
  return text;
}

}  // namespace

Topology::Topology(Grid grid, std::string description) : description_(std::move(description)) {
  num_pes_ = static_cast<Block>(grid.coordinates.size() / grid.sizes.size());
  for (std::size_t i = 0; i < grid.sizes.size(); ++i)
    max_distance_ += grid.costs[i] * (grid.wraps[i] ? grid.sizes[i] / 2 : grid.sizes[i] - 1);
  model_ = std::make_shared<Grid const>(std::move(grid));
}

Topology Topology::grid(std::vector<Block> sizes, std::vector<Weight> costs, bool wraps) {
  std::string const kind = wraps ? "torus" : "mesh";
  check_dimensions(kind, sizes);
  if (costs.empty()) costs.assign(sizes.size(), 1);
  check_costs(costs, sizes.size());
  Block num_pes = 1;
  for (auto const size : sizes) num_pes *= size;
  auto description = describe_grid(kind, sizes, costs, num_pes);
  auto coordinates = row_major(sizes, num_pes);
  std::vector<std::uint8_t> const all(sizes.size(), wraps ? 1 : 0);
  return {Grid{std::move(sizes), all, std::move(costs), std::move(coordinates)}, std::move(description)};
}

Topology Topology::torus(std::vector<Block> sizes, std::vector<Weight> costs) {
  return grid(std::move(sizes), std::move(costs), true);
}

Topology Topology::mesh(std::vector<Block> sizes, std::vector<Weight> costs) {
  return grid(std::move(sizes), std::move(costs), false);
}

Topology Topology::hypercube(int dimensions) {
  if (dimensions < 0 || dimensions > max_dimensions)
    throw TopologyError("hypercube of " + std::to_string(dimensions) + " dimensions, expected 0 to " +
                        std::to_string(max_dimensions));
  // Two bits are a ring of 4 walked in Gray code: half as many dimensions to sum over.
  auto const rings = static_cast<std::size_t>(dimensions + 1) / 2;
  std::vector<Block> sizes(rings, 4);
  if (dimensions % 2 != 0) sizes[0] = 2;
  if (rings == 0) sizes = {1};
  Block const num_pes = Block{1} << dimensions;
  auto coordinates = row_major(sizes, num_pes);
  for (auto& c : coordinates) c ^= c >> 1;  // Gray code maps 0 1 2 3 to 0 1 3 2, and back
  auto description = std::to_string(num_pes) + (num_pes == 1 ? " PE" : " PEs") + " in a hypercube of " +
                     std::to_string(dimensions) + (dimensions == 1 ? " dimension" : " dimensions");
  std::vector<std::uint8_t> const wraps(sizes.size(), 1);
  std::vector<Weight> const costs(sizes.size(), 1);
  return {Grid{std::move(sizes), wraps, costs, std::move(coordinates)}, std::move(description)};
}

}  // namespace procmap
