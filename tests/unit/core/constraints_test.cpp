// SPDX-License-Identifier: MIT
#include "core/constraints.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/graphs.hpp"
#include "support/message.hpp"

namespace procmap::test {
namespace {

std::string error_of_sizes(std::vector<Weight> const& sizes) {
  Options options;
  options.initial = {0, 0, 1, 1};
  options.vertex_sizes = sizes;
  return message_of<ConfigError>([&] { make_constraints(cycle(4), Topology::flat(2), options); });
}

TEST(VertexSizes, AddUpToLessThanTheLargestWeight) {
  constexpr auto limit = Weight{1} << 62;

  EXPECT_EQ(error_of_sizes({limit / 2, limit / 2 - 1, 0, 0}), "[no exception]");
  EXPECT_EQ(error_of_sizes({limit / 2, 0, limit / 2, 7}),
            "vertex_sizes add up to 2^62 or more at vertex_sizes[2] = 2305843009213693952");
  EXPECT_EQ(error_of_sizes({1, -1, 0, 0}), "vertex_sizes[1] = -1 is negative");
}

}  // namespace
}  // namespace procmap::test
