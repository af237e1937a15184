// SPDX-License-Identifier: MIT
#include "core/several_weights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "procmap/procmap.hpp"
#include "support/graphs.hpp"
#include "support/message.hpp"

namespace procmap::test {
namespace {

/// Weights of `n` vertices, [v * count + i], some of them large, some zero.
std::vector<Weight> random_loads(std::size_t n, std::size_t count, std::uint64_t seed) {
  std::vector<Weight> loads;
  for (std::size_t at = 0; at < n * count; ++at) {
    Weight const largest = at % count == 0 ? 9 : Weight{1} << 40;
    loads.push_back(random_below(3, seed, at, 1) == 0 ? 0 : random_below(largest, seed, at));
  }
  return loads;
}

std::vector<Weight> totals_of(std::vector<Weight> const& loads, std::size_t count) {
  std::vector<Weight> totals(count, 0);
  for (std::size_t at = 0; at < loads.size(); ++at) totals[at % count] += loads[at];
  return totals;
}

TEST(SeveralWeights, ABlockThatKeepsEveryLimitKeepsTheSumOfThem) {
  constexpr std::size_t n = 40, count = 3;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    auto const loads = random_loads(n, count, seed);
    auto const totals = totals_of(loads, count);
    SeveralWeights const several(totals, {{2, totals[0]}, {2, totals[1]}, {2, totals[2]}});
    std::vector<Weight> held(count, 0);
    Weight sum = 0;
    for (std::size_t v = 0; v < n; v += 2) {
      std::vector<Weight> const own(loads.begin() + static_cast<std::ptrdiff_t>(v * count),
                                    loads.begin() + static_cast<std::ptrdiff_t>((v + 1) * count));
      for (std::size_t i = 0; i < count; ++i) held[i] += own[i];
      sum += several.sum_of_loads(own);
    }

    EXPECT_LE(sum, several.sum_of_limits(held));
  }
}

TEST(SeveralWeights, OnlyNothingSumsUpToNothing) {
  SeveralWeights const several({1000000, 0}, {{2, 1}, {2, 0}});

  EXPECT_EQ(several.sum_of_limits(std::vector<Weight>{0, 0}), 0);
  EXPECT_GT(several.sum_of_limits(std::vector<Weight>{1, 0}), 0);
  EXPECT_GT(several.sum_of_limits(std::vector<Weight>{0, 1}), 0);
}

TEST(SeveralWeights, ExcessIsMeasuredInUnitsOfEveryWeight) {
  std::vector<Weight> const limits{10, 1000, 10, 1000}, unit{10, 1000};

  EXPECT_EQ(total_excess(std::vector<Weight>{10, 1000, 3, 4}, limits, unit), 0);
  EXPECT_EQ(total_excess(std::vector<Weight>{15, 1000, 10, 1500}, limits, unit), Weight{1} << 20);
  EXPECT_EQ(total_excess(std::vector<Weight>{10, 1001, 10, 1000}, limits, unit), (Weight{1} << 20) / 1000 + 1);
}

CsrArrays with_further(Graph const& graph, std::vector<Weight> first, std::vector<Weight> further, int count) {
  auto arrays = to_csr(graph).arrays();
  arrays.vertex_weights = std::move(first);
  arrays.further_weights = std::move(further);
  arrays.num_further = count;
  return arrays;
}

TEST(SeveralWeights, AreCheckedWithTheGraph) {
  auto const error = [](std::vector<Weight> first, std::vector<Weight> further, int count) {
    return message_of<GraphError>([&] { Graph::from_csr(with_further(cycle(3), first, further, count)); });
  };

  EXPECT_EQ(error({1, 1, 1}, {1, 2, 3}, 1), "[no exception]");
  EXPECT_EQ(error({1, 1, 1}, {1, 2}, 1), "further_weights has 2 entries, expected 3");
  EXPECT_EQ(error({1, 1, 1}, {1, -2, 3}, 1), "vertex_weights[1, 1] = -2 is negative");
  EXPECT_EQ(error({}, {1, 2, 3}, 1), "there are further weights of vertices, but no first one");
  EXPECT_EQ(error({1, 1, 1}, std::vector<Weight>(24, 1), 8), "a vertex has 9 weights, at most 8 are possible");
}

TEST(SeveralWeights, AreReportedOneByOne) {
  auto const graph = Graph::from_csr(with_further(
      grid2d(8, 8), std::vector<Weight>(64, 2),
      [] {
        std::vector<Weight> further;
        for (Weight v = 0; v < 64; ++v) further.insert(further.end(), {v % 5, v < 8 ? 1 : 0});
        return further;
      }(),
      2));
  Options options;
  options.imbalances = {0, 0.1, 0.5};

  auto const report = partition(graph, 4, options).report;

  EXPECT_TRUE(report.feasible);
  EXPECT_EQ(report.capacity, 32);
  ASSERT_EQ(report.further.size(), 2u);
  EXPECT_EQ(report.further[0].capacity, block_capacity(graph.total_weight(1), 4, 0.1));
  EXPECT_EQ(report.further[1].capacity, 3);
  for (auto const& weight : report.further) EXPECT_LE(weight.max_block_weight, weight.capacity);
}

}  // namespace
}  // namespace procmap::test
