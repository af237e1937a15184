// SPDX-License-Identifier: MIT
#include "graph/empty_blocks.hpp"

#include <gtest/gtest.h>

#include "support/graphs.hpp"

namespace procmap::test {
namespace {

TEST(EmptyBlocks, NeedALightFreeVertexEach) {
  auto const graph = with_weights(path(4), 1, 1, 1);
  auto const can_fill = [&](std::vector<Weight> const& capacity, std::vector<Block> const& fixed) {
    return can_fill_all(graph, PeCapacities(capacity, {}), fixed);
  };

  EXPECT_TRUE(can_fill({1, 1, 1, 1}, {}));
  EXPECT_FALSE(can_fill({1, 1, 1, 1, 1}, {}));
  EXPECT_TRUE(can_fill({1, 0, 1, 1, 1}, {})) << "a forbidden PE needs none";
  EXPECT_FALSE(can_fill({4, 1, 1, 1}, {0, 0, no_block, no_block})) << "two free vertices for three PEs";
  EXPECT_TRUE(can_fill({4, 1, 1}, {0, 0, no_block, no_block})) << "the first has fixed ones";
}

TEST(EmptyBlocks, ThatAreTooSmallForAnyVertexAreNotAskedFor) {
  auto csr = to_csr(path(3));
  csr.vertex_weights = {2, 2, 5};
  auto const graph = csr.graph();
  auto const can_fill = [&](std::vector<Weight> const& capacity) {
    return can_fill_all(graph, PeCapacities(capacity, {}), {});
  };

  EXPECT_FALSE(can_fill({9, 1, 2}));
  EXPECT_TRUE(can_fill({9, 2, 2}));
  EXPECT_TRUE(can_fill({2, 5, 2}));
  EXPECT_FALSE(can_fill({2, 4, 3}));
}

}  // namespace
}  // namespace procmap::test
