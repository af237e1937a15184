// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "core/hash.hpp"
#include "procmap/procmap.hpp"
#include "support/graphs.hpp"
#include "support/options.hpp"

// Meshes in space on grids of three dimensions, where tasks are laid out (multilevel/methods/laid_out.hpp).

namespace procmap::test {
namespace {

/// Points of a lattice within a ball, of which one in eight is missing.
Graph ball(Vertex radius) {
  std::map<std::array<Vertex, 3>, Vertex> number;
  EdgeList edges;
  for (Vertex x = -radius; x <= radius; ++x)
    for (Vertex y = -radius; y <= radius; ++y)
      for (Vertex z = -radius; z <= radius; ++z) {
        auto const place = static_cast<std::uint64_t>(x + radius + 64 * (y + radius + 64 * (z + radius)));
        if (x * x + y * y + z * z > radius * radius || hash(5, place) % 8 == 0) continue;
        auto const v = number.emplace(std::array{x, y, z}, static_cast<Vertex>(number.size())).first->second;
        for (auto const& before : {std::array{x - 1, y, z}, std::array{x, y - 1, z}, std::array{x, y, z - 1}})
          if (auto const u = number.find(before); u != number.end()) edges.emplace_back(u->second, v);
      }
  return graph_from_edges(static_cast<Vertex>(number.size()), edges);
}

Options how(std::uint64_t seed, bool laid_out, int threads = 2) {
  auto options = cpu_options("fast", 0.03, seed, threads);
  options.config.machine.cartesian = laid_out;
  return options;
}

TEST(LaidOut, MeshesInSpaceCostLessOnATorus) {
  auto const graph = ball(sanitized ? 8 : 14);
  auto const machine = Topology::torus({4, 4, 4});
  Weight with = 0, without = 0;
  for (std::uint64_t const seed : {1, 2, 3}) {
    auto const mapping = map(graph, machine, how(seed, true));
    EXPECT_TRUE(mapping.report.feasible);
    with += mapping.report.cost;
    without += map(graph, machine, how(seed, false)).report.cost;
    if (sanitized) break;
  }
  EXPECT_LE(with, without);
  EXPECT_TRUE(sanitized || 100 * with < 95 * without) << with << " and " << without;
}

TEST(LaidOut, MappingsAreTheSameOnAnyNumberOfThreads) {
  auto const graph = ball(8);
  auto const machine = Topology::torus({4, 3, 2});
  auto const expected = map(graph, machine, how(1, true, 1)).blocks;

  for (int const threads : {2, 5}) EXPECT_EQ(map(graph, machine, how(1, true, threads)).blocks, expected);
}

}  // namespace
}  // namespace procmap::test
