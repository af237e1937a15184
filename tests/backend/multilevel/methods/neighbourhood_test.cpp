// SPDX-License-Identifier: MIT
#include "multilevel/methods/neighbourhood.hpp"

#include <gtest/gtest.h>

#include "procmap/config.hpp"
#include "support/backend.hpp"

namespace procmap::test {
namespace {

bool fills(Backend& backend, Graph const& graph, std::uint64_t seed) {
  auto const owned = backend.put(graph);
  auto const config = Config::preset("fast").coarsening;
  return fills_space(backend.ex, owned.view(), graph.total_vertex_weight(), config, seed);
}

TEST(Neighbourhood, TellsMeshesInSpaceFromOtherGraphs) {
  Backend backend;
  for (std::uint64_t const seed : {1, 2, 3}) {
    EXPECT_TRUE(fills(backend, grid3d(16, 16, 16), seed));
    EXPECT_FALSE(fills(backend, grid2d(64, 64), seed));
    EXPECT_FALSE(fills(backend, grid3d(60, 60, 1), seed));
    EXPECT_FALSE(fills(backend, cycle(5000), seed));
    EXPECT_FALSE(fills(backend, rmat(12, 30'000, seed), seed));
  }
}

TEST(Neighbourhood, WeightsDoNotMatter) {
  Backend backend;

  EXPECT_TRUE(fills(backend, with_weights(grid3d(16, 16, 16), 1, 20, 20), 1));
  EXPECT_FALSE(fills(backend, with_weights(grid2d(64, 64), 1, 20, 20), 1));
  EXPECT_FALSE(fills(backend, with_all_zero_weights(grid2d(64, 64)), 1));
  EXPECT_FALSE(fills(backend, with_heavy_vertex(grid2d(64, 64), 7, Weight{1} << 40), 1));
}

TEST(Neighbourhood, TinyGraphsAreLookedAtAsTheyAre) {
  Backend backend;

  EXPECT_FALSE(fills(backend, empty(), 1));
  EXPECT_FALSE(fills(backend, single_vertex(), 1));
  EXPECT_FALSE(fills(backend, complete(10), 1));
  EXPECT_TRUE(fills(backend, complete(11), 1));
  EXPECT_FALSE(fills(backend, complete(20), 1));
}

}  // namespace
}  // namespace procmap::test
