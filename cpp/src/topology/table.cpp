// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "procmap/error.hpp"
#include "procmap/topology.hpp"

namespace procmap {
namespace {

/// A square matrix in somebody else's memory.
struct Matrix {
  std::span<Weight const> entries;
  Block size;

  Weight operator()(Block a, Block b) const {
    return entries[static_cast<std::size_t>(a) * static_cast<std::size_t>(size) + static_cast<std::size_t>(b)];
  }
};

std::string entry(Matrix const& matrix, Block a, Block b) {
  return "distance[" + std::to_string(a) + "][" + std::to_string(b) + "] = " + std::to_string(matrix(a, b));
}

void check_pair(Matrix const& matrix, Block a, Block b) {
  Weight const distance = matrix(a, b);
  if (distance < 0) throw TopologyError(entry(matrix, a, b) + " is negative");
  if (distance > std::numeric_limits<std::int32_t>::max())
    throw TopologyError(entry(matrix, a, b) + " is not below 2^31; scale the distances down");
  if (distance != matrix(b, a))
    throw TopologyError(entry(matrix, a, b) + " but " + entry(matrix, b, a) + "; distances must be symmetric");
}

// In tiles, so that rows and columns stay in the cache.
void check_entries(Matrix const& matrix) {
  constexpr Block tile = 64;
  for (Block row = 0; row < matrix.size; row += tile)
    for (Block column = 0; column <= row; column += tile)
      for (Block a = row; a < std::min(row + tile, matrix.size); ++a)
        for (Block b = column; b < std::min(column + tile, a); ++b) check_pair(matrix, b, a);
  for (Block a = 0; a < matrix.size; ++a)
    if (matrix(a, a) != 0) throw TopologyError(entry(matrix, a, a) + ", but a PE is at distance 0 from itself");
}

// Sizes and distances as the first row tells them, if they can be those of a hierarchy.
std::optional<Hierarchy> levels_of_first_row(Matrix const& matrix) {
  Hierarchy found;
  Block inner = 1;
  for (Block b = 1; b < matrix.size; ++b) {
    if (b > 1 && matrix(0, b) == matrix(0, b - 1)) continue;
    if (b > 1 && matrix(0, b) < matrix(0, b - 1)) return std::nullopt;
    if (b > 1) {
      if (b % inner != 0) return std::nullopt;
      found.sizes.push_back(b / inner);
      inner = b;
    }
    found.distances.push_back(matrix(0, b));
    if (found.distances.size() > static_cast<std::size_t>(Topology::max_levels)) return std::nullopt;
  }
  if (found.distances.empty() || matrix.size % inner != 0) return std::nullopt;
  found.sizes.push_back(matrix.size / inner);
  return found;
}

// Row a is made of stretches: its level-i group without its level-(i-1) group is at distance d_i.
bool row_matches(Matrix const& matrix, Hierarchy const& levels, Block a) {
  Block first = a, last = a + 1, group = 1;
  for (std::size_t i = 0; i < levels.sizes.size(); ++i) {
    group *= levels.sizes[i];
    Block const begin = a / group * group;
    for (Block b = begin; b < begin + group; ++b)
      if ((b < first || b >= last) && matrix(a, b) != levels.distances[i]) return false;
    first = begin;
    last = begin + group;
  }
  return true;
}

std::optional<Hierarchy> recognise_hierarchy(Matrix const& matrix) {
  auto const levels = levels_of_first_row(matrix);
  if (!levels) return std::nullopt;
  for (Block a = 0; a < matrix.size; ++a)
    if (!row_matches(matrix, *levels, a)) return std::nullopt;
  return levels;
}

std::string describe_matrix(Matrix const& matrix) {
  Weight nearest = std::numeric_limits<Weight>::max(), farthest = 0;
  for (Block a = 0; a < matrix.size; ++a)
    for (Block b = 0; b < a; ++b) {
      nearest = std::min(nearest, matrix(a, b));
      farthest = std::max(farthest, matrix(a, b));
    }
  return std::to_string(matrix.size) + " PEs with a matrix of distances from " + std::to_string(nearest) + " to " +
         std::to_string(farthest);
}

}  // namespace

Topology::Topology(DistanceTable table, std::string description) : description_(std::move(description)) {
  num_pes_ = static_cast<Block>(table.node_of_pe.size());
  max_distance_ = *std::ranges::max_element(table.distances);
  model_ = std::make_shared<DistanceTable const>(std::move(table));
}

Topology Topology::from_distance_matrix(std::span<Weight const> distances, Block num_pes) {
  if (num_pes < 1 || num_pes > max_nodes)
    throw TopologyError("a distance matrix of " + std::to_string(num_pes) + " PEs, expected 1 to " +
                        std::to_string(max_nodes));
  if (distances.size() != static_cast<std::size_t>(num_pes) * static_cast<std::size_t>(num_pes))
    throw TopologyError("a distance matrix of " + std::to_string(num_pes) + " PEs has " +
                        std::to_string(distances.size()) + " entries");
  Matrix const matrix{distances, num_pes};
  check_entries(matrix);
  if (num_pes == 1) return flat(1);
  if (auto levels = recognise_hierarchy(matrix)) return Topology(std::move(*levels));

  DistanceTable table{num_pes, std::vector<Block>(static_cast<std::size_t>(num_pes)), {}};
  std::iota(table.node_of_pe.begin(), table.node_of_pe.end(), 0);
  table.distances.assign(distances.begin(), distances.end());
  return {std::move(table), describe_matrix(matrix)};
}

}  // namespace procmap
